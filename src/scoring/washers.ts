// The wallets behind matched swaps, for their reputation.
import type { SwapFacts } from '../ledger/facts/facts.ts'
import { WASH } from './weights.ts'

/**
 * The wallets of owners who bought and sold among the matched swaps, ascending. Both sides are required, because a
 * stranger can mirror an owner's purchases to make them look matched.
 */
export function listWashers(matched: ReadonlySet<SwapFacts>, clusters: ReadonlyMap<number, number> | null): number[] {
  const owners = new Map<number, { wallets: Set<number>; buys: number; sells: number }>()
  for (const { walletId, direction } of matched) {
    if (walletId === null) continue
    const key = clusters?.get(walletId) ?? walletId
    const owner = owners.get(key) ?? { wallets: new Set(), buys: 0, sells: 0 }
    owners.set(key, owner)
    owner.wallets.add(walletId)
    if (direction === 'buy') owner.buys += 1
    else owner.sells += 1
  }
  const isBehind = ({ buys, sells }: { buys: number; sells: number }) => Math.min(buys, sells) >= WASH.bothSides
  const wallets = [...owners.values()].filter(isBehind).flatMap((owner) => [...owner.wallets])
  return wallets.sort((a, b) => a - b)
}
