// Whole numbers in SQL. Pure. They are checked, because they are not bound.
import type { Segment } from './history.ts'

/** Numbers in one statement. */
const NUMBERS = 1_000

/** A whole number in SQL. */
export function whole(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a whole number`)
  return String(value)
}

export const numbersIn = (values: readonly number[]): string => [...new Set(values)].map(whole).join(', ')

/** The condition on running numbers in ascending order. Many in a row are one range. */
export function isOneOf(sorted: readonly number[]): string {
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0]
  return isRow(sorted) ? `n >= ${whole(least)} AND n <= ${whole(most)}` : `n IN (${numbersIn(sorted)})`
}

/** Whether ascending numbers follow each other. */
export const isRow = (sorted: readonly number[]): boolean =>
  (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) + 1 === sorted.length

/** Values in lists that a statement takes. */
export function chunksOf(values: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(values.length / NUMBERS) }, (_, at) =>
    values.slice(at * NUMBERS, (at + 1) * NUMBERS),
  )
}

/** The numbers that segments have, in ascending order and in lists, each with those segments. */
export function byChunk(
  segments: readonly Segment[],
  ns: readonly number[],
): { among: Segment[]; numbers: number[] }[] {
  const sorted = [...new Set(ns)].sort((a, b) => a - b)
  const lists = sorted.length > 0 && isRow(sorted) ? [sorted] : chunksOf(sorted)
  return lists.flatMap((numbers) => {
    const among = segments.filter(({ firstN, lastN }) => numbers.some((n) => firstN <= n && n <= lastN))
    return among.length > 0 ? [{ among, numbers }] : []
  })
}

/** Microseconds since 1970 as PostgreSQL reads them. */
export function toInstant(us: number): string {
  const seconds = Math.floor(us / 1_000_000)
  const fraction = String(us - seconds * 1_000_000).padStart(6, '0')
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${fraction}Z`
}

/** The microseconds of an instant that `toInstant` wrote. Times of blocks are whole seconds. */
export const toMicros = (instant: string): number => 1_000 * Date.parse(instant)

/** The segments that may have events of these times, in microseconds. */
export function segmentsAt(segments: readonly Segment[], times: readonly number[]): Segment[] {
  const [least, most] = [Math.min(...times) / 1_000, Math.max(...times) / 1_000]
  return segments.filter(({ firstTime, lastTime }) => firstTime.getTime() <= most && lastTime.getTime() >= least)
}
