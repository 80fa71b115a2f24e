// Pure. What a holding would bring: its value at the price, less what selling it takes off the price.
import { sideOfDepth } from '../book/pool-depth.ts'

/** A holding at the price, and what the price rests on. */
interface Holding {
  valueUsd: number
  priceUsd: number
  /** Dollars that move the price by 2 %, over the pools that tell it. */
  depth2PctUsd: number
  /** 0: money of the chain, which counts as cash. */
  pricePoolCount: number
}

/**
 * Dollars for the whole holding, sold at once into one pool of constant product that is as deep as the pools together,
 * without fees: value x side / (value + side). Null without a price, and where no log tells the depth.
 */
export function sellableUsd({ valueUsd, priceUsd, depth2PctUsd, pricePoolCount }: Holding): number | null {
  if (!(priceUsd > 0)) return null
  if (pricePoolCount === 0 || valueUsd === 0) return valueUsd
  if (depth2PctUsd === 0) return null
  const side = sideOfDepth(depth2PctUsd)
  return Math.round(((valueUsd * side) / (valueUsd + side)) * 1e6) / 1e6
}
