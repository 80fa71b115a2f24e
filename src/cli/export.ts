// `export TABLE`: writes a table into a folder of Parquet or CSV files, and continues an interrupted export.
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { StartupError } from '../base/errors.ts'
import { parseStart } from '../base/start.ts'
import { FORMATS, type Format } from '../export/encoder.ts'
import type { Exported, ExportProgress, Given } from '../export/export.ts'
import { TABLE_NAMES, type TableName } from '../export/table.ts'
import { type Context, withLedger } from './context.ts'
import { createBar, LINE_EVERY_MS } from './progress.ts'

interface Options {
  from?: Given
  to?: Given
  format: Format
  out: string
}

export const createExport = (context: Context): Command =>
  new Command('export')
    .description(
      'Write a table into a folder of Parquet or CSV files, partitioned by day or block. The same command continues an ' +
        'interrupted export, and adds what is final since then.',
    )
    .addArgument(new Argument('<table>', 'the table').choices(TABLE_NAMES))
    .option(
      '--from <time>',
      'the first moment: 90d, 36h, a date or time in UTC (default: all that is kept)',
      parseGiven,
    )
    .option('--to <time>', 'the moment after the last, in the same forms (default: the newest final block)', parseGiven)
    .addOption(new Option('--format <format>', 'the format of the files').choices(FORMATS).default('parquet'))
    .option('--out <folder>', 'the folder, in which each table has one of its name', 'export')
    .action((table: TableName, options: Options) =>
      run(context, table, options).catch((error) => {
        throw context.signal.aborted
          ? new StartupError('Interrupted: the same command goes on from here.', 130, error)
          : error
      }),
    )

/** A time, or one before the newest final block. */
function parseGiven(text: string): Given {
  const moment = parseStart(text)
  if (moment?.kind === 'time' || moment?.kind === 'ago') return { text, moment }
  throw new InvalidArgumentError('It must be like 90d, 36h, 2026-01-31 or 2026-01-31T12:00Z.')
}

async function run(context: Context, table: TableName, { from, to, format, out }: Options): Promise<void> {
  const { exportTable } = await import('../export/export.ts')
  const view = await createView(context, table)
  try {
    const exported = await withLedger(context, ({ database }) =>
      exportTable(
        { pool: database.pool, history: database.history, signal: context.signal, onProgress: view.show },
        { table, format, out, from: from ?? null, to: to ?? null },
      ),
    )
    view.end()
    context.print(describe(table, out, exported))
  } finally {
    view.end()
  }
}

function describe(table: TableName, out: string, { span, block, partitions, written, rows }: Exported): string {
  const what = span
    ? `${table} from ${span.from.toISOString()} to ${span.to.toISOString()}`
    : `${table} at block ${block}`
  const count = `${rows.toLocaleString('en')} rows in ${written} of ${partitions} partitions`
  return `${what}: ${written === 0 ? 'nothing was missing' : count}, in ${out}/${table}.`
}

/** A bar in a terminal; elsewhere a line of the log every ten seconds, and one at the end. */
async function createView(context: Context, table: TableName) {
  const { clock, log, terminal } = context
  if (terminal) {
    const bar = await createBar(`exporting ${table} {bar} {value} of {total} partitions | {rows} rows`)
    const show = ({ done, total, rows }: ExportProgress) =>
      bar.draw({ value: done, total }, { rows: rows.toLocaleString('en') })
    return { show, end: bar.end }
  }
  let nextMs = clock.monotonicMs() + LINE_EVERY_MS
  return {
    show: ({ done, total, rows }: ExportProgress) => {
      if (clock.monotonicMs() < nextMs && done < total) return
      nextMs = clock.monotonicMs() + LINE_EVERY_MS
      log().info({ table, partitions: done, of: total, rows }, done < total ? 'exporting' : 'exported')
    },
    end: () => {},
  }
}
