// Metrics of the program's limits: what was refused and why, what is in use, and what waits. Labels are closed sets.
// Metrics that need a database query are cached, however often they are scraped.
import { Counter, Gauge, type Registry } from 'prom-client'

/** How long a backlog reading is reused. */
const LOOK_EVERY_MS = 15_000
/** How long a scrape waits for a new reading: an unavailable database must not block the other metrics. */
const LOOK_WITHIN_MS = 1_000

/** The state of a connection pool. */
export interface PoolUse {
  totalCount: number
  idleCount: number
  waitingCount: number
}

/** The work that waits. */
export interface Waiting {
  mails: number
  oldestMailSeconds: number
  tokens: number
  wallets: number
}

/** The part of the registry that is about limits. */
export function createBounds(registry: Registry) {
  const registers = [registry]
  return {
    /** Refusals by the contract's code, and by a reason where that is more specific. */
    refusals: new Counter({
      name: 'assay_refusals_total',
      help: 'Requests that were refused, by code and by reason.',
      labelNames: ['code', 'reason'] as const,
      registers,
    }),
    /** Reports the use of each pool at every scrape. */
    watchPools: (pools: Readonly<Record<string, PoolUse>>): void => {
      new Gauge({
        name: 'assay_pool_connections',
        help: 'Database connections by pool: open, idle, and requests waiting for one.',
        labelNames: ['pool', 'state'] as const,
        registers,
        collect() {
          for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
            this.set({ pool, state: 'total' }, totalCount)
            this.set({ pool, state: 'idle' }, idleCount)
            this.set({ pool, state: 'waiting' }, waitingCount)
          }
        },
      })
    },
    /** Reports whether limits are counted in Redis. */
    watchRedis: (isAsked: () => boolean): void => {
      new Gauge({
        name: 'assay_redis_breaker_open',
        help: '1 while Redis does not answer and this process counts requests itself.',
        registers,
        collect() {
          this.set(isAsked() ? 0 : 1)
        },
      })
    },
    /** Reports the work that waits, from at most 15 s ago; NaN while it cannot be read. */
    watchBacklog: (read: () => Promise<Waiting>, monotonicMs: () => number): void =>
      watchBacklog(registers, createLook(read, monotonicMs)),
  }
}

function watchBacklog(registers: Registry[], look: () => Promise<Waiting | null>): void {
  const show = (name: string, help: string, pick: (waiting: Waiting) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const waiting = await look()
        this.set(waiting ? pick(waiting) : Number.NaN)
      },
    })
  show('assay_outbox_mails', 'Mails waiting to be sent; counted up to 100,000.', ({ mails }) => mails)
  show('assay_outbox_age_seconds', 'Age of the oldest mail waiting to be sent.', (waiting) => waiting.oldestMailSeconds)
  new Gauge({
    name: 'assay_rescore_due',
    help: 'Tokens and wallets whose scores are due; each kind counted up to 100,000.',
    labelNames: ['kind'] as const,
    registers,
    async collect() {
      const waiting = await look()
      this.set({ kind: 'token' }, waiting?.tokens ?? Number.NaN)
      this.set({ kind: 'wallet' }, waiting?.wallets ?? Number.NaN)
    },
  })
}

/**
 * The cached reading, or a new one when that is too old; null when none arrives in time. At most one read runs at once.
 */
function createLook(read: () => Promise<Waiting>, monotonicMs: () => number): () => Promise<Waiting | null> {
  let seen: { waiting: Waiting | null; atMs: number } | undefined
  let underWay: Promise<void> | undefined
  const refresh = async () => {
    const waiting = await read().catch(() => null)
    seen = { waiting, atMs: monotonicMs() }
    underWay = undefined
  }
  const isFresh = () => seen !== undefined && monotonicMs() - seen.atMs < LOOK_EVERY_MS
  return async () => {
    if (!isFresh()) {
      underWay ??= refresh()
      await orLater(underWay)
    }
    return isFresh() ? (seen?.waiting ?? null) : null
  }
}

async function orLater(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LOOK_WITHIN_MS)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
