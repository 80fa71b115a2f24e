// The transaction of an alert sweep, which sees one block. It reads the place of the last sweep, the tokens changed
// since, the alerts, and the facts of the last evaluation. Other files decide the matches.

import { codeOf } from '../../base/json.ts'
import type { Lag } from '../../base/max-lag.ts'
import { type KeptCap, toUsdByUnit, type UsdByUnit } from '../../base/present.ts'
import type { RiskFlag } from '../../base/vocabulary.ts'
import { LOCK_OF_CHAIN } from '../../database/chain-schema.ts'
import type { Database, pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'
import { toSnake } from '../../fields/field.ts'
import type { TokenFilter } from '../../fields/filter.ts'
import { ALERT_NUMBERS, type AlertNumbers } from '../../fields/token.ts'
import { SECONDS_A_BLOCK, toLag } from '../lag.ts'
import { keptCap, keptPrice, unitOf } from '../present.ts'

/** The advisory lock that a sweep's transaction holds: a number that no other program is likely to use. */
const SWEEP_LOCK = 7_243_903
/** PostgreSQL's code for "a concurrent change made the snapshot outdated"; the next sweep tries again. */
const SERIALIZATION_FAILURE = '40001'

export interface SweptBlock {
  number: number
  hash: string
  timeMs: number
  /** The prices of the units. */
  usd: UsdByUnit
}

export interface SweepState {
  head: SweptBlock
  /** The number of the newest reorganisation; 0: there was none. */
  generation: number
  /** How far the index is behind its source. */
  lag: Lag
  /** The block of the last sweep; null before the first. */
  last: (SweptBlock & { turn: number }) | null
  /** Whether the block of the last sweep is no longer on the chain. */
  reorganised: boolean
}

export interface ChangedToken extends KeptCap, AlertNumbers {
  id: number
  address: string
  /** Stored like the market cap. */
  price: number
  liquidityUsd: number
  riskScore: number
  riskFlags: RiskFlag[]
  contractMarks: number
  fundedHolderCount: number
  fundedHolderCount1hAgo: number
  createdAtMs: number
}

export interface BaselineRow extends KeptCap, AlertNumbers {
  tokenId: number
  /** Of the row of the token: the baseline does not store it. Empty: a reorganisation removed that row. */
  address: string
  liquidityUsd: number
  riskScore: number
  flagBits: number
  contractMarks: number
  holderGrowth1hPct: number
  createdAtMs: number
}

/** A fact in `alert_baseline` (`b`): its column and type, and how SQL reads the column and writes the value `v`, if not as it is. */
interface BaselineColumn {
  fact: keyof BaselineRow
  column: string
  type: 'int' | 'smallint' | 'float8'
  read?: string
  write?: string
}

const OWN_COLUMNS = [
  { fact: 'liquidityUsd', column: 'liquidity_usd', type: 'float8' },
  { fact: 'marketCap', column: 'market_cap_usd', type: 'float8' },
  { fact: 'unit', column: 'unit_id', type: 'int', read: 'coalesce(b.unit_id, 0)', write: 'nullif(v.unit_id, 0)' },
  { fact: 'riskScore', column: 'risk_score', type: 'float8' },
  { fact: 'flagBits', column: 'flag_bits', type: 'smallint' },
  { fact: 'contractMarks', column: 'contract_marks', type: 'int' },
  { fact: 'holderGrowth1hPct', column: 'holder_growth_pct', type: 'float8' },
  {
    fact: 'createdAtMs',
    column: 'created_at',
    type: 'float8',
    read: 'extract(epoch FROM b.created_at)::float8 * 1000',
    write: 'to_timestamp(v.created_at / 1000)',
  },
] as const satisfies readonly BaselineColumn[]

/** The facts of a token that filters read, in the order of stored changes. */
export const BASELINE_FACTS = OWN_COLUMNS.map(({ fact }) => fact)

const BASELINE: readonly BaselineColumn[] = [
  { fact: 'tokenId', column: 'token_id', type: 'int' },
  ...OWN_COLUMNS,
  ...ALERT_NUMBERS.map((fact): BaselineColumn => ({ fact, column: toSnake(fact), type: 'float8' })),
]
const BASELINE_NAMES = BASELINE.map(({ column }) => column).join(', ')
const STORE_BASELINE = `INSERT INTO alert_baseline (${BASELINE_NAMES})
  SELECT ${BASELINE.map(({ column, write = `v.${column}` }) => write).join(', ')}
  FROM unnest(${BASELINE.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')}) AS v (${BASELINE_NAMES})
  ON CONFLICT (token_id) DO UPDATE SET ${BASELINE.slice(1)
    .map(({ column }) => `${column} = excluded.${column}`)
    .join(', ')}`

export interface AlertRow {
  id: string
  revision: number
  conditions: TokenFilter
  start: 'report' | 'silent' | null
}

export type SweepClient = pg.PoolClient

/** Runs `work` as the only sweeper, on one snapshot. Returns null if another process is sweeping or the snapshot became outdated. */
export async function withSweep<T>(database: Database, work: (client: SweepClient) => Promise<T>): Promise<T | null> {
  const sweep = async (client: SweepClient) => {
    const { rows } = await client.query<{ won: boolean }>(
      `SELECT pg_try_advisory_xact_lock($1, ${LOCK_OF_CHAIN}) AS won`,
      [SWEEP_LOCK],
    )
    return rows[0]?.won ? work(client) : null
  }
  try {
    return await inTransaction(database.pool, sweep, 'ISOLATION LEVEL REPEATABLE READ')
  } catch (error) {
    if (codeOf(error) === SERIALIZATION_FAILURE) return null
    throw error
  }
}

/** Reads the newest block and that of the last sweep; null while nothing is indexed. */
export async function readSweepState(client: SweepClient): Promise<SweepState | null> {
  const { rows } = await client.query<{
    number: number
    hash: string
    time: Date
    unit_ids: number[]
    unit_usd: number[]
    source_head: number
    generation: number
    block_seconds: number | null
    last_number: number | null
    last_hash: string
    last_time: Date
    last_unit_ids: number[]
    last_unit_usd: number[]
    turn: number
    reorganised: boolean
  }>(`
    SELECT b.number, b.hash, b.time, b.unit_ids, b.unit_usd, s.unit_ids AS last_unit_ids, s.unit_usd AS last_unit_usd, c.source_head, (SELECT coalesce(max(id), 0) FROM reorg) AS generation, ${SECONDS_A_BLOCK} AS block_seconds, s.block_number AS last_number, s.block_hash AS last_hash, s.time AS last_time, s.turn,
      s.id IS NOT NULL AND (s.block_number > b.number OR coalesce(swept.hash <> s.block_hash, s.block_number > c.finalized)) AS reorganised
    FROM (SELECT number, hash, time, unit_ids, unit_usd FROM block ORDER BY number DESC LIMIT 1) b
    CROSS JOIN chain c
    LEFT JOIN alert_sweep s ON true
    LEFT JOIN block swept ON swept.number = s.block_number`)
  const row = rows[0]
  if (!row) return null
  return {
    head: {
      number: row.number,
      hash: row.hash,
      timeMs: row.time.getTime(),
      usd: toUsdByUnit({ ids: row.unit_ids, usd: row.unit_usd }),
    },
    generation: row.generation,
    lag: toLag(row.source_head - row.number, row.block_seconds),
    last:
      row.last_number === null
        ? null
        : {
            number: row.last_number,
            hash: row.last_hash,
            timeMs: row.last_time.getTime(),
            usd: toUsdByUnit({ ids: row.last_unit_ids, usd: row.last_unit_usd }),
            turn: row.turn,
          },
    reorganised: row.reorganised,
  }
}

/** Reads the indexed tokens that changed in or after `sinceBlock`; null: all. Tokens of the block itself are read again, because scores are written after the block. */
export async function readChangedTokens(client: SweepClient, sinceBlock: number | null): Promise<ChangedToken[]> {
  const { rows } = await client.query<ChangedToken>(
    `SELECT id, address, liquidity_usd AS "liquidityUsd", ${keptCap('t')} AS "marketCap", ${keptPrice('t')} AS price, ${unitOf('t')} AS unit, risk_score AS "riskScore",
       risk_flags AS "riskFlags", coalesce((SELECT c.marks FROM token_safety c WHERE c.token_id = t.id), 0) AS "contractMarks", funded_holder_count AS "fundedHolderCount", funded_holder_count_1h_ago AS "fundedHolderCount1hAgo",
       extract(epoch FROM created_at)::float8 * 1000 AS "createdAtMs" ${ALERT_NUMBERS.map((name) => `, t.${toSnake(name)} AS "${name}"`).join('')}
     FROM token t WHERE indexed AND updated_block >= $1`,
    [sinceBlock ?? -1],
  )
  return rows
}

export async function readBaseline(client: SweepClient): Promise<BaselineRow[]> {
  const { rows } = await client.query<BaselineRow>(
    `SELECT ${BASELINE.map(({ fact, column, read = `b.${column}` }) => `${read} AS "${fact}"`).join(', ')}, coalesce(t.address, '') AS address
     FROM alert_baseline b LEFT JOIN token t ON t.id = b.token_id`,
  )
  return rows
}

/**
 * Reads active alerts. They are either those already evaluated ('in step'), or those waiting for their first
 * evaluation, `most` at most (null: all), longest wait first.
 */
export async function readAlerts(
  client: SweepClient,
  which: 'in step' | 'starting',
  most: number | null,
): Promise<AlertRow[]> {
  const { rows } = await client.query<AlertRow>(
    `SELECT id, revision, conditions, start FROM alert
     WHERE status = 'active' AND subject = 'tokens' AND start IS ${which === 'starting' ? 'NOT NULL' : 'NULL'} ORDER BY updated_at, id LIMIT $1`,
    [most],
  )
  return rows
}

/** Marks alerts as evaluated for the first time, if they are unchanged since these revisions. */
export async function markStarted(client: SweepClient, alerts: readonly AlertRow[]): Promise<void> {
  await client.query(
    `UPDATE alert a SET start = NULL FROM unnest($1::text[], $2::bigint[]) AS s (id, revision)
     WHERE a.id = s.id AND a.revision = s.revision`,
    [alerts.map((alert) => alert.id), alerts.map((alert) => alert.revision)],
  )
}

/** What a sweep leaves behind. */
interface FinishedSweep {
  head: SweptBlock
  turn: number
  changed: readonly BaselineRow[]
  gone: readonly number[]
  rearmSeconds: number
}

/**
 * Stores the facts of the evaluated tokens, and deletes those of deleted tokens. Deletes departures whose re-arm time
 * is over, and moves the sweep to the block.
 */
export async function finishSweep(
  client: SweepClient,
  { head, turn, changed, gone, rearmSeconds }: FinishedSweep,
): Promise<void> {
  if (changed.length > 0)
    await client.query(
      STORE_BASELINE,
      BASELINE.map(({ fact }) => changed.map((row) => row[fact] ?? Number.NaN)),
    )
  if (gone.length > 0) await client.query('DELETE FROM alert_baseline WHERE token_id = ANY($1::int[])', [gone])
  await client.query('DELETE FROM alert_departure WHERE left_at <= $1::timestamptz - make_interval(secs => $2)', [
    new Date(head.timeMs),
    rearmSeconds,
  ])
  await client.query(
    `INSERT INTO alert_sweep (block_number, block_hash, time, turn, unit_ids, unit_usd) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET block_number = excluded.block_number, block_hash = excluded.block_hash,
       time = excluded.time, turn = excluded.turn, unit_ids = excluded.unit_ids, unit_usd = excluded.unit_usd`,
    [head.number, head.hash, new Date(head.timeMs), turn, [...head.usd.keys()], [...head.usd.values()]],
  )
}
