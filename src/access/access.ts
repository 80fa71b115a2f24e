// The station put together: a guard for the edge, and the meter behind it. Without Redis the windows are rows of the
// database; with it they are in Redis, and in this process while Redis is away.
import type { Redis } from 'ioredis'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import { findKeyHolder } from '../ledger/account/key.ts'
import { createLimitRows } from '../ledger/account/limit.ts'
import { addUsage, type UsageEntry } from '../ledger/account/usage.ts'
import { createOutage } from '../telemetry/outage.ts'
import { BAD_KEYS_PER_MINUTE, createAuthenticate } from './authenticate.ts'
import { batchLimits } from './batch.ts'
import { startCharge } from './charge.ts'
import type { Guard } from './guard.ts'
import {
  connectRedis,
  createMemoryRows,
  createRedisLimiter,
  type Limiter,
  type LimiterOptions,
  RowLimiter,
} from './limiter.ts'
import { createLimits } from './limits.ts'
import { createUsage } from './usage.ts'

/** How often rows of windows that have ended are removed. */
const CLEAR_INTERVAL_MS = 3_600_000

export interface AccessDeps {
  pool: Database['pool']
  /** None: the windows are rows of the database. */
  redisUrl?: string | undefined
  clock: Clock
  log: AccessLog
}

interface AccessLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface Access {
  guard: Guard
  /** Starts the timers, and waits until Redis, where there is one, is ready or has failed. */
  start(): Promise<void>
  /** Writes the usage that is still in memory. */
  stop(): Promise<void>
}

/** A guard over the database, and over Redis where there is one. */
export function createAccess({ pool, redisUrl, clock, log }: AccessDeps): Access {
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message)
  const memory = createMemoryRows()
  const rows = createLimitRows(pool)
  const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl)
  const redisOutage = createOutage(
    warn('Redis does not answer: this process counts requests by itself until it does'),
    () => log.info({}, 'Redis answers again: requests are counted there'),
  )
  redis?.on('error', redisOutage.fail).on('ready', redisOutage.pass)
  const createLimiter = (options: LimiterOptions): Limiter =>
    redis
      ? createRedisLimiter(redis, options, new RowLimiter(options, memory, clock))
      : new RowLimiter(options, rows, clock)
  const limits = batchLimits(createLimits(createLimiter, clock))
  const usageOutage = createOutage(warn('usage could not be written yet; it is kept'))
  const writeUsage = (entries: UsageEntry[]) => addUsage(pool, entries).then(usageOutage.pass)
  const usage = createUsage(writeUsage, clock, usageOutage.fail)
  const badKeys = new RowLimiter(
    { keyPrefix: 'bad-key', points: BAD_KEYS_PER_MINUTE, duration: 60 },
    createMemoryRows(),
    clock,
  )
  let timer: NodeJS.Timeout | undefined
  const clear = () => void rows.clear(clock.now().getTime()).catch(warn('ended windows could not be removed yet'))
  return {
    guard: {
      authenticate: createAuthenticate({ findKeyHolder: (hash) => findKeyHolder(pool, hash), badKeys, clock }),
      charge: (caller, requests) => startCharge(limits, usage, caller, requests),
    },
    start: async () => {
      usage.start()
      timer ??= setInterval(clear, CLEAR_INTERVAL_MS).unref()
      if (redis) await waitForRedis(redis)
    },
    stop: async () => {
      clearInterval(timer)
      timer = undefined
      await usage.stop()
      redis?.disconnect()
    },
  }
}

/** Resolves when Redis is ready, or has failed once: its timeouts see to one of them. */
async function waitForRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve) => {
    redis.once('ready', resolve)
    redis.once('error', () => resolve())
    redis.once('close', resolve)
  })
}
