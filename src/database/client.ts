// Pools of connections to PostgreSQL: for jobs, for the writer, and for what requests wait for.
import { Socket } from 'node:net'
import pg from 'pg'
import { type Cancel, createCancel, notePid } from './backend.ts'
import { QueuedPool } from './queue.ts'
import { noAnswer } from './refusal.ts'
import { type Patience, watchSilence } from './silence.ts'

/** The driver's types, for those who are handed a connection. */
export type { pg }

// 64-bit integers here are counters far below 2^53: read them as numbers. Numeric stays text: raw amounts need bigint.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export interface Database {
  /** For jobs and commands, whose statements take as long as they need. */
  pool: pg.Pool
  /** For the writer's transactions: their statements travel together, without waiting for each other's answers. */
  writePool: pg.Pool
  /**
   * For what a request waits for: a statement, or a turn, that takes longer than `ANSWER_WITHIN_MS` fails with an error
   * that `isAway` knows. A named statement is planned once per connection, whatever its values.
   */
  requestPool: pg.Pool
  /** Ends the statement at hand of a connection of `requestPool`. */
  cancel: Cancel
  close(): Promise<void>
}

// Left to itself PostgreSQL plans a prepared look-up anew each time: one of a single key looks cheaper than the usual ten.
// Planning takes longer than the look-up, and for many keys a whole table would be read instead, which grows. Rows are mostly
// in memory, so an index costs little more than reading in order.
const PLAN_ONCE = `SET plan_cache_mode = force_generic_plan; SET random_page_cost = 1.1; SET jit = off`

// A statement that nobody waits for any more is ended. Not every system that PostgreSQL runs on can tell.
const END_WHEN_LEFT = 'SET client_connection_check_interval = 1000'

// Not in the driver's types yet. `onConnect` is waited for before a statement gets the connection.
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

// Set on the connection and not in its first message, which a pooler in between may not let through. A transaction whose
// process has forgotten it, or is stopped, holds its locks no longer than a statement would.
const limitTime = (ms: number) => `SET statement_timeout = ${ms}; SET idle_in_transaction_session_timeout = ${2 * ms}`

/** How long a request waits for the database: many times what the slowest statement takes, and less than a caller's patience. */
const ANSWER_WITHIN_MS = 10_000

/** The server ends a statement of a request before the connection is given up: so much of `ANSWER_WITHIN_MS` it may take. */
const STATEMENT_SHARE = 0.8

/** Requests' statements that wait for a connection: a second's work or less, and more is refused. */
const MAX_WAITING = 1_000

/** Jobs wait longer: their connections' statements may take minutes, as long as the server is at work. */
const JOB_PATIENCE: Patience = { silentMs: 15_000, answerMs: 10_000 }

/** A server that says nothing for so long is asked whether it is still there: a machine that vanished says nothing at all. */
const ALIVE_AFTER_MS = 10_000

/** Opens lazily: the first statement connects. `size` is the number of connections of a pool at most. */
export function openDatabase(
  url: string,
  {
    size = 10,
    answerWithinMs = ANSWER_WITHIN_MS,
    maxWaiting = MAX_WAITING,
    patience = JOB_PATIENCE,
  }: { size?: number; answerWithinMs?: number; maxWaiting?: number; patience?: Patience } = {},
): Database {
  const options = {
    connectionString: url,
    types,
    application_name: 'assay',
    keepAlive: true,
    keepAliveInitialDelayMillis: ALIVE_AFTER_MS,
  }
  const watched = { Client: watchSilence(url, patience), connectionTimeoutMillis: patience.answerMs }
  const pool = new pg.Pool({ ...options, ...JOB, ...watched, max: size })
  const writePool = new pg.Pool({ ...options, ...PIPELINE, ...watched, max: size })
  const limited = { ...prepare(Math.round(STATEMENT_SHARE * answerWithinMs)), ...deadline(answerWithinMs) }
  const requestPool = new QueuedPool({ ...options, ...limited, max: size }, maxWaiting)
  for (const each of [pool, writePool, requestPool]) ignoreBreaks(each)
  return {
    pool,
    writePool,
    requestPool,
    cancel: createCancel(pool),
    close: async () => {
      await Promise.all([pool.end(), writePool.end(), requestPool.end()])
    },
  }
}

/**
 * A connection on which nothing comes for so long is given up, so that it is never lent again with an answer still under
 * way; the driver's own `query_timeout` keeps it. One that nobody needs is closed before that, but not between two looks at
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

/** A connection that breaks ends the statement at hand and is replaced; without listeners, between two statements of a transaction too, it would end the process. */
function ignoreBreaks(pool: pg.Pool): void {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}
