// Rate limits in Redis behind a circuit breaker: when Redis stops answering, only the first requests wait (250 ms
// each). While it is unreachable this process counts in memory and probes Redis in the background.
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel'
import { Redis, type RedisOptions } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { parseSentinelUrl } from '../base/sentinel-url.ts'
import type { Limiter, LimiterOptions, RowLimiter } from './limiter.ts'

/** Timeout of a Redis command. A healthy Redis answers within 2 ms. */
const ANSWER_WITHIN_MS = 250
/** A connection that is silent for this long is reopened. */
const SILENT_MS = 10_000
/** Consecutive failures that open the breaker. */
const FAILURES = 2
/** Interval of the background probe. */
const PROBE_EVERY_MS = 1000

/**
 * The library's own script, changed in two ways: a request that does not fit is not counted, and giving back opens no
 * window.
 */
const TAKE_SCRIPT = `local used = tonumber(redis.call('get', KEYS[1]) or '0')
local amount = tonumber(ARGV[1])
local ttl = redis.call('pttl', KEYS[1])
if amount < 0 then
  if ttl > 0 then used = redis.call('decrby', KEYS[1], math.min(-amount, used)) end
  return {used, math.max(ttl, 0)}
end
if used + amount > tonumber(ARGV[3]) then return {used + amount, math.max(ttl, 0)} end
if ttl <= 0 then
  redis.call('set', KEYS[1], amount, 'EX', ARGV[2])
  return {amount, 1000 * ARGV[2]}
end
return {redis.call('incrby', KEYS[1], amount), ttl}`

export interface RedisWindows {
  /** Creates a limiter that counts in Redis, or in `insurance` while Redis is unreachable. */
  createLimiter(options: LimiterOptions, insurance: RowLimiter): Limiter
  /** Whether Redis is in use; false while this process counts in memory. */
  isAsked(): boolean
  /** Resolves when Redis is ready or has failed once; its timeouts guarantee one of the two. */
  start(): Promise<void>
  stop(): void
}

/** Connects at once. `onOpen` is called once when Redis is given up, `onClose` once when it is back. */
export function connectRedis(
  url: string,
  { onOpen, onClose }: { onOpen(error: unknown): void; onClose(): void },
): RedisWindows {
  const redis = connect(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    commandTimeout: ANSWER_WITHIN_MS,
    socketTimeout: SILENT_MS,
    // A former master answers as a replica, perhaps on the same connection.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  })
  // While the breaker is open only the probe calls Redis, so it may close at any time.
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: 0, breaker: new ConsecutiveBreaker(FAILURES) })
  const isAsked = () => breaker.state === CircuitState.Closed
  let probing: NodeJS.Timeout | undefined
  const endProbing = () => {
    clearInterval(probing)
    probing = undefined
  }
  const probe = () => void breaker.execute(() => redis.ping()).catch(() => {})
  breaker.onBreak((reason) => {
    // A failed probe opens the breaker again; that was reported already.
    if (probing) return
    probing = setInterval(probe, PROBE_EVERY_MS).unref()
    onOpen('error' in reason ? reason.error : undefined)
  })
  breaker.onReset(() => {
    endProbing()
    onClose()
  })
  // A refused connection counts as a failure, like a command without an answer.
  redis.on('error', (error: Error) => {
    if (isAsked()) breaker.execute(() => Promise.reject(error)).catch(() => {})
  })
  redis.on('ready', () => {
    if (!isAsked()) probe()
  })

  /** Calls Redis if it is in use, and the memory otherwise. A refused amount is an answer, not a failure. */
  const ask = async <T>(there: () => Promise<T>, here: () => Promise<T>): Promise<T> => {
    if (!isAsked()) return here()
    const [answer] = await breaker.execute(() => Promise.allSettled([there()]).then(throwFaults)).catch(() => [])
    if (!answer) return here()
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }
  return {
    createLimiter: (options, insurance) => eitherLimiter(createRedisLimiter(redis, options), insurance, ask),
    isAsked,
    start: () => untilReady(redis),
    stop: () => {
      endProbing()
      redis.disconnect()
    },
  }
}

/** Sentinels tell the master, also when it has changed. They have the time of a connection to answer. */
function connect(url: string, options: RedisOptions & { connectTimeout: number }): Redis {
  const place = parseSentinelUrl(url)
  if (!place) return new Redis(url, options)
  return new Redis({ ...options, ...place, sentinelCommandTimeout: options.connectTimeout, failoverDetector: true })
}

const createRedisLimiter = (redis: Redis, options: LimiterOptions): Limiter =>
  new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: TAKE_SCRIPT,
  })

type Ask = <T>(there: () => Promise<T>, here: () => Promise<T>) => Promise<T>

/** A limiter that counts in Redis, or in memory while Redis is not in use. */
function eitherLimiter(limiter: Limiter, insurance: Limiter, ask: Ask): Limiter {
  const either = <T>(call: (limiter: Limiter) => Promise<T>) =>
    ask(
      () => call(limiter),
      () => call(insurance),
    )
  return {
    consume: (...call) => either((one) => one.consume(...call)),
    reward: (...call) => either((one) => one.reward(...call)),
    get: (key) => either((one) => one.get(key)),
  }
}

/** The library rejects when the amount does not fit; that must not count as a failure of Redis. */
function throwFaults<T>(answers: [PromiseSettledResult<T>]): [PromiseSettledResult<T>] {
  const [answer] = answers
  if (answer.status === 'rejected' && !(answer.reason instanceof RateLimiterRes)) throw answer.reason
  return answers
}

async function untilReady(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve) => {
    redis.once('ready', resolve)
    redis.once('error', () => resolve())
    redis.once('close', resolve)
  })
}
