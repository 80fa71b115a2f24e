// What wallets earned in the newest days, many wallets in one statement. Days are those of UTC, and the last one is that
// of the block.
import { dayOf } from '../../base/clock.ts'
import type { Reading } from './consistent-read.ts'

/** The lengths in days. */
const RESULT_DAYS = { d7: 7, d30: 30 } as const
export type ResultPeriod = keyof typeof RESULT_DAYS

export interface WalletResult {
  realisedUsd: number
  closedCount: number
  winCount: number
}

/** Null: the index has not all days of the period. */
export type WalletResultsRow = { id: number } & Record<ResultPeriod, WalletResult | null>

const PERIODS = Object.entries(RESULT_DAYS)

const sumsOf = ([name, days]: (typeof PERIODS)[number]): string => `CASE
    WHEN (SELECT wallet_days_since FROM chain) <= to_timestamp(($2::int - ${days - 1}) * 86400::float8)
    THEN json_build_object(
      'realisedUsd', coalesce(sum(d.realised_usd) FILTER (WHERE d.day > $2::int - ${days}), 0),
      'closedCount', coalesce(sum(d.closed_count) FILTER (WHERE d.day > $2::int - ${days}), 0),
      'winCount', coalesce(sum(d.win_count) FILTER (WHERE d.day > $2::int - ${days}), 0)
    ) END AS ${name}`

const MOST_DAYS = Math.max(...Object.values(RESULT_DAYS))

/** A row for each of the wallets with these ids, in any order. */
export const readWalletResults = (reading: Reading, ids: readonly number[]): Promise<WalletResultsRow[]> =>
  reading.query({
    name: 'wallet results',
    text: `SELECT w.id, ${PERIODS.map(sumsOf).join(', ')}
      FROM unnest($1::int[]) AS w (id) LEFT JOIN wallet_day d ON d.wallet_id = w.id AND d.day > $2::int - ${MOST_DAYS}
      GROUP BY w.id`,
    values: [ids, dayOf(reading.head.time.getTime() / 1_000)],
  })
