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

/** Null: the text is no identifier. One that no event has is read too: it still says where to go on. */
export function parseEventId(text: string): EventId | null {
  const match = EVENT_ID.exec(text)
  return match && { blockNumber: Number(match[1]), logIndex: Number(match[2]), part: Number(match[3]) }
}
