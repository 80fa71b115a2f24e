// A pool for a library that writes its own statements (Prisma) and knows nothing of requests. The library's caller
// directs the statements of that call, so that they read at the answer's block and end when nobody waits for it. One
// client of the library is enough for all requests: another one takes 15 MB and 0.1 s.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { AssayError } from '../base/errors.ts'

/** Sends a statement. */
export type Send = (statement: string | pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>

const sending = new AsyncLocalStorage<Send>()

/**
 * Calls the library; `send` gets every statement of the call, except those in transactions. Our own refusal of a
 * statement is thrown unchanged: the library would wrap it in its own error, which would be logged as a fault.
 */
export async function sendingWith<Result>(send: Send, call: () => Promise<Result>): Promise<Result> {
  let refusal: AssayError | undefined
  const noting: Send = (statement, values) =>
    send(statement, values).catch((error) => {
      if (error instanceof AssayError) refusal = error
      throw error
    })
  try {
    // Awaited inside, because a promise of Prisma does nothing until then.
    return await sending.run(noting, async () => await call())
  } catch (error) {
    throw refusal ?? error
  }
}

/** An object that stands in for a pool that is only queried. */
export const poolThat = (send: Send): pg.Pool => ({ query: send }) as unknown as pg.Pool

/** An object that stands in for the pool. Statements outside a directed call go to the pool itself. */
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
