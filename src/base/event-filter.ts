// Pure. Which events somebody wants as they happen: the filter of streams and of the webhooks of events, and its predicate.
import type { Classification, EventType } from './vocabulary.ts'

/** What is left out, or an empty list, asks for nothing. All bounds are inclusive. */
export interface EventFilter {
  types?: readonly EventType[]
  tokens?: readonly string[]
  /** On either side of a transfer. */
  wallets?: readonly string[]
  /** Of the wallet whose event it is, when it is sent. */
  walletClassifications?: readonly Classification[]
  minAmountUsd?: number
  from?: Date
  to?: Date
  fromBlock?: number
  toBlock?: number
}

/** What the predicate reads of an event. */
export interface FilteredEvent {
  type: EventType
  tokenAddress: string
  walletAddress: string
  counterpartyAddress: string | null
  /** Null: it was taken back, and nobody knows any more as what it was sent. */
  walletClassification: Classification | null
  amountUsd: number
  timestamp: Date
  blockNumber: number
}

/** The filter as a predicate. What was taken back passes whatever class is asked for: a class changes, and who never had the event can ignore it. */
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
