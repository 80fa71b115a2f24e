// The facts that alerts were matched with in the past month: a row for each sweep that saw a change. Older rows are
// merged into one state, the base. Rows of blocks that a reorganisation removed are not read, and the next sweep
// deletes them.
import type { UsdByUnit } from '../../base/present.ts'
import type { pg } from '../../database/client.ts'
import type { Send } from '../../database/diverted-pool.ts'
import { createTokenStates, readEncodedIds } from './changes.ts'
import type { SweepClient, SweptBlock } from './sweep.ts'

/** Days that are kept in full: those of a backtest, and one more. */
export const HISTORY_DAYS = 31
/** Tokens of one row of the base: half a megabyte. */
const BASE_TOKENS = 5_000
/** Rows in one read. */
const ROWS_TOGETHER = 500

/** Before every row. */
export const BEFORE_HISTORY = Number.MIN_SAFE_INTEGER

/** base: all before; day: the end of a day of the first backfill; sweep: the facts of a match. */
export type HistoryKind = 'base' | 'day' | 'sweep'

export interface HistoryRow {
  id: number
  kind: HistoryKind
  blockNumber: number
  timeMs: number
  /** The units whose price has changed, with the new price: 0 without a price. */
  unitIds: number[]
  unitUsd: number[]
  /** Of tokens, by `changes.ts`. */
  changes: Buffer
}

type NewRow = Pick<HistoryRow, 'kind' | 'changes'> & { units: UsdByUnit }

/** A block that is still on the chain. */
const STANDS = `(h.block_number <= (SELECT finalized FROM chain)
  OR EXISTS (SELECT FROM block b WHERE b.number = h.block_number AND b.hash = h.block_hash))`

/** Rows after `after`, oldest first. */
export async function readHistoryRows(send: Send, after: number, toMs: number): Promise<HistoryRow[]> {
  const { rows } = await send({
    name: 'alert history',
    text: `SELECT h.id, h.kind, h.block_number AS "blockNumber", date_part('epoch', h.time) * 1000 AS "timeMs",
        h.unit_ids AS "unitIds", h.unit_usd AS "unitUsd", h.changes
      FROM alert_history h WHERE h.id > $1 AND h.time <= to_timestamp($2::float8 / 1000) AND ${STANDS} ORDER BY h.id LIMIT ${ROWS_TOGETHER}`,
    values: [after, toMs],
  })
  return rows as HistoryRow[]
}

export async function writeHistory(
  client: Pick<pg.ClientBase, 'query'>,
  { number, hash, timeMs }: Pick<SweptBlock, 'number' | 'hash' | 'timeMs'>,
  { kind, units, changes }: NewRow,
): Promise<void> {
  await client.query(
    `INSERT INTO alert_history (kind, block_number, block_hash, time, unit_ids, unit_usd, changes)
     VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000), $5, $6, $7)`,
    [kind, number, hash, timeMs, [...units.keys()], [...units.values()], changes],
  )
}

/**
 * Deletes the rows of blocks that are no longer on the chain. Returns their tokens, because earlier rows have other
 * values for them.
 */
export async function deleteLostHistory(client: SweepClient): Promise<Set<number>> {
  const { rows } = await client.query<{ changes: Buffer }>(
    `DELETE FROM alert_history h WHERE NOT ${STANDS} RETURNING changes`,
  )
  return new Set(rows.flatMap(({ changes }) => readEncodedIds(changes)))
}

/** Whether there are rows at all, and whether a sweep wrote some. */
export async function readHistoryState(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<{ isEmpty: boolean; isSwept: boolean; lastBlock: number | null }> {
  const { rows } = await client.query<{ isSwept: boolean; lastBlock: number | null }>(
    `SELECT EXISTS (SELECT FROM alert_history WHERE kind = 'sweep') AS "isSwept",
       (SELECT block_number FROM alert_history ORDER BY id DESC LIMIT 1) AS "lastBlock"`,
  )
  const { isSwept = false, lastBlock = null } = rows[0] ?? {}
  return { isEmpty: lastBlock === null, isSwept, lastBlock }
}

/**
 * Merges the base and the oldest rows into a new base, once they are a day older than the kept period. Their blocks are
 * final long since. Returns the number of merged rows.
 */
export async function foldHistory(client: SweepClient, headMs: number): Promise<number> {
  const { rows: oldest } = await client.query<{ isDue: boolean }>(
    `SELECT time < to_timestamp($1::float8 / 1000) - make_interval(days => ${HISTORY_DAYS + 1}) AS "isDue"
     FROM alert_history WHERE kind <> 'base' ORDER BY id LIMIT 1`,
    [headMs],
  )
  if (!oldest[0]?.isDue) return 0
  const untilMs = headMs - HISTORY_DAYS * 86_400_000
  const states = createTokenStates()
  const units = new Map<number, number>()
  const send: Send = (text, values) => client.query(text as pg.QueryConfig, values)
  let folded = 0
  let last: HistoryRow | undefined
  for (;;) {
    const rows = await readHistoryRows(send, last?.id ?? BEFORE_HISTORY, untilMs)
    if (rows.length === 0) break
    for (const row of rows) {
      states.apply(row.changes, () => {})
      for (const [at, unit] of row.unitIds.entries()) units.set(unit, row.unitUsd[at] ?? 0)
    }
    folded += rows.length
    last = rows.at(-1)
  }
  if (!last) return 0
  await client.query('DELETE FROM alert_history WHERE id <= $1', [last.id])
  // The base takes the numbers of its oldest rows, so that it stays before the others.
  const parts = Math.max(1, Math.ceil(states.size / BASE_TOKENS))
  for (let part = 0; part < parts; part += 1) {
    const changes = states.encode(part * BASE_TOKENS, Math.min((part + 1) * BASE_TOKENS, states.size))
    await client.query(
      `INSERT INTO alert_history (id, kind, block_number, block_hash, time, unit_ids, unit_usd, changes)
       VALUES ($1, 'base', $2, '', to_timestamp($3::float8 / 1000), $4, $5, $6)`,
      [last.id - parts + 1 + part, last.blockNumber, last.timeMs, [...units.keys()], [...units.values()], changes],
    )
  }
  return folded
}
