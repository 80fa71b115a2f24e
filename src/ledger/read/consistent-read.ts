// Makes sure that all statements of an answer see the same block. They run on any connections of the pool, and an added
// column has the block that each of them saw. If one saw another block than the answer's head, the answer is computed
// again; the last attempt runs inside one snapshot. A replica is asked first if it has the block of this process.
import { AssayError } from '../../base/errors.ts'
import type { Database, pg, ReadServer } from '../../database/client.ts'
import type { Send } from '../../database/diverted-pool.ts'
import type { Statement } from '../../database/pipeline.ts'
import { ask, createWaiters, type Waiters } from '../../database/shared-statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { HistoryReader } from '../../history/history.ts'
import { type Head, type HeadWatch, readHead } from '../head.ts'
import { AT, blockTagOf } from './block-tag.ts'
import type { Replicas } from './replicas.ts'

const SELECT = 'SELECT '

/** One SELECT, without DISTINCT or UNION: the reader inserts its own column before the first. */
export type SelectText = `${typeof SELECT}${string}`

/** A statement to which the reader adds the column `at`; it must have no column of that name. */
export interface ReadStatement extends Statement {
  text: SelectText
}

const withBlock = (statement: ReadStatement): Statement => ({
  ...statement,
  text: `${SELECT}${AT}, ${statement.text.slice(SELECT.length)}`,
})

/** The reader of an answer: the answer's block, and statements whose block is checked. */
export interface Reading {
  readonly head: Head
  /** What left the database; none: nothing did, or this process has no access to it. */
  readonly history?: HistoryReader | null | undefined
  query<Row extends object>(statement: ReadStatement): Promise<Row[]>
  /**
   * Sends a statement of a library that writes its own (Prisma). Its block is unknown, so the head is read again at the
   * end.
   */
  send: Send
  /** Sends a statement to the primary, for data outside blocks: accounts and their alerts. */
  queryPrimary: Send
  /** Marks the answer as having read another block, so that it is computed again. */
  outdate(): void
  /**
   * Says that rows of the answer are missing, because of another block or in a damaged replica. Throws SERVICE_UNAVAILABLE
   * in a snapshot of the primary: nothing else has them.
   */
  lack(): void
  /** Reports that a statement of that library failed; only a reading on a replica uses it. */
  reportReplicaFault?(error: unknown): void
}

/** Runs one statement for several questions, and returns one list per question. A row's `key` is its question's number, from 1. */
export async function readLists<Row extends object>(
  reading: Reading,
  questions: number,
  statement: ReadStatement,
): Promise<Row[][]> {
  const lists = Array.from({ length: questions }, (): Row[] => [])
  for (const row of await reading.query<Row & { key: number }>(statement)) lists[row.key - 1]?.push(row)
  return lists
}

/**
 * Attempts on the primary without a snapshot: a snapshot costs three more statements, and a new block rarely comes in
 * between.
 */
const TRIES = 2

/**
 * Snapshots that are tried for an answer that needs the board: a chain may have ten blocks a second. The deadline of the
 * request ends them earlier.
 */
const SNAPSHOTS = 20

/**
 * Runs `make` until all its reads are of one block: several times, so it must only read. When the signal aborts,
 * statements that no other answer waits for are cancelled.
 */
export type ReadAtOneBlock<Reader> = <T>(make: (reader: Reader) => Promise<T>, signal?: AbortSignal) => Promise<T>

export interface ReaderDeps<Reader> {
  primary: ReadServer
  /** None: all reads go to the primary. */
  replicas?: Pick<Replicas, 'choose' | 'leave'> | undefined
  watch: HeadWatch
  history?: HistoryReader | null | undefined
  prepare(reading: Reading): Reader
}

/**
 * Answers that begin in the same turn of the event loop share a reading and the result of `prepare`. Their DataLoaders
 * can thus join their keys into one statement.
 */
export function createReader<Reader>({
  primary,
  replicas,
  watch,
  history,
  prepare,
}: ReaderDeps<Reader>): ReadAtOneBlock<Reader> {
  const start = (head: Head, source: ReadServer) => {
    const waiters = createWaiters()
    const toPrimary = { pool: primary.pool, waiters, cancel: primary.cancel }
    const { reading, agrees, isOutdated, fault } = open(
      { pool: source.pool, waiters, cancel: source.cancel },
      toPrimary,
      { head, history },
    )
    return { head, source, waiters, agrees, isOutdated, fault, reader: prepare(reading) }
  }
  const started = new Map<ReadServer, ReturnType<typeof start>>()
  const join = (source: ReadServer) => {
    const head = watch.current()
    const known = started.get(source)
    if (known?.head === head && !known.waiters.isGone()) return known
    const fresh = start(head, source)
    if (started.size === 0) setImmediate(() => started.clear())
    started.set(source, fresh)
    return fresh
  }
  type Make<T> = (reader: Reader) => Promise<T>
  /** Null: it is not of one block, or the replica failed. */
  const readAt = async <T>(source: ReadServer, make: Make<T>, signal?: AbortSignal): Promise<{ made: T } | null> => {
    const { waiters, reader, agrees, isOutdated, fault } = join(source)
    try {
      const made = await waiters.join(() => make(reader), signal)
      const isOfOneBlock = await agrees()
      // A null may have replaced a failed field, so the primary is asked.
      if (isOfOneBlock && (source === primary || !fault())) return { made }
    } catch (error) {
      if (!isOutdated() && (source === primary || !fault())) throw error
    }
    const failed = fault()
    if (source !== primary && failed && !signal?.aborted) replicas?.leave(source, failed)
    return null
  }
  return async (make, signal) => {
    const replica = replicas?.choose()
    const answer = replica && (await readAt(replica, make, signal))
    if (answer) return answer.made
    for (let attempt = 0; attempt < TRIES && !signal?.aborted; attempt++) {
      const answer = await readAt(primary, make, signal)
      if (answer) return answer.made
      await watch.refresh()
    }
    signal?.throwIfAborted()
    const made = await readInSnapshots(primary, (reading) => make(prepare({ ...reading, history })), signal)
    // The snapshot may be of a block that this process does not know yet. Its next answer must not be of an earlier
    // one.
    await watch.refresh()
    return made
  }
}

/** A reading without a check of the block: for mutations, which also read a little. */
export const readLoosely = (
  { requestPool: pool, history }: Pick<Database, 'requestPool' | 'history'>,
  watch: HeadWatch,
): Reading => open({ pool }, { pool }, { head: watch.current(), history }).reading

/** The pool of the statements, and their waiters; without waiters they are never cancelled. */
type Way = { pool: pg.Pool; waiters: Waiters; cancel: ReadServer['cancel'] } | { pool: pg.Pool; waiters?: never }

function sendBy<Row extends object>(way: Way, statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
  return way.waiters ? ask<Row>(way.pool, statement, way.waiters, way.cancel) : way.pool.query<Row>(statement)
}

const toSend =
  (way: Way): Send =>
  (statement, values) => {
    const given = values ? { values } : {}
    return sendBy(way, typeof statement === 'string' ? { text: statement, ...given } : { ...statement, ...given })
  }

function open(way: Way, toPrimary: Way, { head, history }: Pick<Reading, 'head' | 'history'>) {
  const expected = blockTagOf(head)
  let differs = false
  let silent = false
  let failure: unknown
  const reportReplicaFault = (error: unknown) => {
    failure ??= error
  }
  const fail = (error: unknown) => {
    reportReplicaFault(error)
    throw error
  }
  const outdate = () => {
    differs = true
  }
  const send = toSend(way)
  const reading: Reading = {
    head,
    history,
    query: async <Row extends object>(statement: ReadStatement) => {
      const { rows } = await sendBy<Row & { at: string | null }>(way, withBlock(statement)).catch(fail)
      if (!rows[0]) silent = true
      else if (rows[0].at !== expected) differs = true
      return rows
    },
    send: (...statement) => {
      silent = true
      return send(...statement)
    },
    queryPrimary: toSend(toPrimary),
    outdate,
    lack: outdate,
    reportReplicaFault,
  }
  // A statement without rows, or one of a library, has no block, so the head is read once at the end.
  const agrees = async () => !differs && (!silent || blockTagOf(await readHead(way.pool).catch(fail)) === expected)
  return { reading, agrees, isOutdated: () => differs, fault: () => failure }
}

/** The board may leave the block of a snapshot before the answer asks it: then the next snapshot is tried. */
async function readInSnapshots<T>(
  server: ReadServer,
  make: (reading: Reading) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let isOutdated = false
    const outdate = () => {
      isOutdated = true
    }
    const isLast = () => !isOutdated || attempt === SNAPSHOTS
    try {
      const made = await readInSnapshot(server, (reading) => make({ ...reading, outdate }), signal)
      // A field's error is a part of a GraphQL answer, so nothing is thrown.
      if (isLast()) return made
    } catch (error) {
      if (isLast()) throw error
    }
  }
}

/** Whoever reads in a snapshot adds what becomes of an outdated answer. */
type SnapshotReading = Omit<Reading, 'outdate'>

async function readInSnapshot<T>(
  { pool, cancel }: ReadServer,
  make: (reading: SnapshotReading) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const work = async (client: pg.PoolClient): Promise<T> => {
    const leave = () => void cancel(client)
    signal?.addEventListener('abort', leave)
    try {
      const made = await readOn(client, make, signal)
      // A failure closes its connection, so that a late cancellation hits nobody else's statement.
      signal?.throwIfAborted()
      return made
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }
  return inTransaction(pool, work, 'ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

/** Reads through one connection, one statement after another. */
async function readOn<T>(
  client: pg.PoolClient,
  make: (reading: SnapshotReading) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let isOver = false
  const inTurn = <R>(ask: () => Promise<R>): Promise<R> => {
    const answer = last.then(() => {
      if (isOver || signal?.aborted) throw new Error('the answer is over')
      return ask()
    })
    last = answer.catch(() => {})
    return answer
  }
  const send: Send = (statement, values) => inTurn(() => client.query(statement as pg.QueryConfig, values))
  try {
    return await make({
      head: await readHead(client),
      query: <Row extends object>(statement: ReadStatement) =>
        inTurn(async () => (await client.query<Row>(withBlock(statement))).rows),
      send,
      queryPrimary: send,
      lack: () => {
        const cause = new Error('the database lacks an event, or its token or wallet')
        const more = { retryAfterSeconds: 5, cause }
        throw new AssayError('SERVICE_UNAVAILABLE', 'The index lacks rows of this answer.', more)
      },
    })
  } finally {
    // If one part of the answer failed, the others may still send statements, which must not run.
    isOver = true
    await last
  }
}
