// A token's life as a file tells it, in the words of the ledger: events in chain order, what became of it, and when.
import type { Direction } from '../../base/vocabulary.ts'

/** `reserve` says what the pool holds after its block; `share_transfer` moves shares of the liquidity. */
type HistoryEventType = 'swap' | 'liquidity_add' | 'liquidity_remove' | 'share_transfer' | 'reserve'

export interface HistoryEvent {
  type: HistoryEventType
  /** Swaps only. */
  direction: Direction | null
  /** Who did it; of a share transfer the sender. Null: the file does not say. */
  wallet: number | null
  /** Recipient of a share transfer. */
  recipient: number | null
  /** Whole quote tokens: moved, or of a reserve what is left. */
  quote: number
  amountUsd: number
  /** Tokens moved, in the file's unit. */
  quantity: number
  /** Shares of the liquidity that were made, taken back or moved. */
  shares: number
  /** Whole quote tokens in the pool after the event; null: a `reserve` of the same block follows. */
  quoteAfter: number | null
  /** Seconds since 1970. */
  time: number
  block: number
}

/** When the liquidity left or the price fell; what happens in the block or later must not be seen by an early warning. */
export interface Rug {
  kind: 'liquidity' | 'dump'
  block: number
  time: number
}

export interface TokenHistory {
  id: string
  createdAt: number
  /** The label. */
  rugged: boolean
  /** Null: the file does not say when, or it never happened. */
  rug: Rug | null
  /** Whoever first added liquidity: tokens of one deployer stay on one side of a split. */
  deployer: string
  /** The other tokens of the folder that the same wallet first added liquidity to. */
  siblings: readonly TokenHistory[]
  /** The pool as an owner of its own shares; 0: the file does not say. */
  pool: number
  /** Wallets that are the zero or the dead address. */
  burnAddresses: ReadonlySet<number>
  /** Dollars of one quote token, by time. */
  quoteUsd(time: number): number
  /** Chain order. */
  events: HistoryEvent[]
  /** Up to when the file is complete: some sources keep the first so many events of a kind. */
  completeUntil: number
  /** Its newest row of any kind: it was still in use then. */
  lastSeenAt: number
}

/** Numbers for addresses, in the order in which they are first seen; an empty text has none. */
export function createNumbering(): (address: string) => number | null {
  const ids = new Map<string, number>()
  return (address) => {
    if (address === '') return null
    const key = address.toLowerCase()
    const id = ids.get(key) ?? ids.size + 1
    ids.set(key, id)
    return id
  }
}

/** Where tokens go to be gone: the zero address, and the one that ends in `dead`. */
export const BURN_ADDRESSES = [
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dead',
] as const
