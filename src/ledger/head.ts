// The newest block, in memory. Every answer names its block, and takes totals and "now" from it. The indexer notifies
// on `assay_head`; a slow poll finds blocks whose notification a broken connection lost.
import { type Clock, dayOf } from '../base/clock.ts'
import { NO_UNITS, type UnitPrices } from '../base/present.ts'
import type { EventType } from '../base/vocabulary.ts'
import type { Database, pg } from '../database/client.ts'
import { HEAD_CHANNEL, listen } from '../database/listen.ts'

/** The newest block of the ledger with its counters. Before the first block: number 0, an empty hash, and counters of 0. */
export interface Head {
  number: number
  hash: string
  time: Date
  eventCount: number
  /** Events of each type. */
  countByType: Record<EventType, number>
  /** Indexed tokens and wallets. */
  tokenCount: number
  walletCount: number
  /** The prices of the units: the native coin and the hubs. */
  units: UnitPrices
  /** Events before this time were deleted to save room, and no answer shows them; none: all are kept. */
  eventsSince?: Date | null
  /** The running number up to which events are in the history; none: the database has all. */
  historyN?: number | null
  /** How often answers changed although the newest block stayed the same. */
  notices?: number
}

export interface HeadWatch {
  /** The newest block that this process knows. */
  current(): Head
  /** Grows with every notification, even if the block stayed the same; an answer cached under a smaller version is outdated. */
  version(): number
  /** Reads the newest block now. */
  refresh(): Promise<Head>
  /** Calls the listener after every change. The returned function unsubscribes. */
  onChange(listener: (head: Head) => void): () => void
  stop(): Promise<void>
}

/** Time between two polls, which find a block whose notification was lost without an error on the connection. */
const POLL_MS = 5_000

/** Time between two reads in `untilIndexed`. */
const WAIT_MS = 1_000

/** The head of a ledger without blocks. */
export const NO_HEAD: Head = {
  number: 0,
  hash: '',
  time: new Date(0),
  eventCount: 0,
  countByType: { swap: 0, liquidity_add: 0, liquidity_remove: 0, transfer: 0 },
  tokenCount: 0,
  walletCount: 0,
  units: NO_UNITS,
}

const NEWEST = `SELECT number, hash, time, event_count AS "eventCount", swap_count AS swap,
    liquidity_add_count AS liquidity_add, liquidity_remove_count AS liquidity_remove, transfer_count AS transfer,
    token_count AS "tokenCount", wallet_count AS "walletCount",
    unit_ids, unit_usd, (SELECT events_since FROM chain) AS "eventsSince",
    (SELECT max(last_n) FROM history_segment) AS "historyN",
    (SELECT last_value - (NOT is_called)::int FROM head_notice) AS notices
  FROM block ORDER BY number DESC LIMIT 1`

const dayOfBlock = (head: Head): number => dayOf(head.time.getTime() / 1000)

/** The start of the day seven days before the head. Activity over the past week is measured from here. */
export const weekAgo = (head: Head): Date => new Date((dayOfBlock(head) - 7) * 86_400_000)

type HeadColumns = Omit<Head, 'countByType' | 'units'> & Record<EventType, number> & UnitColumns

/** The units and their prices, in the form of the tables. */
export interface UnitColumns {
  unit_ids: number[]
  unit_usd: number[]
}

export const toUnits = ({ unit_ids, unit_usd }: UnitColumns): UnitPrices => ({ ids: unit_ids, usd: unit_usd })

/** Reads the newest block, through the pool or inside a transaction. */
export async function readHead(queryable: pg.Pool | pg.ClientBase): Promise<Head> {
  const { rows } = await queryable.query<HeadColumns>({ name: 'head', text: NEWEST })
  if (!rows[0]) return NO_HEAD
  const { swap, liquidity_add, liquidity_remove, transfer, unit_ids, unit_usd, ...head } = rows[0]
  const countByType = { swap, liquidity_add, liquidity_remove, transfer }
  return { ...head, countByType, units: toUnits({ unit_ids, unit_usd }) }
}

/** Waits until another process has written the block, or until the signal aborts. Returns the newest block at that time. */
export async function untilIndexed(
  { pool }: Database,
  block: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<Head> {
  for (;;) {
    const head = await readHead(pool).catch(() => NO_HEAD)
    if (signal.aborted || (head !== NO_HEAD && head.number >= block)) return head
    await clock.sleep(WAIT_MS, signal)
  }
}

/** Notifies the answering processes that answers changed, although the newest block may be the same. */
export async function notifyHead(pool: pg.Pool): Promise<void> {
  await pool.query(
    `SELECT nextval('head_notice'), pg_notify(chain_channel('${HEAD_CHANNEL}'), max(number)::text) FROM block`,
  )
}

/**
 * Watches the newest block until `stop`. Resolves after the first read. A change is announced once `awaitReaders` has
 * resolved: then replicas have it too.
 */
export async function createHead(
  database: Database,
  clock: Clock,
  awaitReaders: (head: Head) => Promise<void> = async () => {},
): Promise<HeadWatch> {
  const listeners = new Set<(head: Head) => void>()
  const stopping = new AbortController()
  let head = await readHead(database.requestPool)
  await awaitReaders(head)
  let version = 0

  const take = async (read: Head, heard: boolean) => {
    const moved = read.number !== head.number || read.hash !== head.hash || read.notices !== head.notices
    if (moved || heard) await awaitReaders(read)
    head = read
    if (!moved && !heard) return
    version += 1
    for (const listener of listeners) listener(head)
  }
  // Reads run one after another, so that a slow older read cannot replace the result of a newer one.
  let last: Promise<Head> = Promise.resolve(head)
  const refresh = (heard = false) => {
    last = last
      .catch(() => head)
      .then(async () => {
        await take(await readHead(database.requestPool), heard)
        return head
      })
    return last
  }
  const listening = listen(database, [HEAD_CHANNEL], () => void refresh(true).catch(() => {}), clock)
  const polling = poll(clock, stopping.signal, () => refresh())

  return {
    current: () => head,
    version: () => version,
    refresh: () => refresh(),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([listening.close(), polling])
    },
  }
}

async function poll(clock: Clock, signal: AbortSignal, refresh: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(POLL_MS, signal)
    if (!signal.aborted) await refresh().catch(() => {})
  }
}
