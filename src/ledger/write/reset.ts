// Empties the index, so that it can be rebuilt from its first block. It deletes the data of blocks, and keeps people's
// data: accounts, keys, alerts, usage. Runs in one transaction, so that readers see all of it or nothing.
import { transact } from '../../database/pipeline.ts'
import type { WriterLock } from '../../database/writer-lock.ts'
import { noteEmptied } from '../reorg.ts'

/**
 * Every table that is filled from blocks, except `chain`, which names the indexed chain, and the place of the alerts.
 */
export const INDEX_TABLES = [
  'block',
  'token',
  'pool',
  'wallet',
  'position',
  'event',
  'history_segment',
  'token_block',
  'token_minute',
  'token_five_minutes',
  'token_hour',
  'pool_day',
  'wallet_week',
  'wallet_day',
  'link',
  'token_lock',
  'position_token',
  'stake',
  'launch',
  'wash_mark',
  'token_safety',
  'safety_due',
  'token_score',
  'wallet_score',
  'wallet_outcome',
  'score_due',
  'score_point',
  'track_record',
  'token_summary',
  'undo',
  'alert_history',
] as const

/** Empties the index. The next block to be written is the start block. */
export async function emptyIndex({ client }: WriterLock): Promise<void> {
  await transact(client, [
    { text: `TRUNCATE ${INDEX_TABLES.join(', ')}` },
    {
      text: `UPDATE chain SET source_head = -1, finalized = -1, events_since = NULL, judged_until = NULL,
        wallet_days_since = NULL`,
    },
    noteEmptied,
  ])
}
