// What an operator sees of the program's bounds: what was refused and why, what is in use, and what waits. Labels are closed
// sets; what costs a statement is asked for at most every so often, however often somebody scrapes.
import { Counter, Gauge, type Registry } from 'prom-client'

/** A look at the backlog is good for so long. */
const LOOK_EVERY_MS = 15_000
/** A scrape waits so long for it: a database that is away must not take the other metrics along. */
const LOOK_WITHIN_MS = 1_000

/** What a pool of connections tells of itself. */
export interface PoolUse {
  totalCount: number
  idleCount: number
  waitingCount: number
}

/** What waits to be done. */
export interface Waiting {
  mails: number
  oldestMailSeconds: number
  tokens: number
  wallets: number
}

/** The bounds' part of the registry. */
export function createBounds(registry: Registry) {
  const registers = [registry]
  return {
    /** By the code of the contract, and a reason where that tells more. */
    refusals: new Counter({
      name: 'assay_refusals_total',
      help: 'Requests that were refused, by code and by reason.',
      labelNames: ['code', 'reason'] as const,
      registers,
    }),
    /** Shows the use of each pool at every scrape. */
    watchPools: (pools: Readonly<Record<string, PoolUse>>): void => {
      new Gauge({
        name: 'assay_pool_connections',
        help: 'Connections to the database by pool: all that are open, those that nobody uses, and who waits for one.',
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
    /** Shows whether limits are counted in Redis. */
    watchRedis: (isAsked: () => boolean): void => {
      new Gauge({
        name: 'assay_redis_breaker_open',
        help: '1 while Redis does not answer and this process counts requests by itself.',
        registers,
        collect() {
          this.set(isAsked() ? 0 : 1)
        },
      })
    },
    /** Shows what waits, as of at most 15 s ago; not a number while that can't be known. */
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
  show('assay_outbox_mails', 'Mails that wait to be sent; counted up to 100,000.', ({ mails }) => mails)
  show(
    'assay_outbox_age_seconds',
    'Age of the oldest mail that waits to be sent.',
    (waiting) => waiting.oldestMailSeconds,
  )
  new Gauge({
    name: 'assay_rescore_due',
    help: 'Tokens and wallets whose scores are due; each counted up to 100,000.',
    labelNames: ['kind'] as const,
    registers,
    async collect() {
      const waiting = await look()
      this.set({ kind: 'token' }, waiting?.tokens ?? Number.NaN)
      this.set({ kind: 'wallet' }, waiting?.wallets ?? Number.NaN)
    },
  })
}

/** The newest look, a new one where that is old; null: there is none in time. One is under way at most. */
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
