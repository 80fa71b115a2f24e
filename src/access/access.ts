// Wires the access control together: the guard in front of the API, and the usage meter. Rate limits are counted in the
// database, or in Redis if there is one; while Redis is unreachable each process counts in its own memory.
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import { findKeyHolder, findKeyHolders } from '../ledger/account/key.ts'
import { createLimitRows } from '../ledger/account/limit.ts'
import { clearTickets, insertTicket, takeTicket } from '../ledger/account/stream-ticket.ts'
import { addUsage, type KeyUse, noteKeyUses, type UsageEntry } from '../ledger/account/usage.ts'
import { createOutage } from '../telemetry/outage.ts'
import { createAuthenticate } from './authenticate.ts'
import { createBadKeys } from './bad-keys.ts'
import { batchLimits } from './batch.ts'
import { startCharge } from './charge.ts'
import type { Guard } from './guard.ts'
import { createHolders } from './holders.ts'
import { generateTicket, hashKey } from './key.ts'
import { createMemoryRows, type Limiter, type LimiterOptions, RowLimiter } from './limiter.ts'
import { createLimits } from './limits.ts'
import type { connectRedis as Connect } from './redis.ts'
import { createUsage } from './usage.ts'

/** The route of requests that have none. */
const OTHER_ROUTE = 'other'
/** How long a ticket waits for its use. */
const TICKET_MS = 60_000
/** How often rows of expired rate-limit windows are deleted. */
const CLEAR_INTERVAL_MS = 3_600_000

export interface AccessDeps {
  pool: Database['pool']
  /**
   * Connects to Redis; leave out to count in the database. A parameter, so that a process without Redis does not load
   * its client.
   */
  connectRedis?: ((on: Parameters<typeof Connect>[1]) => ReturnType<typeof Connect>) | undefined
  clock: Clock
  log: AccessLog
}

interface AccessLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface Access {
  guard: Guard
  /** Whether rate limits are counted in Redis right now; null if no Redis is configured. */
  isRedisAsked(): boolean | null
  /** Starts the timers, and waits until Redis, if configured, is ready or has failed. */
  start(): Promise<void>
  /** Writes the usage that is still in memory. */
  stop(): Promise<void>
}

const tellOf = (log: AccessDeps['log']): Parameters<NonNullable<AccessDeps['connectRedis']>>[0] => ({
  onOpen: (error) =>
    log.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      'Redis does not answer: this process counts requests by itself until it does',
    ),
  onClose: () => log.info({}, 'Redis answers again: requests are counted there'),
})

/** Creates a guard over the database, and over Redis if configured. */
export function createAccess({ pool, connectRedis, clock, log }: AccessDeps): Access {
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message)
  const memory = createMemoryRows()
  const rows = createLimitRows(pool)
  const redis = connectRedis?.(tellOf(log))
  const createLimiter = (options: LimiterOptions): Limiter =>
    redis ? redis.createLimiter(options, new RowLimiter(options, memory, clock)) : new RowLimiter(options, rows, clock)
  const limits = batchLimits(createLimits(createLimiter, clock))
  const usageOutage = createOutage(warn('usage could not be written; it is kept and tried again'))
  const writeUsage = async (entries: UsageEntry[], uses: KeyUse[]) => {
    // Repeating them changes nothing, so they come before what must not be added twice.
    await noteKeyUses(pool, uses)
    await addUsage(pool, entries)
    usageOutage.pass()
  }
  const usage = createUsage(writeUsage, clock, usageOutage.fail)
  const holders = createHolders({
    findKeyHolder: (hash) => findKeyHolder(pool, hash),
    findKeyHolders: (hashes) => findKeyHolders(pool, hashes),
    clock,
  })
  let timer: NodeJS.Timeout | undefined
  const clear = () => {
    void rows.clear(clock.now().getTime()).catch(warn('expired rate-limit windows could not be deleted'))
    void clearTickets(pool, clock.now()).catch(warn('expired tickets could not be deleted'))
  }
  return {
    guard: {
      ...createAuthenticate({
        holders,
        badKeys: createBadKeys(clock),
        clock,
        takeTicket: (hash) => takeTicket(pool, hash, clock.now()),
      }),
      issueTicket: async ({ secretHash }) => {
        if (!secretHash) throw new Error('the caller sent no key')
        const ticket = generateTicket()
        const expiresAt = new Date(clock.now().getTime() + TICKET_MS)
        await insertTicket(pool, { hash: hashKey(ticket), secretHash, expiresAt }, clock.now())
        return { ticket, expiresAt }
      },
      charge: (caller, requests, route = OTHER_ROUTE) => startCharge({ limits, usage }, caller, requests, route),
    },
    isRedisAsked: () => redis?.isAsked() ?? null,
    start: async () => {
      usage.start()
      timer ??= setInterval(clear, CLEAR_INTERVAL_MS).unref()
      await redis?.start()
    },
    stop: async () => {
      clearInterval(timer)
      timer = undefined
      await usage.stop()
      redis?.stop()
    },
  }
}
