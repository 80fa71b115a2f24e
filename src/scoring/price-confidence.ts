// The confidence of a price: from the depth behind it, its age, and the agreement of the pools.
import type { Confidence } from '../base/vocabulary.ts'
import { sayUsd } from '../words/numbers.ts'

/** The basis of a price. */
export interface PriceBasis {
  priceUsd: number
  /** Pools that agree on it; 0: it is money of the chain, which counts as one dollar. */
  pricePoolCount: number
  depth2PctUsd: number
  /** The share of the pools' sizes that disagrees, 0-1. */
  priceOutlierShare: number
  /** Hours since one of its pools last changed; null: unknown. */
  ageHours: number | null
}

/** All guessed [G]: $1,000 of depth is a V2 pool of $200,000, $100 one of $20,000. */
const LIMITS = {
  low: { depthUsd: 100, ageHours: 7 * 24, outlierShare: 0.3 },
  high: { depthUsd: 1_000, ageHours: 24, outlierShare: 0.05 },
}

/** The confidence and its reason in a sentence; null without a price. */
export function judgePrice(basis: PriceBasis): { confidence: Confidence; reason: string } | null {
  if (!(basis.priceUsd > 0)) return null
  if (basis.pricePoolCount === 0)
    return {
      confidence: 'medium',
      reason: 'It is a stablecoin of the chain and counts as one dollar: no pool is asked.',
    }
  const { depth2PctUsd, priceOutlierShare, ageHours } = basis
  if (depth2PctUsd === 0)
    return { confidence: 'low', reason: 'It is the price of a launch curve, whose depth no log shows.' }
  const fails = ({ depthUsd, ageHours: oldest, outlierShare }: (typeof LIMITS)['low']) =>
    depth2PctUsd < depthUsd
      ? `A trade of ${sayUsd(depth2PctUsd)} moves the price by 2 %.`
      : priceOutlierShare > outlierShare
        ? `Pools with ${Math.round(100 * priceOutlierShare)} % of the money say another price.`
        : ageHours === null
          ? 'It is not known when its pools last changed.'
          : ageHours > oldest
            ? `Its pools last changed ${Math.floor(ageHours)} hours ago.`
            : null
  const low = fails(LIMITS.low)
  if (low) return { confidence: 'low', reason: low }
  const medium = fails(LIMITS.high)
  if (medium) return { confidence: 'medium', reason: medium }
  const pools = basis.pricePoolCount === 1 ? 'One pool tells it' : `${basis.pricePoolCount} pools agree`
  return { confidence: 'high', reason: `${pools}, and it takes ${sayUsd(depth2PctUsd)} to move the price by 2 %.` }
}
