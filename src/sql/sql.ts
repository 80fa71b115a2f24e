// SQL of callers over the views: one query in a process of its own, within limits, at the turn of its account. Output:
// the rows, and the block that they reflect.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AssayError, invalid } from '../base/errors.ts'
import { createTurns } from '../base/turns.ts'
import type { Head } from '../ledger/head.ts'
import type { QueryResult } from './job.ts'
import { SQL_LIMITS, type SqlLimits } from './limits.ts'
import { JobFailure, type SqlProcess, startSqlProcess } from './process.ts'
import type { PartialView, SqlSnapshot } from './snapshot.ts'
import { createSnapshots, type SnapshotsDeps } from './snapshots.ts'
import { pathsOf, setupOf, viewsOf } from './views.ts'

export interface SqlAnswer extends QueryResult {
  head: Pick<Head, 'number' | 'time'>
  partial: PartialView[]
}

export interface SqlService {
  /** The time in which a query has run, or was refused. A request needs this long: a shorter one blames the server. */
  answerWithinMs: number
  /** Throws INVALID_PARAMS with the query's fault. The signal cancels it. */
  run(accountId: number, query: string, signal?: AbortSignal): Promise<SqlAnswer>
  stop(): Promise<void>
}

/** The time between the end of a query and that of its request. */
const MARGIN_MS = 5_000
/** How long a started process waits for the next query. */
const SPARE_MS = 60_000

export function createSql(deps: SnapshotsDeps, limits: SqlLimits = SQL_LIMITS): SqlService {
  const snapshots = createSnapshots(deps)
  const processes = createProcesses(deps.folder, limits)
  const turns = createTurns(limits.running)
  const admit = createAdmission(limits)
  const ending = new AbortController()
  return {
    answerWithinMs: limits.waitWithinMs + limits.withinMs + MARGIN_MS,
    run: async (accountId, query, given) => {
      const latestMs = deps.clock.monotonicMs() + limits.waitWithinMs
      const checkWait = () => {
        if (deps.clock.monotonicMs() > latestMs) throw busy()
      }
      if (query.length > limits.text) throw faulty(`must have ${limits.text} characters at most`)
      const signal = given ? AbortSignal.any([given, ending.signal]) : ending.signal
      const leave = admit(accountId)
      try {
        return await turns(accountId)(() => {
          signal.throwIfAborted()
          return snapshots.with((snapshot) => answer({ processes, limits, checkWait }, snapshot, query, signal))
        })
      } catch (error) {
        if (ending.signal.aborted)
          throw new AssayError('SERVICE_UNAVAILABLE', 'The server is about to stop.', { retryAfterSeconds: 1 })
        throw explain(error, limits)
      } finally {
        leave()
      }
    },
    stop: async () => {
      ending.abort()
      await processes.stop()
      await snapshots.stop()
    },
  }
}

interface Parts {
  processes: ReturnType<typeof createProcesses>
  limits: SqlLimits
  /** Throws if the query has waited for too long to have all of its time. */
  checkWait(): void
}

async function answer(
  { processes, limits, checkWait }: Parts,
  snapshot: SqlSnapshot,
  sql: string,
  signal: AbortSignal,
): Promise<SqlAnswer> {
  const job = {
    kind: 'query' as const,
    sql,
    paths: pathsOf(snapshot),
    setup: setupOf(snapshot),
    views: viewsOf(snapshot),
    mostColumns: limits.columns,
    mostRows: limits.rows,
    mostBytes: limits.bytes,
  }
  const result = await processes.use(async (process) => {
    await process.ready
    checkWait()
    return process.run(job, limits.withinMs, signal)
  })
  if (!result) throw new Error('the process has no rows')
  return { ...result, head: snapshot.head, partial: snapshot.partial }
}

/** Processes for one query each: nothing that a query makes reaches the next one. One is started ahead. */
function createProcesses(folder: string, limits: SqlLimits) {
  const { threads, memoryMb, spillMb, waitWithinMs } = limits
  const all = new Set<Promise<void>>()
  const alive = new Set<SqlProcess>()
  let spare: SqlProcess | null = null
  let idle: NodeJS.Timeout | undefined
  const start = (): SqlProcess => {
    const spillFolder = join(folder, `spilled-${randomUUID()}`)
    const started = startSqlProcess({ threads, memoryMb, spillMb, spillFolder }, waitWithinMs)
    alive.add(started)
    const over = started.gone.then(async () => {
      alive.delete(started)
      if (spare === started) spare = null
      await rm(spillFolder, { recursive: true, force: true })
    })
    all.add(over)
    void over.finally(() => all.delete(over)).catch(() => {})
    return started
  }
  const prepare = () => {
    spare ??= start()
    clearTimeout(idle)
    idle = setTimeout(() => spare?.kill(), SPARE_MS).unref()
  }
  let isOver = false
  return {
    use: async <T>(work: (process: SqlProcess) => Promise<T>): Promise<T> => {
      const process = spare ?? start()
      spare = null
      try {
        return await work(process)
      } finally {
        process.kill()
        if (!isOver) prepare()
      }
    },
    stop: async () => {
      isOver = true
      clearTimeout(idle)
      for (const each of alive) each.kill()
      await Promise.all(all)
    },
  }
}

/** Counts the queries that run or wait. */
function createAdmission({ ofAccount, ofAll }: SqlLimits) {
  const counts = new Map<number, number>()
  let total = 0
  return (accountId: number): (() => void) => {
    const own = counts.get(accountId) ?? 0
    const retry = { retryAfterSeconds: 1 }
    if (own >= ofAccount)
      throw new AssayError(
        'RATE_LIMITED',
        `${own} queries of your account run or wait: try again when one has ended.`,
        retry,
      )
    if (total >= ofAll)
      throw new AssayError('SERVICE_UNAVAILABLE', 'Too many queries wait: try again in a moment.', retry)
    counts.set(accountId, own + 1)
    total += 1
    return () => {
      const left = (counts.get(accountId) ?? 1) - 1
      if (left > 0) counts.set(accountId, left)
      else counts.delete(accountId)
      total -= 1
    }
  }
}

const faulty = (message: string): AssayError =>
  invalid([{ location: 'argument', field: 'query', message: `query ${message}` }])

/** The error for the caller: none names a file of this machine. */
function explain(error: unknown, { withinMs, memoryMb }: SqlLimits): unknown {
  if (!(error instanceof JobFailure)) return error
  const { kind, message } = error
  if (kind === 'refused') return faulty(`cannot run: ${message}`)
  if (kind === 'time') return faulty(`takes longer than ${withinMs / 1_000} s: read fewer rows`)
  if (kind === 'memory') return faulty(`needs more memory than ${memoryMb} MB: read or group fewer rows`)
  return busy(error)
}

const busy = (cause?: unknown): AssayError =>
  new AssayError('SERVICE_UNAVAILABLE', 'SQL cannot be answered at the moment.', { retryAfterSeconds: 5, cause })
