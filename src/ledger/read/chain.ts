// The chain that this database indexes, and the progress of its source.
import type { Database } from '../../database/client.ts'
import type { Reading, SelectText } from './consistent-read.ts'

/** The chain that this database indexes. */
export interface ChainRow {
  chainId: number
  name: string
  startBlock: number
  /** The newest block that the source reported. */
  sourceHead: number
  /** The newest block that is final, so that it is never rolled back. */
  finalized: number
}

const CHAIN: SelectText = `SELECT chain_id AS "chainId", name, start_block AS "startBlock", source_head AS "sourceHead", finalized FROM chain`

/** Null before the indexer ran for the first time. */
export async function readChain(reading: Reading): Promise<ChainRow | null> {
  const [row] = await reading.query<ChainRow>({ name: 'chain', text: CHAIN })
  return row ?? null
}

/** For a process that starts and has no `Reading` yet. Null before the indexer ran for the first time. */
export async function findChain(pool: Database['pool']): Promise<ChainRow | null> {
  const { rows } = await pool.query<ChainRow>(CHAIN)
  return rows[0] ?? null
}

/** The newest final block that the index keeps now; null without one. */
export async function findNewestFinal(pool: Database['pool']): Promise<{ number: number; hash: string } | null> {
  const { rows } = await pool.query<{ number: number; hash: string }>(
    'SELECT number, hash FROM block WHERE number <= (SELECT finalized FROM chain) ORDER BY number DESC LIMIT 1',
  )
  return rows[0] ?? null
}

/** The newest block of the index; null without one. */
export async function findNewest(pool: Database['pool']): Promise<number | null> {
  const { rows } = await pool.query<{ number: number }>('SELECT number FROM block ORDER BY number DESC LIMIT 1')
  return rows[0]?.number ?? null
}
