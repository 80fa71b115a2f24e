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

interface State {
  pool: Database['requestPool']
  log: SharedLog<FeedEntry>
  readers: number
  /** Null: there is no reader, or nothing was read yet. */
  end: FeedEnd | null
}

/**
 * Retracts the events after the fork, newest first. Returns the end after them, or null if all readers left meanwhile.
 */
async function takeReorg(state: State, end: FeedEnd, reorg: Reorg): Promise<FeedEnd | null> {
  const { pool, log } = state
  const { id, forkBlock, eventCount } = reorg
  if (forkBlock === null) {
    log.push({ kind: 'reset' })
    return { generation: id, n: 0, place: BEFORE_ALL, final: { number: -1, time: null } }
  }
  const { generation, n } = end
  for (let below = n; ; ) {
    const events = await readRetracted(pool, id, below, CHUNK)
    if (state.end !== end) return null
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

/** Reads what the chain has added, and retracts what it has dropped. */
async function advance(state: State): Promise<void> {
  const { pool, log } = state
  while (state.readers > 0 && state.end) {
    const started: FeedEnd = state.end
    const { generation, final, events } = await readFeed(pool, { above: started.n, below: null }, CHUNK, ALL_EVENTS)
    if (state.end !== started) return
    if (generation !== started.generation) {
      const { reorgs } = await readReorgs(pool, started.generation)
      // All readers may have left meanwhile, and new ones never had the retracted events.
      if (state.end !== started) return
      for (const reorg of reorgs) {
        const after = await takeReorg(state, state.end, reorg)
        if (!after) return
        state.end = after
      }
      continue
    }
    const last = events.at(-1)
    if (!last) return
    state.end = { generation, n: last.n, place: last, final }
    const deliveries = events.map((event) => toDelivery(event, generation, { isShared: true }))
    log.push({ kind: 'append', generation, deliveries, place: last, final })
    if (events.length < CHUNK) return
  }
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
  const state: State = { pool, log, readers: 0, end: null }
  const clear = () => {
    log.clear()
    state.end = null
  }
  const look = lookAtEachMove(head, () => advance(state), outage)
  const position = async (): Promise<FeedPosition> => {
    if (!state.end) {
      const read = await readFeedEnd(pool)
      state.end ??= { ...read, place: read.place ?? BEFORE_ALL }
    }
    return { ...state.end, next: log.next() }
  }
  return {
    join: async () => {
      state.readers += 1
      try {
        return await position()
      } catch (error) {
        state.readers -= 1
        throw error
      }
    },
    leave: () => {
      state.readers -= 1
      if (state.readers === 0) clear()
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
