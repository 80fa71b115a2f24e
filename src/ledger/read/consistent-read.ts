// One answer, one block. Statements of an answer run on any connections of the pool; a column that is added here tells which
// block each saw. When they differ from the head that the answer began with, the answer is made again, at last inside one
// snapshot.

import type { Cancel } from '../../database/backend.ts'
import type { pg } from '../../database/client.ts'
import type { Statement } from '../../database/pipeline.ts'
import { ask, type Crowd, createCrowd } from '../../database/shared-statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Head, type HeadWatch, readHead } from '../head.ts'

const SELECT = 'SELECT '
/** The newest block, computed once per statement. */
const AT = `(SELECT number || ':' || left(hash, 18) FROM block ORDER BY number DESC LIMIT 1) AS at`

/** A statement of a reading: one SELECT, neither DISTINCT nor of several, since a column is put before its first. */
export type SelectText = `${typeof SELECT}${string}`

/** A statement that the reader can add its column to. None of its own may be called `at`. */
export interface ReadStatement extends Statement {
  text: SelectText
}

const withBlock = (statement: ReadStatement): Statement => ({
  ...statement,
  text: `${SELECT}${AT}, ${statement.text.slice(SELECT.length)}`,
})

/** What an answer reads through: the block that it reflects, and statements as of it. */
export interface Reading {
  readonly head: Head
  query<Row extends object>(statement: ReadStatement): Promise<Row[]>
  /**
   * For a library that writes its own statements, which do not tell their block: the pool that it must read through, or in a
   * snapshot a stand-in for it on the one connection. From then on the head is asked once more when the answer is made.
   */
  source(): pg.Pool
}

/** The rows of a statement that asks several questions at once, a list for each: a row's `key` says whose it is, from 1. */
export async function readLists<Row extends object>(
  reading: Reading,
  questions: number,
  statement: ReadStatement,
): Promise<Row[][]> {
  const lists = Array.from({ length: questions }, (): Row[] => [])
  for (const row of await reading.query<Row & { key: number }>(statement)) lists[row.key - 1]?.push(row)
  return lists
}

const tagOf = (head: Head) => (head.hash === '' ? null : `${head.number}:${head.hash.slice(0, 18)}`)

/** Tries on the pool before a snapshot is taken: it costs three more statements, and the chain seldom moves in between. */
const TRIES = 2

/**
 * Runs `make` so that what it read is of one block. It may run up to three times, and must only read. With the signal
 * nobody waits for it any more: what it reads for nobody else is ended.
 */
export type ReadAtOneBlock<Reader> = <T>(make: (reader: Reader) => Promise<T>, signal?: AbortSignal) => Promise<T>

/**
 * Answers that begin in one turn of the event loop share a reading and what `prepare` makes of it, so that what they ask
 * for at the same time can be asked in one statement.
 */
export function createReader<Reader>(
  pool: pg.Pool,
  watch: HeadWatch,
  prepare: (reading: Reading) => Reader,
  cancel: Cancel = async () => {},
): ReadAtOneBlock<Reader> {
  const start = (head: Head) => {
    const crowd = createCrowd()
    const { reading, agrees } = open(pool, head, { crowd, cancel })
    return { head, crowd, agrees, reader: prepare(reading) }
  }
  let started: ReturnType<typeof start> | undefined
  const join = () => {
    const head = watch.current()
    if (started?.head === head && !started.crowd.isGone()) return started
    started = start(head)
    setImmediate(() => {
      started = undefined
    })
    return started
  }
  return async (make, signal) => {
    for (let attempt = 0; attempt < TRIES && !signal?.aborted; attempt++) {
      const { crowd, reader, agrees } = join()
      const made = await crowd.join(() => make(reader), signal)
      if (await agrees()) return made
      await watch.refresh()
    }
    signal?.throwIfAborted()
    return readInSnapshot(pool, (reading) => make(prepare(reading)))
  }
}

/** A reading whose statements need not agree: for what changes something and reads a little on the way. */
export const readLoosely = (pool: pg.Pool, watch: HeadWatch): Reading => open(pool, watch.current()).reading

/** None: somebody waits for every statement. */
type Waiting = { crowd: Crowd; cancel: Cancel } | undefined

function open(pool: pg.Pool, head: Head, waiting?: Waiting) {
  const expected = tagOf(head)
  let differs = false
  let silent = false
  const run = async <Row extends object>(plain: ReadStatement): Promise<Row[]> => {
    const statement = withBlock(plain)
    return waiting ? ask(pool, statement, waiting.crowd, waiting.cancel) : (await pool.query<Row>(statement)).rows
  }
  const reading: Reading = {
    head,
    query: async <Row extends object>(statement: ReadStatement) => {
      const rows = await run<Row & { at: string | null }>(statement)
      if (!rows[0]) silent = true
      else if (rows[0].at !== expected) differs = true
      return rows
    },
    source: () => {
      silent = true
      return pool
    },
  }
  // A statement without rows, or of a library, did not tell its block: ask once at the end.
  const agrees = async () => !differs && (!silent || tagOf(await readHead(pool)) === expected)
  return { reading, agrees }
}

async function readInSnapshot<T>(pool: pg.Pool, make: (reading: Reading) => Promise<T>): Promise<T> {
  return inTransaction(pool, (client) => readOn(pool, client, make), 'ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

/** Reads through one connection, a statement after the other. */
async function readOn<T>(pool: pg.Pool, client: pg.PoolClient, make: (reading: Reading) => Promise<T>): Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let isOver = false
  const inTurn = <R>(ask: () => Promise<R>): Promise<R> => {
    const answer = last.then(() => {
      if (isOver) throw new Error('the answer is over')
      return ask()
    })
    last = answer.catch(() => {})
    return answer
  }
  try {
    return await make({
      head: await readHead(client),
      query: <Row extends object>(statement: ReadStatement) =>
        inTurn(async () => (await client.query<Row>(withBlock(statement))).rows),
      source: () => standIn(pool, (...statement) => inTurn(() => client.query(...statement))),
    })
  } finally {
    // A part that failed does not wait for the others: what they still ask for is asked for in vain.
    isOver = true
    await last
  }
}

/** The pool to whoever only queries it; each statement goes to `query`. */
function standIn(pool: pg.Pool, query: (statement: pg.QueryConfig, values?: unknown[]) => Promise<unknown>): pg.Pool {
  const refuse = () => Promise.reject(new Error('a snapshot has one connection, which is read from only'))
  const stays = () => stand
  const overrides = { query, connect: refuse, end: refuse, on: stays, removeListener: stays }
  const stand: pg.Pool = Object.assign(Object.create(pool) as pg.Pool, overrides)
  return stand
}
