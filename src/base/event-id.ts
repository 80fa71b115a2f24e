// What an event is known by, the same in every API: its block, its log in the block, and its part of that log, since a swap
// between two tokens that are no quotes is two events. Events are ordered by the three numbers.

/** The place of an event on the chain. */
export interface EventId {
  blockNumber: number
  logIndex: number
  /** From 0. */
  part: number
}

const NUMBER = '(0|[1-9][0-9]{0,9})'
const EVENT_ID = new RegExp(`^${NUMBER}-${NUMBER}-${NUMBER}$`)

/** As callers see it, such as `5661-12-0`. */
export const formatEventId = ({ blockNumber, logIndex, part }: EventId): string => `${blockNumber}-${logIndex}-${part}`

/** The largest numbers that the database has room for. */
export const MAX_INTEGER = 2 ** 31 - 1
const MAX_PART = 2 ** 15 - 1

/** Null: the text is no identifier, or no event can have it. One that no event has is read too: it still says where to go on. */
export function parseEventId(text: string): EventId | null {
  const [, block, log, nth] = EVENT_ID.exec(text) ?? []
  const [blockNumber, logIndex, part] = [Number(block), Number(log), Number(nth)]
  const isPossible = blockNumber <= MAX_INTEGER && logIndex <= MAX_INTEGER && part <= MAX_PART
  return isPossible ? { blockNumber, logIndex, part } : null
}
