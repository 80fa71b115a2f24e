// The range of time of an export, and its days. Pure.
import { StartupError } from '../base/errors.ts'
import { DAY_SECONDS } from '../base/time.ts'
import type { TimeRange } from './table.ts'

/** A moment as an argument names it: a time, or seconds before the newest final block. */
export type RangeEnd = { kind: 'time'; time: number } | { kind: 'ago'; seconds: number }

export const toTime = (moment: RangeEnd, final: Date): Date =>
  new Date(moment.kind === 'time' ? moment.time * 1_000 : final.getTime() - moment.seconds * 1_000)

const DAY_MS = DAY_SECONDS * 1_000
const floorTo = (time: Date, ms: number) => new Date(Math.floor(time.getTime() / ms) * ms)
const ceilTo = (time: Date, ms: number) => new Date(Math.ceil(time.getTime() / ms) * ms)

/** What of the wanted range is kept and final, in whole periods; throws if nothing is. */
export function cutToKept(
  wanted: { from: Date | null; to: Date | null },
  kept: { oldest: Date; final: Date; periodSeconds: number },
): TimeRange {
  if (wanted.from && wanted.to && wanted.from >= wanted.to) throw new StartupError('--from must be before --to.', 2)
  const periodMs = kept.periodSeconds * 1_000
  const from = ceilTo(wanted.from && wanted.from > kept.oldest ? wanted.from : kept.oldest, periodMs)
  const to = floorTo(wanted.to && wanted.to < kept.final ? wanted.to : kept.final, periodMs)
  if (from < to) return { from, to }
  throw new StartupError(
    `Nothing is kept and final in this range: the rows are of ${kept.oldest.toISOString()} to ${kept.final.toISOString()}. Change --from or --to.`,
    2,
  )
}

/** The UTC days of a range, each with the name of its partition. */
export function* daysOf({ from, to }: TimeRange): Generator<TimeRange & { name: string }> {
  for (let day = floorTo(from, DAY_MS); day < to; day = new Date(day.getTime() + DAY_MS)) {
    const next = new Date(day.getTime() + DAY_MS)
    const name = `date=${day.toISOString().slice(0, 10)}`
    yield { name, from: day < from ? from : day, to: next < to ? next : to }
  }
}
