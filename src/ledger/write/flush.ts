// Turns the changes of a batch into statements, whose number does not grow with the batch. If the block may be rolled
// back, the first statements store the former rows.

import type { Changes } from '../../book/rows/changes.ts'
import type { BlockRecord, KeptRow, LinkRecord } from '../../book/rows/rows.ts'
import { rowsOf, toArrays } from '../../database/binary-arrays.ts'
import type { Statement } from '../../database/pipeline.ts'
import type { Table } from '../../database/table.ts'
import {
  eventTable,
  launchTable,
  linkTable,
  poolDayTable,
  poolTable,
  positionTable,
  positionTokenTable,
  stakeTable,
  tokenBlockTable,
  tokenFiveMinutesTable,
  tokenHourTable,
  tokenLockTable,
  tokenMinuteTable,
  tokenTable,
  walletDayTable,
  walletTable,
  walletWeekTable,
} from '../tables.ts'
import { keepAbsence, keepImages } from '../undo.ts'

/** Returns the statements that write the changes, and marks the rows as no longer new. `undoable`: the block may be rolled back. */
export function flush(changes: Changes, block: BlockRecord, undoable: boolean): Statement[] {
  const kept = undoable ? block.number : null
  return [
    ...write(tokenTable, changes.tokens, kept),
    ...write(poolTable, changes.pools, kept),
    ...write(walletTable, changes.wallets, kept),
    ...write(positionTable, changes.positions, kept),
    ...write(tokenMinuteTable, changes.minutes, kept),
    ...write(tokenFiveMinutesTable, changes.fiveMinutes, kept),
    ...write(tokenHourTable, changes.hours, kept),
    ...write(poolDayTable, changes.days, kept),
    ...write(walletWeekTable, changes.weeks, kept),
    ...write(walletDayTable, changes.walletDays, kept),
    ...write(tokenLockTable, changes.locks, kept),
    ...write(positionTokenTable, changes.positionTokens, kept),
    ...write(stakeTable, changes.stakes, kept),
    ...write(launchTable, changes.launches, kept),
    ...eventTable.insertSheet(changes.events),
    ...tokenBlockTable.insert(changes.tokenBlocks),
    ...writeLinks([...changes.links.values()], kept),
    ...markDue(1, changes.dueTokens, block.time),
    ...markDue(2, changes.dueWallets, block.time),
    ...markSharesDue(changes.dueShares, block.time),
  ]
}

function write<Row extends KeptRow>(
  table: Table<Omit<Row, 'fresh'>>,
  changed: Set<Row>,
  keptUnder: number | null,
): Statement[] {
  if (changed.size === 0) return []
  const rows = inOrder([...changed], table.keysOf)
  const fresh: Row[] = []
  const known: Row[] = []
  for (const row of rows) (row.fresh ? fresh : known).push(row)
  const keys = (some: readonly Row[]) => table.keysOf.map((keyOf) => some.map(keyOf))
  const kept =
    keptUnder === null
      ? []
      : [...keepImages(keptUnder, table.name, keys(known)), ...keepAbsence(keptUnder, table.name, keys(fresh))]
  const statements = [...kept, ...table.insert(fresh), ...table.update(known)]
  for (const row of fresh) row.fresh = false
  return statements
}

/** Sorts rows by key, so that rows on the same page are written together. */
function inOrder<Row>(rows: Row[], [first, second]: readonly ((row: Row) => number)[]): Row[] {
  if (!first) return rows
  return rows.sort((a, b) => first(a) - first(b) || (second ? second(a) - second(b) : 0))
}

const INSERT_LINKS = `INSERT INTO link (from_id, to_id, kind, block_number)
  SELECT * FROM ${rowsOf(linkTable.columns)} v ON CONFLICT DO NOTHING`

/** Only the first transfer between two wallets becomes a row; the others are conflicts and do nothing. */
function writeLinks(links: LinkRecord[], keptUnder: number | null): Statement[] {
  if (links.length === 0) return []
  const values = toArrays(linkTable.columns, links)
  if (keptUnder === null) return [{ name: 'insert link', text: INSERT_LINKS, values }]
  const text = `WITH added AS (${INSERT_LINKS} RETURNING from_id, to_id, kind)
    INSERT INTO undo (block_number, entity, key1, key2, key3, before)
    SELECT $5, 'link', from_id, to_id, kind, NULL FROM added ON CONFLICT DO NOTHING`
  return [{ name: 'insert and keep link', text, values: [...values, keptUnder] }]
}

function markDue(kind: number, ids: Set<number>, time: number): Statement[] {
  if (ids.size === 0) return []
  const text = `INSERT INTO score_due (kind, id, due_at) SELECT $1, id, to_timestamp($3::double precision)
    FROM unnest($2::integer[]) AS v(id)
    ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at WHERE score_due.due_at > excluded.due_at`
  return [{ name: 'mark due', text, values: [kind, `{${[...ids].sort((a, b) => a - b).join(',')}}`, time] }]
}

function markSharesDue(ids: Set<number>, time: number): Statement[] {
  if (ids.size === 0) return []
  const text = `INSERT INTO score_due (kind, id, due_at) SELECT DISTINCT 1, t.id, to_timestamp($2::double precision)
    FROM pool p JOIN token t ON t.id = p.base_id WHERE p.lp_token_id = ANY($1::integer[]) AND t.indexed
    ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at WHERE score_due.due_at > excluded.due_at`
  return [{ name: 'mark shares due', text, values: [`{${[...ids].join(',')}}`, time] }]
}
