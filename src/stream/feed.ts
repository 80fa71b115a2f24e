// The only reader of events in a process. When the chain moves it queries the ledger once, whatever the number of
// streams, and keeps the events in a short log. A stream goes through the log at its own pace; one that falls out of it
// was too slow.
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
import { createSharedLog, type SharedLog } from './log.ts'
import { lookAtEachMove } from './look.ts'

/** The most events in the log: a minute of a busy chain, 20 MB. */
const LOG_EVENTS = 20_000
/** The most events in one read. */
const CHUNK = 1_000

/** An event on its way to readers: appended to the chain, or retracted. */
export interface EventDelivery {
  event: FeedEvent
  retracted: boolean
  /** Many readers share this object, so results can be cached on it. */
  isShared: boolean
  /** The place of a reader after this event. */
  cursor: string
}

/** A step of the log. After a fork the chain continues after the place; a reset ends every stream. */
export type FeedEntry =
  | { kind: 'append'; generation: number; deliveries: readonly EventDelivery[]; place: EventId; final: FinalBlock }
  | { kind: 'retract'; generation: number; deliveries: readonly EventDelivery[]; place: EventId }
  | { kind: 'fork'; generation: number; place: EventId }
  | { kind: 'reset' }

/** The place where a stream joins the log. */
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
  /** Joins the log at its end; the feed reads until every reader has left. */
  join(): Promise<FeedPosition>
  leave(): void
  /** The end of the log; after a reset, the end of the new chain. */
  position(): Promise<FeedPosition>
  /** The entry of a number; undefined: not there yet; null: dropped. */
  entry(number: number): FeedEntry | undefined | null
  /** Resolves when there is an entry of this number, or the signal aborts. */
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

type FeedEnd = Omit<FeedPosition, 'next'>

interface Retracting {
  pool: Database['requestPool']
  log: SharedLog<FeedEntry>
  /** Whether all readers left meanwhile. */
  isLeft(): boolean
}

/** Retracts the events after the fork, newest first; returns the end after them, or null if all readers left. */
async function takeReorg({ pool, log, isLeft }: Retracting, end: FeedEnd, reorg: Reorg): Promise<FeedEnd | null> {
  const { id, forkBlock, eventCount } = reorg
  if (forkBlock === null) {
    log.push({ kind: 'reset' })
    return { generation: id, n: 0, place: BEFORE_ALL, final: { number: -1, time: null } }
  }
  const { generation, n } = end
  for (let below = n; ; ) {
    const events = await readRetracted(pool, id, below, CHUNK)
    if (isLeft()) return null
    const last = events.at(-1)
    if (!last) break
    const deliveries = events.map((event) => toDelivery(event, generation, { retracted: true, isShared: true }))
    log.push({ kind: 'retract', generation, deliveries, place: before(last) })
    below = last.n - 1
  }
  const place = earlier(end.place, beforeBlock(forkBlock + 1))
  log.push({ kind: 'fork', generation: id, place })
  return { ...end, generation: id, n: Math.min(n, eventCount), place }
}

/** The feed of a ledger. The outage is told about a failed read, which is tried again. */
export function createFeed(
  database: Pick<Database, 'requestPool'>,
  head: HeadWatch,
  outage: Outage,
  logEvents = LOG_EVENTS,
): Feed {
  const pool = database.requestPool
  const log = createSharedLog<FeedEntry>(logEvents, (entry) => ('deliveries' in entry ? entry.deliveries.length : 1))
  let readers = 0
  let end: FeedEnd | null = null

  const clear = () => {
    log.clear()
    end = null
  }

  const advance = async () => {
    while (readers > 0 && end) {
      const started = end
      const { generation, final, events } = await readFeed(pool, { above: end.n, below: null }, CHUNK, ALL_EVENTS)
      if (end !== started) return
      if (generation !== end.generation) {
        const { reorgs } = await readReorgs(pool, end.generation)
        // All readers may have left meanwhile, and new ones never had the retracted events.
        if (end !== started) return
        for (const reorg of reorgs) {
          const before = end
          const after = await takeReorg({ pool, log, isLeft: () => end !== before }, before, reorg)
          if (!after) return
          end = after
        }
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
