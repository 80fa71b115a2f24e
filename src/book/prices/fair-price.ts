// Pure. One price from a token's pools: the mean of those that agree with the median, weighted by depth. Each pool
// weighs as much as its smaller side, so that a thin or fake pool has no effect beside a deeper honest one.
import { itemAt } from '../../base/item-at.ts'
import { sideOfDepth } from './pool-depth.ts'

/** The price of one pool. */
export interface Quotation {
  poolId: number
  /** Dollars of one whole token in this pool. */
  usd: number
  /** Dollars of the quote side, and whole tokens on the base side. */
  quoteUsd: number
  base: number
  /** Dollars that move its price by 2 %. */
  depthUsd: number
}

/** The price of all pools together. */
export interface FairPrice {
  usd: number
  /** Of the pools that agree: the sum of their depths, their number, and the deepest. */
  depthUsd: number
  poolCount: number
  poolId: number
  /** The share of the pools' sizes in pools that do not agree, 0-1. */
  outlierShare: number
}

/**
 * Pools agree with the median within this fraction. A pool that is not the median itself cannot move the price further.
 */
const AGREEMENT = 0.01

/**
 * `before`: the token's price until now, 0 if it had none. Null: there is no pool. Loops without intermediate lists,
 * because it runs once a swap.
 */
export function fairPrice(pools: readonly Quotation[], before: number): FairPrice | null {
  const [first] = pools
  if (!first) return null
  if (pools.length === 1) {
    const { usd, depthUsd, poolId } = first
    return { usd, depthUsd, poolCount: 1, poolId, outlierShare: 0 }
  }
  const reference = before > 0 ? before : largest(pools).usd
  const middle = median(pools, reference)
  let [depthUsd, weighed, poolCount, total, outside] = [0, 0, 0, 0, 0]
  let deepest: Quotation | null = null
  for (const pool of pools) {
    const size = sizeOf(pool, reference)
    total += size
    if (Math.abs(pool.usd - middle) > AGREEMENT * middle) {
      outside += size
      continue
    }
    poolCount += 1
    depthUsd += pool.depthUsd
    weighed += pool.usd * pool.depthUsd
    if (!deepest || comesFirst(pool, pool.depthUsd, deepest, deepest.depthUsd)) deepest = pool
  }
  return {
    usd: poolCount > 1 && depthUsd > 0 ? weighed / depthUsd : middle,
    depthUsd,
    poolCount,
    poolId: (deepest ?? first).poolId,
    outlierShare: total > 0 ? outside / total : 0,
  }
}

/**
 * The smaller side of a pool, at most the side of a pool of its depth. The base side counts at the price until now. At
 * the pool's own price a trade of any size would make the pool as large as itself.
 */
const sizeOf = ({ quoteUsd, base, depthUsd }: Quotation, reference: number): number =>
  Math.min(quoteUsd, base * reference, sideOfDepth(depthUsd))

/** The price at which half of the sizes are reached, from the lowest price on. */
function median(pools: readonly Quotation[], reference: number): number {
  const order = [...pools].sort((a, b) => a.usd - b.usd || a.poolId - b.poolId)
  let total = 0
  for (const pool of order) total += sizeOf(pool, reference)
  let reached = 0
  for (const pool of order) {
    reached += sizeOf(pool, reference)
    if (reached > 0 && reached >= total / 2) return pool.usd
  }
  return largest(pools).usd
}

/** The pool with the most on its smaller side at its own price. */
function largest(pools: readonly Quotation[]): Quotation {
  let found = itemAt(pools, 0)
  for (const pool of pools) if (comesFirst(pool, sizeOf(pool, pool.usd), found, sizeOf(found, found.usd))) found = pool
  return found
}

/** Of equal pools, the one with the lower identifier. */
const comesFirst = (a: Quotation, rankA: number, b: Quotation, rankB: number): boolean =>
  rankA > rankB || (rankA === rankB && a.poolId < b.poolId)
