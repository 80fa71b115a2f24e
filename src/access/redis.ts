// Windows in Redis, behind a circuit breaker: a Redis that does not answer costs a few requests a quarter of a second, not
// every one. While it is away this process counts by itself, and looks in the background whether it is back.
import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel'
import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Limiter, LimiterOptions, RowLimiter } from './limiter.ts'

/** A Redis that is well answers within two. */
const ANSWER_WITHIN_MS = 250
/** A connection on which nothing comes for so long is opened anew. */
const SILENT_MS = 10_000
/** Failures in a row after which it is no longer asked. */
const FAILURES = 2
/** Between two looks whether it is back. */
const PROBE_EVERY_MS = 1000

/** As the library's own script, but a request that does not fit is not counted, and giving back opens no window. */
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
  /** A limiter that counts in Redis, and while Redis is away in the insurance. */
  createLimiter(options: LimiterOptions, insurance: RowLimiter): Limiter
  /** Whether Redis is asked; false: this process counts by itself. */
  isAsked(): boolean
  /** Resolves when Redis is ready, or has failed once: its timeouts see to one of them. */
  start(): Promise<void>
  stop(): void
}

/** Connects at once; `onOpen` and `onClose` are told once each when Redis is given up and when it is back. */
export function connectRedis(
  url: string,
  { onOpen, onClose }: { onOpen(error: unknown): void; onClose(): void },
): RedisWindows {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2000,
    commandTimeout: ANSWER_WITHIN_MS,
    socketTimeout: SILENT_MS,
  })
  // Only the probe asks while it is open, so it may close at any time.
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: 0, breaker: new ConsecutiveBreaker(FAILURES) })
  const isAsked = () => breaker.state === CircuitState.Closed
  let probing: NodeJS.Timeout | undefined
  const endProbing = () => {
    clearInterval(probing)
    probing = undefined
  }
  const probe = () => void breaker.execute(() => redis.ping()).catch(() => {})
  breaker.onBreak((reason) => {
    // A probe that fails breaks it again.
    if (probing) return
    probing = setInterval(probe, PROBE_EVERY_MS).unref()
    onOpen('error' in reason ? reason.error : undefined)
  })
  breaker.onReset(() => {
    endProbing()
    onClose()
  })
  // A connection that is refused counts as well as a question without an answer.
  redis.on('error', (error: Error) => {
    if (isAsked()) breaker.execute(() => Promise.reject(error)).catch(() => {})
  })
  redis.on('ready', () => {
    if (!isAsked()) probe()
  })

  /** Asks Redis where it is asked at all; a refusal is an answer. */
  const ask = async <T>(there: () => Promise<T>, here: () => Promise<T>): Promise<T> => {
    if (!isAsked()) return here()
    const [answer] = await breaker.execute(() => Promise.allSettled([there()]).then(throwFaults)).catch(() => [])
    if (!answer) return here()
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }
  return {
    createLimiter: (options, insurance: Limiter) => {
      const limiter: Limiter = new RateLimiterRedis({
        ...options,
        storeClient: redis,
        rejectIfRedisNotReady: true,
        customIncrTtlLuaScript: TAKE_SCRIPT,
      })
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
    },
    isAsked,
    start: () => untilReady(redis),
    stop: () => {
      endProbing()
      redis.disconnect()
    },
  }
}

/** What the library rejects with when the amount does not fit is no fault. */
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
