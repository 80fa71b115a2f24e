// Pure. The price, value and depth of a pool from its two sides, all in whole tokens of its quote.

/** A pool by its own state. */
export interface PoolSides {
  /** Whole tokens of the quote side and of the base side. */
  quote: number
  base: number
  /** Whole quote tokens for one whole base token; 0 if unknown. */
  price: number
  /** In ranges: the whole quote tokens of a constant-product pool of the same depth at this price; null: unknown. */
  active: number | null
  /** The liquidity lies in ranges: V3, V4. */
  isRanged: boolean
  /** A V2 pair on the stable curve, whose sides may differ in value. */
  isStable: boolean
}

/** The quote that raises the price by 2 %, as a part of the quote side: the square root of 1.02, less 1. */
const TWO_PERCENT = Math.sqrt(1.02) - 1

/**
 * The size of a trade that moves the price by 2 %, in the easier direction, without fees. A pool of ranges counts as
 * equally deep over these 2 %, but never deeper than its smaller side. Ranges end, and their ends are not stored. A
 * stable pair is deeper than this, by an amount that depends on its curve.
 */
export function depthOf({ quote, base, price, active, isRanged, isStable }: PoolSides): number {
  const smaller = Math.min(quote, base * price)
  if (isStable) return smaller * TWO_PERCENT
  return isRanged ? Math.min((active ?? smaller) * TWO_PERCENT, smaller) : quote * TWO_PERCENT
}

/** A constant-product pool of this depth has this much on each side. */
export const sideOfDepth = (depth: number): number => depth / TWO_PERCENT

/** The base side of a pool of ranges counts for at most this many times its quote side [G]. */
const MOST_BASE = 3

/**
 * The value of both sides at the pool's own price. In V2 they are equal. A range above the price has only the base, at
 * a price that its provider chose. Beyond three times the quote side it does not count as money.
 */
export const worthOf = ({ quote, base, price, isRanged, isStable }: PoolSides): number =>
  quote + (isRanged || isStable ? Math.min(base * price, MOST_BASE * quote) : quote)
