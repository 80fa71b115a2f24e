// The events that one reader is sent: what it missed, from the ledger, then what happens, from the feed. A reader stands at a
// cursor; a reorganisation first takes back what it was sent above the fork, newest first, then sends what is there instead.
import { invalid } from '../base/errors.ts'
import { createMatch, type EventFilter } from '../base/event-filter.ts'
import { type EventId, formatEventId } from '../base/event-id.ts'
import type { Database } from '../database/client.ts'
import type { HeadWatch } from '../ledger/head.ts'
import { readLoosely } from '../ledger/read/consistent-read.ts'
import { findStart, keptSince } from '../ledger/read/event.ts'
import {
  countRetracted,
  FEED_REACH,
  type FinalBlock,
  findRetraction,
  type Reorg,
  readFeed,
  readFeedEnd,
  readPlace,
  readReorgs,
  readRetracted,
} from '../ledger/read/event-feed.ts'
import { BEFORE_ALL, before, beforeBlock, type Cursor, comparePlaces, earlier, formatCursor } from './cursor.ts'
import { createSelect, toFeedFilter } from './event-filter.ts'
import { type EventDelivery, type Feed, type FeedPosition, toDelivery } from './feed.ts'
import { StreamEnd } from './message.ts'

/** Events that a reader who catches up is sent at once. */
const PAGE = 200

/** Where to begin, if not where the filter does; with neither, with what happens from now on. */
export interface StreamStart {
  after?: Cursor | undefined
  since?: Date | undefined
  /** How its reader calls the beginning of the filter, for what is wrong with it. */
  names?: { from: string; fromBlock: string }
}

/** The later of two; null stands before everything. */
const later = <T>(a: T | null, b: T | null, isLater: (a: T, b: T) => boolean): T | null =>
  a === null || (b !== null && isLater(b, a)) ? b : a

/** Some events, and where the reader stands after them; none: it only went on. */
export interface EventBatch {
  deliveries: readonly EventDelivery[]
  cursor: string
}

export interface EventStreamDeps {
  database: Pick<Database, 'requestPool'>
  head: HeadWatch
  feed: Feed
  /** Runs few reads of the process's streams at a time, so that readers who catch up leave connections for requests. */
  inTurn<T>(read: () => Promise<T>): Promise<T>
}

/** A place on a chain. */
interface Standing {
  place: EventId
  generation: number
}

/** How a stream begins: settled before the first byte, so that a wrong cursor is a plain refusal. */
interface Opening {
  position: FeedPosition
  standing: Standing
  /** Events up to this place were not sent, so none of them is taken back; null: everything before the cursor was sent. */
  from: EventId | null
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
  const { from = null, fromBlock = null, to = null, toBlock = null } = filter
  const hasEnd = to !== null || toBlock !== null
  /** Whether nothing that passes can come any more, or be taken back. */
  const isOver = ({ number, time }: FinalBlock) =>
    (toBlock !== null && number >= toBlock) || (to !== null && time !== null && time > to)

  /** How many events are not after the place. */
  const count = async (total: number, { after, since }: { after: EventId | null; since: Date | null }) => {
    const scope = { tokenId: null, walletId: null, type: null, total, after, since }
    const [n = 0] = total > 0 ? await findStart(readLoosely(pool, head), [scope]) : []
    return n
  }

  /** How many of the oldest events are no longer kept; -1: none, so that every place can be gone on from. */
  const countForgotten = async (total: number) => {
    const since = keptSince(head.current(), null)
    return since ? count(total, { after: null, since }) : -1
  }

  /** How many events are not after the filter's end. */
  const countBefore = async (total: number) =>
    Math.min(
      to ? await count(total, { after: null, since: to }) : total,
      toBlock === null ? total : await count(total, { after: beforeBlock(toBlock + 1), since: null }),
    )

  const open = async (): Promise<Opening> => {
    const position = await feed.join()
    signal.addEventListener('abort', feed.leave, { once: true })
    if (signal.aborted) feed.leave()
    const { after = null } = start
    // `since` is exclusive, `from` is not.
    const since = later(start.since ?? null, from && new Date(from.getTime() - 1), (a, b) => a > b)
    const place = later(
      after?.place ?? null,
      fromBlock === null ? null : beforeBlock(fromBlock),
      (a, b) => comparePlaces(a, b) > 0,
    )
    if (!place && !since) return { position, standing: position, from: position.place }
    const n = await count(position.n, { after: place, since })
    if (after && n <= (await countForgotten(position.n)))
      throw refuseStart('events after it are no longer kept', start, filter)
    const above = position.n - n
    // What comes after the end of the filter is not gone through.
    const wanted = hasEnd && above > FEED_REACH ? (await countBefore(position.n)) - n : above
    if (wanted > FEED_REACH) throw refuseStart(`${wanted} events have come since then`, start, filter)
    const found = await readPlace(pool, n)
    const isLater = place !== after?.place || since !== null
    if (!after || (isLater && n > (await count(position.n, { after: after.place, since: null })))) {
      return { position, standing: { ...position, place: found ?? BEFORE_ALL }, from: found ?? BEFORE_ALL }
    }
    const newest = await readFeedEnd(pool)
    const generation = after.generation ?? (await guess(after.place, found, newest.generation))
    const { oldest } = await readReorgs(pool, generation)
    if (generation > newest.generation) throw refuseStart('it is not of this server', start, filter)
    if (generation < newest.generation && oldest > generation + 1) {
      throw refuseStart('too many reorganisations have passed since then', start, filter)
    }
    return { position, standing: { place: after.place, generation }, from: null }
  }

  /** The chain of an event's bare `id`: today's if it has that event, else the one that was given up with it. */
  const guess = async (place: EventId, found: EventId | null, newest: number): Promise<number> => {
    if (found && comparePlaces(found, place) === 0) return newest
    const retraction = await findRetraction(pool, place)
    return retraction === null ? newest : retraction - 1
  }

  const { position, standing: begun, from: began } = await open()

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

const NAMES = { from: 'filter.from', fromBlock: 'filter.fromBlock' }

function refuseStart(why: string, { after, since, names = NAMES }: StreamStart, { from }: EventFilter) {
  const field = after ? 'after' : since ? 'since' : from ? names.from : names.fromBlock
  const place = after ? ` ${formatEventId({ ...after.place, part: Math.max(after.place.part, 0) })}` : ''
  const message = `${field}${place} is no place to go on from: ${why}. Read GET /v1/events up to its newest event, and go on after that one`
  return invalid([{ location: 'query', field, message }])
}
