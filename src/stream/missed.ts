// The events that a reader missed, from the ledger: first the retractions of events that it was sent, then the new
// events. It ends at the feed's place when the reader joined.
import { createMatch, type EventFilter } from '../base/event-filter.ts'
import type { EventId } from '../base/event-id.ts'
import { countRetracted, type Reorg, readReorgs, readRetracted, readWholeFeed } from '../ledger/read/event-feed.ts'
import { BEFORE_ALL, before, beforeBlock, comparePlaces, earlier, formatCursor } from './cursor.ts'
import { toFeedFilter } from './event-filter.ts'
import { createCounts, type EventPlaces, type Opening, type Standing } from './event-start.ts'
import { type EventDelivery, type FeedPosition, toDelivery } from './feed.ts'

/** The most events sent at once to a reader that catches up. */
const PAGE = 200

/** Some events, and the reader's place after them; without events, only the place. */
export interface EventBatch {
  deliveries: readonly EventDelivery[]
  cursor: string
}

/** A reader, whose place moves as it gets events. */
export interface EventReader {
  at: Standing
  /** As in `Opening`. */
  from: Opening['from']
}

/** Whether the reader was not sent it yet, or was sent an event that is retracted now. */
export const isNewTo = ({ at, from }: EventReader, { event, retracted }: EventDelivery): boolean =>
  comparePlaces(event, retracted ? (from ?? BEFORE_ALL) : at.place) > 0

/** The events, and the reader's place. */
export const toEventBatch = ({ at }: EventReader, deliveries: readonly EventDelivery[]): EventBatch => ({
  deliveries,
  cursor: formatCursor(at),
})

/** The reader continues from a place on the chain of a newer generation. */
export function fork(reader: EventReader, generation: number, place: EventId): void {
  reader.at = { generation, place: earlier(reader.at.place, place) }
  if (reader.from) reader.from = earlier(reader.from, place)
}

export interface MissedDeps extends EventPlaces {
  /** Runs few reads of the process's streams at a time, so that catching up leaves connections for requests. */
  inTurn<T>(read: () => Promise<T>): Promise<T>
}

/** The missed events up to a position of the feed; false: the chain was reorganised meanwhile. */
export function createMissed(places: MissedDeps, filter: EventFilter, reader: EventReader, signal: AbortSignal) {
  const { inTurn } = places
  const pool = places.database.requestPool
  const isWanted = createMatch(filter)
  const feedFilter = toFeedFilter(filter)
  const { count, countBefore } = createCounts(places, filter)
  const hasEnd = filter.to !== undefined || filter.toBlock !== undefined
  const isSent = (delivery: EventDelivery) => isWanted(delivery.event) && isNewTo(reader, delivery)

  /** The retractions of events that the reader was sent before it came back. */
  async function* takeBack({ id, forkBlock }: Reorg): AsyncGenerator<EventBatch, void, void> {
    if (forkBlock === null) {
      reader.at = { ...reader.at, generation: id }
      return
    }
    for (let below = await countRetracted(pool, id, reader.at.place); !signal.aborted; ) {
      const events = await inTurn(async () => (signal.aborted ? [] : readRetracted(pool, id, below, PAGE)))
      const last = events.at(-1)
      if (!last) break
      reader.at = { ...reader.at, place: before(last) }
      yield toEventBatch(
        reader,
        events.map((event) => toDelivery(event, reader.at.generation, { retracted: true })).filter(isSent),
      )
      below = last.n - 1
    }
    fork(reader, id, beforeBlock(forkBlock + 1))
  }

  /** From the reader's place to the end of the feed when it joined; false: the chain was reorganised meanwhile. */
  async function* catchUp({ n, generation, place }: FeedPosition): AsyncGenerator<EventBatch, boolean, void> {
    if (reader.at.generation < generation) {
      for (const reorg of (await readReorgs(pool, reader.at.generation)).reorgs) {
        if (reorg.id <= generation) yield* takeBack(reorg)
      }
    }
    let above = await count(n, { after: reader.at.place, since: null })
    const below = hasEnd ? await countBefore(n) : n
    while (above < below && !signal.aborted) {
      const page = await inTurn(async () =>
        signal.aborted ? null : readWholeFeed(places.database, { above, below }, PAGE, feedFilter),
      )
      if (!page) return true
      if (page.generation !== generation) return false
      const last = page.events.length === PAGE ? page.events.at(-1) : undefined
      const deliveries = page.events.map((event) => toDelivery(event, generation, {}))
      reader.at = { generation, place: last ?? place }
      yield toEventBatch(reader, deliveries)
      above = last?.n ?? below
    }
    return true
  }
  return catchUp
}
