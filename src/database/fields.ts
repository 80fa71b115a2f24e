// The fields of a row in memory. Each names its column, the column's type and the value's type once. The statements
// that write a row, the parser that reads it and its TypeScript type are derived from them.
import type { Cell, Column, ColumnType } from './binary-arrays.ts'

/** A row as pg returns it. */
export type Raw = { readonly [column: string]: unknown }

/** A field: the cells that it fills, and how its value is read from them. */
export interface RowField<Value> {
  cells: readonly FieldCell<Value>[]
  parse(raw: Raw): Value
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
  parse: (value: unknown) => Value,
): RowField<Value> => ({
  cells: [{ column, type }],
  parse: (raw) => parse(raw[column]),
})

const asNumber = (value: unknown) => value as number

/** The fields of one column, by its type. */
export const field = {
  integer: (column: string) => oneColumn('integer', column, asNumber),
  smallint: (column: string) => oneColumn('smallint', column, asNumber),
  bigint: (column: string) => oneColumn('bigint', column, asNumber),
  double: (column: string) => oneColumn('double', column, asNumber),
  /** Seconds since 1970. */
  time: (column: string) => oneColumn('time', column, asNumber),
  boolean: (column: string) => oneColumn('boolean', column, (value) => value as boolean),
  /** An integer of any size. */
  numeric: (column: string) => oneColumn('numeric', column, (value) => BigInt(value as string)),
  /** A text; `parse` checks one with a form. */
  text: <Value extends string = string>(
    column: string,
    parse: (value: string) => Value = (value) => value as Value,
  ): RowField<Value> => oneColumn('text', column, (value) => parse(value as string)),
  /** 32 bytes, in memory hexadecimal. */
  hash: (column: string) => oneColumn('hash', column, (value) => `0x${(value as Buffer).toString('hex')}`),
  integers: (column: string) => oneColumn('integers', column, (value) => value as number[]),
  doubles: (column: string) => oneColumn('doubles', column, (value) => value as number[]),
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
})

/** A field whose value has parts: one field for each. */
export const parts = <Given extends Fields>(given: Given): RowField<RowOf<Given>> => ({
  cells: columnsOf<RowOf<Given>>(given).map(([column, type, cellOf]) => ({ column, type, cellOf })),
  parse: (raw) =>
    Object.fromEntries(Object.entries(given).map(([name, { parse }]) => [name, parse(raw)])) as RowOf<Given>,
})

/** The columns of the fields, read from a row. */
export const columnsOf = <Row>(fields: Fields): Column<Row>[] =>
  Object.entries(fields).flatMap(([name, { cells }]) =>
    cells.map(({ column, type, cellOf }): Column<Row> => {
      const key = name as keyof Row
      return [column, type, cellOf ? (row) => cellOf(row[key]) : (row) => row[key] as Cell]
    }),
  )
