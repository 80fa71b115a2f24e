// What the index made of swaps on the chain: the pools that it knows, and the dollars of the events that it has.
import type { pg } from '../../database/client.ts'

/** The keys of these that are pools of the index. */
export async function findKnownPools(pool: Pick<pg.Pool, 'query'>, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ address: string }>({
    name: 'coverage_pools',
    text: 'SELECT address FROM pool WHERE address = ANY($1)',
    values: [keys],
  })
  return new Set(rows.map(({ address }) => address))
}

/** Dollars of the swaps of these blocks, by block and index of the log. */
export async function readSwapDollars(
  pool: Pick<pg.Pool, 'query'>,
  from: number,
  to: number,
): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ block: number; log_index: number; usd: number }>({
    name: 'coverage_dollars',
    text: `SELECT block_number AS block, log_index, max(amount_usd)::float8 AS usd FROM event
      WHERE block_number BETWEEN $1 AND $2 AND type = 1 GROUP BY 1, 2`,
    values: [from, to],
  })
  return new Map(rows.map(({ block, log_index, usd }) => [swapKey(block, log_index), usd]))
}

/** The key of a log in `readSwapDollars`. */
export const swapKey = (block: number, logIndex: number): string => `${block} ${logIndex}`

/** Stores the newest measurement, for `status`. */
export async function saveCoverage(
  pool: Pick<pg.Pool, 'query'>,
  { to, swaps, read }: { to: number; swaps: number; read: number },
): Promise<void> {
  await pool.query({
    name: 'save_coverage',
    text: 'UPDATE chain SET swaps_block = $1, swaps_known = $2, swaps_read = $3',
    values: [to, swaps, read],
  })
}
