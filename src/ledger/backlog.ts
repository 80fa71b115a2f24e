// The amount of waiting work: mails not sent yet, tokens and wallets whose scores are due. The counts use indexes only
// and stop at a limit, so that they stay cheap during a backfill.
import { readWait, type StoredWait, type Wait } from '../base/wait.ts'
import type { pg } from '../database/client.ts'
import type { SellMethod } from '../safety/report.ts'
import { countUnchecked } from './first-check.ts'
import { SECONDS_A_BLOCK } from './lag.ts'

/** Counting stops here: an operator who reads "many" needs no exact number. */
export const COUNTED = 100_000

export interface Backlog {
  mails: number
  /** Seconds since the oldest waiting mail was written; 0 when none waits. */
  oldestMailSeconds: number
  /** Mails written within a day that were given up or refused. */
  failed: number
  tokens: number
  wallets: number
  /** Tokens that wait for the first check of their contract; null: checks are off, or did not begin yet. */
  unchecked: number | null
  /** When the index last heard from its source; null before the first time. */
  sourceSeenAt: Date | null
  /** What the index waits for; null: nothing. */
  waits: Wait | null
  /** Seconds that a block takes now; null while too few blocks are stored. */
  blockSeconds: number | null
  /** The methods of contract checks, best first; empty: checks are off, or the node was not asked yet. */
  checkMethods: SellMethod[]
  /** Of the swaps of known exchanges up to this block, when last measured, how many were read; null: not measured yet. */
  swapsBlock: number | null
  swapsKnown: number | null
  swapsRead: number | null
}

const due = (kind: number) => `(SELECT count(*)::int FROM (SELECT FROM score_due
  WHERE kind = ${kind} AND due_at <= (SELECT time FROM block ORDER BY number DESC LIMIT 1) LIMIT ${COUNTED}) d)`

const TEXT = `SELECT
  (SELECT count(*)::int FROM (SELECT FROM alert_message WHERE status = 'pending' LIMIT ${COUNTED}) m) AS mails,
  (SELECT coalesce(greatest(date_part('epoch', now() - min(created_at)), 0), 0) FROM alert_message WHERE status = 'pending')
    AS "oldestMailSeconds",
  (SELECT count(*)::int FROM (SELECT FROM alert_message WHERE status IN ('dead', 'refused')
    AND created_at > now() - interval '1 day' LIMIT ${COUNTED}) f) AS failed,
  (SELECT updated_at FROM chain) AS "sourceSeenAt",
  (SELECT waits FROM chain) AS waits,
  ${SECONDS_A_BLOCK} AS "blockSeconds",
  coalesce((SELECT check_methods FROM chain), '{}') AS "checkMethods",
  (SELECT swaps_block FROM chain) AS "swapsBlock", (SELECT swaps_known FROM chain) AS "swapsKnown",
  (SELECT swaps_read FROM chain) AS "swapsRead",
  (SELECT ${countUnchecked('chain')} FROM chain) AS unchecked,
  ${due(1)} AS tokens, ${due(2)} AS wallets`

/** Reads all counts in one statement, which takes a few milliseconds. */
export async function readBacklog(pool: pg.Pool): Promise<Backlog> {
  const { rows } = await pool.query<Backlog & { waits: StoredWait | null }>({ name: 'backlog', text: TEXT })
  if (!rows[0]) throw new Error('a statement returned no row')
  return { ...rows[0], waits: readWait(rows[0].waits) }
}
