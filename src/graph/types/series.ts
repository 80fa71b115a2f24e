// Converts the arguments of a series, an interval and a range of times, into numbers of intervals since 1970. Errors
// name every fault.
import { type Fault, invalid } from '../../base/errors.ts'
import { INTERVAL_SECONDS, type Interval } from '../../base/interval.ts'
import { FIVE_MINUTES_KEPT_DAYS, MINUTES_KEPT_DAYS } from '../../base/retention.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { Head } from '../../ledger/head.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { IntervalEnum } from '../schema/vocabulary.ts'

/** The most points of a series. */
export const MAX_POINTS = 1_000

/** The arguments of a series. */
export const seriesArgs = (interval: Interval, limit: number) =>
  builder.args((t) => ({
    interval: t.field({ type: IntervalEnum, defaultValue: interval, description: 'The length of each interval.' }),
    from: t.field({
      type: 'DateTime',
      description: 'A time in the first interval. If left out, the last `limit` intervals.',
    }),
    to: t.field({
      type: 'DateTime',
      description: 'A time in the last interval; at most, and by default, the time of the block.',
    }),
    limit: t.int({
      defaultValue: limit,
      description: `The most intervals, including those without a point, from 1; above ${MAX_POINTS} counts as ${MAX_POINTS}. A longer range is refused.`,
    }),
  }))

/** The arguments in GraphQL's form. */
interface SeriesArguments {
  interval?: Interval | null | undefined
  from?: Date | null | undefined
  to?: Date | null | undefined
  limit?: number | null | undefined
}

/** Intervals from the first to the last, by their numbers since 1970. */
interface SeriesRange {
  interval: Interval
  first: number
  last: number
  /** Whether the last interval is that of the block. */
  endsNow: boolean
}

/** The intervals that the arguments ask for. Throws INVALID_PARAMS for a range that is empty, too long, or deleted. */
export function readSeries(
  args: SeriesArguments,
  defaults: { interval: Interval; limit: number },
  head: Head,
): SeriesRange {
  const interval = args.interval ?? defaults.interval
  const limit = readLimit(args.limit, defaults.limit, MAX_POINTS)
  const numberOf = (time: Date) => Math.floor(time.getTime() / 1000 / INTERVAL_SECONDS[interval])
  const last = Math.min(numberOf(args.to ?? head.time), numberOf(head.time))
  const first = args.from ? numberOf(args.from) : Math.max(0, last - limit + 1)
  const faults = [...judgeRange(args, last - first + 1, limit, interval), ...judgeAge(args, first, interval, head)]
  if (faults.length > 0) throw invalid(faults)
  return { interval, first, last: Math.max(last, first - 1), endsNow: last === numberOf(head.time) }
}

const fault = (field: string, message: string): Fault => ({ location: 'argument', field, message })

function judgeRange({ from, to }: SeriesArguments, asked: number, limit: number, interval: Interval) {
  if (from && to && from > to) return [fault('from', 'from must not be later than to')]
  if (asked <= limit) return []
  const more = limit < MAX_POINTS ? `, or a limit up to ${MAX_POINTS}` : ''
  return [
    fault(
      'from',
      `from: ${asked} intervals of ${interval} lie between from and to, and limit allows ${limit}: take a later from, an earlier to, a longer interval${more}`,
    ),
  ]
}

/** How many days candles are kept, of the intervals that are not kept for ever. */
const KEPT_DAYS: Readonly<Partial<Record<Interval, number>>> = {
  m1: MINUTES_KEPT_DAYS,
  m5: FIVE_MINUTES_KEPT_DAYS,
  m15: FIVE_MINUTES_KEPT_DAYS,
}

function judgeAge({ from }: SeriesArguments, first: number, interval: Interval, head: Head) {
  const days = KEPT_DAYS[interval]
  if (!from || days === undefined) return []
  const oldest = head.time.getTime() / 1000 - days * DAY_SECONDS
  if ((first + 1) * INTERVAL_SECONDS[interval] > oldest) return []
  return [
    fault(
      'from',
      `from: candles of ${interval} are kept for ${days} days, so from must be ${new Date(oldest * 1000).toISOString()} or later, or interval ${interval === 'm1' ? 'm5' : 'h1'} or longer`,
    ),
  ]
}
