// A pool for a library that writes its own statements (Prisma) and knows nothing of requests. Whoever calls the library says where the
// statements of that call go, so that they see what the rest of an answer sees and end when nobody waits for it. One client of the
// library is enough for all: another one takes 15 MB and 0.1 s.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/** Sends a statement. */
export type Send = (statement: string | pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>

const sending = new AsyncLocalStorage<Send>()

/** Calls the library; `send` gets every statement that the call leads to, but those of transactions. */
export const sendingWith = <Result>(send: Send, call: () => Promise<Result>): Promise<Result> =>
  // Awaited inside, since a promise of Prisma does nothing until then.
  sending.run(send, async () => await call())

/** An object that passes for a pool where it is only queried. */
export const poolThat = (send: Send): pg.Pool => ({ query: send }) as unknown as pg.Pool

/** An object that passes for the pool. Statements that no call was given a way for go to the pool itself. */
export function divertPool(pool: pg.Pool): pg.Pool {
  const toPool: Send = (statement, values) => pool.query(statement as pg.QueryConfig, values)
  const overrides = {
    query: (...statement: Parameters<Send>) => (sending.getStore() ?? toPool)(...statement),
    connect: () => pool.connect(),
    on: () => diverted,
    removeListener: () => diverted,
  }
  const diverted: pg.Pool = Object.assign(Object.create(pool) as pg.Pool, overrides)
  return diverted
}
