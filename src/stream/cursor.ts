// Pure. The place of a reader of events: the last event sent, and the chain it was on. As text it is the event's `id`,
// a dot and the number of reorganisations sent so far, such as `5661-12-0.3`. An `r` at the end means the place before
// that event.
import { type EventId, formatEventId, parseEventId } from '../base/event-id.ts'

/** Everything up to the place was sent. */
export interface Cursor {
  place: EventId
  /** The number of reorganisations sent so far; null if unknown, as for the bare `id` of an event. */
  generation: number | null
}

/** Before the first event of a chain. */
export const BEFORE_ALL: EventId = { blockNumber: 0, logIndex: 0, part: -1 }

/** The place before the first event of a block. */
export const beforeBlock = (blockNumber: number): EventId => ({ blockNumber, logIndex: 0, part: -1 })

/** The place before an event. */
export const before = (place: EventId): EventId => ({ ...place, part: place.part - 1 })

/** Negative when the first is earlier on the chain, 0 when they are the same. */
export const comparePlaces = (a: EventId, b: EventId): number =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex || a.part - b.part

/** The earlier of two places. */
export const earlier = (a: EventId, b: EventId): EventId => (comparePlaces(a, b) < 0 ? a : b)

const CURSOR = /^([0-9-]{1,40})(?:\.(0|[1-9][0-9]{0,8})(r?))?$/

export const formatCursor = ({ place, generation }: { place: EventId; generation: number }): string =>
  place.part < 0
    ? `${formatEventId({ ...place, part: 0 })}.${generation}r`
    : `${formatEventId({ blockNumber: place.blockNumber, logIndex: place.logIndex, part: place.part })}.${generation}`

/** Null: the text is no cursor, and no `id` of an event. */
export function parseCursor(text: string): Cursor | null {
  const [, id = '', generation, isBefore] = CURSOR.exec(text) ?? []
  const place = parseEventId(id)
  if (!place) return null
  return { place: isBefore ? before(place) : place, generation: generation === undefined ? null : Number(generation) }
}
