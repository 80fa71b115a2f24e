// Statements that several requests share. A statement runs while at least one of them waits for it. When the last one
// leaves it is cancelled, and if it is still queued for a connection it is never sent.
import type pg from 'pg'
import { AssayError } from '../base/errors.ts'
import type { Cancel } from './backend.ts'

/** How long to wait for a cancellation before the connection is closed instead of reused. */
const END_WITHIN_MS = 1000

/** The requests that wait for an answer. */
export interface Waiters {
  /** Does the work and returns its result. The caller leaves when the work ends or the signal aborts. */
  join<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>
  /** Whether every request has left. */
  isGone(): boolean
  /** Calls the listener when the last one leaves; returns a function that unsubscribes. */
  onGone(listener: () => void): () => void
}

/** Creates waiters that no request has joined yet. */
export function createWaiters(): Waiters {
  const listeners = new Set<() => void>()
  let present = 0
  let isGone = false
  const leave = () => {
    present -= 1
    if (present > 0) return
    isGone = true
    for (const listener of listeners) listener()
  }
  return {
    join: async (work, signal) => {
      present += 1
      let isPresent = true
      const leaveOnce = () => {
        if (isPresent) leave()
        isPresent = false
      }
      signal?.addEventListener('abort', leaveOnce)
      try {
        return await work()
      } finally {
        signal?.removeEventListener('abort', leaveOnce)
        leaveOnce()
      }
    },
    isGone: () => isGone,
    onGone: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Runs the statement on a connection of the pool while there are waiters. Uses callbacks like the driver's own
 * `pool.query`: one more promise per step would cost more than everything else here.
 */
export function ask<Row extends object>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
  waiters: Waiters,
  cancel: Cancel,
): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    if (waiters.isGone()) return reject(nobodyWaits())
    pool.connect((fault, client) => {
      if (!client) return reject(fault)
      if (waiters.isGone()) {
        client.release()
        return reject(nobodyWaits())
      }
      let ended: Promise<void> | undefined
      const forget = waiters.onGone(() => {
        ended = cancel(client)
      })
      client.query(statement, (error: Error | undefined, result: pg.QueryResult<Row>) => {
        forget()
        if (ended) void giveBack(client, ended)
        else client.release(error)
        if (error) reject(waiters.isGone() ? nobodyWaits(error) : error)
        else resolve(result)
      })
    })
  })
}

/**
 * Waits until the server has processed the cancellation, because a late one would hit the connection's next statement.
 */
async function giveBack(client: pg.PoolClient, ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, END_WITHIN_MS, true)
  })
  const isLate = await Promise.race([ended.then(() => false), late])
  clearTimeout(timer)
  client.release(isLate)
}

/** The error for a statement whose requests have all left; no client sees it. */
const nobodyWaits = (cause?: unknown): AssayError =>
  new AssayError('SERVICE_UNAVAILABLE', 'Nobody waits for this answer any more.', { cause })
