// Which chain this database is of, and how far its source is.
import type { Database } from '../../database/client.ts'
import type { Reading, SelectText } from './consistent-read.ts'

/** The chain of this database. */
export interface ChainRow {
  chainId: number
  name: string
  startBlock: number
  /** Newest block that the source reported. */
  sourceHead: number
  /** Newest block that can no longer be rolled back. */
  finalized: number
}

/** The chain; null before the indexer ran for the first time. */
export async function readChain(reading: Reading): Promise<ChainRow | null> {
  const text: SelectText = `SELECT chain_id AS "chainId", name, start_block AS "startBlock", source_head AS "sourceHead", finalized FROM chain`
  const [row] = await reading.query<ChainRow>({ name: 'chain', text })
  return row ?? null
}

/** The chain by the pool alone, for a process that starts; null before the indexer ran for the first time. */
export async function findChain(pool: Database['pool']): Promise<{ chainId: number; name: string } | null> {
  const { rows } = await pool.query<{ chainId: number; name: string }>('SELECT chain_id AS "chainId", name FROM chain')
  return rows[0] ?? null
}
