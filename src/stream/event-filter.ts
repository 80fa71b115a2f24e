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
