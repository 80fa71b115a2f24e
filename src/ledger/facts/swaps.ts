// The recent trades of many tokens: swaps of seven days, the newest 2,000 at most, and their hours.

import { listBy, type Reader, readColumns } from '../../database/column-query.ts'
import type { FactsBlock, HourFacts, SwapFacts } from './facts.ts'

/** Swaps of a token at most; most tokens have fewer than the first step, which decides whether more are read at all. */
const MOST = 2_000
const FIRST_STEP = 64

const COLUMNS = `token_id, wallet_id, pool_id, direction::int, quantity, amount_usd, date_part('epoch', time) AS time, block_number`

const SWAPS = `SELECT token_id, wallet_id, pool_id, direction, quantity, amount_usd, time, block_number FROM unnest($1::int[], $2::int[]) AS t(id, newest)
CROSS JOIN LATERAL (
  SELECT ${COLUMNS}, token_type_n FROM event
  WHERE token_id = t.id AND type = 1 AND token_type_n > t.newest - ${FIRST_STEP} AND time > to_timestamp($3)
  UNION ALL
  SELECT ${COLUMNS}, token_type_n FROM event
  WHERE token_id = t.id AND type = 1 AND token_type_n > t.newest - ${MOST} AND token_type_n <= t.newest - ${FIRST_STEP}
    AND time > to_timestamp($3) AND (
      SELECT time > to_timestamp($3) FROM event WHERE token_id = t.id AND type = 1 AND token_type_n = t.newest - ${FIRST_STEP})
) e
ORDER BY e.token_id, e.token_type_n`

const HOURS = `SELECT token_id, hour, close_usd FROM token_hour WHERE token_id = ANY($1::int[]) AND hour > $2
ORDER BY token_id, hour`

/** Columns of the swaps, oldest first within each token: the first holds the tokens, the second the wallets. */
export type SwapRows = Awaited<ReturnType<typeof readSwaps>>

/** `swapCounts` are the tokens' lifetime counts, which are also the newest running numbers. */
export const readSwaps = (client: Reader, swapCounts: ReadonlyMap<number, number>, block: FactsBlock) =>
  readColumns(
    client,
    'facts swaps',
    ['integer', 'integer', 'integer', 'integer', 'double', 'double', 'double', 'integer'],
    SWAPS,
    [[...swapCounts.keys()], [...swapCounts.values()], block.hourTime - 7 * 86_400],
  )

/** Oldest first, by token, made when they are asked for. */
export const listSwaps = ([token, wallet, pool, side, quantity, amountUsd, time, number]: SwapRows) =>
  listBy(
    token,
    (at): SwapFacts => ({
      walletId: wallet[at] as number,
      poolId: pool[at] as number,
      direction: side[at] === 1 ? 'buy' : 'sell',
      quantity: quantity[at] as number,
      amountUsd: amountUsd[at] as number,
      time: time[at] as number,
      block: number[at] as number,
    }),
  )

/** Oldest first, by token, made when they are asked for. */
export async function readTradedHours(
  client: Reader,
  tokenIds: readonly number[],
  block: FactsBlock,
): Promise<(tokenId: number) => HourFacts[]> {
  const since = Math.floor(block.hourTime / 3_600) - 7 * 24
  const [token, hour, closeUsd] = await readColumns(client, 'facts hours', ['integer', 'integer', 'double'], HOURS, [
    tokenIds,
    since,
  ])
  return listBy(token, (at): HourFacts => ({ hour: hour[at] as number, closeUsd: closeUsd[at] as number }))
}
