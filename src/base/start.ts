// Parses the start of an index. Input: `7d`, `36h`, a date or time, `head`, or the number of a block. Output: its
// meaning, or null.
import { parseTime } from './time.ts'

export type Start =
  /** This long before the newest block. */
  | { kind: 'ago'; seconds: number }
  /** The first block at or after a time, in seconds since 1970. */
  | { kind: 'time'; time: number }
  | { kind: 'head' }
  | { kind: 'block'; number: number }

const SECONDS = { h: 3_600, d: 86_400, w: 604_800 } as const
/** Twenty years: before any EVM chain. */
const LONGEST_SECONDS = 20 * 366 * 86_400
const LAST_BLOCK = 2 ** 31 - 1

export function parseStart(text: string): Start | null {
  if (text === 'head') return { kind: 'head' }
  const [, amount, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? []
  if (amount && unit) {
    const seconds = Number(amount) * SECONDS[unit as keyof typeof SECONDS]
    return seconds <= LONGEST_SECONDS ? { kind: 'ago', seconds } : null
  }
  if (/^\d{1,10}$/.test(text)) return Number(text) <= LAST_BLOCK ? { kind: 'block', number: Number(text) } : null
  const time = parseTime(text)
  return time && { kind: 'time', time: Math.floor(time.getTime() / 1_000) }
}
