// Pure. One price from a token's pools: the mean of those that agree, weighed by depth. Which ones agree is told by the median,
// weighed by what lies in a pool on its smaller side, so that a thin pool or a made-up one moves nothing while a deeper one
// is honest.
import { sideOfDepth } from './pool-depth.ts'

/** What one pool says. */
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

/** The price that the pools together tell. */
export interface FairPrice {
  usd: number
  /** Of the pools that agree: their depths together, how many they are, and the deepest. */
  depthUsd: number
  poolCount: number
  poolId: number
  /** The part of the pools' sizes that lies in pools which do not agree, 0-1. */
  outlierShare: number
}

/** Pools agree with the median within this part of it. More than that no pool moves the price that is not itself the median. */
const AGREEMENT = 0.01

/** `before`: the token's price until now, 0 if it had none. Null: there is no pool. */
export function fairPrice(pools: readonly Quotation[], before: number): FairPrice | null {
  const [first] = pools
  if (!first) return null
  if (pools.length === 1) return { ...first, poolCount: 1, outlierShare: 0 }
  const sizes = weigh(pools, before)
  const middle = median(pools, sizes)
  const agrees = ({ usd }: Quotation) => Math.abs(usd - middle) <= AGREEMENT * middle
  const agreeing = pools.filter(agrees)
  const depthUsd = sum(agreeing.map((pool) => pool.depthUsd))
  const mean = sum(agreeing.map((pool) => pool.usd * pool.depthUsd)) / depthUsd
  const total = sum(sizes)
  return {
    usd: agreeing.length > 1 && depthUsd > 0 ? mean : middle,
    depthUsd,
    poolCount: agreeing.length,
    poolId: deepest(agreeing).poolId,
    outlierShare: total > 0 ? sum(sizes.filter((_, at) => !agrees(pools[at] as Quotation))) / total : 0,
  }
}

/**
 * The smaller side of each pool, and no more than a pool of its depth holds. The base side counts at the price until now:
 * at the pool's own price a trade of any size would make the pool as large as itself.
 */
function weigh(pools: readonly Quotation[], before: number): number[] {
  const reference = before > 0 ? before : largest(pools).usd
  return pools.map(({ quoteUsd, base, depthUsd }) => Math.min(quoteUsd, base * reference, sideOfDepth(depthUsd)))
}

/** The price at which half of the sizes are reached, from the lowest price on. */
function median(pools: readonly Quotation[], sizes: readonly number[]): number {
  const half = sum(sizes) / 2
  const order = pools.map((_, at) => at).sort((a, b) => usdAt(pools, a) - usdAt(pools, b) || a - b)
  let reached = 0
  for (const at of order) {
    reached += sizes[at] as number
    if (reached > 0 && reached >= half) return usdAt(pools, at)
  }
  return largest(pools).usd
}

const usdAt = (pools: readonly Quotation[], at: number): number => (pools[at] as Quotation).usd

/** The pool with the most on its smaller side at its own price. */
const largest = (pools: readonly Quotation[]): Quotation =>
  best(pools, ({ quoteUsd, base, usd, depthUsd }) => Math.min(quoteUsd, base * usd, sideOfDepth(depthUsd)))

const deepest = (pools: readonly Quotation[]): Quotation => best(pools, ({ depthUsd }) => depthUsd)

/** Of equal ones the one with the lower identifier. */
const best = (pools: readonly Quotation[], rank: (pool: Quotation) => number): Quotation =>
  pools.reduce((a, b) => (rank(b) > rank(a) || (rank(b) === rank(a) && b.poolId < a.poolId) ? b : a))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
