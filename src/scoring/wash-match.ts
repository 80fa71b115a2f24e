// Which swaps cancel each other. In: swaps in any order and who owns them. Out: the swaps of wallets whose trades in a pool
// are nearly all answered, within the hour and in the same size, by themselves or by others of whom the same holds.
import type { SwapFacts } from '../ledger/facts.ts'
import { WASH } from './weights.ts'

interface Trade {
  swap: SwapFacts
  owner: number
}

/** Swaps in pairs that cancel; owners of fewer than `minMatches` pairs, and groups with a net position, are left out. */
export function matchSwaps(swaps: readonly SwapFacts[], ownerOf: (swap: SwapFacts) => number): Set<SwapFacts> {
  const pools = new Map<number, Trade[]>()
  for (const swap of swaps) {
    const trades = pools.get(swap.poolId)
    const trade = { swap, owner: ownerOf(swap) }
    if (trades) trades.push(trade)
    else pools.set(swap.poolId, [trade])
  }
  const matched = new Set<SwapFacts>()
  for (const trades of pools.values()) {
    for (const [a, b] of pruneToGroups(dropSameBlock(trades))) {
      matched.add(a.swap)
      matched.add(b.swap)
    }
  }
  return matched
}

/** Both directions within one block are arbitrage or a sandwich: no wash, however well they match. */
function dropSameBlock(trades: readonly Trade[]): Trade[] {
  const sides = new Map<string, number>()
  const keyOf = ({ swap, owner }: Trade) => `${owner}:${swap.block}`
  for (const trade of trades) {
    const side = trade.swap.direction === 'buy' ? 1 : 2
    sides.set(keyOf(trade), (sides.get(keyOf(trade)) ?? 0) | side)
  }
  return trades
    .filter((trade) => sides.get(keyOf(trade)) !== 3)
    .sort((a, b) => a.swap.time - b.swap.time || a.swap.block - b.swap.block || a.owner - b.owner)
}

/** Removes owners who are not answered until all that are left are. */
function pruneToGroups(trades: Trade[]): [Trade, Trade][] {
  let left = trades
  for (;;) {
    const pairs = pairUp(left)
    const volumes = sumBy(left, (trade) => trade.swap.amountUsd)
    const answered = sumBy(pairs.flat(), (trade) => trade.swap.amountUsd)
    const counts = sumBy(pairs.flat(), () => 1)
    const stays = (owner: number) =>
      (counts.get(owner) ?? 0) >= WASH.minMatches &&
      (answered.get(owner) ?? 0) >= WASH.minAnswered * (volumes.get(owner) ?? 0)
    const next = left.filter((trade) => stays(trade.owner))
    if (next.length === left.length) return pairs
    left = next
  }
}

/** Each trade with the nearest earlier one that cancels it, one to one. */
function pairUp(trades: readonly Trade[]): [Trade, Trade][] {
  const open: Trade[] = []
  const pairs: [Trade, Trade][] = []
  for (const trade of trades) {
    while (open.length > 0 && (open[0] as Trade).swap.time < trade.swap.time - WASH.withinSeconds) open.shift()
    const at = open.findLastIndex((other) => cancels(other.swap, trade.swap))
    if (at < 0) open.push(trade)
    else pairs.push([...open.splice(at, 1), trade] as [Trade, Trade])
  }
  return pairs
}

const cancels = (a: SwapFacts, b: SwapFacts): boolean =>
  a.direction !== b.direction && Math.abs(a.quantity - b.quantity) <= WASH.tolerance * Math.max(a.quantity, b.quantity)

function sumBy(trades: readonly Trade[], measure: (trade: Trade) => number): Map<number, number> {
  const sums = new Map<number, number>()
  for (const trade of trades) sums.set(trade.owner, (sums.get(trade.owner) ?? 0) + measure(trade))
  return sums
}
