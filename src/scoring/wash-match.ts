// Finds swaps that cancel each other. Returns the swaps of wallets whose trades in a pool are nearly all matched. A
// match is an opposite trade of the same size within an hour, by the same wallet or by another such wallet. How much a
// swap counts grows evenly with what speaks for it, so that one trade more or less changes little.
import { float64At, itemAt, numberAt } from '../base/item-at.ts'
import { pushTo } from '../base/push-to.ts'
import type { SwapFacts } from '../ledger/facts/facts.ts'
import { ramp } from './ramp.ts'
import { findClusters } from './sybil.ts'
import { WASH } from './weights.ts'

interface Trade {
  swap: SwapFacts
  owner: number
  /** The owner's index among the owners of the pool. */
  seat: number
}

type Pair = [Trade, Trade]

/** Pairs, and for each owner of the pool how much its trades count, 0-1. */
interface Matched {
  pairs: Pair[]
  strengths: Float64Array
}

interface Pool {
  trades: Trade[]
  /** The index of each owner. */
  seats: Map<number, number>
}

/**
 * The matched swaps, and how much each of them counts, above 0 and up to 1. Owners with fewer than `minMatches` matched trades, and
 * groups with too few pairs, are left out. `owners` gives the owner of each swap, `now` the time that unanswered trades wait until.
 */
export function matchSwaps(
  swaps: readonly SwapFacts[],
  owners: readonly number[],
  now: number,
): Map<SwapFacts, number> {
  const matched = new Map<SwapFacts, number>()
  for (const { trades, seats } of splitByPool(swaps, owners)) {
    const { pairs, strengths } = pruneToGroups(dropBots(trades, seats.size), seats.size, now)
    const groupStrengthOf = weighGroups(pairs)
    for (const pair of pairs) {
      const strength = Math.min(groupStrengthOf(pair), ...pair.map(({ seat }) => float64At(strengths, seat)))
      if (strength > 0) for (const { swap } of pair) matched.set(swap, strength)
    }
  }
  return matched
}

function splitByPool(swaps: readonly SwapFacts[], owners: readonly number[]): Iterable<Pool> {
  const pools = new Map<number, Pool>()
  for (const [at, swap] of swaps.entries()) {
    const pool: Pool = pools.get(swap.poolId) ?? { trades: [], seats: new Map() }
    pools.set(swap.poolId, pool)
    const owner = numberAt(owners, at)
    const seat = pool.seats.get(owner) ?? pool.seats.size
    pool.seats.set(owner, seat)
    pool.trades.push({ swap, owner, seat })
  }
  return pools.values()
}

/**
 * Drops bots and sorts by time. Buying and selling within one block, or blocks of one second, is arbitrage or a
 * sandwich, however well the trades match.
 */
function dropBots(trades: Trade[], seats: number): Trade[] {
  trades.sort((a, b) => a.swap.time - b.swap.time || a.swap.block - b.swap.block || a.owner - b.owner)
  const [counts, trips] = [new Float64Array(seats), new Float64Array(seats)]
  for (let from = 0; from < trades.length; ) {
    const to = endOfSecond(trades, from)
    const bySeat = new Map<number, Trade[]>()
    for (const trade of trades.slice(from, to)) pushTo(bySeat, trade.seat, trade)
    for (const [seat, own] of bySeat) {
      const isBoth = own.some(({ swap }) => swap.direction !== own[0]?.swap.direction)
      counts[seat] = float64At(counts, seat) + own.length
      if (isBoth) trips[seat] = float64At(trips, seat) + own.length
    }
    from = to
  }
  return trades.filter(({ seat }) => float64At(trips, seat) <= WASH.botTrips * float64At(counts, seat))
}

/** The place after the last trade of this one's second. */
function endOfSecond(trades: readonly Trade[], from: number): number {
  let to = from + 1
  while (to < trades.length && trades[to]?.swap.time === trades[from]?.swap.time) to += 1
  return to
}

/** Removes owners whose trades are not matched well enough, until all the remaining ones are. */
function pruneToGroups(all: readonly Trade[], seats: number, now: number): Matched {
  for (let left = all; ; ) {
    const pairs = pairUp(left)
    const strengths = weighOwners(left, pairs, seats, now)
    const next = left.filter(({ seat }) => float64At(strengths, seat) > 0)
    if (next.length === left.length) return { pairs, strengths }
    left = next
  }
}

/** How well the trades of each owner are answered, by count and by volume. */
function weighOwners(trades: readonly Trade[], pairs: readonly Pair[], seats: number, now: number): Float64Array {
  const [answered, answeredUsd] = [new Float64Array(seats), new Float64Array(seats)]
  const [open, openUsd] = [new Float64Array(seats), new Float64Array(seats)]
  const paired = new Set(pairs.flat())
  for (const trade of trades) {
    const { swap, seat } = trade
    const part = paired.has(trade) ? 1 : ramp(now - swap.time, [0, WASH.withinSeconds])
    const [counts, volumes] = paired.has(trade) ? [answered, answeredUsd] : [open, openUsd]
    counts[seat] = float64At(counts, seat) + part
    volumes[seat] = float64At(volumes, seat) + part * swap.amountUsd
  }
  const shareOf = (part: number, rest: number) => (part > 0 ? part / (part + rest) : 0)
  return answered.map((count, seat) => {
    if (count < WASH.minMatches) return 0
    const byUsd = shareOf(float64At(answeredUsd, seat), float64At(openUsd, seat))
    return ramp(Math.min(shareOf(count, float64At(open, seat)), byUsd), WASH.answered)
  })
}

/** How surely the wallets of a pair's group trade with each other: one match is chance. */
function weighGroups(pairs: readonly Pair[]): (pair: Pair) => number {
  const groups = findClusters(pairs.map(([a, b]) => [a.owner, b.owner]))
  const groupOf = (pair: Pair) => groups.get(pair[0].owner) ?? pair[0].owner
  const sizes = new Map<number, { pairs: number; owners: Set<number> }>()
  for (const pair of pairs) {
    const size = sizes.get(groupOf(pair)) ?? { pairs: 0, owners: new Set() }
    size.pairs++
    for (const { owner } of pair) size.owners.add(owner)
    sizes.set(groupOf(pair), size)
  }
  return (pair) => {
    const size = sizes.get(groupOf(pair))
    return size ? Math.min(ramp(size.pairs, WASH.pairs), ramp(size.pairs / size.owners.size, WASH.pairsPerOwner)) : 0
  }
}

/** Pairs each trade with the latest earlier one that cancels it, one to one. */
function pairUp(trades: readonly Trade[]): Pair[] {
  /** Unmatched trades; those before `first` are too old. */
  const open: Trade[] = []
  let first = 0
  const pairs: Pair[] = []
  for (const trade of trades) {
    while (first < open.length && itemAt(open, first).swap.time < trade.swap.time - WASH.withinSeconds) first += 1
    let at = open.length - 1
    while (at >= first && !cancels(itemAt(open, at).swap, trade.swap)) at -= 1
    if (at < first) open.push(trade)
    else pairs.push([itemAt(open.splice(at, 1), 0), trade])
  }
  return pairs
}

const cancels = (a: SwapFacts, b: SwapFacts): boolean =>
  a.direction !== b.direction && Math.abs(a.quantity - b.quantity) <= WASH.tolerance * Math.max(a.quantity, b.quantity)
