// What a batch changed, into the tables: a fixed number of statements, whatever the batch's size, inside the caller's
// transaction. For a block that may be rolled back the rows as they were are kept first.
import type pg from 'pg'
import type { BlockRow, LinkRow } from './rows.ts'
import { type Table, toArrays } from './table.ts'
import {
  eventTable,
  linkColumns,
  poolDayTable,
  poolTable,
  positionTable,
  tokenBlockTable,
  tokenHourTable,
  tokenTable,
  walletTable,
  walletWeekTable,
} from './tables.ts'
import { keepImages } from './undo.ts'
import type { Changes } from './work.ts'

/** Writes the changes. `undoable`: the block may be rolled back. */
export async function flush(
  client: pg.ClientBase,
  changes: Changes,
  block: BlockRow,
  undoable: boolean,
): Promise<void> {
  const kept = undoable ? block.number : null
  await write(client, tokenTable, changes.tokens, [(row) => row.id], kept)
  await write(client, poolTable, changes.pools, [(row) => row.id], kept)
  await write(client, walletTable, changes.wallets, [(row) => row.id], kept)
  await write(client, positionTable, changes.positions, [(row) => row.tokenId, (row) => row.walletId], kept)
  await write(client, tokenHourTable, changes.hours, [(row) => row.tokenId, (row) => row.hour], kept)
  await write(client, poolDayTable, changes.days, [(row) => row.poolId, (row) => row.day], kept)
  await write(client, walletWeekTable, changes.weeks, [(row) => row.walletId, (row) => row.week], kept)
  await eventTable.insert(client, changes.events)
  await tokenBlockTable.insert(client, changes.tokenBlocks)
  await writeLinks(client, [...changes.links.values()], kept)
  await markDue(client, 1, changes.dueTokens, block.time)
  await markDue(client, 2, changes.dueWallets, block.time)
}

/** Says that what was written is in the database now. */
export function settleRows(changes: Changes): void {
  const { tokens, pools, wallets, positions, hours, days, weeks } = changes
  for (const rows of [tokens, pools, wallets, positions, hours, days, weeks]) for (const row of rows) row.fresh = false
}

async function write<Row extends { fresh: boolean }>(
  client: pg.ClientBase,
  table: Table<Row>,
  changed: Set<Row>,
  keysOf: readonly ((row: Row) => number)[],
  keptUnder: number | null,
): Promise<void> {
  if (changed.size === 0) return
  const rows = inOrder([...changed], keysOf)
  if (keptUnder !== null) {
    const keys = keysOf.map((keyOf) => rows.map(keyOf))
    await keepImages(client, keptUnder, table.name, keys)
  }
  const fresh: Row[] = []
  const known: Row[] = []
  for (const row of rows) (row.fresh ? fresh : known).push(row)
  await table.insert(client, fresh)
  await table.update(client, known)
}

/** In the order of the key, so that neighbours on a page are written together. */
function inOrder<Row>(rows: Row[], [first, second]: readonly ((row: Row) => number)[]): Row[] {
  if (!first) return rows
  return rows.sort((a, b) => first(a) - first(b) || (second ? second(a) - second(b) : 0))
}

/** Only the first transfer between two wallets is a row. */
async function writeLinks(client: pg.ClientBase, links: LinkRow[], keptUnder: number | null): Promise<void> {
  if (links.length === 0) return
  const { rows } = await client.query<{ from_id: number; to_id: number; kind: number }>({
    name: 'insert link',
    text: `INSERT INTO link (from_id, to_id, kind, block_number)
      SELECT * FROM unnest($1::integer[], $2::integer[], $3::smallint[], $4::integer[]) ON CONFLICT DO NOTHING
      RETURNING from_id, to_id, kind`,
    values: toArrays(linkColumns, links),
  })
  if (keptUnder === null || rows.length === 0) return
  const columns = [rows.map((row) => row.from_id), rows.map((row) => row.to_id), rows.map((row) => row.kind)]
  await client.query({
    name: 'keep new link',
    text: `INSERT INTO undo (block_number, entity, key1, key2, key3, before)
      SELECT $1, 'link', *, NULL FROM unnest($2::integer[], $3::integer[], $4::integer[]) ON CONFLICT DO NOTHING`,
    values: [keptUnder, ...columns.map((list) => `{${list.join(',')}}`)],
  })
}

async function markDue(client: pg.ClientBase, kind: number, ids: Set<number>, time: number): Promise<void> {
  if (ids.size === 0) return
  await client.query({
    name: 'mark due',
    text: `INSERT INTO score_due (kind, id, due_at) SELECT $1, id, to_timestamp($3::double precision)
      FROM unnest($2::integer[]) AS v(id)
      ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at WHERE score_due.due_at > excluded.due_at`,
    values: [kind, `{${[...ids].sort((a, b) => a - b).join(',')}}`, time],
  })
}
