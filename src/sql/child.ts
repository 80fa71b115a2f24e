// The process that runs SQL for the program: one query of a caller, or statements of ours. It has its own DuckDB in
// memory, no environment, and no way to the network. The program kills it when the time is over.
import { writeFileSync } from 'node:fs'
import { type DuckDBConnection, DuckDBInstance, StatementType } from '@duckdb/node-api'
import { checkStatement, SqlRefusal } from './check.ts'
import {
  type Job,
  type JobFault,
  type JobReply,
  lockDown,
  type ProcessOptions,
  type QueryJob,
  type QueryResult,
  viewText,
} from './job.ts'
import { isLarge, toJson, toWide, type Wide } from './values.ts'

/** How often the memory of the process is looked at. */
const LOOK_MS = 50

const options = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions
const send = (reply: JobReply, then?: () => void): void => void process.send?.(reply, undefined, {}, then)

// The program is gone: nobody waits. An ordinary exit would wait for the threads of DuckDB.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
volunteer()
watchMemory()

const instance = await DuckDBInstance.create(':memory:', {
  threads: String(options.threads),
  memory_limit: `${options.memoryMb}MiB`,
  temp_directory: options.spillFolder,
  max_temp_directory_size: `${options.spillMb}MiB`,
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  preserve_insertion_order: 'false',
})
const connection = await instance.connect()
process.on('message', (job: Job) => {
  perform(job).then(
    (done) => send({ done }),
    (error) => send({ fault: toFault(error, job) }),
  )
})
send({ ready: true })

/** Linux then ends this process before any other one when the machine has no memory left. */
function volunteer(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Other systems have no such file.
  }
}

/** DuckDB's own limit leaves out some values. Where the system has no limit for processes, this one remains. */
function watchMemory(): void {
  const most = 2 * options.memoryMb * 2 ** 20
  setInterval(() => {
    if (process.memoryUsage.rss() < most) return
    send({ fault: { kind: 'memory', message: 'the process grew too large' } }, () => process.exit(1))
  }, LOOK_MS).unref()
}

async function perform(job: Job): Promise<QueryResult | null> {
  if (job.kind === 'query') return query(job)
  for (const statement of job.statements) await connection.run(statement)
  return null
}

async function query(job: QueryJob): Promise<QueryResult> {
  for (const statement of job.setup) await connection.run(statement)
  const { names } = await check(job)
  for (const view of job.views) await connection.run(viewText(view, names))
  for (const statement of lockDown(job.paths)) await connection.run(statement)
  return read(connection, job)
}

async function check({ sql, views }: QueryJob) {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)::VARCHAR', [sql])
  return checkStatement(
    String(reader.getRows()[0]?.[0]),
    views.map(({ name }) => name),
  )
}

async function read(on: DuckDBConnection, { sql, mostColumns, mostRows, mostBytes }: QueryJob): Promise<QueryResult> {
  const extracted = await on.extractStatements(sql)
  if (extracted.count !== 1) throw new SqlRefusal('it must be one statement')
  const statement = await extracted.prepare(0)
  if (statement.statementType !== StatementType.SELECT) throw new SqlRefusal('it must be a SELECT')
  const result = await statement.stream()
  const columns = result.deduplicatedColumnNames().map((name, at) => ({ name, type: String(result.columnType(at)) }))
  if (columns.length > mostColumns) throw new SqlRefusal(`it must have ${mostColumns} columns at most`)
  const rows: Wide[][] = []
  const areLarge = columns.map(() => false)
  let bytes = 0
  let truncated = false
  reading: for await (const chunk of result.yieldConvertedRows(toWide)) {
    for (const values of chunk) {
      bytes += sizeOf(columns, values)
      truncated = rows.length >= mostRows || bytes > mostBytes
      if (truncated) break reading
      rows.push(values)
      for (const at of columns.keys()) areLarge[at] ||= isLarge(values[at] ?? null)
    }
  }
  const toRow = (values: Wide[]) =>
    Object.fromEntries(columns.map(({ name }, at) => [name, toJson(values[at] ?? null, areLarge[at] ?? false)]))
  return { columns, rows: rows.map(toRow), truncated }
}

/** The bytes of a row in the answer. */
const sizeOf = (columns: QueryResult['columns'], values: Wide[]): number =>
  Buffer.byteLength(
    JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, toJson(values[at] ?? null, true)]))),
  ) + 1

/** Faults of the caller's own SQL. Others could name files of this machine. */
const OWN_FAULT =
  /^(Parser|Binder|Catalog|Conversion|Out of Range|Invalid Input|Invalid|Mismatch Type|Not implemented|Constraint|Syntax|Parameter[\w ]*|Sequence|Dependency|Expression[\w ]*) Error: /
const MOST_MESSAGE = 400

function toFault(error: unknown, job: Job): JobFault {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SqlRefusal) return { kind: 'refused', message: cut(message) }
  if (/^Out of Memory|bad.alloc|Array buffer allocation|Invalid string length/i.test(message))
    return { kind: 'memory', message }
  if (error instanceof RangeError) return { kind: 'refused', message: 'it is nested too deeply' }
  const [first = ''] = message.replace(OWN_FAULT, '').split(/\n\s*\n|\nLINE|\nCandidate|\nDid you/)
  const isPrivate =
    job.kind !== 'query' || message.includes(options.spillFolder) || job.paths.some((path) => message.includes(path))
  if (!isPrivate && OWN_FAULT.test(message)) return { kind: 'refused', message: cut(first) }
  if (/^Permission Error/.test(message)) return { kind: 'refused', message: 'it may read the views and nothing else' }
  return { kind: 'broken', message }
}

const cut = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > MOST_MESSAGE ? `${line.slice(0, MOST_MESSAGE)}...` : line
}
