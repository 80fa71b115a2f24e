// The statements of an alert sweep, all inside one transaction that sees one block: what changed since the block that was
// swept last, which pairs began or ceased to match, and the mails that are due. Nothing here decides what matches.
import type pg from 'pg'
import type { TokenFilter } from '../base/filter.ts'
import type { RiskFlag } from '../base/vocabulary.ts'
import type { Database } from './client.ts'

/** Any number that no other program is likely to lock; held by the transaction that sweeps. */
const SWEEP_LOCK = 7_243_903
/** What PostgreSQL answers when a concurrent change makes the snapshot stale: try again. */
const SERIALIZATION_FAILURE = '40001'

/** A pair stays disarmed for this long after it ceased to match (contract, section 7). */
const REARM_INTERVAL = '10 minutes'
/** At most one mail per alert in this time (contract, section 7). */
const COOL_DOWN_INTERVAL = '5 minutes'

export interface SweptBlock {
  number: number
  hash: string
  timeMs: number
}

export interface SweepState {
  head: SweptBlock
  /** Newest block that the source reported. */
  sourceHead: number
  /** Null: nothing was swept yet. */
  last: (SweptBlock & { turn: number }) | null
  /** The block swept last is no longer on the chain. */
  reorganised: boolean
}

export interface ChangedToken {
  id: number
  liquidityUsd: number
  marketCapUsd: number
  riskScore: number
  riskFlags: RiskFlag[]
  holderCount: number
  holderCount1hAgo: number
  createdAtMs: number
}

export interface BaselineRow {
  tokenId: number
  liquidityUsd: number
  marketCapUsd: number
  riskScore: number
  flagBits: number
  holderGrowthPct: number
  createdAtMs: number
}

export interface AlertRow {
  id: string
  revision: number
  conditions: TokenFilter
  start: 'report' | 'silent' | null
}

/** A pair that began or ceased to match; it is written only while the alert is active at that revision. */
export interface Transition {
  alertId: string
  revision: number
  tokenId: number
}

export interface Entry extends Transition {
  initial: boolean
  facts: Record<string, unknown>
}

export type SweepClient = pg.PoolClient

/** Runs `work` as the only sweeper, on one snapshot; null when another process is sweeping or the snapshot went stale. */
export async function withSweep<T>(database: Database, work: (client: SweepClient) => Promise<T>): Promise<T | null> {
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const { rows } = await client.query<{ won: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS won', [SWEEP_LOCK])
    if (!rows[0]?.won) {
      await client.query('ROLLBACK')
      return null
    }
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    if ((error as { code?: unknown }).code === SERIALIZATION_FAILURE) return null
    throw error
  } finally {
    client.release()
  }
}

/** Where the chain is and where the last sweep was; null while nothing is indexed. */
export async function readSweepState(client: SweepClient): Promise<SweepState | null> {
  const { rows } = await client.query<{
    number: number
    hash: string
    time: Date
    source_head: number
    last_number: number | null
    last_hash: string
    last_time: Date
    turn: number
    reorganised: boolean
  }>(`
    SELECT b.number, b.hash, b.time, c.source_head, s.block_number AS last_number, s.block_hash AS last_hash, s.time AS last_time, s.turn,
      s.id IS NOT NULL AND (s.block_number > b.number OR coalesce(swept.hash <> s.block_hash, s.block_number > c.finalized)) AS reorganised
    FROM (SELECT number, hash, time FROM block ORDER BY number DESC LIMIT 1) b
    CROSS JOIN chain c
    LEFT JOIN alert_sweep s ON true
    LEFT JOIN block swept ON swept.number = s.block_number`)
  const row = rows[0]
  if (!row) return null
  return {
    head: { number: row.number, hash: row.hash, timeMs: row.time.getTime() },
    sourceHead: row.source_head,
    last:
      row.last_number === null
        ? null
        : { number: row.last_number, hash: row.last_hash, timeMs: row.last_time.getTime(), turn: row.turn },
    reorganised: row.reorganised,
  }
}

/** Indexed tokens that changed in or after the block; null: all. Tokens of the block itself are read again, since scores follow within it. */
export async function readChangedTokens(client: SweepClient, sinceBlock: number | null): Promise<ChangedToken[]> {
  const { rows } = await client.query<ChangedToken>(
    `SELECT id, liquidity_usd AS "liquidityUsd", market_cap_usd AS "marketCapUsd", risk_score AS "riskScore",
       risk_flags AS "riskFlags", holder_count AS "holderCount", holder_count_1h_ago AS "holderCount1hAgo",
       extract(epoch FROM created_at)::float8 * 1000 AS "createdAtMs"
     FROM token WHERE indexed AND updated_block >= $1`,
    [sinceBlock ?? -1],
  )
  return rows
}

export async function readBaseline(client: SweepClient): Promise<BaselineRow[]> {
  const { rows } = await client.query<BaselineRow>(
    `SELECT token_id AS "tokenId", liquidity_usd AS "liquidityUsd", market_cap_usd AS "marketCapUsd", risk_score AS "riskScore",
       flag_bits AS "flagBits", holder_growth_pct AS "holderGrowthPct", extract(epoch FROM created_at)::float8 * 1000 AS "createdAtMs"
     FROM alert_baseline`,
  )
  return rows
}

/** Active alerts: those in step, or those that wait for their first evaluation. */
export async function readAlerts(client: SweepClient, which: 'in step' | 'starting'): Promise<AlertRow[]> {
  const { rows } = await client.query<AlertRow>(
    `SELECT id, revision, conditions, start FROM alert WHERE status = 'active' AND start IS ${which === 'starting' ? 'NOT NULL' : 'NULL'}`,
  )
  return rows
}

/** The alerts were evaluated for the first time at these revisions. */
export async function markStarted(client: SweepClient, alerts: readonly AlertRow[]): Promise<void> {
  await client.query(
    `UPDATE alert a SET start = NULL FROM unnest($1::text[], $2::bigint[]) AS s (id, revision)
     WHERE a.id = s.id AND a.revision = s.revision`,
    [alerts.map((alert) => alert.id), alerts.map((alert) => alert.revision)],
  )
}

/** Pairs that ceased to match at the block: disarmed for ten minutes. */
export async function writeDepartures(
  client: SweepClient,
  head: SweptBlock,
  pairs: readonly Transition[],
): Promise<void> {
  if (pairs.length === 0) return
  await client.query(
    `INSERT INTO alert_departure (alert_id, token_id, left_at)
     SELECT a.id, p.token_id, $4 FROM unnest($1::text[], $2::bigint[], $3::int[]) AS p (alert_id, revision, token_id)
     JOIN alert a ON a.id = p.alert_id AND a.revision = p.revision AND a.status = 'active'
     ON CONFLICT (alert_id, token_id) DO UPDATE SET left_at = excluded.left_at`,
    [...columns(pairs), new Date(head.timeMs)],
  )
}

/** Pairs that began to match at the block: a notice each, but for those that had left less than ten minutes before. Returns how many. */
export async function writeEntries(client: SweepClient, head: SweptBlock, entries: readonly Entry[]): Promise<number> {
  if (entries.length === 0) return 0
  const { rowCount } = await client.query(
    `WITH entered AS (
       SELECT a.id AS alert_id, e.token_id, e.initial, e.facts
       FROM unnest($1::text[], $2::bigint[], $3::int[], $4::boolean[], $5::jsonb[]) AS e (alert_id, revision, token_id, initial, facts)
       JOIN alert a ON a.id = e.alert_id AND a.revision = e.revision AND a.status = 'active'
     ), back AS (
       DELETE FROM alert_departure d USING entered e WHERE d.alert_id = e.alert_id AND d.token_id = e.token_id
       RETURNING d.alert_id, d.token_id, d.left_at
     )
     INSERT INTO alert_notice (alert_id, token_id, block_number, block_hash, matched_at, initial, facts)
     SELECT e.alert_id, e.token_id, $6, $7, $8, e.initial, e.facts
     FROM entered e LEFT JOIN back b ON b.alert_id = e.alert_id AND b.token_id = e.token_id
     WHERE b.left_at IS NULL OR b.left_at <= $8::timestamptz - interval '${REARM_INTERVAL}'
     ORDER BY e.alert_id, (e.facts->>'liquidityUsd')::float8 DESC, e.token_id
     ON CONFLICT (alert_id, token_id) WHERE message_id IS NULL DO NOTHING`,
    [
      ...columns(entries),
      entries.map((entry) => entry.initial),
      entries.map((entry) => JSON.stringify(entry.facts)),
      head.number,
      head.hash,
      new Date(head.timeMs),
    ],
  )
  return rowCount ?? 0
}

const columns = (pairs: readonly Transition[]) => [
  pairs.map((pair) => pair.alertId),
  pairs.map((pair) => pair.revision),
  pairs.map((pair) => pair.tokenId),
]

export interface OrphanedNotice {
  id: number
  alertId: string
  tokenId: number
}

/** Notices of blocks that are no longer on the chain and whose mail has not left (a message that a worker is sending right now counts as left). */
export async function readOrphans(client: SweepClient): Promise<OrphanedNotice[]> {
  const { rows } = await client.query<OrphanedNotice>(`
    SELECT n.id, n.alert_id AS "alertId", n.token_id AS "tokenId" FROM alert_notice n CROSS JOIN chain c
    WHERE n.block_number > c.finalized
      AND NOT EXISTS (SELECT FROM block b WHERE b.number = n.block_number AND b.hash = n.block_hash)
      AND (n.message_id IS NULL OR n.message_id IN (SELECT id FROM alert_message WHERE status = 'pending' FOR UPDATE SKIP LOCKED))`)
  return rows
}

/** Takes notices back; a message that loses its last one is cancelled, and its alert has not been triggered by it. */
export async function cancelNotices(client: SweepClient, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await client.query<{ message_id: string | null }>(
    'DELETE FROM alert_notice WHERE id = ANY($1::bigint[]) RETURNING message_id',
    [ids],
  )
  await client.query(
    `WITH cancelled AS (
       UPDATE alert_message m SET status = 'cancelled', response = 'a reorganisation of the chain took the match back'
       WHERE m.id = ANY($1::uuid[]) AND m.status = 'pending' AND NOT EXISTS (SELECT FROM alert_notice n WHERE n.message_id = m.id)
       RETURNING m.alert_id, m.previous_triggered_at, m.previous_message_at)
     UPDATE alert a SET last_triggered_at = c.previous_triggered_at, last_message_at = c.previous_message_at
     FROM cancelled c WHERE a.id = c.alert_id`,
    [[...new Set(rows.map((row) => row.message_id).filter((id) => id !== null))]],
  )
}

/** Notices of orphaned blocks whose pairs match on the new chain too: they are of this block now. */
export async function moveNotices(client: SweepClient, head: SweptBlock, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await client.query('UPDATE alert_notice SET block_number = $2, block_hash = $3 WHERE id = ANY($1::bigint[])', [
    ids,
    head.number,
    head.hash,
  ])
}

/** Keeps what the tokens were evaluated with, forgets tokens that are gone, and moves the sweep to the block. */
export async function finishSweep(
  client: SweepClient,
  head: SweptBlock,
  turn: number,
  changed: readonly BaselineRow[],
  gone: readonly number[],
): Promise<void> {
  if (changed.length > 0) {
    await client.query(
      `INSERT INTO alert_baseline (token_id, liquidity_usd, market_cap_usd, risk_score, flag_bits, holder_growth_pct, created_at)
       SELECT token_id, liquidity_usd, market_cap_usd, risk_score, flag_bits, holder_growth_pct, to_timestamp(created_at_ms / 1000)
       FROM unnest($1::int[], $2::float8[], $3::float8[], $4::float8[], $5::smallint[], $6::float8[], $7::float8[])
         AS t (token_id, liquidity_usd, market_cap_usd, risk_score, flag_bits, holder_growth_pct, created_at_ms)
       ON CONFLICT (token_id) DO UPDATE SET liquidity_usd = excluded.liquidity_usd, market_cap_usd = excluded.market_cap_usd,
         risk_score = excluded.risk_score, flag_bits = excluded.flag_bits, holder_growth_pct = excluded.holder_growth_pct,
         created_at = excluded.created_at`,
      (
        ['tokenId', 'liquidityUsd', 'marketCapUsd', 'riskScore', 'flagBits', 'holderGrowthPct', 'createdAtMs'] as const
      ).map((name) => changed.map((row) => row[name])),
    )
  }
  if (gone.length > 0) await client.query('DELETE FROM alert_baseline WHERE token_id = ANY($1::int[])', [gone])
  await client.query(`DELETE FROM alert_departure WHERE left_at <= $1::timestamptz - interval '${REARM_INTERVAL}'`, [
    new Date(head.timeMs),
  ])
  await client.query(
    `INSERT INTO alert_sweep (block_number, block_hash, time, turn) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET block_number = excluded.block_number, block_hash = excluded.block_hash,
       time = excluded.time, turn = excluded.turn`,
    [head.number, head.hash, new Date(head.timeMs), turn],
  )
}

/** Writes the mails that are due, one per alert with waiting notices whose cool-down is over, and with each `last_triggered_at`. Returns how many. */
export async function writeMessages(client: SweepClient, now: Date): Promise<number> {
  const { rowCount } = await client.query(
    `WITH due AS (
       SELECT a.id AS alert_id, gen_random_uuid() AS message_id, a.key_id, a.account_id, a.name, a.last_triggered_at, a.last_message_at,
         CASE WHEN acc.mail_refused_at IS NULL THEN 'pending' ELSE 'suppressed' END AS status
       FROM alert a JOIN account acc ON acc.id = a.account_id
       WHERE a.status = 'active' AND (a.last_message_at IS NULL OR a.last_message_at <= $1::timestamptz - interval '${COOL_DOWN_INTERVAL}')
         AND a.id IN (SELECT alert_id FROM alert_notice WHERE message_id IS NULL)
       FOR UPDATE OF a
     ), written AS (
       INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, previous_triggered_at, previous_message_at, created_at, next_attempt_at)
       SELECT message_id, alert_id, key_id, account_id, name, status, last_triggered_at, last_message_at, $1, $1 FROM due
     ), noticed AS (
       UPDATE alert_notice n SET message_id = due.message_id FROM due WHERE n.alert_id = due.alert_id AND n.message_id IS NULL
     )
     UPDATE alert a SET last_triggered_at = $1, last_message_at = $1 FROM due WHERE a.id = due.alert_id`,
    [now],
  )
  if (rowCount) await client.query(`SELECT pg_notify('assay_outbox', '')`)
  return rowCount ?? 0
}
