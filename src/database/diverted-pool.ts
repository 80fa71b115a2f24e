// A pool for a library that writes its own statements (Prisma) and knows nothing of requests. Whoever calls the library says where the
// statements of that call go, so that they see what the rest of an answer sees and end when nobody waits for it. One client of the
// library is enough for all: another one takes 15 MB and 0.1 s.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { AssayError } from '../base/errors.ts'

/** Sends a statement. */
export type Send = (statement: string | pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>

const sending = new AsyncLocalStorage<Send>()

/**
 * Calls the library; `send` gets every statement that the call leads to, but those of transactions. Why we refused a statement is thrown
 * as it was: the library makes an error of its own of it, which would be logged as a fault.
 */
export async function sendingWith<Result>(send: Send, call: () => Promise<Result>): Promise<Result> {
  let refusal: AssayError | undefined
  const noting: Send = (statement, values) =>
    send(statement, values).catch((error) => {
      if (error instanceof AssayError) refusal = error
      throw error
    })
  try {
    // Awaited inside, since a promise of Prisma does nothing until then.
    return await sending.run(noting, async () => await call())
  } catch (error) {
    throw refusal ?? error
  }
}

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
