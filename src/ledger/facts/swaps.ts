// Reads the recent trades of many tokens: the newest 2,000 swaps of the last seven days, and the hours with trades.

import { float64At, int32At } from '../../base/item-at.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import { defineRead, double, integer, listBy, type Reader, type RowsOf } from '../../database/column-query.ts'
import { type FactsBlock, type HourFacts, MOST_SWAPS, type SwapFacts } from './facts.ts'

/** How many swaps of a token are read at most. Most tokens have fewer than FIRST_STEP; only if those are all recent are more read. */
export const FIRST_STEP = 64

const STEP = `SELECT token_id, wallet_id, pool_id, direction::int, quantity, amount_usd, date_part('epoch', time) AS time,
    block_number, token_type_n
  FROM event WHERE token_id = t.id AND type = 1 AND time > to_timestamp($3)`

const COLUMNS = {
  tokenId: integer('token_id'),
  walletId: integer('wallet_id'),
  poolId: integer('pool_id'),
  direction: integer('direction'),
  quantity: double('quantity'),
  amountUsd: double('amount_usd'),
  time: double('time'),
  block: integer('block_number'),
}

const readSwapRows = defineRead(
  'facts swaps',
  COLUMNS,
  (columns) => `SELECT ${columns} FROM unnest($1::int[], $2::int[]) AS t(id, newest)
    CROSS JOIN LATERAL (
      ${STEP} AND token_type_n > t.newest - ${FIRST_STEP}
      UNION ALL
      ${STEP} AND token_type_n > t.newest - ${MOST_SWAPS} AND token_type_n <= t.newest - ${FIRST_STEP} AND (
        SELECT time > to_timestamp($3) FROM event WHERE token_id = t.id AND type = 1 AND token_type_n = t.newest - ${FIRST_STEP})
    ) e
    ORDER BY e.token_id, e.token_type_n`,
)

const readNewerRows = defineRead(
  'facts newer swaps',
  COLUMNS,
  (columns) => `SELECT ${columns} FROM unnest($1::int[], $2::int[]) AS t(id, known)
    CROSS JOIN LATERAL (${STEP} AND token_type_n > t.known) e
    ORDER BY e.token_id, e.token_type_n`,
)

const readHourRows = defineRead(
  'facts hours',
  {
    tokenId: integer('token_id'),
    hour: integer('hour'),
    closeUsd: double('close_usd'),
    tradeCount: integer('buy_count + sell_count'),
  },
  (columns) =>
    `SELECT ${columns} FROM token_hour WHERE token_id = ANY($1::int[]) AND hour > $2 ORDER BY token_id, hour`,
)

/** Swaps by column, oldest first within each token. */
export type SwapRows = RowsOf<typeof readSwapRows>

/** `swapCounts` are the tokens' lifetime counts; a count is also the running number of the newest swap. */
export type ReadSwaps = (
  client: Reader,
  swapCounts: ReadonlyMap<number, number>,
  block: FactsBlock,
) => Promise<SwapRows>

/** The time before which no swap is read, in seconds since 1970. */
export const oldestSwap = (block: FactsBlock): number => block.hourTime - 7 * DAY_SECONDS

export const readSwaps: ReadSwaps = (client, swapCounts, block) =>
  readSwapRows(client, [[...swapCounts.keys()], [...swapCounts.values()], oldestSwap(block)])

/** Like `readSwaps`, but only swaps with higher running numbers than the known ones. */
export const readNewerSwaps: ReadSwaps = (client, known, block) =>
  readNewerRows(client, [[...known.keys()], [...known.values()], oldestSwap(block)])

/** Returns a function that makes a token's swaps, oldest first, when they are needed. */
export const listSwaps = ({ tokenId, walletId, poolId, direction, quantity, amountUsd, time, block }: SwapRows) =>
  listBy(
    tokenId,
    (at): SwapFacts => ({
      walletId: int32At(walletId, at),
      poolId: int32At(poolId, at),
      direction: direction[at] === 1 ? 'buy' : 'sell',
      quantity: float64At(quantity, at),
      amountUsd: float64At(amountUsd, at),
      time: float64At(time, at),
      block: int32At(block, at),
    }),
  )

/** Returns a function that makes a token's hours, oldest first, when they are needed. */
export async function readWeekHours(
  client: Reader,
  tokenIds: readonly number[],
  block: FactsBlock,
): Promise<(tokenId: number) => HourFacts[]> {
  const since = Math.floor(block.hourTime / 3_600) - 7 * 24
  const { tokenId, hour, closeUsd, tradeCount } = await readHourRows(client, [tokenIds, since])
  return listBy(
    tokenId,
    (at): HourFacts => ({
      hour: int32At(hour, at),
      closeUsd: float64At(closeUsd, at),
      isTraded: int32At(tradeCount, at) > 0,
    }),
  )
}
