// Pure. Which events a stream has: the same filter in memory, and as the ledger reads it.
import { EVENT_TYPE_ID, type EventType } from '../base/vocabulary.ts'
import type { FeedEvent, FeedFilter } from '../ledger/read/event-feed.ts'

/** What a reader asked for. What is left out asks for nothing. */
export interface EventFilter {
  types?: readonly EventType[]
  tokens?: readonly string[]
  /** On either side of a transfer. */
  wallets?: readonly string[]
  minAmountUsd?: number
}

/** The filter for the ledger. */
export const toFeedFilter = ({ types = [], tokens = [], wallets = [], minAmountUsd = 0 }: EventFilter): FeedFilter => ({
  types: types.map((type) => EVENT_TYPE_ID[type]),
  tokens,
  wallets,
  minAmountUsd,
})

/** The filter as a predicate. */
export function createMatch({ types = [], tokens = [], wallets = [], minAmountUsd = 0 }: EventFilter) {
  const [ofType, ofToken, ofWallet] = [new Set(types), new Set(tokens), new Set(wallets)]
  return (event: FeedEvent): boolean =>
    event.amountUsd >= minAmountUsd &&
    (ofType.size === 0 || ofType.has(event.type)) &&
    (ofToken.size === 0 || ofToken.has(event.tokenAddress)) &&
    (ofWallet.size === 0 ||
      ofWallet.has(event.walletAddress) ||
      (event.counterpartyAddress !== null && ofWallet.has(event.counterpartyAddress)))
}

/** What an entry of the log has: an event each. */
interface OfEvent {
  event: FeedEvent
}

const NONE: readonly never[] = []
const groups = new WeakMap<readonly OfEvent[], ReadonlyMap<string, readonly OfEvent[]>>()

/** The deliveries of an entry by token: made once, so that a thousand readers of a token do not each go through them all. */
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

/** Chooses what passes. Readers who asked for nothing, or for one token, get the same list for the same entry. */
export function createSelect(filter: EventFilter) {
  const isWanted = createMatch(filter)
  const { types = [], tokens = [], wallets = [], minAmountUsd = 0 } = filter
  const [token] = tokens
  const isOfTokens = types.length === 0 && wallets.length === 0 && minAmountUsd === 0
  return <Delivery extends OfEvent>(deliveries: readonly Delivery[]): readonly Delivery[] => {
    if (isOfTokens && token === undefined) return deliveries
    if (isOfTokens && token !== undefined && tokens.length === 1)
      return (groupByToken(deliveries).get(token) as readonly Delivery[] | undefined) ?? NONE
    return deliveries.filter(({ event }) => isWanted(event))
  }
}
