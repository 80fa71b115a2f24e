// A token's history from a file, in the ledger's terms: its events in chain order, whether it was rugged, and when.
import type { Direction } from '../../src/base/vocabulary.ts'

/** `reserve` states the pool's reserve after the block; `share_transfer` moves shares of the pool between wallets. */
type HistoryEventType = 'swap' | 'liquidity_add' | 'liquidity_remove' | 'share_transfer' | 'reserve'

export interface HistoryEvent {
  type: HistoryEventType
  /** Null: no swap. */
  direction: Direction | null
  /** The wallet that acted; for a share transfer the sender. Null: the file does not say. */
  wallet: number | null
  /** The recipient of a share transfer. */
  recipient: number | null
  /** Whole quote tokens that were moved; for a `reserve`, those in the pool. */
  quote: number
  amountUsd: number
  /** Tokens that were moved, in the file's unit. */
  quantity: number
  /** Shares of the pool that were minted, burned or moved. */
  shares: number
  /** Whole quote tokens in the pool after the event; null if a `reserve` of the same block states it. */
  quoteAfter: number | null
  /** Seconds since 1970. */
  time: number
  block: number
}

/**
 * The time when the liquidity was removed or the price collapsed. An early warning must not see events of this block or
 * later.
 */
export interface Rug {
  kind: 'liquidity' | 'dump'
  block: number
  time: number
}

export interface TokenHistory {
  id: string
  chainId: number
  createdAt: number
  /** The label. */
  rugged: boolean
  /** Null: the file does not say when, or it never happened. */
  rug: Rug | null
  /** The wallet that first added liquidity. Tokens of one deployer always stay on the same side of a split. */
  deployer: string
  /** The other tokens of the folder with the same deployer. */
  siblings: readonly TokenHistory[]
  /** The number of the pool's address, which may own shares of itself; 0: the file does not say. */
  pool: number
  /** The numbers of the burn addresses. */
  burnAddresses: ReadonlySet<number>
  /** The price of one quote token in dollars at a time. */
  quoteUsd(time: number): number
  /** In chain order. */
  events: HistoryEvent[]
  /** The time up to which the file is complete: some sources keep only the first events of a kind. */
  completeUntil: number
  /** The time of its newest row of any kind, when it was still in use. */
  lastSeenAt: number
}

/** Makes a function that numbers addresses in the order in which it first sees them. An empty text has no number. */
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

/** Addresses to which tokens are sent to destroy them. */
export const BURN_ADDRESSES = [
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dead',
] as const
