// Numbers in words, for sentences of the server and for the page: one form of units, thousands and percent. Sentences
// are English and have two digits; the page gives its reader's digits.
import { DAY_SECONDS } from '../base/time.ts'

/** Made once: a formatter is looked up by its locale at each call of `toLocaleString`. */
const GROUPED = new Intl.NumberFormat('en-US')
export const toCount = (count: number): string =>
  count >= 0 && count < 999 ? `${Math.round(count)}` : GROUPED.format(Math.round(count))
/** A small share is not rounded to nothing. */
export const toPercent = (share: number): string =>
  share > 0 && share < 0.005 ? `under 1${PERCENT}` : `${toCount(100 * share)}${PERCENT}`
/** once, 2 times. */
export const toTimes = (count: number): string => (count === 1 ? 'once' : countOf(count, 'time'))
export const countOf = (count: number, noun: string): string =>
  `${toCount(count)} ${noun}${Math.round(count) === 1 ? '' : 's'}`

const UNITS: readonly (readonly [unit: number, letter: string])[] = [
  [1e12, 't'],
  [1e9, 'b'],
  [1e6, 'm'],
  [1e3, 'k'],
]

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A number in the largest unit that it fills, and the letter of the unit: 34 and k. */
export function inUnit(value: number): readonly [amount: number, letter: string] {
  const size = Math.abs(value)
  const [unit, letter] = UNITS.find(([unit]) => size >= 0.9995 * unit) ?? [1, '']
  return [value / unit, letter]
}

/** The sign of a percentage stands apart. */
export const PERCENT = ' %'

/** $1.2k, $34k, $560, $7.8m. */
export function sayUsd(usd: number): string {
  const [amount, letter] = inUnit(usd)
  return `$${amount >= 10 ? Math.round(amount) : Number(amount.toPrecision(2))}${letter}`
}

/** 0.034, 1.5, 27, 1,200. */
export function toRatio(ratio: number): string {
  if (ratio >= 10) return toCount(ratio)
  return ratio < 0.01 ? 'less than 0.01' : String(Number(ratio.toPrecision(2)))
}

export function toDuration(seconds: number): string {
  if (seconds < 0.5) return 'less than a second'
  if (seconds < 90) return countOf(seconds, 'second')
  if (seconds < 90 * 60) return countOf(seconds / 60, 'minute')
  return seconds < 36 * 3_600 ? countOf(seconds / 3_600, 'hour') : countOf(seconds / DAY_SECONDS, 'day')
}
