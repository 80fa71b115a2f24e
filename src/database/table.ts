// Bulk writes. Each table is a list of columns, from which its INSERT and UPDATE statements are made. Values are sent
// as one array per column (`unnest`), so a batch of any size is one statement with one plan.
import { type Column, type ColumnType, createSheet, rowsOf, type Sheet, toArrays } from './binary-arrays.ts'
import type { Statement } from './pipeline.ts'

/** A table that can be written in bulk. */
export interface Table<Row> {
  name: string
  keys: readonly string[]
  /** What a SELECT from the table named `t` lists to read a row back: all columns, times as seconds since 1970. */
  select: string
  /** Inserts new rows. Returns no statement if there are none. */
  insert(rows: readonly Row[]): Statement[]
  /** Creates an empty sheet for new rows, which `insertSheet` then inserts. */
  sheet(): Sheet<Row>
  insertSheet(sheet: Sheet<Row>): Statement[]
  /** Updates existing rows by primary key. */
  update(rows: readonly Row[]): Statement[]
}

/** Builds the statements of a table; the first `keys` columns are its primary key. */
export function defineTable<Row>(name: string, keys: number, columns: readonly Column<Row>[]): Table<Row> {
  const names = columns.map(([column]) => column)
  const source = `FROM ${rowsOf(columns)} v`
  const cells = columns.map(([column, type]) => `v.${column}${CASTS[type] ?? ''}`)
  const insert = `INSERT INTO ${name} (${names.join(', ')}) SELECT ${cells.join(', ')} ${source}`
  const sets = names.slice(keys).map((column, index) => `${column} = ${cells[index + keys]}`)
  const match = names.slice(0, keys).map((column) => `t.${column} = v.${column}`)
  const update = `UPDATE ${name} t SET ${sets.join(', ')} ${source} WHERE ${match.join(' AND ')}`
  const sizes: number[] = []
  const inserting = (values: Buffer[]): Statement => ({ name: `insert ${name}`, text: insert, values })
  return {
    name,
    keys: names.slice(0, keys),
    select: columns.map(([column, type]) => readCell(column, type)).join(', '),
    insert: (rows) => (rows.length === 0 ? [] : [inserting(toArrays(columns, rows))]),
    sheet: () => createSheet(columns, { sizes }),
    insertSheet: (sheet) => {
      const values = sheet.take()
      return values ? [inserting(values)] : []
    },
    update: (rows) =>
      rows.length === 0 ? [] : [{ name: `update ${name}`, text: update, values: toArrays(columns, rows) }],
  }
}

const readCell = (column: string, type: ColumnType): string =>
  type === 'time' ? `extract(epoch FROM t.${column})::double precision AS ${column}` : `t.${column}`

/** Types that are sent as text and must be cast. */
const CASTS: { readonly [type in ColumnType]?: string } = {
  numeric: '::numeric',
  integers: '::integer[]',
  doubles: '::double precision[]',
}
