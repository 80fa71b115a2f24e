// Which swaps cancel each other. In: swaps in any order and who owns them. Out: the swaps of wallets whose trades in a pool
// are nearly all answered, within the hour and in the same size, by themselves or by others of whom the same holds.
import type { SwapFacts } from '../ledger/facts.ts'
import { findClusters } from './sybil.ts'
import { WASH } from './weights.ts'

interface Trade {
  swap: SwapFacts
  owner: number
}

type Pair = [Trade, Trade]

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
    for (const [a, b] of keepGroups(pruneToGroups(dropBots(trades)))) {
      matched.add(a.swap)
      matched.add(b.swap)
    }
  }
  return matched
}

/** Both directions within one block are arbitrage or a sandwich: who does that is a bot, however well its trades match. */
function dropBots(trades: readonly Trade[]): Trade[] {
  const sides = new Map<string, number>()
  const keyOf = ({ swap, owner }: Trade) => `${owner}:${swap.block}`
  for (const trade of trades) {
    const side = trade.swap.direction === 'buy' ? 1 : 2
    sides.set(keyOf(trade), (sides.get(keyOf(trade)) ?? 0) | side)
  }
  const trips = sumBy(trades, (trade) => (sides.get(keyOf(trade)) === 3 ? 1 : 0))
  const counts = sumBy(trades, toOne)
  return trades
    .filter(({ owner }) => (trips.get(owner) ?? 0) <= WASH.botTrips * (counts.get(owner) ?? 0))
    .sort((a, b) => a.swap.time - b.swap.time || a.swap.block - b.swap.block || a.owner - b.owner)
}

/** Removes owners who are not answered until all that are left are. */
function pruneToGroups(all: Trade[]): Pair[] {
  let left = all
  for (;;) {
    const pairs = pairUp(left)
    const matched = pairs.flat()
    const [volumes, counts] = [sumBy(all, toUsd), sumBy(all, toOne)]
    const [answeredUsd, answered] = [sumBy(matched, toUsd), sumBy(matched, toOne)]
    const stays = (owner: number) =>
      (answered.get(owner) ?? 0) >= WASH.minMatches &&
      (answered.get(owner) ?? 0) >= WASH.minAnswered * (counts.get(owner) ?? 0) &&
      (answeredUsd.get(owner) ?? 0) >= WASH.minAnswered * (volumes.get(owner) ?? 0)
    const next = left.filter((trade) => stays(trade.owner))
    if (next.length === left.length) return pairs
    left = next
  }
}

/** Pairs of groups in which wallets meet again and again; who meets once or twice does so by chance. */
function keepGroups(pairs: readonly Pair[]): Pair[] {
  const groups = findClusters(pairs.map(([a, b]) => [a.owner, b.owner]))
  const groupOf = (pair: Pair) => groups.get(pair[0].owner) ?? pair[0].owner
  const sizes = new Map<number, { pairs: number; owners: Set<number> }>()
  for (const pair of pairs) {
    const size = sizes.get(groupOf(pair)) ?? { pairs: 0, owners: new Set() }
    size.pairs++
    for (const { owner } of pair) size.owners.add(owner)
    sizes.set(groupOf(pair), size)
  }
  return pairs.filter((pair) => {
    const size = sizes.get(groupOf(pair))
    return size && size.pairs >= WASH.minPairs && size.pairs >= WASH.pairsPerOwner * size.owners.size
  })
}

/** Each trade with the nearest earlier one that cancels it, one to one. */
function pairUp(trades: readonly Trade[]): Pair[] {
  const open: Trade[] = []
  const pairs: Pair[] = []
  for (const trade of trades) {
    while (open.length > 0 && (open[0] as Trade).swap.time < trade.swap.time - WASH.withinSeconds) open.shift()
    const at = open.findLastIndex((other) => cancels(other.swap, trade.swap))
    if (at < 0) open.push(trade)
    else pairs.push([...open.splice(at, 1), trade] as Pair)
  }
  return pairs
}

const toUsd = (trade: Trade): number => trade.swap.amountUsd
const toOne = (): number => 1

const cancels = (a: SwapFacts, b: SwapFacts): boolean =>
  a.direction !== b.direction && Math.abs(a.quantity - b.quantity) <= WASH.tolerance * Math.max(a.quantity, b.quantity)

function sumBy(trades: readonly Trade[], measure: (trade: Trade) => number): Map<number, number> {
  const sums = new Map<number, number>()
  for (const trade of trades) sums.set(trade.owner, (sums.get(trade.owner) ?? 0) + measure(trade))
  return sums
}
