// The connection pools to PostgreSQL: for jobs, for the writer, and for requests.
import { Socket } from 'node:net'
import pg from 'pg'
import type { HistoryStore } from '../history/history.ts'
import { type Cancel, createCancel, notePid } from './backend.ts'
import { toChainUrl } from './chain-schema.ts'
import { PooledClient } from './pooled.ts'
import { QueuedPool } from './queue.ts'
import { noAnswer } from './refusal.ts'
import { type Patience, watchSilence } from './silence.ts'

/** The driver's types, for code that is handed a connection. */
export type { pg }

// Read 64-bit integers as numbers: here they are counters far below 2^53. Numeric stays text, because raw token amounts
// need bigint.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export interface Database {
  /** The schema of its chain. Undefined: that of the default chain. */
  schema?: string | undefined
  /** For jobs and commands, whose statements have no time limit. */
  pool: pg.Pool
  /** For the writer's transactions. Statements are pipelined: sent without waiting for earlier answers. */
  writePool: pg.Pool
  /**
   * For requests; behind a pooler if one is given. A statement, or the wait for a connection, that takes longer than
   * `ANSWER_WITHIN_MS` fails with an error that `isAway` recognises. A named statement is planned once per connection,
   * whatever its values.
   */
  requestPool: pg.Pool
  /** Cancels the running statement of a connection of `requestPool`. */
  cancel: Cancel
  /** What left this database; none: nothing did. */
  history?: HistoryStore | null | undefined
  close(): Promise<void>
}

// By default PostgreSQL plans a prepared look-up anew each time, because a look-up of one key seems cheaper than the
// generic plan's estimate of ten. Planning takes longer than the look-up, and for many keys it would read a whole
// growing table instead. Rows are mostly in memory, so index access costs little more than a sequential read.
const PLAN_ONCE = `SET plan_cache_mode = force_generic_plan; SET random_page_cost = 1.1; SET jit = off`

// Makes the server end a statement whose client has disconnected. Not every operating system supports this.
const END_WHEN_LEFT = 'SET client_connection_check_interval = 1000'

// `onConnect` is missing in the driver's types. The pool waits for it before it hands out the connection.
const JOB = { onConnect: notePid }
const PIPELINE = {
  pipeline: true,
  onConnect: async (client: pg.Client) => {
    await client.query(PLAN_ONCE)
    await notePid(client)
  },
}
const prepare = (statementMs: number) => ({
  onConnect: async (client: pg.Client) => {
    await client.query(`${PLAN_ONCE}; ${limitTime(statementMs)}`)
    await notePid(client)
    await client.query(END_WHEN_LEFT).catch(() => {})
  },
})

// Set with a statement, because a connection pooler may drop settings in the startup packet. The second timeout ends a
// forgotten or suspended transaction, so that it does not hold locks.
const limitTime = (ms: number) => `SET statement_timeout = ${ms}; SET idle_in_transaction_session_timeout = ${2 * ms}`

/** The server for reads of requests: the primary or a replica. */
export interface ReadServer {
  pool: pg.Pool
  cancel: Cancel
}

/** A streaming replica: its data may be older than the primary's. */
export interface Replica extends ReadServer {
  /** A connection that statements of requests never delay. */
  probe: pg.Pool
  close(): Promise<void>
}

/** How long a request waits for the database: many times the slowest statement, and less than a client's patience. */
const ANSWER_WITHIN_MS = 10_000

/** The share of `ANSWER_WITHIN_MS` after which the server ends the statement, before the connection is given up. */
const STATEMENT_SHARE = 0.8

/** Statements of requests that may wait for a connection: at most about a second's work. Further ones are refused. */
const MAX_WAITING = 1_000

/** Jobs wait longer: their statements may take minutes, as long as the server is working. */
const JOB_PATIENCE: Patience = { silentMs: 15_000, answerMs: 10_000 }

/** TCP keepalive delay: a server whose machine has vanished sends nothing at all. */
const ALIVE_AFTER_MS = 10_000

const optionsOf = (url: string): pg.PoolConfig => ({
  connectionString: url,
  types,
  application_name: 'assay',
  keepAlive: true,
  keepAliveInitialDelayMillis: ALIVE_AFTER_MS,
})

export interface DatabaseOptions {
  /** The most connections per pool. */
  size?: number
  answerWithinMs?: number
  maxWaiting?: number
  patience?: Patience
  /** The schema of a further chain, which comes before the shared tables. */
  schema?: string | undefined
  /** The server for requests instead: the same database behind a pooler that assigns connections per transaction. */
  poolerUrl?: string | undefined
}

/** Opens lazily: the first statement connects. */
export function openDatabase(
  plainUrl: string,
  {
    schema,
    size = 10,
    answerWithinMs = ANSWER_WITHIN_MS,
    maxWaiting = MAX_WAITING,
    patience = JOB_PATIENCE,
    poolerUrl,
  }: DatabaseOptions = {},
): Database {
  const url = schema === undefined ? plainUrl : toChainUrl(plainUrl, schema)
  const options = optionsOf(url)
  const watched = { Client: watchSilence(url, patience), connectionTimeoutMillis: patience.answerMs }
  const pool = new pg.Pool({ ...options, ...JOB, ...watched, max: size })
  const writePool = new pg.Pool({ ...options, ...PIPELINE, ...watched, max: size })
  const requestPool = poolerUrl
    ? new QueuedPool(
        { ...optionsOf(poolerUrl), Client: PooledClient, ...deadline(answerWithinMs), max: size },
        maxWaiting,
      )
    : openRequestPool(options, size, answerWithinMs, maxWaiting)
  for (const each of [pool, writePool, requestPool]) ignoreBreaks(each)
  return {
    schema,
    pool,
    writePool,
    requestPool,
    // Behind a pooler the server process that works for a connection changes, so a statement there ends by its time limit.
    cancel: poolerUrl ? async () => {} : createCancel(pool),
    close: async () => {
      await Promise.all([pool.end(), writePool.end(), requestPool.end()])
    },
  }
}

const openRequestPool = (options: pg.PoolConfig, size: number, answerWithinMs: number, maxWaiting: number): pg.Pool =>
  new QueuedPool(
    { ...options, ...prepare(Math.round(STATEMENT_SHARE * answerWithinMs)), ...deadline(answerWithinMs), max: size },
    maxWaiting,
  )

/** Short enough that the primary can still answer within the time of a request. */
const REPLICA_WITHIN_MS = 4_000
/** A replica that does not report its position within this time counts as away. */
const PROBE_WITHIN_MS = 2_000

/** Opens lazily. */
export function openReplica(url: string, { size = 10, answerWithinMs = REPLICA_WITHIN_MS } = {}): Replica {
  const options = optionsOf(url)
  const pool = openRequestPool(options, size, answerWithinMs, MAX_WAITING)
  const probe = new pg.Pool({ ...options, ...deadline(PROBE_WITHIN_MS), max: 2 })
  for (const each of [pool, probe]) ignoreBreaks(each)
  return {
    pool,
    probe,
    cancel: createCancel(probe),
    close: async () => {
      await Promise.all([pool.end(), probe.end()])
    },
  }
}

/**
 * Closes a connection on which nothing arrives for `ms`, so that it is never reused with an answer still under way. The
 * driver's own `query_timeout` would keep it open. Idle connections are closed earlier, but not between two polls of
 * the head.
 */
const deadline = (ms: number) => ({
  connectionTimeoutMillis: ms,
  idleTimeoutMillis: 0.8 * ms,
  stream: () => {
    const socket = new Socket()
    return socket.setTimeout(ms, () => socket.destroy(noAnswer()))
  },
})

/**
 * Ignores connection errors: a broken connection fails its statement and is replaced. Without these listeners an error
 * between two statements, even inside a transaction, would end the process.
 */
function ignoreBreaks(pool: pg.Pool): void {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}
