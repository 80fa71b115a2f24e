// Metrics of the program's limits: refusals with reasons, resources in use, and waiting work. Labels are closed sets.
// Metrics that need a database query are cached, however often they are scraped.
import { Counter, Gauge, type Registry } from 'prom-client'
import { createLook } from './look.ts'

/** How long a backlog reading is reused. */
const LOOK_EVERY_MS = 15_000

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
  failed: number
  tokens: number
  wallets: number
}

/** The limits' part of the registry. */
export function createBounds(registry: Registry) {
  const registers = [registry]
  return {
    /** Refusals by the contract's code, and by a reason if that is more specific. */
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
    /** Reports how many replicas may answer, are behind, and are away. */
    watchReplicas: (count: () => Readonly<Record<string, number>>): void => {
      new Gauge({
        name: 'assay_replicas',
        help: 'Replicas of the database by state: ready to answer, behind, or away.',
        labelNames: ['state'] as const,
        registers,
        collect() {
          for (const [state, replicas] of Object.entries(count())) this.set({ state }, replicas)
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
      watchBacklog(registers, createLook(read, monotonicMs, LOOK_EVERY_MS)),
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
  show('assay_outbox_failed', 'Mails written within a day that were given up or refused.', ({ failed }) => failed)
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
