// prisma/schema.prisma against a migrated database, in both directions: neither lacks a part of the other.
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { type Column, readPrismaSchema } from '../support/prisma-schema.ts'
import { seedLedger } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const models = readPrismaSchema()

/** The table of `migrate`: none of ours. */
const OURS = `n.nspname = 'public' AND c.relname <> '_prisma_migrations'`

/** Lists that may be null in the database, which Prisma cannot say: it reads an empty list there. */
const NULLABLE_LISTS = ['score_point.details', 'score_point.flags', 'token_score.cluster_wallet_ids']

async function readColumns(): Promise<Record<string, Record<string, Column>>> {
  const { rows } = await database.pool.query<Column & { table: string; column: string }>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
       NOT a.attnotnull AND NOT (c.relname || '.' || a.attname = ANY ($1)) AS nullable,
       CASE WHEN a.attidentity <> '' THEN 'identity' ELSE pg_get_expr(d.adbin, d.adrelid) END AS default
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE ${OURS} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
    [NULLABLE_LISTS],
  )
  const tables: Record<string, Record<string, Column>> = {}
  for (const { table, column, ...rest } of rows) tables[table] = { ...tables[table], [column]: rest }
  return tables
}

it('every table is a model and every model a table, with the same columns, types, nullability and defaults', async () => {
  const said = Object.fromEntries(Object.entries(models).map(([table, { columns }]) => [table, columns]))
  expect(Object.keys(said).length).toBeGreaterThan(20)
  expect(said).toEqual(await readColumns())
})

it('the models name every key and every index of their tables, in its columns, order and condition, and no other', async () => {
  const { rows } = await database.pool.query<{ table: string; sql: string }>(
    `SELECT c.relname AS table, translate(replace(pg_get_indexdef(i.indexrelid), 'public.', ''), '"', '') AS sql
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${OURS}`,
  )
  const built = Object.keys(models).map((table) => [
    table,
    rows
      .filter((row) => row.table === table)
      .map((row) => row.sql)
      .sort(),
  ])
  expect(Object.fromEntries(Object.entries(models).map(([table, { indexes }]) => [table, indexes]))).toEqual(
    Object.fromEntries(built),
  )
})

describe('relations', () => {
  const all = Object.entries(models).flatMap(([table, { relations }]) =>
    relations.map((relation) => ({ ...relation, from: table })),
  )

  it.each(all)(
    'the one from $from by $columns leads to the whole key of $table, of the same type, and is optional where it may be null',
    (relation) => {
      const { from, columns, table, references, optional } = relation
      const given = columns.map((column) => models[from]?.columns[column])
      expect(given.map((column) => column?.type)).toEqual(
        references.map((column) => models[table]?.columns[column]?.type),
      )
      expect(given.map((column) => column?.nullable)).toEqual(columns.map(() => optional))
      const key = models[table]?.indexes.find((sql) => sql.startsWith('CREATE UNIQUE') && sql.includes('_pkey'))
      expect(key).toContain(`(${references.join(', ')})`)
    },
  )

  it('that name what happens on delete are the foreign keys of the database, all of them', async () => {
    const { rows } = await database.pool.query<{ said: string }>(
      `SELECT format('%s(%s) %s(%s) %s', k.conrelid::regclass, f.attname, k.confrelid::regclass, t.attname,
         CASE k.confdeltype WHEN 'c' THEN 'Cascade' WHEN 'a' THEN 'NoAction' ELSE k.confdeltype::text END) AS said
       FROM pg_constraint k
       JOIN pg_attribute f ON f.attrelid = k.conrelid AND f.attnum = ANY (k.conkey)
       JOIN pg_attribute t ON t.attrelid = k.confrelid AND t.attnum = ANY (k.confkey)
       WHERE k.contype = 'f'`,
    )
    const keys = all.filter(({ onDelete }) => onDelete !== null)
    expect(
      keys
        .map(
          ({ from, columns, table, references, onDelete }) => `${from}(${columns}) ${table}(${references}) ${onDelete}`,
        )
        .sort(),
    ).toEqual(rows.map(({ said }) => said).sort())
  })

  it('can be followed by Prisma from both sides, over a filled database', async () => {
    const tables = Object.values(models)
    expect(tables.flatMap(({ related }) => related).length).toBe(2 * all.length)
    const clients = database.prisma as unknown as Record<string, { findFirst(query: object): Promise<unknown> }>
    for (const { model, related } of tables) {
      const include = Object.fromEntries(related.map((name) => [name, true]))
      const query = related.length > 0 ? { include } : {}
      const row = await clients[model.charAt(0).toLowerCase() + model.slice(1)]?.findFirst(query)
      if (row) expect(Object.keys(row)).toEqual(expect.arrayContaining(related))
      else expect(row).toBeNull()
    }
  })
})
