// What the program asks of the process that runs SQL, and what it answers. Both sides import this file, and little else.
import { quote } from '../base/sql-text.ts'

/** A column of a view. */
export interface ViewColumn {
  name: string
  /** In DuckDB's words. */
  type: string
  sql: string
}

/** A view. A join is made only if a column that is read mentions its alias. */
export interface View {
  name: string
  columns: readonly ViewColumn[]
  from: string
  joins: readonly { alias: string; text: string }[]
}

export interface ProcessOptions {
  threads: number
  memoryMb: number
  /** Where DuckDB writes what exceeds its memory. */
  spillFolder: string
  spillMb: number
}

export interface QueryJob {
  kind: 'query'
  sql: string
  /** The files that may be read. */
  paths: readonly string[]
  /** Makes the relations that the views read. */
  setup: readonly string[]
  views: readonly View[]
  mostColumns: number
  mostRows: number
  mostBytes: number
}

/** Runs statements of ours. */
interface WriteJob {
  kind: 'write'
  statements: readonly string[]
}

export type Job = QueryJob | WriteJob

/** `refused`: the message is for the caller. `memory`: more was needed. `broken`: the message is for the log only. */
export interface JobFault {
  kind: 'refused' | 'memory' | 'broken'
  message: string
}

export interface QueryResult {
  columns: { name: string; type: string }[]
  rows: Record<string, unknown>[]
  /** Whether the answer has more rows. */
  truncated: boolean
}

export type JobReply = { ready: true } | { done: QueryResult | null } | { fault: JobFault }

/** The statement that makes a view. Columns that nobody reads are null, so that nothing is joined for them. */
export function viewText({ name, columns, from, joins }: View, names: ReadonlySet<string> | null): string {
  const read = (column: ViewColumn) => names === null || names.has(column.name)
  const needed = columns.filter(read)
  const used = joins.filter(({ alias }) => needed.some(({ sql }) => new RegExp(`\\b${alias}\\.`).test(sql)))
  const values = columns.map((column) => `${read(column) ? column.sql : 'NULL'}::${column.type} AS ${column.name}`)
  return `CREATE VIEW ${name} AS SELECT ${values.join(', ')} FROM ${from} ${used.map(({ text }) => text).join(' ')}`
}

/** What DuckDB itself refuses after these statements: other files, the network, extensions, and other settings. */
export const lockDown = (paths: readonly string[]): string[] => [
  `SET TimeZone = 'UTC'`,
  `SET allowed_paths = [${paths.map(quote).join(', ')}]`,
  'SET enable_external_access = false',
  'SET lock_configuration = true',
]
