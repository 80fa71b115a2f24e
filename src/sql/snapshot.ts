// A snapshot of the database in Parquet files, for SQL: one block, in one transaction that only reads. PostgreSQL writes
// lines, and a process of DuckDB turns them into files, so the program itself handles text alone.

import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AssayError } from '../base/errors.ts'
import { entriesOf } from '../base/keys-of.ts'
import { quote } from '../base/sql-text.ts'
import { HOUR_SECONDS } from '../base/time.ts'
import type { Database, pg } from '../database/client.ts'
import { inTransaction } from '../database/transaction.ts'
import { TABLE_NAMES, type TableName } from '../export/table.ts'
import { TABLES } from '../export/tables.ts'
import { type Head, readHead } from '../ledger/head.ts'
import { attachHistoryOn } from '../ledger/segments.ts'
import { type SqlProcess, startSqlProcess } from './process.ts'
import { type SnapshotFile, SQL_EVENT_COLUMNS, SQL_TYPES, type SqlSources, snapshotPath } from './views.ts'

/** A view that lacks older rows. */
export interface PartialView {
  view: TableName
  /** The time of its first row. */
  since: Date
}

export interface SqlSnapshot extends SqlSources {
  head: Head
  partial: PartialView[]
}

export interface SnapshotLimits {
  /** Rows of candles, of scores, and of events outside of the history. */
  mostRows: number
  /** Bytes of text of a file. */
  mostBytes: number
  withinMs: number
}

export const SNAPSHOT_LIMITS: SnapshotLimits = { mostRows: 5_000_000, mostBytes: 4 * 2 ** 30, withinMs: 600_000 }
const PROCESS = { threads: 1, memoryMb: 512, spillMb: 4_096 }
/** Rows that are fetched together: the event loop handles them in some milliseconds. */
const TOGETHER = 4_000

/** Bytes of a line. DuckDB's own buffer is sixteen such lines, and two of those are more than the process may have. */
const MOST_LINE = 16 * 2 ** 20

/** A file that is made of a table: SQL of its cells in PostgreSQL, and their types in DuckDB. */
interface Source {
  cells: readonly { name: string; sql: string; type: string }[]
  from: string
}

const TYPED_CELLS: Readonly<Partial<Record<string, (sql: string) => string>>> = {
  VARCHAR: (sql) => `'"' || replace((${sql})::text, '"', '""') || '"'`,
  'VARCHAR[]': (sql) => `'"' || replace(array_to_json(${sql})::text, '"', '""') || '"'`,
  TIMESTAMP: (sql) => `(extract(epoch FROM ${sql}) * 1000000)::bigint::text`,
  BLOB: (sql) => `encode(${sql}, 'hex')`,
}
/** What of a line DuckDB reads as another type first. */
const READ_AS: Readonly<Record<string, { type: string; sql(name: string): string }>> = {
  TIMESTAMP: { type: 'BIGINT', sql: (name) => `make_timestamp(${name})` },
  BLOB: { type: 'VARCHAR', sql: (name) => `unhex(${name})` },
  'VARCHAR[]': { type: 'VARCHAR', sql: (name) => `from_json(${name}, '["VARCHAR"]')` },
}

const lineOf = ({ cells }: Source): string =>
  cells.map(({ sql, type }) => `coalesce(${TYPED_CELLS[type]?.(sql) ?? `(${sql})::text`}, '')`).join(` || ',' || `)

/** The statement that makes a Parquet file of lines. */
function conversion({ cells }: Source, lines: string, path: string): string {
  const columns = cells.map(({ name, type }) => `${quote(name)}: ${quote(READ_AS[type]?.type ?? type)}`)
  const values = cells.map(({ name, type }) => `${READ_AS[type]?.sql(name) ?? name} AS ${name}`)
  return `COPY (SELECT ${values.join(', ')} FROM read_csv(${quote(lines)}, header = false, delim = ',', quote = '"',
    escape = '"', new_line = '\\n', auto_detect = false, null_padding = false, allow_quoted_nulls = false,
    max_line_size = ${MOST_LINE}, buffer_size = ${2 * MOST_LINE}, columns = {${columns.join(', ')}})) TO ${quote(path)} (FORMAT parquet, COMPRESSION zstd)`
}

const cell = (name: string, type: string, sql = name) => ({ name, type, sql })

const cellsOf = (table: TableName) =>
  TABLES[table].columns.map(({ name, sql, type }) => cell(name, SQL_TYPES[type], sql))

/** A table between two keys, the first included. */
const between = (table: TableName, from: number, to: number): Source => ({
  cells: cellsOf(table),
  // A cursor takes no parameters.
  from: `${TABLES[table].source} WHERE ${TABLES[table].range}`
    .replaceAll('$1', String(from))
    .replaceAll('$2', String(to)),
})

const NAMES: Readonly<Record<'token' | 'wallet' | 'pool', Source>> = {
  token: {
    cells: [cell('id', 'INTEGER'), cell('address', 'VARCHAR'), cell('symbol', 'VARCHAR'), cell('decimals', 'INTEGER')],
    from: 'token',
  },
  wallet: { cells: [cell('id', 'INTEGER'), cell('address', 'VARCHAR')], from: 'wallet' },
  pool: { cells: [cell('id', 'INTEGER'), cell('address', 'VARCHAR'), cell('factory', 'VARCHAR')], from: 'pool' },
}

const newestEvents = (from: number): Source => ({
  cells: [...Object.entries(SQL_EVENT_COLUMNS).map(([name, type]) => cell(name, type)), cell('tx_hash', 'BLOB')],
  from: `event WHERE n >= ${from}`,
})

const EVERYTHING = 2 ** 31

/** Writes a snapshot into a new folder. */
export async function takeSnapshot(
  { pool, history: store }: Pick<Database, 'pool' | 'history'>,
  folder: string,
  { limits = SNAPSHOT_LIMITS, signal }: { limits?: SnapshotLimits; signal: AbortSignal },
): Promise<SqlSnapshot> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const writer = startSqlProcess({ ...PROCESS, spillFolder: join(folder, 'spilled') }, limits.withinMs)
  const stop = () => writer.kill()
  signal.addEventListener('abort', stop)
  try {
    return await inTransaction(
      pool,
      async (client) => {
        await client.query(`SET LOCAL statement_timeout = ${limits.withinMs}`)
        const head = await readHead(client)
        if (head.hash === '')
          throw new AssayError('SERVICE_UNAVAILABLE', 'Nothing is indexed yet.', { retryAfterSeconds: 10 })
        const history = await attachHistoryOn(client, store)
        const relations = (await history?.store.relateEvents(history.segments)) ?? null
        const first = await findFirst(client, history?.lastN ?? 0, limits.mostRows)
        const files: readonly [SnapshotFile, Source][] = [
          ['event', newestEvents(first.events)],
          ['candles', between('candles', first.candles, EVERYTHING)],
          ['scores', between('scores', first.scores, EVERYTHING)],
          ['tokens', between('tokens', 0, EVERYTHING)],
          ['wallets', between('wallets', 0, EVERYTHING)],
          ...entriesOf(NAMES),
        ]
        for (const [file, source] of files)
          await writeFile({ client, writer, signal, limits }, { folder, file, source })
        const partial = await findPartial(client, first, relations ? (history?.lastN ?? 0) : 0)
        return { folder, history: relations, head, partial }
      },
      'ISOLATION LEVEL REPEATABLE READ READ ONLY',
    )
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    writer.kill()
  }
}

interface Writing {
  client: pg.PoolClient
  writer: SqlProcess
  signal: AbortSignal
  limits: SnapshotLimits
}

async function writeFile(
  { client, writer, signal, limits }: Writing,
  { folder, file, source }: { folder: string; file: SnapshotFile; source: Source },
): Promise<void> {
  const lines = join(folder, `${file}.csv`)
  try {
    await pipeline(readLines(client, source, limits.mostBytes), createWriteStream(lines, { mode: 0o600 }), { signal })
    const statements = [conversion(source, lines, snapshotPath(folder, file))]
    await writer.run({ kind: 'write', statements }, limits.withinMs, signal)
  } finally {
    await rm(lines, { force: true })
  }
}

async function* readLines(client: pg.PoolClient, source: Source, mostBytes: number): AsyncGenerator<string> {
  await client.query(`DECLARE snapshot_lines NO SCROLL CURSOR FOR SELECT ${lineOf(source)} FROM ${source.from}`)
  let bytes = 0
  for (;;) {
    const { rows } = await client.query<string[]>({ text: `FETCH ${TOGETHER} FROM snapshot_lines`, rowMode: 'array' })
    if (rows.length === 0) break
    const text = `${rows.join('\n')}\n`
    bytes += Buffer.byteLength(text)
    if (bytes > mostBytes) throw new AssayError('SERVICE_UNAVAILABLE', 'The index is too large for SQL.')
    yield text
  }
  await client.query('CLOSE snapshot_lines')
}

/** The least key of each table that a snapshot has. */
type First = Readonly<Record<'events' | 'candles' | 'scores', number>>

async function findFirst(client: pg.PoolClient, historyN: number, most: number): Promise<First> {
  const { rows } = await client.query<{ events: number | null; candles: number | null; scores: number | null }>(
    `SELECT (SELECT max(n) FROM event) AS events,
      (SELECT max(hour) FROM (SELECT hour, sum(count(*)) OVER (ORDER BY hour DESC) AS rows FROM token_hour GROUP BY hour) h
        WHERE rows > $1) AS candles,
      (SELECT block_number FROM score_point ORDER BY block_number DESC OFFSET $1 LIMIT 1) AS scores`,
    [most],
  )
  const { events, candles, scores } = rows[0] ?? { events: null, candles: null, scores: null }
  return {
    events: Math.max(historyN + 1, (events ?? 0) - most + 1),
    candles: candles === null ? 0 : candles + 1,
    scores: scores === null ? 0 : scores + 1,
  }
}

/** The views that lack rows which the index has or had. `relatedN`: the newest event that the history gives to SQL. */
async function findPartial(client: pg.PoolClient, first: First, relatedN: number): Promise<PartialView[]> {
  const { rows } = await client.query<{ since: Date | null; events: Date | null; scores: Date | null }>(
    `SELECT (SELECT events_since FROM chain) AS since,
      (SELECT time FROM event WHERE n >= $1 AND $1 > $3 + 1
        AND (EXISTS (SELECT FROM event WHERE n < $1) OR EXISTS (SELECT FROM history_segment))
        ORDER BY n LIMIT 1) AS events,
      (SELECT time FROM score_point WHERE block_number >= $2 ORDER BY block_number LIMIT 1) AS scores`,
    [first.events, first.scores, relatedN],
  )
  const { since = null, events = null, scores = null } = rows[0] ?? {}
  const cut = events ?? since
  return TABLE_NAMES.flatMap((view): PartialView[] => {
    if (view === 'events' && cut) return [{ view, since: cut }]
    if (view === 'candles' && first.candles > 0)
      return [{ view, since: new Date(first.candles * HOUR_SECONDS * 1_000) }]
    if (view === 'scores' && first.scores > 0 && scores) return [{ view, since: scores }]
    return []
  })
}
