// Pure. What a pool's two sides come to: its price, its worth and its depth, all in whole tokens of its quote.

/** A pool as its own state tells it. */
export interface PoolSides {
  /** Whole tokens of the quote side and of the base side. */
  quote: number
  base: number
  /** Whole quote tokens for one whole base token; 0 if it is not known. */
  price: number
  /** In ranges: whole quote tokens that a pool of constant product would hold to be as deep at this price; null: not known. */
  active: number | null
  /** The liquidity lies in ranges: V3, V4. */
  isRanged: boolean
  /** A V2 pair on the stable curve, whose sides need not be worth the same. */
  isStable: boolean
}

/** The quote that raises the price by 2 %, as a part of the quote side: the square root of 1.02, less 1. */
const TWO_PERCENT = Math.sqrt(1.02) - 1

/**
 * What a trade must be to move the price by 2 %, in the direction that takes less, without fees. A pool of ranges is taken to
 * be as deep over these 2 % as at its price, but never deeper than what lies on its smaller side: ranges end, and their ends
 * are not kept. A stable pair is deeper than this says, by how much depends on its curve.
 */
export function depthOf({ quote, base, price, active, isRanged, isStable }: PoolSides): number {
  const smaller = Math.min(quote, base * price)
  if (isStable) return smaller * TWO_PERCENT
  return isRanged ? Math.min((active ?? smaller) * TWO_PERCENT, smaller) : quote * TWO_PERCENT
}

/** A pool of constant product with this depth holds so much on each side. */
export const sideOfDepth = (depth: number): number => depth / TWO_PERCENT

/** The base side of a pool of ranges counts for at most so many times its quote side [G]. */
const MOST_BASE = 3

/**
 * What both sides are worth at the pool's own price. In V2 they are worth the same. A range above the price holds the
 * base alone, at a price that whoever made it chose: beyond three times the quote side it is no money, but a wish.
 */
export const worthOf = ({ quote, base, price, isRanged, isStable }: PoolSides): number =>
  quote + (isRanged || isStable ? Math.min(base * price, MOST_BASE * quote) : quote)
