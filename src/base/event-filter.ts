// Pure. The filter of streams and of the webhooks of events, and its predicate.
import type { Classification, EventType } from './vocabulary.ts'

/** A field that is left out, or an empty list, sets no condition. All bounds are inclusive. */
export interface EventFilter {
  types?: readonly EventType[]
  tokens?: readonly string[]
  /** On either side of a transfer. */
  wallets?: readonly string[]
  /** The classes of the event's wallet at the time of sending. */
  walletClassifications?: readonly Classification[]
  minAmountUsd?: number
  from?: Date
  to?: Date
  fromBlock?: number
  toBlock?: number
}

/** The fields of an event that the predicate reads. */
export interface FilteredEvent {
  type: EventType
  tokenAddress: string
  walletAddress: string
  counterpartyAddress: string | null
  /** Null: the event was retracted, and the class at its sending is no longer known. */
  walletClassification: Classification | null
  amountUsd: number
  timestamp: Date
  blockNumber: number
}

/**
 * The filter as a predicate. A retraction passes any filter by class, because a class changes. A reader who never had
 * the event can ignore it.
 */
export function createMatch(filter: EventFilter): (event: FilteredEvent) => boolean {
  const { types = [], tokens = [], wallets = [], walletClassifications = [], minAmountUsd = 0 } = filter
  const { from, to, fromBlock = 0, toBlock = Infinity } = filter
  const [ofType, ofToken, ofWallet] = [new Set(types), new Set(tokens), new Set(wallets)]
  const ofClass = new Set(walletClassifications)
  const [fromMs, toMs] = [from?.getTime() ?? -Infinity, to?.getTime() ?? Infinity]
  const hasSpan = from !== undefined || to !== undefined
  return (event) =>
    event.amountUsd >= minAmountUsd &&
    event.blockNumber >= fromBlock &&
    event.blockNumber <= toBlock &&
    (!hasSpan || (event.timestamp.getTime() >= fromMs && event.timestamp.getTime() <= toMs)) &&
    (ofType.size === 0 || ofType.has(event.type)) &&
    (ofToken.size === 0 || ofToken.has(event.tokenAddress)) &&
    (ofClass.size === 0 || event.walletClassification === null || ofClass.has(event.walletClassification)) &&
    (ofWallet.size === 0 ||
      ofWallet.has(event.walletAddress) ||
      (event.counterpartyAddress !== null && ofWallet.has(event.counterpartyAddress)))
}
