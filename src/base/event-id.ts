// The identifier of an event, the same in every API: its block, its log in the block, and its part of that log. A swap
// between two tokens that are no quotes is two events, so a log can have two parts. Events are ordered by the three
// numbers.

/** The place of an event on the chain. */
export interface EventId {
  blockNumber: number
  logIndex: number
  /** From 0. */
  part: number
}

const NUMBER = '(0|[1-9][0-9]{0,9})'
const EVENT_ID = new RegExp(`^${NUMBER}-${NUMBER}-${NUMBER}$`)

/** The identifier in text form, such as `5661-12-0`. */
export const formatEventId = ({ blockNumber, logIndex, part }: EventId): string => `${blockNumber}-${logIndex}-${part}`

/** The largest numbers that fit the database. */
export const MAX_INTEGER = 2 ** 31 - 1
const MAX_PART = 2 ** 15 - 1

/**
 * Null: the text is no identifier, or no event can have it. An identifier without an event is still a place from which
 * to continue.
 */
export function parseEventId(text: string): EventId | null {
  const [, block, log, nth] = EVENT_ID.exec(text) ?? []
  const [blockNumber, logIndex, part] = [Number(block), Number(log), Number(nth)]
  const isPossible = blockNumber <= MAX_INTEGER && logIndex <= MAX_INTEGER && part <= MAX_PART
  return isPossible ? { blockNumber, logIndex, part } : null
}

const compare = (one: EventId, other: EventId): number =>
  one.blockNumber - other.blockNumber || one.logIndex - other.logIndex || one.part - other.part

/** The later of two places; null is none. */
export const laterOf = (one: EventId | null, other: EventId | null): EventId | null =>
  one && other ? (compare(one, other) > 0 ? one : other) : (one ?? other)

/** The earlier of two places; null is none. */
export const earlierOf = (one: EventId | null, other: EventId | null): EventId | null =>
  one && other ? (compare(one, other) < 0 ? one : other) : (one ?? other)
