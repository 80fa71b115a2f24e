// `sql QUERY`: runs a SELECT over the views of SQL, and prints its rows.
import { join } from 'node:path'
import { Argument, Command, Option } from 'commander'
import { toCell } from '../base/csv-cell.ts'
import type { SqlAnswer } from '../sql/sql.ts'
import { type Context, withLedger } from './context.ts'
import { formatTable } from './table.ts'

const SQL_FORMATS = ['table', 'csv', 'json'] as const
type SqlFormat = (typeof SQL_FORMATS)[number]

/** The account of the command; accounts of callers begin at 1. */
const NO_ACCOUNT = 0

export const createSqlCommand = (context: Context): Command =>
  new Command('sql')
    .description('Run one SELECT of DuckDB over tokens, wallets, events, candles and scores, which it cannot change.')
    .addArgument(new Argument('<query>', 'the SELECT'))
    .addOption(new Option('--format <format>', 'the format of the rows').choices(SQL_FORMATS).default('table'))
    .action((query: string, { format }: { format: SqlFormat }) => run(context, query, format))

async function run(context: Context, query: string, format: SqlFormat): Promise<void> {
  const { createSql } = await import('../sql/sql.ts')
  const answer = await withLedger(context, async ({ database }) => {
    const folder = join(context.config().DATA_DIR, 'sql')
    const sql = createSql({ database, folder, clock: context.clock })
    try {
      return await sql.run(NO_ACCOUNT, query, context.signal)
    } finally {
      await sql.stop()
    }
  })
  for (const line of PRINTERS[format](answer)) context.print(line)
  if (format !== 'table') return
  for (const line of describe(answer)) context.print(line)
}

const cellsOf = ({ columns, rows }: SqlAnswer): unknown[][] => rows.map((row) => columns.map(({ name }) => row[name]))
const namesOf = ({ columns }: SqlAnswer): string[] => columns.map(({ name }) => name)

const PRINTERS: Readonly<Record<SqlFormat, (answer: SqlAnswer) => string[]>> = {
  table: (answer) =>
    formatTable(
      namesOf(answer),
      cellsOf(answer).map((cells) => cells.map((cell) => (typeof cell === 'number' ? cell : toText(cell)))),
    ),
  csv: (answer) => [namesOf(answer), ...cellsOf(answer)].map((cells) => cells.map(toCell).join(',')),
  json: (answer) => answer.rows.map((row) => JSON.stringify(row)),
}

const toText = (cell: unknown): string | null =>
  cell === null || cell === undefined ? null : typeof cell === 'object' ? JSON.stringify(cell) : String(cell)

/** What the rows reflect, and what they lack. */
function describe({ rows, truncated, head, partial }: SqlAnswer): string[] {
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}${truncated ? ', and more: the rest is left out' : ''}`
  return [
    `${count}; block ${head.number}, ${head.time.toISOString()}`,
    ...partial.map(({ view, since }) => `${view} begin at ${since.toISOString()}`),
  ]
}
