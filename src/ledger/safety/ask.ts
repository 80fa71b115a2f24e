// Asks the indexer for the check of a token's contract before others, and tells how far it is. The indexer may be
// another process: it finds the request in the table, and a notification wakes it.
import type { Address } from '../../base/address.ts'
import type { pg } from '../../database/client.ts'
import { CHECKS_CHANNEL } from '../../database/listen.ts'
import { SCORE_KINDS } from '../score-kinds.ts'

type Client = Pick<pg.Pool, 'query'>

/** The known facts about the check of a token. Times in seconds since 1970. */
export interface CheckStanding {
  tokenId: number
  /** Why it is never checked; null: it can be. */
  never: 'checks_off' | 'vouched_by_preset' | 'not_erc20' | null
  /** The newest check; null: there was none. */
  checkedBlock: number | null
  checkedAt: number | null
  /** Whether somebody asked for a check that is not stored yet. */
  waits: boolean
  /** Whether the score still has to take in the newest check. */
  isScoreDue: boolean
  /** The newest block of the index. */
  block: number
  time: number
}

const STANDING = `SELECT t.id AS "tokenId",
    CASE WHEN c.checks_off IS NOT NULL THEN 'checks_off' WHEN t.address = ANY(c.checks_exempt) THEN 'vouched_by_preset'
      WHEN t.kind <> 'erc20' THEN 'not_erc20' END AS never,
    s.checked_block AS "checkedBlock", date_part('epoch', s.checked_at) AS "checkedAt",
    d.asked_at IS NOT NULL AS waits,
    EXISTS (SELECT FROM score_due q WHERE q.kind = ${SCORE_KINDS.token} AND q.id = t.id AND q.due_at <= b.time) AS "isScoreDue",
    b.number AS block, date_part('epoch', b.time) AS time
  FROM token t CROSS JOIN LATERAL (SELECT number, time FROM block ORDER BY number DESC LIMIT 1) b
  LEFT JOIN chain c ON true LEFT JOIN token_safety s ON s.token_id = t.id LEFT JOIN safety_due d ON d.token_id = t.id
  WHERE t.address = $1 AND t.indexed`

/** Null: the token is not indexed. */
export async function readStanding(client: Client, token: Address): Promise<CheckStanding | null> {
  const { rows } = await client.query<CheckStanding>({ name: 'check standing', text: STANDING, values: [token] })
  return rows[0] ?? null
}

const WAKE = `pg_notify(chain_channel('${CHECKS_CHANNEL}'), '')`

/** Makes the check due, before all that nobody asked for. */
export async function askForCheck(client: Client, tokenId: number): Promise<void> {
  await client.query({
    name: 'ask for safety',
    text: `INSERT INTO safety_due (token_id, due_at, asked_at)
      SELECT $1, max(time), clock_timestamp() FROM block HAVING max(time) IS NOT NULL
      ON CONFLICT (token_id) DO UPDATE SET due_at = least(safety_due.due_at, excluded.due_at),
        asked_at = coalesce(safety_due.asked_at, excluded.asked_at) RETURNING ${WAKE}`,
    values: [tokenId],
  })
}

/** So many checks may wait at the front when a looked-at token joins them: whoever opens many pages delays no caller more. */
const MOST_IN_FRONT = 20

/** Moves those of the tokens to the front that are due. In the order of ids, as all who write several of these rows. */
export async function preferChecks(client: Client, tokenIds: readonly number[]): Promise<void> {
  await client.query({
    name: 'prefer safety',
    text: `WITH due AS (SELECT token_id FROM safety_due WHERE token_id = ANY($1::int[]) AND asked_at IS NULL
        AND due_at <= (SELECT max(time) FROM block) ORDER BY token_id
        LIMIT greatest(0, ${MOST_IN_FRONT} - (SELECT count(*) FROM safety_due WHERE asked_at IS NOT NULL)) FOR UPDATE),
      asked AS (UPDATE safety_due d SET asked_at = clock_timestamp() FROM due WHERE d.token_id = due.token_id RETURNING 1)
      SELECT ${WAKE} FROM asked LIMIT 1`,
    values: [`{${tokenIds.join(',')}}`],
  })
}

/** Why a token is not indexed, in a sentence for the caller. */
export async function tellMissing(client: Client, token: Address): Promise<string> {
  const { rows } = await client.query<{ isKnown: boolean; start: number | null }>({
    name: 'missing token',
    text: `SELECT EXISTS (SELECT FROM token WHERE address = $1) AS "isKnown", (SELECT start_block FROM chain) AS start`,
    values: [token],
  })
  const { isKnown = false, start = null } = rows[0] ?? {}
  if (isKnown) return 'This token is not indexed: no pool of a known exchange has it.'
  return start === null
    ? 'This token is not indexed: there is no block yet.'
    : `This token is not indexed: no log since block ${start} names it. The index begins there.`
}
