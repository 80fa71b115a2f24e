// The newest block, kept in memory: every answer says which block it reflects, and takes its totals and its "now" from it.
// The indexer notifies on `assay_head`; a slow poll covers what a broken connection missed.
import { type Clock, dayOf } from '../base/clock.ts'
import type { EventType } from '../base/vocabulary.ts'
import type { Database, pg } from '../database/client.ts'
import { HEAD_CHANNEL, listen } from '../database/listen.ts'

/** The newest block of the ledger with its counters. Before the first block: number 0, no hash, nothing counted. */
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
}

export interface HeadWatch {
  /** The newest block that this process has heard of. */
  current(): Head
  /** Grows with every change that was heard of, also when the block stayed the same: answers kept from before are old. */
  version(): number
  /** Reads the newest block now. */
  refresh(): Promise<Head>
  /** Calls after every change; returns how to stop that. */
  onChange(listener: (head: Head) => void): () => void
  stop(): Promise<void>
}

/** Covers a notification that was lost without the connection's end being seen. */
const POLL_MS = 5_000

/** Between two looks for a block that somebody waits for. */
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
}

const NEWEST = `SELECT number, hash, time, event_count AS "eventCount", swap_count AS swap,
    liquidity_add_count AS liquidity_add, liquidity_remove_count AS liquidity_remove, transfer_count AS transfer,
    token_count AS "tokenCount", wallet_count AS "walletCount"
  FROM block ORDER BY number DESC LIMIT 1`

/** The start of the day seven days before the head: what an activity over the past week is measured from. */
export const weekAgo = (head: Head): Date => new Date((dayOf(head.time.getTime() / 1000) - 7) * 86_400_000)

type HeadColumns = Omit<Head, 'countByType'> & Record<EventType, number>

/** The newest block, by the pool or inside a transaction. */
export async function readHead(queryable: pg.Pool | pg.ClientBase): Promise<Head> {
  const { rows } = await queryable.query<HeadColumns>({ name: 'head', text: NEWEST })
  if (!rows[0]) return NO_HEAD
  const { swap, liquidity_add, liquidity_remove, transfer, ...head } = rows[0]
  return { ...head, countByType: { swap, liquidity_add, liquidity_remove, transfer } }
}

/** Looks once a second until the ledger has the block, which another process writes, or the signal comes; the newest block then. */
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

/** Tells the processes that answer requests that the newest block's answers changed. */
export async function notifyHead(pool: pg.Pool): Promise<void> {
  await pool.query(`SELECT pg_notify('${HEAD_CHANNEL}', max(number)::text) FROM block`)
}

/** Watches the newest block until it is stopped; resolves once it was read for the first time. */
export async function createHead(database: Database, clock: Clock): Promise<HeadWatch> {
  const listeners = new Set<(head: Head) => void>()
  const stopping = new AbortController()
  let head = await readHead(database.requestPool)
  let version = 0

  const take = (read: Head, heard: boolean) => {
    const moved = read.number !== head.number || read.hash !== head.hash
    head = read
    if (!moved && !heard) return
    version += 1
    for (const listener of listeners) listener(head)
  }
  // One after another: an older answer that comes late must not replace a newer one.
  let last: Promise<Head> = Promise.resolve(head)
  const refresh = (heard = false) => {
    last = last
      .catch(() => head)
      .then(async () => {
        take(await readHead(database.requestPool), heard)
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
