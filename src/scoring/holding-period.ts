// A wallet's newest trades: how long it holds and how much it sells. Wallets that sell at all, and soon, earn more
// often.
import type { WalletSwapFacts } from '../ledger/facts/facts.ts'
import { medianOf } from './gaps.ts'

/**
 * Median seconds from a token's newest buy to a sale of it, among these trades. Null if the wallet never sold a token
 * that it bought in them.
 */
export function measureHolding(swaps: readonly WalletSwapFacts[]): number | null {
  const bought = new Map<number, number>()
  const held: number[] = []
  for (const { tokenId, direction, time } of swaps) {
    const since = bought.get(tokenId)
    if (direction === 'buy') bought.set(tokenId, time)
    else if (since !== undefined) held.push(time - since)
  }
  return medianOf(held)
}

/** Sales over all of these trades, 0-1; null: there are none. */
export const measureSellShare = (swaps: readonly WalletSwapFacts[]): number | null =>
  swaps.length > 0 ? swaps.filter(({ direction }) => direction === 'sell').length / swaps.length : null
