// Bulk writes. Each table is a list of fields, from which its INSERT and UPDATE statements are made. Values are sent
// as one array per column (`unnest`), so a batch of any size is one statement with one plan.
import { type Column, type ColumnType, createSheet, rowsOf, type Sheet, toArrays } from './binary-arrays.ts'
import { columnsOf, type Fields, type Raw, type RowOf } from './fields.ts'
import type { Statement } from './pipeline.ts'

/** A table that can be written in bulk. */
export interface Table<Row> {
  name: string
  columns: readonly Column<Row>[]
  /** The columns of the primary key, and the row's values of them. */
  keys: readonly string[]
  keysOf: readonly ((row: Row) => number)[]
  /** The select list that reads a row back from the table named `t`: all columns, times as seconds since 1970. */
  select: string
  /** Fills a row from the result of such a SELECT. */
  fill<Full extends Row>(row: Full, raw: Raw): Full
  /** Inserts new rows. Returns no statement if there are none. */
  insert(rows: readonly Row[]): Statement[]
  /** Creates an empty sheet for new rows, which `insertSheet` then inserts. */
  sheet(): Sheet<Row>
  insertSheet(sheet: Sheet<Row>): Statement[]
  /** Updates existing rows by primary key. */
  update(rows: readonly Row[]): Statement[]
}

/** The fields with integers in one column, which can be keys. */
type KeyOf<Given extends Fields> = {
  [Name in keyof Given & string]: RowOf<Given>[Name] extends number ? Name : never
}[keyof Given & string]

/** Builds the statements of a table with the fields' columns; `keyFields` are its primary key. */
export function defineTable<Given extends Fields>(
  name: string,
  fields: Given,
  keyFields: readonly KeyOf<Given>[],
): Table<RowOf<Given>> {
  type Row = RowOf<Given>
  const columns = columnsOf<Row>(fields)
  const keys = keyFields.flatMap((key) => fields[key]?.cells.map(({ column }) => column) ?? [])
  const source = `FROM ${rowsOf(columns)} v`
  const cells = columns.map(([column, type]) => `v.${column}${CASTS[type] ?? ''}`)
  const insert = `INSERT INTO ${name} (${columns.map(([column]) => column).join(', ')}) SELECT ${cells.join(', ')} ${source}`
  const sets = columns.flatMap(([column], at) => (keys.includes(column) ? [] : `${column} = ${cells[at]}`))
  const match = keys.map((column) => `t.${column} = v.${column}`)
  const update = `UPDATE ${name} t SET ${sets.join(', ')} ${source} WHERE ${match.join(' AND ')}`
  const parsers = Object.entries(fields).map(([field, { parse }]) => ({ field: field as keyof Row, parse }))
  const sizes: number[] = []
  const inserting = (values: Buffer[]): Statement => ({ name: `insert ${name}`, text: insert, values })
  return {
    name,
    columns,
    keys,
    keysOf: keyFields.map((key) => (row) => row[key] as number),
    select: columns.map(([column, type]) => readCell(column, type)).join(', '),
    fill: (row, raw) => {
      for (const { field, parse } of parsers) row[field] = parse(raw) as (typeof row)[typeof field]
      return row
    },
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
