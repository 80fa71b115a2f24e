// Undo images: a row before a change by a block that is not final, and restoring rows from them. The oldest image kept
// after a block is the row at that block; null means that the row did not exist.
import type { pg } from '../database/client.ts'
import type { Statement } from '../database/pipeline.ts'
import { UNDONE_TABLES } from './tables.ts'

/** Tables whose rows can be undone, with their key columns: integers, at most three. */
const UNDOABLE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(UNDONE_TABLES.map(({ name, keys }) => [name, keys])),
  wash_mark: ['wallet_id', 'token_id'],
  token_safety: ['token_id'],
  token_score: ['token_id'],
  wallet_score: ['wallet_id'],
  wallet_outcome: ['wallet_id'],
}

/** The block that changes rows. */
export interface ChangeBlock {
  number: number
  /** The block may still be rolled back, so rows are kept before they change. */
  revocable: boolean
}

/**
 * Stores the current rows under a block's number. An image that the block already has stays. `keys`: one list per key
 * column.
 */
export function keepImages(blockNumber: number, table: string, keys: readonly (readonly number[])[]): Statement[] {
  if ((keys[0]?.length ?? 0) === 0) return []
  const columns = UNDOABLE[table] ?? []
  const match = columns.map((column, index) => `t.${column} = v.k${index + 1}`).join(' AND ')
  const { before, from } = parts(table)
  // Text is several times cheaper to make than jsonb, and hardly any image is ever read.
  const text = `${before} row_to_json(t) FROM ${from} LEFT JOIN ${table} t ON ${match} ON CONFLICT DO NOTHING`
  return [{ name: `keep ${table}`, text, values: valuesOf(blockNumber, keys) }]
}

/** Records that there are no such rows yet, without looking for them. */
export function keepAbsence(blockNumber: number, table: string, keys: readonly (readonly number[])[]): Statement[] {
  if ((keys[0]?.length ?? 0) === 0) return []
  const { before, from } = parts(table)
  const text = `${before} NULL FROM ${from} ON CONFLICT DO NOTHING`
  return [{ name: `keep absence ${table}`, text, values: valuesOf(blockNumber, keys) }]
}

/** The beginning of a statement that keeps images, up to the image, and the wanted keys. */
function parts(table: string): { before: string; from: string } {
  const names = (UNDOABLE[table] ?? []).map((_, index) => `k${index + 1}`)
  const wanted = names.map((_, index) => `$${index + 2}::integer[]`).join(', ')
  const padded = [...names, '0', '0'].slice(0, 3).join(', ')
  return {
    before: `INSERT INTO undo (block_number, entity, key1, key2, key3, before) SELECT $1, '${table}', ${padded},`,
    from: `unnest(${wanted}) AS v(${names.join(', ')})`,
  }
}

const valuesOf = (blockNumber: number, keys: readonly (readonly number[])[]) => [
  blockNumber,
  ...keys.map((list) => `{${list.join(',')}}`),
]

/**
 * Restores every row to its state at a block. Points of the history of scores have no image: each belongs to the block
 * that made it.
 */
export async function restoreImages(client: pg.ClientBase, to: number): Promise<void> {
  await client.query('DELETE FROM score_point WHERE block_number > $1', [to])
  const { rows } = await client.query<{ entity: string }>('SELECT DISTINCT entity FROM undo WHERE block_number > $1', [
    to,
  ])
  for (const { entity } of rows) {
    const columns = UNDOABLE[entity]
    if (!columns) throw new Error(`the table undo holds rows of ${entity}, which cannot be undone`)
    const oldest = `(SELECT DISTINCT ON (key1, key2, key3) key1, key2, key3, before FROM undo
      WHERE entity = '${entity}' AND block_number > $1 ORDER BY key1, key2, key3, block_number) u`
    const match = columns.map((column, index) => `t.${column} = u.key${index + 1}`).join(' AND ')
    await client.query(`DELETE FROM ${entity} t USING ${oldest} WHERE ${match}`, [to])
    await client.query(
      `INSERT INTO ${entity} SELECT r.* FROM ${oldest}, json_populate_record(NULL::"${entity}", u.before) r
       WHERE u.before IS NOT NULL`,
      [to],
    )
  }
}

/** Makes the scores of restored tokens and wallets due again, and removes the due marks of those that no longer exist. */
export async function requeueScores(client: pg.ClientBase, to: number, nowSeconds: number): Promise<void> {
  const restored = `SELECT DISTINCT CASE WHEN entity LIKE 'token%' THEN 1 ELSE 2 END AS kind, key1 AS id FROM undo
    WHERE entity IN ('token', 'token_score', 'token_safety', 'wallet', 'wallet_score') AND block_number > $1`
  await client.query(`DELETE FROM score_due d USING (${restored}) r WHERE d.kind = r.kind AND d.id = r.id`, [to])
  await client.query(
    `INSERT INTO score_due (kind, id, due_at) SELECT r.kind, r.id, to_timestamp($2::double precision) FROM (${restored}) r
     WHERE (r.kind = 1 AND EXISTS (SELECT FROM token WHERE token.id = r.id AND indexed))
        OR (r.kind = 2 AND EXISTS (SELECT FROM wallet WHERE wallet.id = r.id AND indexed))`,
    [to, nowSeconds],
  )
}
