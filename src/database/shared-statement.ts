// Statements that several requests share. As long as one of them waits for its answer a statement runs on; when all have
// gone it is ended, and one that waits for a connection is never sent.
import type pg from 'pg'
import { AssayError } from '../base/errors.ts'
import type { Cancel } from './backend.ts'

/** A statement that was ended is waited for so long, before its connection is closed instead of used again. */
const END_WITHIN_MS = 1000

/** Those who wait for an answer. */
export interface Crowd {
  /** Resolves or rejects as the work does; leaves with its end, or with the signal. */
  join<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>
  /** All have left. */
  isGone(): boolean
  /** Calls when the last one has left; returns how to stop that. */
  onGone(listener: () => void): () => void
}

/** A crowd that nobody has joined yet. */
export function createCrowd(): Crowd {
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
 * Asks on a connection of the pool, for as long as somebody of the crowd is there. With callbacks, as the driver's own
 * shortcut: a promise more at each step costs more than all else here.
 */
export function ask<Row extends object>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
  crowd: Crowd,
  cancel: Cancel,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    if (crowd.isGone()) return reject(nobodyWaits())
    pool.connect((fault, client) => {
      if (!client) return reject(fault)
      if (crowd.isGone()) {
        client.release()
        return reject(nobodyWaits())
      }
      let ended: Promise<void> | undefined
      const forget = crowd.onGone(() => {
        ended = cancel(client)
      })
      client.query(statement, (error: Error | undefined, result: pg.QueryResult<Row>) => {
        forget()
        if (ended) void giveBack(client, ended)
        else client.release(error)
        if (error) reject(crowd.isGone() ? nobodyWaits(error) : error)
        else resolve(result.rows)
      })
    })
  })
}

/** Only when the server has been told: the end of one statement must not meet the next one. */
async function giveBack(client: pg.PoolClient, ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, END_WITHIN_MS, true)
  })
  const isLate = await Promise.race([ended.then(() => false), late])
  clearTimeout(timer)
  client.release(isLate)
}

/** Nobody reads it. */
const nobodyWaits = (cause?: unknown): AssayError =>
  new AssayError('SERVICE_UNAVAILABLE', 'Nobody waits for this answer any more.', { cause })
