// Pure. The prices of several tokens as percent since their common start.
import { type SharesPoint, toSeconds } from './chart/pane.ts'
import { isAddress } from './is-address.ts'

/** Tokens of a comparison. */
export const MOST_COMPARED = 4

/** The tokens in an address: each once, and no other word. */
export const readCompared = (text: string | undefined): string[] =>
  [...new Set((text ?? '').toLowerCase().split(','))].filter(isAddress).slice(0, MOST_COMPARED)

export const compareAddress = (tokens: readonly string[], interval?: string): string => {
  const words = [
    ...(tokens.length > 0 ? [`tokens=${tokens.join(',')}`] : []),
    ...(interval ? [`interval=${interval}`] : []),
  ]
  return words.length === 0 ? '/compare' : `/compare?${words.join('&')}`
}

interface Priced {
  candles: readonly { start: string; closeUsd: number | null }[]
}

/**
 * The change of each token's price since the first time at which all of them have one; empty if there is none. A token
 * without a price all along is left out of the start, and has no values.
 */
export function toShares(tokens: readonly Priced[]): SharesPoint[] {
  const closes = tokens.map(
    ({ candles }) =>
      new Map(candles.flatMap(({ start, closeUsd }) => (closeUsd ? [[toSeconds(start), closeUsd] as const] : []))),
  )
  const firsts = closes.flatMap((known) => (known.size > 0 ? [Math.min(...known.keys())] : []))
  const start = Math.max(...firsts)
  const times = [...new Set(closes.flatMap((known) => [...known.keys()]))].filter((time) => time >= start)
  const bases = closes.map((known) => known.get(Math.min(...[...known.keys()].filter((time) => time >= start))))
  return times
    .sort((a, b) => a - b)
    .map((time) => ({
      time,
      values: closes.map((known, at) => {
        const [close, base] = [known.get(time), bases[at]]
        return close !== undefined && base ? 100 * (close / base - 1) : null
      }),
    }))
}
