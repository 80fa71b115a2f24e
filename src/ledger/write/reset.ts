// Empties the index so that it can be made anew from its first block: everything that blocks wrote, and nothing that people
// did (accounts, keys, alerts, usage). In: the writer's connection. One transaction: readers see all of it or nothing.
import { transact } from '../../database/pipeline.ts'
import type { WriterLock } from '../../database/writer-lock.ts'
import { noteEmptied } from '../reorg.ts'

/** Every table that the writer or scoring fills, except `chain`, which keeps what this database is of. */
export const INDEX_TABLES = [
  'block',
  'token',
  'pool',
  'wallet',
  'position',
  'event',
  'token_block',
  'token_hour',
  'pool_day',
  'wallet_week',
  'link',
  'token_lock',
  'token_score',
  'wallet_score',
  'wallet_outcome',
  'score_due',
  'score_point',
  'token_summary',
  'undo',
] as const

/** Empties the index; the next block that is written is the first. */
export async function emptyIndex({ client }: WriterLock): Promise<void> {
  await transact(client, [
    { text: `TRUNCATE ${INDEX_TABLES.join(', ')}` },
    { text: 'UPDATE chain SET source_head = -1, finalized = -1' },
    noteEmptied,
  ])
}
