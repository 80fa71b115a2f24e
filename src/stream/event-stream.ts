// The events that one reader is sent: what it missed, from the ledger, then what happens, from the feed. A reader stands at a
// cursor; a reorganisation first takes back what it was sent above the fork, newest first, then sends what is there instead.
import { createMatch, type EventFilter } from '../base/event-filter.ts'
import type { EventId } from '../base/event-id.ts'
import {
  countRetracted,
  type FinalBlock,
  type Reorg,
  readFeed,
  readReorgs,
  readRetracted,
} from '../ledger/read/event-feed.ts'
import { BEFORE_ALL, before, beforeBlock, comparePlaces, earlier, formatCursor } from './cursor.ts'
import { createSelect, toFeedFilter } from './event-filter.ts'
import { createCounts, type EventPlaces, type Standing, type StreamStart, settleStart } from './event-start.ts'
import { type EventDelivery, type Feed, type FeedPosition, toDelivery } from './feed.ts'
import { StreamEnd } from './message.ts'

/** Events that a reader who catches up is sent at once. */
const PAGE = 200

/** Some events, and where the reader stands after them; none: it only went on. */
export interface EventBatch {
  deliveries: readonly EventDelivery[]
  cursor: string
}

export interface EventStreamDeps extends EventPlaces {
  feed: Feed
  /** Runs few reads of the process's streams at a time, so that readers who catch up leave connections for requests. */
  inTurn<T>(read: () => Promise<T>): Promise<T>
}

/**
 * Opens a reader's events, until the signal is aborted. Throws INVALID_PARAMS where it cannot go on after its cursor without a loss. The generator
 * ends with the signal, and throws a `StreamEnd` when the reader is too slow or the index is made anew.
 */
export async function openEvents(
  { database, head, feed, inTurn }: EventStreamDeps,
  filter: EventFilter,
  start: StreamStart,
  signal: AbortSignal,
): Promise<{ cursor: string; batches: AsyncGenerator<EventBatch, void, void> }> {
  const pool = database.requestPool
  const isWanted = createMatch(filter)
  const select = createSelect(filter)
  const feedFilter = toFeedFilter(filter)
  const { count, countBefore } = createCounts({ database, head }, filter)
  const { to = null, toBlock = null } = filter
  const hasEnd = to !== null || toBlock !== null
  /** Whether nothing that passes can come any more, or be taken back. */
  const isOver = ({ number, time }: FinalBlock) =>
    (toBlock !== null && number >= toBlock) || (to !== null && time !== null && time > to)

  const position = await feed.join()
  signal.addEventListener('abort', feed.leave, { once: true })
  if (signal.aborted) feed.leave()
  const { standing: begun, from: began } = await settleStart({ database, head }, filter, start, position)

  async function* follow(): AsyncGenerator<EventBatch, void, void> {
    let at: Standing = begun
    let from = began
    const isNew = ({ event, retracted }: EventDelivery) =>
      comparePlaces(event, retracted ? (from ?? BEFORE_ALL) : at.place) > 0
    const isSent = (delivery: EventDelivery) => isWanted(delivery.event) && isNew(delivery)
    /** Mostly all that passes the filter is new, and the list that other readers have too. */
    const choose = (deliveries: readonly EventDelivery[]) => {
      const chosen = select(deliveries)
      return chosen.every(isNew) ? chosen : chosen.filter(isNew)
    }
    const batch = (deliveries: readonly EventDelivery[]): EventBatch => ({ deliveries, cursor: formatCursor(at) })
    const fork = (generation: number, place: EventId) => {
      at = { generation, place: earlier(at.place, place) }
      if (from) from = earlier(from, place)
    }

    /** What a reorganisation took back of what the reader was sent before it came back. */
    async function* takeBack({ id, forkBlock }: Reorg): AsyncGenerator<EventBatch, void, void> {
      if (forkBlock === null) {
        at = { ...at, generation: id }
        return
      }
      for (let below = await countRetracted(pool, id, at.place); !signal.aborted; ) {
        const events = await inTurn(async () => (signal.aborted ? [] : readRetracted(pool, id, below, PAGE)))
        const last = events.at(-1)
        if (!last) break
        at = { ...at, place: before(last) }
        yield batch(events.map((event) => toDelivery(event, at.generation, { retracted: true })).filter(isSent))
        below = last.n - 1
      }
      fork(id, beforeBlock(forkBlock + 1))
    }

    /** From where the reader stands to where the feed ended when it joined; false: the chain was reorganised meanwhile. */
    async function* catchUp({ n, generation, place }: FeedPosition): AsyncGenerator<EventBatch, boolean, void> {
      if (at.generation < generation) {
        for (const reorg of (await readReorgs(pool, at.generation)).reorgs) {
          if (reorg.id <= generation) yield* takeBack(reorg)
        }
      }
      let above = await count(n, { after: at.place, since: null })
      const below = hasEnd ? await countBefore(n) : n
      while (above < below && !signal.aborted) {
        const page = await inTurn(async () =>
          signal.aborted ? null : readFeed(pool, { above, below }, PAGE, feedFilter),
        )
        if (!page) return true
        if (page.generation !== generation) return false
        const last = page.events.length === PAGE ? page.events.at(-1) : undefined
        const deliveries = page.events.map((event) => toDelivery(event, generation, {}))
        at = { generation, place: last ?? place }
        yield batch(deliveries)
        above = last?.n ?? below
      }
      return true
    }

    /** Waits where another process was ahead of this one's feed: what it sent must be known here before it is taken back. */
    const reach = async (goal: FeedPosition): Promise<FeedPosition> => {
      let reached = goal
      const isBehind = ({ generation, place }: FeedPosition) =>
        generation < at.generation || (generation === at.generation && comparePlaces(place, at.place) < 0)
      while (!signal.aborted && isBehind(reached)) {
        await feed.untilEntry(reached.next, signal)
        reached = await feed.position()
      }
      return reached
    }

    let goal = await reach(position)
    while (!signal.aborted && !((yield* catchUp(goal)) && feed.entry(goal.next) !== null)) {
      goal = await reach(await feed.position())
    }
    if (isOver(goal.final)) throw new StreamEnd('done')
    for (let next = goal.next; !signal.aborted; next += 1) {
      await feed.untilEntry(next, signal)
      if (signal.aborted) return
      const entry = feed.entry(next)
      if (!entry) throw new StreamEnd('slow')
      if (entry.kind === 'reset') throw new StreamEnd('reset')
      const wanted = 'deliveries' in entry ? choose(entry.deliveries) : []
      if (entry.kind === 'fork') fork(entry.generation, entry.place)
      else at = { generation: entry.generation, place: entry.place }
      yield batch(wanted)
      if (hasEnd && entry.kind === 'append' && isOver(entry.final)) throw new StreamEnd('done')
    }
  }
  return { cursor: formatCursor(begun), batches: follow() }
}
