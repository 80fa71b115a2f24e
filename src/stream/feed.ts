// The one reader of events in a process: when the chain moves it asks the ledger once, whatever the number of streams, and
// keeps what it read in a short log. A stream goes through the log at its own pace; one that falls out of it was too slow.
import type { EventId } from '../base/event-id.ts'
import type { Database } from '../database/client.ts'
import type { HeadWatch } from '../ledger/head.ts'
import {
  ALL_EVENTS,
  type FeedEvent,
  type FinalBlock,
  type Reorg,
  readFeed,
  readFeedEnd,
  readReorgs,
  readRetracted,
} from '../ledger/read/event-feed.ts'
import type { Outage } from '../telemetry/outage.ts'
import { BEFORE_ALL, before, beforeBlock, earlier, formatCursor } from './cursor.ts'
import { createSharedLog } from './log.ts'
import { lookAtEachMove } from './look.ts'

/** Events in the log at most: a minute of a busy chain, 20 MB. */
const LOG_EVENTS = 20_000
/** Events that are read at once. */
const CHUNK = 1_000

/** An event on its way to readers: appended to the chain, or taken back. */
export interface EventDelivery {
  event: FeedEvent
  retracted: boolean
  /** Many readers are sent this very object, so what is made of it is worth keeping. */
  isShared: boolean
  /** Where a reader stands who was sent this. */
  cursor: string
}

/** A step of the log. After a fork the chain goes on after the place; a reset ends every stream. */
export type FeedEntry =
  | { kind: 'append'; generation: number; deliveries: readonly EventDelivery[]; place: EventId; final: FinalBlock }
  | { kind: 'retract'; generation: number; deliveries: readonly EventDelivery[]; place: EventId }
  | { kind: 'fork'; generation: number; place: EventId }
  | { kind: 'reset' }

/** Where a stream joins the log. */
export interface FeedPosition {
  /** The number of the next entry. */
  next: number
  generation: number
  /** Running number of the newest event before it. */
  n: number
  place: EventId
  final: FinalBlock
}

export interface Feed {
  /** Joins the log at its end; the feed reads on until everybody has left. */
  join(): Promise<FeedPosition>
  leave(): void
  /** Where the log ends; after a reset, where the new chain ends. */
  position(): Promise<FeedPosition>
  /** The entry of a number; undefined: it is not there yet; null: no longer. */
  entry(number: number): FeedEntry | undefined | null
  /** Resolves when there is an entry of this number, or the signal comes. */
  untilEntry(number: number, signal: AbortSignal): Promise<void>
  stop(): void
}

export const toDelivery = (
  event: FeedEvent,
  generation: number,
  { retracted = false, isShared = false },
): EventDelivery => ({
  event,
  retracted,
  isShared,
  cursor: formatCursor({ generation, place: retracted ? before(event) : event }),
})

/** The feed of a ledger; the outage is told when the ledger could not be read, which is tried again. */
export function createFeed(
  database: Pick<Database, 'requestPool'>,
  head: HeadWatch,
  outage: Outage,
  logEvents = LOG_EVENTS,
): Feed {
  const pool = database.requestPool
  const log = createSharedLog<FeedEntry>(logEvents, (entry) => ('deliveries' in entry ? entry.deliveries.length : 1))
  let readers = 0
  let end: Omit<FeedPosition, 'next'> | null = null

  const clear = () => {
    log.clear()
    end = null
  }

  /** Returns false if everybody left meanwhile. */
  const takeReorg = async ({ id, forkBlock, eventCount }: Reorg): Promise<boolean> => {
    const started = end
    if (!started) return false
    if (forkBlock === null) {
      log.push({ kind: 'reset' })
      end = { generation: id, n: 0, place: BEFORE_ALL, final: { number: -1, time: null } }
      return true
    }
    const { generation, n } = started
    for (let below = n; ; ) {
      const events = await readRetracted(pool, id, below, CHUNK)
      if (end !== started) return false
      const last = events.at(-1)
      if (!last) break
      const deliveries = events.map((event) => toDelivery(event, generation, { retracted: true, isShared: true }))
      log.push({ kind: 'retract', generation, deliveries, place: before(last) })
      below = last.n - 1
    }
    const place = earlier(started.place, beforeBlock(forkBlock + 1))
    end = { ...started, generation: id, n: Math.min(n, eventCount), place }
    log.push({ kind: 'fork', generation: id, place })
    return true
  }

  const advance = async () => {
    while (readers > 0 && end) {
      const started = end
      const { generation, final, events } = await readFeed(pool, { above: end.n, below: null }, CHUNK, ALL_EVENTS)
      if (end !== started) return
      if (generation !== end.generation) {
        const { reorgs } = await readReorgs(pool, end.generation)
        // Everybody may have left meanwhile, and others come who never had what these took back.
        if (end !== started) return
        for (const reorg of reorgs) if (!(await takeReorg(reorg))) return
        continue
      }
      const last = events.at(-1)
      if (!last) return
      end = { generation, n: last.n, place: last, final }
      const deliveries = events.map((event) => toDelivery(event, generation, { isShared: true }))
      log.push({ kind: 'append', generation, deliveries, place: last, final })
      if (events.length < CHUNK) return
    }
  }

  const look = lookAtEachMove(head, advance, outage)

  const position = async (): Promise<FeedPosition> => {
    if (!end) {
      const read = await readFeedEnd(pool)
      end ??= { ...read, place: read.place ?? BEFORE_ALL }
    }
    return { ...end, next: log.next() }
  }
  return {
    join: async () => {
      readers += 1
      try {
        return await position()
      } catch (error) {
        readers -= 1
        throw error
      }
    },
    leave: () => {
      readers -= 1
      if (readers === 0) clear()
    },
    position,
    entry: log.entry,
    untilEntry: log.until,
    stop: () => {
      look.stop()
      clear()
    },
  }
}
