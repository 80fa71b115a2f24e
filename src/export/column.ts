// A column of an exported table. Input: the SQL of its value. Output: its name, type, unit and meaning, for files,
// manifest and docs/export.md.

import { toSnake } from '../fields/field.ts'
import type { NounField } from '../fields/noun.ts'

/** The types of columns, each with its name in docs/export.md. */
export const COLUMN_TYPES = {
  string: 'string',
  int32: 'int32',
  double: 'double',
  boolean: 'boolean',
  timestamp: 'timestamp',
  strings: 'list of string',
} as const
export type ExportColumnType = keyof typeof COLUMN_TYPES

export interface ExportColumn {
  name: string
  type: ExportColumnType
  /** Empty: none. */
  unit: string
  /** What it holds, and when it is null. */
  meaning: string
  sql: string
}

/** A value as the database returns it; null: unknown, or not applicable. */
export type ExportCell = string | number | boolean | Date | readonly string[] | null
export type Row = readonly ExportCell[]

const columnOf =
  (type: ExportColumnType, unit = '') =>
  (name: string, sql: string, meaning: string): ExportColumn => ({ name, type, unit, meaning, sql })

/** Makers of columns, by type and unit. */
export const column = {
  text: columnOf('string'),
  address: columnOf('string'),
  hash: columnOf('string'),
  /** Whole raw units of any size, which no number of a file's format holds: decimal digits. */
  raw: columnOf('string', 'raw units'),
  texts: columnOf('strings'),
  whole: columnOf('int32'),
  count: columnOf('int32', 'count'),
  usd: columnOf('double', 'USD'),
  hours: columnOf('double', 'hours'),
  number: columnOf('double'),
  points: columnOf('double', '0-100'),
  share: columnOf('double', '0-1'),
  percent: columnOf('double', 'percent'),
  quantity: columnOf('double', 'whole tokens'),
  quote: columnOf('double', 'whole quote tokens'),
  flag: columnOf('boolean'),
  time: columnOf('timestamp', 'UTC'),
}

/** The columns of the rows with a meaning in exports. `own`: the SQL of columns that the rows leave out. */
export const columnsOfNoun = (
  rows: readonly (readonly [string, NounField])[],
  own: Readonly<Record<string, string>> = {},
): ExportColumn[] =>
  rows.flatMap(([name, { form, exported, wire = toSnake(name), sql = own[name] }]) =>
    exported !== undefined && sql !== undefined ? [column[form](wire, sql, exported)] : [],
  )
