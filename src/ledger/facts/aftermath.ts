// Outcomes of buys. The outcome of a buy looks at three days after the hour of the buy. It is the share of the token's
// trades in them that were priced above the buy. Traded hours are read by token and day, once for all wallets that
// bought the token.

import { hourOf } from '../../base/clock.ts'
import { float64At, int32At, numberAt } from '../../base/item-at.ts'
import { defineRead, double, findRanges, integer, type Reader } from '../../database/column-query.ts'
import { recall, type Shelf, type Store } from './store.ts'

/** How many hours after the hour of a buy count for its outcome. */
export const OUTCOME_HOURS = 72

/** Buys by column: token ids, seconds since 1970, whole tokens, dollars. */
export interface Buys {
  tokenIds: number[]
  times: number[]
  quantities: number[]
  amountsUsd: number[]
}

/** The traded hours of a token on one day, two numbers each: `trades * HOURS + hour of the day`, and the last price in dollars. */
export type DayHours = Float64Array

const HOURS = 24
/** Every day until the year 2149 has a number (days since 1970) below this. */
const DAYS = 2 ** 16
const NONE: DayHours = new Float64Array(0)

/** How many days of tokens are kept at most. Each has up to 24 hours, most far fewer. */
export const MOST_DAYS = 100_000

const readDayHours = defineRead(
  'facts outcome hours',
  {
    nth: integer('d.nth::int'),
    hour: integer(`h.hour - ${HOURS} * d.day`),
    tradeCount: integer('h.buy_count + h.sell_count'),
    closeUsd: double('h.close_usd'),
  },
  (columns) => `SELECT ${columns}
    FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS d(token_id, day, nth)
    JOIN token_hour h ON h.token_id = d.token_id AND h.hour >= ${HOURS} * d.day AND h.hour < ${HOURS} * (d.day + 1)
    ORDER BY d.nth`,
)

/** Returns the outcomes in the order of the buys, 0-1; NaN if nobody traded in the three days. */
export async function readAftermath(
  client: Reader,
  buys: Buys,
  memory: { days: Shelf<Store<DayHours>> },
): Promise<Float64Array> {
  const { tokenIds, times, quantities, amountsUsd } = buys
  const firstHours = times.map((time) => hourOf(time) + 1)
  const keys: number[] = []
  for (const [at, first] of firstHours.entries())
    for (const day of listDays(first)) keys.push(keyOf(numberAt(tokenIds, at), day))
  const days = await readDays(client, keys, memory)
  const shareOf = (at: number): number => {
    const first = numberAt(firstHours, at)
    const [quantity, amountUsd] = [numberAt(quantities, at), numberAt(amountsUsd, at)]
    let [trades, above] = [0, 0]
    for (const day of listDays(first)) {
      const hours = days.get(keyOf(numberAt(tokenIds, at), day)) ?? NONE
      for (let cell = 0; cell < hours.length; cell += 2) {
        const hour = day * HOURS + (float64At(hours, cell) % HOURS)
        if (hour < first || hour >= first + OUTCOME_HOURS) continue
        const count = Math.floor(float64At(hours, cell) / HOURS)
        trades += count
        if (float64At(hours, cell + 1) * quantity > amountUsd) above += count
      }
    }
    return trades > 0 ? above / trades : Number.NaN
  }
  return Float64Array.from(firstHours, (_, at) => shareOf(at))
}

/** The days that an outcome's hours fall on. */
function listDays(firstHour: number): number[] {
  const from = Math.floor(firstHour / HOURS)
  const to = Math.floor((firstHour + OUTCOME_HOURS - 1) / HOURS)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

const keyOf = (tokenId: number, day: number): number => tokenId * DAYS + day

const readDays = (
  client: Reader,
  keys: readonly number[],
  memory: { days: Shelf<Store<DayHours>> },
): Promise<Store<DayHours>> =>
  recall(memory.days, [keys], async (missing) => {
    const { nth, hour, tradeCount, closeUsd } = await readDayHours(client, [
      missing.map((key) => Math.floor(key / DAYS)),
      missing.map((key) => key % DAYS),
    ])
    const rangeOf = findRanges(nth)
    return new Map(
      missing.map((key, at) => {
        const { from, to } = rangeOf(at + 1)
        const cells = from === to ? NONE : new Float64Array(2 * (to - from))
        for (let row = from; row < to; row += 1) {
          cells[2 * (row - from)] = int32At(tradeCount, row) * HOURS + int32At(hour, row)
          cells[2 * (row - from) + 1] = float64At(closeUsd, row)
        }
        return [key, cells] as const
      }),
    )
  })
