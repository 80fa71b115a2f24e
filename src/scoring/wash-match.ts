// Finds swaps that cancel each other. Returns the swaps of wallets whose trades in a pool are nearly all matched: by an
// opposite trade of the same size within an hour, by the same wallet or by another such wallet.
import type { SwapFacts } from '../ledger/facts/facts.ts'
import { findClusters } from './sybil.ts'
import { WASH } from './weights.ts'

interface Trade {
  swap: SwapFacts
  owner: number
  /** The owner's index among the owners of the pool. */
  seat: number
}

type Pair = [Trade, Trade]

interface Pool {
  trades: Trade[]
  /** The index of each owner. */
  seats: Map<number, number>
}

/**
 * The matched swaps. Owners with fewer than `minMatches` matched trades, and groups with too few pairs, are left out.
 * `owners` gives the owner of each swap.
 */
export function matchSwaps(swaps: readonly SwapFacts[], owners: readonly number[]): Set<SwapFacts> {
  const matched = new Set<SwapFacts>()
  for (const { trades, seats } of splitByPool(swaps, owners)) {
    for (const [a, b] of keepGroups(pruneToGroups(dropBots(trades, seats.size), seats.size))) {
      matched.add(a.swap)
      matched.add(b.swap)
    }
  }
  return matched
}

function splitByPool(swaps: readonly SwapFacts[], owners: readonly number[]): Iterable<Pool> {
  const pools = new Map<number, Pool>()
  for (const [at, swap] of swaps.entries()) {
    const pool: Pool = pools.get(swap.poolId) ?? { trades: [], seats: new Map() }
    pools.set(swap.poolId, pool)
    const owner = owners[at] as number
    const seat = pool.seats.get(owner) ?? pool.seats.size
    pool.seats.set(owner, seat)
    pool.trades.push({ swap, owner, seat })
  }
  return pools.values()
}

/**
 * Drops bots and sorts by time. Buying and selling within one block is arbitrage or a sandwich, however well the trades
 * match.
 */
function dropBots(trades: Trade[], seats: number): Trade[] {
  trades.sort((a, b) => a.swap.time - b.swap.time || a.swap.block - b.swap.block || a.owner - b.owner)
  const [counts, trips] = [new Float64Array(seats), new Float64Array(seats)]
  for (let from = 0; from < trades.length; ) {
    const { swap, seat } = trades[from] as Trade
    let to = from + 1
    let isBoth = false
    for (; to < trades.length; to += 1) {
      const next = trades[to] as Trade
      if (next.seat !== seat || next.swap.block !== swap.block) break
      isBoth ||= next.swap.direction !== swap.direction
    }
    counts[seat] = (counts[seat] as number) + to - from
    if (isBoth) trips[seat] = (trips[seat] as number) + to - from
    from = to
  }
  return trades.filter(({ seat }) => (trips[seat] as number) <= WASH.botTrips * (counts[seat] as number))
}

/** Removes owners whose trades are not matched well enough, until all the remaining ones are. */
function pruneToGroups(all: readonly Trade[], seats: number): Pair[] {
  const [counts, volumes] = [new Float64Array(seats), new Float64Array(seats)]
  for (const trade of all) addTo(counts, volumes, trade)
  for (let left = all; ; ) {
    const pairs = pairUp(left)
    const [answered, answeredUsd] = [new Float64Array(seats), new Float64Array(seats)]
    for (const pair of pairs) for (const trade of pair) addTo(answered, answeredUsd, trade)
    const next = left.filter(
      ({ seat }) =>
        (answered[seat] as number) >= WASH.minMatches &&
        (answered[seat] as number) >= WASH.minAnswered * (counts[seat] as number) &&
        (answeredUsd[seat] as number) >= WASH.minAnswered * (volumes[seat] as number),
    )
    if (next.length === left.length) return pairs
    left = next
  }
}

/** Adds the trade to the sums of its seat. */
function addTo(counts: Float64Array, volumes: Float64Array, { swap, seat }: Trade): void {
  counts[seat] = (counts[seat] as number) + 1
  volumes[seat] = (volumes[seat] as number) + swap.amountUsd
}

/** Keeps the groups whose wallets trade with each other repeatedly; one or two matches are chance. */
function keepGroups(pairs: readonly Pair[]): Pair[] {
  if (pairs.length < WASH.minPairs) return []
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

/** Pairs each trade with the latest earlier one that cancels it, one to one. */
function pairUp(trades: readonly Trade[]): Pair[] {
  /** Unmatched trades; those before `first` are too old. */
  const open: Trade[] = []
  let first = 0
  const pairs: Pair[] = []
  for (const trade of trades) {
    while (first < open.length && (open[first] as Trade).swap.time < trade.swap.time - WASH.withinSeconds) first += 1
    let at = open.length - 1
    while (at >= first && !cancels((open[at] as Trade).swap, trade.swap)) at -= 1
    if (at < first) open.push(trade)
    else pairs.push([open.splice(at, 1)[0] as Trade, trade])
  }
  return pairs
}

const cancels = (a: SwapFacts, b: SwapFacts): boolean =>
  a.direction !== b.direction && Math.abs(a.quantity - b.quantity) <= WASH.tolerance * Math.max(a.quantity, b.quantity)
