// How rows travel: each table is one list of columns, from which the statements that read, insert and update it are
// made. Writes send one array literal per column (`unnest`), so a batch of any size is one statement with one plan.
import type { Statement } from './transact.ts'

type Cell = string | number | bigint | boolean | null | readonly number[]

/** SQL types by how they travel. `time`: seconds since 1970 in memory, timestamptz in the table. */
type ColumnType =
  | 'integer'
  | 'bigint'
  | 'smallint'
  | 'text'
  | 'boolean'
  | 'numeric'
  | 'double'
  | 'time'
  | 'hex'
  | 'integers'
  | 'doubles'

/** A column: its name, how it travels, and its cell of a row. */
export type Column<Row> = readonly [name: string, type: ColumnType, read: (row: Row) => Cell]

const WIRE: Record<ColumnType, string> = {
  integer: 'integer',
  bigint: 'bigint',
  smallint: 'smallint',
  text: 'text',
  boolean: 'boolean',
  numeric: 'numeric',
  double: 'double precision',
  time: 'double precision',
  hex: 'text',
  integers: 'text',
  doubles: 'text',
}

/** A table that can be written in bulk. */
export interface Table<Row> {
  name: string
  keys: readonly string[]
  /** Inserts rows that are not there yet. No statement where there is nothing to do. */
  insert(rows: readonly Row[]): Statement[]
  /** Updates rows that are there, by key. */
  update(rows: readonly Row[]): Statement[]
}

/** The statements of a table; the first `keys` columns are its primary key. */
export function defineTable<Row>(name: string, keys: number, columns: readonly Column<Row>[]): Table<Row> {
  const names = columns.map(([column]) => column)
  const source = `FROM unnest(${columns.map(([, type], index) => `$${index + 1}::${WIRE[type]}[]`).join(', ')}) AS v(${names.join(', ')})`
  const cells = columns.map(([column, type]) => unwire(column, type))
  const insert = `INSERT INTO ${name} (${names.join(', ')}) SELECT ${cells.join(', ')} ${source}`
  const sets = names.slice(keys).map((column, index) => `${column} = ${cells[index + keys]}`)
  const match = names.slice(0, keys).map((column) => `t.${column} = v.${column}`)
  const update = `UPDATE ${name} t SET ${sets.join(', ')} ${source} WHERE ${match.join(' AND ')}`
  return {
    name,
    keys: names.slice(0, keys),
    insert: (rows) =>
      rows.length === 0 ? [] : [{ name: `insert ${name}`, text: insert, values: toArrays(columns, rows) }],
    update: (rows) =>
      rows.length === 0 ? [] : [{ name: `update ${name}`, text: update, values: toArrays(columns, rows) }],
  }
}

/** Array literals of PostgreSQL, one per column. */
export const toArrays = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] =>
  columns.map(([, type, read]) => {
    const toText = TEXTS[type] ?? String
    let literal = '{'
    for (let index = 0; index < rows.length; index += 1) {
      const cell = read(rows[index] as Row)
      if (index > 0) literal += ','
      literal += cell === null ? 'NULL' : toText(cell)
    }
    return `${literal}}`
  })

/** How cells of a type look inside an array literal, where it is not their plain text. */
const TEXTS: { [type in ColumnType]?: (cell: Exclude<Cell, null>) => string } = {
  text: (cell) => quote(String(cell)),
  integers: (cell) => `"{${String(cell)}}"`,
  doubles: (cell) => `"{${String(cell)}}"`,
  hex: (cell) => String(cell).slice(2),
}

const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

function unwire(column: string, type: ColumnType): string {
  if (type === 'time') return `to_timestamp(v.${column})`
  if (type === 'hex') return `decode(v.${column}, 'hex')`
  if (type === 'integers') return `v.${column}::integer[]`
  if (type === 'doubles') return `v.${column}::double precision[]`
  return `v.${column}`
}
