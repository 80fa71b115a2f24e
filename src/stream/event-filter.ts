// Pure. The filter of a stream in the ledger's form, and the selection of its events from the shared log.
import { createMatch, type EventFilter } from '../base/event-filter.ts'
import { EVENT_TYPE_ID } from '../base/vocabulary.ts'
import type { FeedEvent, FeedFilter } from '../ledger/read/event-feed.ts'

/** The filter for the ledger. Times and blocks bound the range that is read; each event is checked again. */
export const toFeedFilter = (filter: EventFilter): FeedFilter => {
  const { types = [], tokens = [], wallets = [], walletClassifications = [], minAmountUsd = 0 } = filter
  return { types: types.map((type) => EVENT_TYPE_ID[type]), tokens, wallets, walletClassifications, minAmountUsd }
}

/** The deliveries of an entry, one per event. */
interface OfEvent {
  event: FeedEvent
}

const NONE: readonly never[] = []
const groups = new WeakMap<readonly OfEvent[], ReadonlyMap<string, readonly OfEvent[]>>()

/**
 * The deliveries of an entry by token: computed once, so that a thousand readers of a token do not each go through them
 * all.
 */
function groupByToken(deliveries: readonly OfEvent[]): ReadonlyMap<string, readonly OfEvent[]> {
  const known = groups.get(deliveries)
  if (known) return known
  const made = new Map<string, OfEvent[]>()
  for (const delivery of deliveries) {
    const { tokenAddress } = delivery.event
    const group = made.get(tokenAddress)
    if (group) group.push(delivery)
    else made.set(tokenAddress, [delivery])
  }
  groups.set(deliveries, made)
  return made
}

/** Whether a field sets no condition. */
const isNothing = (asked: unknown): boolean => asked === 0 || (Array.isArray(asked) && asked.length === 0)

/**
 * The selections from the newest entry, by filter. All readers go through an entry at the same moment, so older ones
 * are not kept.
 */
let newest: { of: readonly OfEvent[]; chosen: Map<string, readonly OfEvent[]> } = { of: NONE, chosen: new Map() }

/**
 * Selects the events that pass. Readers with the same filter get the same list for the same entry, so that its text is
 * made once.
 */
export function createSelect(filter: EventFilter) {
  const isWanted = createMatch(filter)
  const key = JSON.stringify(filter)
  const { tokens = [] } = filter
  const [token] = tokens
  const isOfTokens = Object.entries(filter).every(([field, asked]) => field === 'tokens' || isNothing(asked))
  return <Delivery extends OfEvent>(deliveries: readonly Delivery[]): readonly Delivery[] => {
    if (isOfTokens && token === undefined) return deliveries
    if (isOfTokens && token !== undefined && tokens.length === 1)
      return (groupByToken(deliveries).get(token) as readonly Delivery[] | undefined) ?? NONE
    if (newest.of !== deliveries) newest = { of: deliveries, chosen: new Map() }
    const known = newest.chosen.get(key) as readonly Delivery[] | undefined
    const chosen = known ?? deliveries.filter(({ event }) => isWanted(event))
    newest.chosen.set(key, chosen)
    return chosen
  }
}
