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
import { toJson } from './values.ts'

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

async function read(on: DuckDBConnection, { sql, mostRows, mostBytes }: QueryJob): Promise<QueryResult> {
  const extracted = await on.extractStatements(sql)
  if (extracted.count !== 1) throw new SqlRefusal('it must be one statement')
  const statement = await extracted.prepare(0)
  if (statement.statementType !== StatementType.SELECT) throw new SqlRefusal('it must be a SELECT')
  const result = await statement.stream()
  const columns = result.deduplicatedColumnNames().map((name, at) => ({ name, type: String(result.columnType(at)) }))
  const rows: Record<string, unknown>[] = []
  let bytes = 0
  for await (const chunk of result.yieldConvertedRows(toJson)) {
    for (const values of chunk) {
      const row = Object.fromEntries(columns.map(({ name }, at) => [name, values[at] ?? null]))
      bytes += Buffer.byteLength(JSON.stringify(row)) + 1
      if (rows.length >= mostRows || bytes > mostBytes) return { columns, rows, truncated: true }
      rows.push(row)
    }
  }
  return { columns, rows, truncated: false }
}

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
