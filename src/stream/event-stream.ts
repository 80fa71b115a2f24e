// The events of one reader: first the missed ones, from the ledger, then the new ones, from the feed. A reader has a
// cursor. A reorganisation first retracts the reader's events above the fork, newest first, then sends those of the new
// chain.
import type { EventFilter } from '../base/event-filter.ts'
import type { FinalBlock } from '../ledger/read/event-feed.ts'
import { comparePlaces, formatCursor } from './cursor.ts'
import { createSelect } from './event-filter.ts'
import { type StreamStart, settleStart } from './event-start.ts'
import type { EventDelivery, Feed, FeedPosition } from './feed.ts'
import { StreamEnd } from './message.ts'
import {
  createMissed,
  type EventBatch,
  type EventReader,
  fork,
  isNewTo,
  type MissedDeps,
  toEventBatch,
} from './missed.ts'

export interface EventStreamDeps extends MissedDeps {
  feed: Feed
}

export interface OpenedEvents {
  /** The place where the reader begins. */
  cursor: string
  /** Ends with the signal. Throws a `StreamEnd` at the end of the filter, for a slow reader and for a rebuilt index. */
  batches: AsyncGenerator<EventBatch, void, void>
  /** Whether every block of the filter is final, and the reader has everything. */
  isFinished: boolean
}

/**
 * Opens a reader's events, until the signal is aborted. Throws INVALID_PARAMS if it cannot continue after its cursor
 * without a loss.
 */
export async function openEvents(
  { database, head, feed, inTurn }: EventStreamDeps,
  filter: EventFilter,
  start: StreamStart,
  signal: AbortSignal,
): Promise<OpenedEvents> {
  const select = createSelect(filter)
  const { to = null, toBlock = null } = filter
  const hasEnd = to !== null || toBlock !== null
  /** Whether no matching event can come any more, or be retracted. */
  const isOver = ({ number, time }: FinalBlock) =>
    (toBlock !== null && number >= toBlock) || (to !== null && time !== null && time > to)

  const position = await feed.join()
  signal.addEventListener('abort', feed.leave, { once: true })
  if (signal.aborted) feed.leave()
  const { standing: begun, from: began } = await settleStart({ database, head }, filter, start, position)

  async function* follow(): AsyncGenerator<EventBatch, void, void> {
    const reader: EventReader = { at: begun, from: began }
    const catchUp = createMissed({ database, head, inTurn }, filter, reader, signal)
    /** Waits if another process was ahead of this one's feed: an event must be known here before it is retracted. */
    const reach = async (goal: FeedPosition): Promise<FeedPosition> => {
      let reached = goal
      const isBehind = ({ generation, place }: FeedPosition) =>
        generation < reader.at.generation ||
        (generation === reader.at.generation && comparePlaces(place, reader.at.place) < 0)
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
      const wanted = 'deliveries' in entry ? keepNew(reader, select(entry.deliveries)) : []
      if (entry.kind === 'fork') fork(reader, entry.generation, entry.place)
      else reader.at = { generation: entry.generation, place: entry.place }
      yield toEventBatch(reader, wanted)
      if (hasEnd && entry.kind === 'append' && isOver(entry.final)) throw new StreamEnd('done')
    }
  }
  const cursor = formatCursor(begun)
  const rest = isOver(position.final) ? await skipEmpty(follow()) : follow()
  return { cursor, batches: rest ?? endAtOnce(), isFinished: rest === null }
}

/** The batches from the first one with events on; null: there is none. Only for a filter whose end is final. */
async function skipEmpty(batches: OpenedEvents['batches']): Promise<OpenedEvents['batches'] | null> {
  for (;;) {
    const next = await batches.next().catch((error: unknown) => {
      if (error instanceof StreamEnd && error.reason === 'done') return null
      throw error
    })
    if (next === null) return null
    if (next.done) return batches
    if (next.value.deliveries.length > 0) return putBefore(next.value, batches)
  }
}

async function* putBefore(first: EventBatch, others: OpenedEvents['batches']): OpenedEvents['batches'] {
  yield first
  yield* others
}

// biome-ignore lint/correctness/useYield: a stream without events
async function* endAtOnce(): OpenedEvents['batches'] {
  throw new StreamEnd('done')
}

/** Usually all matching events are new, so the list is the one that other readers have too. */
function keepNew(reader: EventReader, chosen: readonly EventDelivery[]): readonly EventDelivery[] {
  const isNew = (delivery: EventDelivery) => isNewTo(reader, delivery)
  return chosen.every(isNew) ? chosen : chosen.filter(isNew)
}
