// Pure. The proceeds of a holding: its value at the price, less the price impact of selling it.
import { sideOfDepth } from '../book/prices/pool-depth.ts'

/** A holding at the price, and the basis of the price. */
interface Holding {
  quantity: number
  priceUsd: number
  /** Dollars that the pools could pay; 0 while the token cannot be sold, infinite for money of the chain. */
  payableUsd: number
  /** Dollars that move the price by 2 %, over the pricing pools. */
  depth2PctUsd: number
}

/**
 * Dollars for the whole holding, sold at once, without fees. All pools together count as one constant-product pool:
 * value x side / (value + side). The result is at most the sum that its pools could pay. Null without a price, or with
 * an unknown depth. Money counts in full: the wrapped coin is the native one, whatever pools price it.
 */
export function sellableUsd({ quantity, priceUsd, payableUsd, depth2PctUsd }: Holding): number | null {
  if (!(priceUsd > 0)) return null
  const valueUsd = quantity * priceUsd
  if (payableUsd === Number.POSITIVE_INFINITY || valueUsd === 0) return toMicro(valueUsd)
  if (payableUsd === 0) return 0
  if (depth2PctUsd === 0) return null
  const side = sideOfDepth(depth2PctUsd)
  return toMicro(Math.min((valueUsd * side) / (valueUsd + side), payableUsd))
}

const toMicro = (usd: number): number => Math.round(usd * 1e6) / 1e6
