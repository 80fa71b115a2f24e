// Finds where a reader of events begins, or continues, before the first byte, so that a wrong cursor is a plain
// refusal. A reader can only continue if its missed events are still kept, and are not too many.
import { invalid } from '../base/errors.ts'
import type { EventFilter } from '../base/event-filter.ts'
import { type EventId, formatEventId } from '../base/event-id.ts'
import type { Database } from '../database/client.ts'
import { type HeadWatch, readHead } from '../ledger/head.ts'
import { readLoosely } from '../ledger/read/consistent-read.ts'
import { findStart, keptSince } from '../ledger/read/event.ts'
import { FEED_REACH, findRetraction, readFeedEnd, readPlace, readReorgs } from '../ledger/read/event-feed.ts'
import { BEFORE_ALL, beforeBlock, type Cursor, comparePlaces } from './cursor.ts'
import type { FeedPosition } from './feed.ts'

/** The place to begin, if not that of the filter; without either, the present. */
export interface StreamStart {
  after?: Cursor | undefined
  since?: Date | undefined
}

/** The later of two; null comes before everything. */
const later = <T>(a: T | null, b: T | null, isLater: (a: T, b: T) => boolean): T | null =>
  a === null || (b !== null && isLater(b, a)) ? b : a

/** A place on a chain. */
export interface Standing {
  place: EventId
  generation: number
}

/** How a stream begins. */
export interface Opening {
  standing: Standing
  /**
   * Events up to this place were not sent, so none of them is retracted; null: everything before the cursor was sent.
   */
  from: EventId | null
}

/** The store of events, and the newest block. */
export interface EventPlaces {
  database: Pick<Database, 'requestPool' | 'history'>
  head: HeadWatch
}

/** How many of the first `total` events are not after a place, or not after the end of a filter. */
export function createCounts({ database, head }: EventPlaces, { to, toBlock }: EventFilter) {
  const count = async (total: number, { after, since }: { after: EventId | null; since: Date | null }) => {
    const scope = { tokenId: null, walletId: null, type: null, total, after, since }
    const [n = 0] = total > 0 ? await findStart(readLoosely(database, head), [scope]) : []
    return n
  }
  const countBefore = async (total: number) =>
    Math.min(
      to ? await count(total, { after: null, since: to }) : total,
      toBlock === undefined ? total : await count(total, { after: beforeBlock(toBlock + 1), since: null }),
    )
  /** How many of the oldest events are no longer kept; -1: none, so a reader can continue from every place. */
  const countForgotten = async (total: number) => {
    const since = keptSince(head.current(), null)
    return since ? count(total, { after: null, since }) : -1
  }
  return { count, countBefore, countForgotten }
}

/**
 * Finds where the reader begins, at a position of the feed. Throws INVALID_PARAMS if it cannot continue without a loss.
 */
export async function settleStart(
  places: EventPlaces,
  filter: EventFilter,
  start: StreamStart,
  position: FeedPosition,
): Promise<Opening> {
  const pool = places.database.requestPool
  const { from = null, fromBlock = null, to = null, toBlock = null } = filter
  const hasEnd = to !== null || toBlock !== null
  const { count, countBefore, countForgotten } = createCounts(places, filter)
  const { after = null } = start
  // `since` is exclusive, `from` is not.
  const since = later(start.since ?? null, from && new Date(from.getTime() - 1), (a, b) => a > b)
  const place = later(
    after?.place ?? null,
    fromBlock === null ? null : beforeBlock(fromBlock),
    (a, b) => comparePlaces(a, b) > 0,
  )
  if (!place && !since) return { standing: position, from: position.place }
  const n = await count(position.n, { after: place, since })
  if (after && n <= (await countForgotten(position.n)))
    throw refuseStart('events after it are no longer kept', start, filter)
  const above = position.n - n
  // Events after the end of the filter are not read.
  const wanted = hasEnd && above > FEED_REACH ? (await countBefore(position.n)) - n : above
  if (wanted > FEED_REACH) throw refuseStart(`${wanted} events have come since then`, start, filter)
  const found = await readPlace(places.database, n)
  const isLater = place !== after?.place || since !== null
  if (!after || (isLater && n > (await count(position.n, { after: after.place, since: null })))) {
    return { standing: { ...position, place: found ?? BEFORE_ALL }, from: found ?? BEFORE_ALL }
  }
  const newest = await readFeedEnd(pool)
  const generation = after.generation ?? (await guessGeneration(pool, after.place, found, newest.generation))
  const { oldest } = await readReorgs(pool, generation)
  if (generation > newest.generation) throw refuseStart('it is not of this server', start, filter)
  // A retracted place may lie beyond the newest block; any other may not.
  if (generation === newest.generation && after.place.blockNumber > (await readHead(pool)).number)
    throw refuseStart('it is beyond the newest block', start, filter)
  if (generation < newest.generation && oldest > generation + 1) {
    throw refuseStart('too many reorganisations have passed since then', start, filter)
  }
  return { standing: { place: after.place, generation }, from: null }
}

/** The chain of an event's bare `id`: today's if it has that event, else the retracted one. */
async function guessGeneration(
  pool: Database['requestPool'],
  place: EventId,
  found: EventId | null,
  newest: number,
): Promise<number> {
  if (found && comparePlaces(found, place) === 0) return newest
  const retraction = await findRetraction(pool, place)
  return retraction === null ? newest : retraction - 1
}

function refuseStart(why: string, { after, since }: StreamStart, { from }: EventFilter) {
  const field = after ? 'after' : since ? 'since' : from ? 'filter.from' : 'filter.fromBlock'
  const place = after ? ` ${formatEventId({ ...after.place, part: Math.max(after.place.part, 0) })}` : ''
  const message = `${field}${place} is no place to continue from: ${why}. Read GET /v1/events up to its newest event, and continue after that one`
  return invalid([{ location: 'argument', field, message }])
}
