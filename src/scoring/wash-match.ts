// Finds swaps that cancel each other. Returns the swaps of wallets whose trades in a pool are nearly all matched. A
// match is an opposite trade of the same size within an hour, by the same wallet or by another such wallet. How much a
// swap counts grows evenly with what speaks for it, so that one trade more or less changes little.
import { float64At, itemAt, numberAt } from '../base/item-at.ts'
import { pushTo } from '../base/push-to.ts'
import type { SwapFacts } from '../ledger/facts/facts.ts'
import { listMoments } from './beat.ts'
import { ramp } from './ramp.ts'
import { findClusters } from './sybil.ts'
import { WASH } from './weights.ts'

interface Trade {
  swap: SwapFacts
  owner: number
  /** The owner's index among the owners of the pool. */
  seat: number
  /** Its index among the trades that pairs are sought in. */
  place: number
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

/** The matched swaps, and how much each of them counts, above 0 and up to 1. */
export type SwapStrengths = Map<SwapFacts, number>

/**
 * Returns a function of the time that unanswered trades wait until, which gives the matched swaps. Owners with fewer
 * than `minMatches` matched trades, and groups with too few pairs, are left out. `owners` gives the owner of each swap.
 */
export function prepareMatches(swaps: readonly SwapFacts[], owners: readonly number[]): (now: number) => SwapStrengths {
  const pools = [...splitByPool(swaps, owners)].map(({ trades, seats }) => {
    const left = dropBots(trades, seats.size)
    return { left, pairs: pairUp(left), seats: seats.size }
  })
  return (now) => {
    const matched: SwapStrengths = new Map()
    for (const { left, pairs: first, seats } of pools) {
      if (first.length === 0) continue
      const { pairs, strengths } = pruneToGroups(left, first, seats, now)
      const groupStrengthOf = weighGroups(pairs)
      for (const pair of pairs) {
        const [a, b] = pair
        const strength = Math.min(groupStrengthOf(pair), float64At(strengths, a.seat), float64At(strengths, b.seat))
        if (strength > 0) matched.set(a.swap, strength).set(b.swap, strength)
      }
    }
    return matched
  }
}

function splitByPool(swaps: readonly SwapFacts[], owners: readonly number[]): Iterable<Pool> {
  const pools = new Map<number, Pool>()
  for (const [at, swap] of swaps.entries()) {
    const pool: Pool = pools.get(swap.poolId) ?? { trades: [], seats: new Map() }
    if (pool.trades.length === 0) pools.set(swap.poolId, pool)
    const owner = numberAt(owners, at)
    let seat = pool.seats.get(owner)
    if (seat === undefined) {
      seat = pool.seats.size
      pool.seats.set(owner, seat)
    }
    pool.trades.push({ swap, owner, seat, place: 0 })
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
  for (const { seat } of trades) counts[seat] = float64At(counts, seat) + 1
  // Most seconds have one trade, which is no trip.
  for (const second of listMoments(trades, ({ swap }) => swap.time)) countTrips(second, trips)
  const left = trades.filter(({ seat }) => float64At(trips, seat) <= WASH.botTrips * float64At(counts, seat))
  for (const [place, trade] of left.entries()) trade.place = place
  return left
}

/** Adds an owner's trades of one second to its trips, if it bought and sold. */
function countTrips(trades: readonly Trade[], trips: Float64Array): void {
  const bySeat = new Map<number, Trade[]>()
  for (const trade of trades) pushTo(bySeat, trade.seat, trade)
  for (const [seat, own] of bySeat)
    if (own.some(({ swap }) => swap.direction !== own[0]?.swap.direction))
      trips[seat] = float64At(trips, seat) + own.length
}

/** Removes owners whose trades are not matched well enough, until all the remaining ones are. */
function pruneToGroups(all: readonly Trade[], first: Pair[], seats: number, now: number): Matched {
  for (let [left, pairs] = [all, first]; ; pairs = pairUp(left)) {
    const strengths = weighOwners(left, isPaired(pairs, all.length), seats, now)
    const next = left.filter(({ seat }) => float64At(strengths, seat) > 0)
    if (next.length === left.length) return { pairs, strengths }
    left = next
  }
}

/** 1 at the place of each paired trade. */
function isPaired(pairs: readonly Pair[], trades: number): Uint8Array {
  const paired = new Uint8Array(trades)
  for (const [a, b] of pairs) {
    paired[a.place] = 1
    paired[b.place] = 1
  }
  return paired
}

/** How well the trades of each owner are answered, by count and by volume. */
function weighOwners(trades: readonly Trade[], paired: Uint8Array, seats: number, now: number): Float64Array {
  const [answered, answeredUsd] = [new Float64Array(seats), new Float64Array(seats)]
  const [open, openUsd] = [new Float64Array(seats), new Float64Array(seats)]
  for (const { swap, seat, place } of trades) {
    const isAnswered = paired[place] === 1
    const part = isAnswered ? 1 : ramp(now - swap.time, WAIT)
    const [counts, volumes] = isAnswered ? [answered, answeredUsd] : [open, openUsd]
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

/** How long a trade waits for its answer. */
const WAIT = [0, WASH.withinSeconds] as const

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
