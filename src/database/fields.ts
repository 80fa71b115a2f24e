// The fields of a row in memory. Each names its column, the column's type, the value's type and its first value once.
// The statements that write a row, the parser that reads it, the new row and its TypeScript type are derived from them.
import type { Cell, Column, ColumnType } from './binary-arrays.ts'

/** A row as pg returns it. */
export type Raw = { readonly [column: string]: unknown }

/** A field: the cells that it fills, how its value is read from them, and the value of a new row. */
export interface RowField<Value> {
  cells: readonly FieldCell<Value>[]
  parse(raw: Raw): Value
  first: Value
}

interface FieldCell<Value> {
  column: string
  type: ColumnType
  /** Left out if the value is the cell. */
  cellOf?(value: Value): Cell
}

/** The fields of a table's rows, by name. */
export type Fields = Readonly<Record<string, RowField<unknown>>>

/** The row that has these fields. */
export type RowOf<Given extends Fields> = {
  -readonly [Name in keyof Given]: Given[Name] extends RowField<infer Value> ? Value : never
}

/** `parse` converts the value that pg returns for the column. */
const oneColumn = <Value extends Cell>(
  type: ColumnType,
  column: string,
  first: Value,
  parse: (value: unknown) => Value,
): RowField<Value> => ({
  cells: [{ column, type }],
  parse: (raw) => parse(raw[column]),
  first,
})

const asNumber = (value: unknown) => value as number

/** The fields of one column, by its type. */
export const field = {
  integer: (column: string) => oneColumn('integer', column, 0, asNumber),
  smallint: (column: string) => oneColumn('smallint', column, 0, asNumber),
  bigint: (column: string) => oneColumn('bigint', column, 0, asNumber),
  double: (column: string) => oneColumn('double', column, 0, asNumber),
  /** Seconds since 1970. */
  time: (column: string) => oneColumn('time', column, 0, asNumber),
  boolean: (column: string) => oneColumn<boolean>('boolean', column, false, (value) => value === true),
  /** An integer of any size. */
  numeric: (column: string) => oneColumn('numeric', column, 0n, (value) => BigInt(value as string)),
  /** A text, with its first value; `parse` checks one with a form. */
  text: <Value extends string = string>(
    column: string,
    first: NoInfer<Value>,
    parse: (value: string) => Value = (value) => value as Value,
  ): RowField<Value> => oneColumn('text', column, first, (value) => parse(value as string)),
  /** 32 bytes, in memory hexadecimal. */
  hash: (column: string) => oneColumn('hash', column, '0x', (value) => `0x${(value as Buffer).toString('hex')}`),
  integers: (column: string) => oneColumn('integers', column, [], (value) => value as number[]),
  doubles: (column: string) => oneColumn('doubles', column, [], (value) => value as number[]),
  /** The same field, which may be null. */
  orNull: <Value extends Cell>(given: RowField<Value>): RowField<Value | null> => kept(given, null, {}),
  /** The same field, with null stored for this value: a null takes no room in a row. */
  sparse: <Value extends Cell>(given: RowField<Value>, usual: Value): RowField<Value> =>
    kept(given, usual, { cellOf: (value) => (value === usual ? null : value) }),
}

const kept = <Value, Other>(
  { cells, parse }: RowField<Value>,
  other: Other,
  write: Pick<FieldCell<Value | Other>, 'cellOf'>,
): RowField<Value | Other> => ({
  cells: cells.map(({ column, type }) => ({ column, type, ...write })),
  parse: (raw) => (cells.every(({ column }) => raw[column] === null) ? other : parse(raw)),
  first: other,
})

/** A field whose value has parts: one field for each. */
export const parts = <Given extends Fields>(given: Given): RowField<RowOf<Given>> => ({
  cells: columnsOf<RowOf<Given>>(given).map(([column, type, cellOf]) => ({ column, type, cellOf })),
  parse: (raw) =>
    Object.fromEntries(Object.entries(given).map(([name, { parse }]) => [name, parse(raw)])) as RowOf<Given>,
  first: firstOf(given),
})

/** The first value of each field. */
const firstOf = <Given extends Fields>(given: Given): RowOf<Given> =>
  Object.fromEntries(Object.entries(given).map(([name, { first }]) => [name, first])) as RowOf<Given>

/** The same field with another first value. */
export const from = <Value>(first: Value, given: RowField<Value>): RowField<Value> => ({ ...given, first })

/**
 * Returns the maker of new rows, which the database does not have yet. It is a literal in the source of a function:
 * V8 gives rows of a literal one hidden class and keeps all their values inside. Rows made by spreading are slower.
 */
export function rowFactory<Given extends Fields>(fields: Given): () => RowOf<Given> & { fresh: boolean } {
  return new Function(`return () => (${toSource({ fresh: true, ...firstOf(fields) })})`)()
}

function toSource(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(toSource).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}:${toSource(part)}`)}}`
}

/** The columns of the fields, read from a row. */
export const columnsOf = <Row>(fields: Fields): Column<Row>[] =>
  Object.entries(fields).flatMap(([name, { cells }]) =>
    cells.map(({ column, type, cellOf }): Column<Row> => {
      const key = name as keyof Row
      return [column, type, cellOf ? (row) => cellOf(row[key]) : (row) => row[key] as Cell]
    }),
  )
