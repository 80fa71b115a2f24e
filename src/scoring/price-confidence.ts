// How far a price can be trusted: from the depth behind it, how lately it was made, and how far the pools agree.
import type { Confidence } from '../base/vocabulary.ts'
import { sayUsd } from './words.ts'

/** What a price rests on. */
export interface PriceBasis {
  priceUsd: number
  /** Pools that tell it; 0: it is money of the chain, which counts as one dollar. */
  pricePoolCount: number
  depth2PctUsd: number
  /** The part of the pools' sizes that disagrees, 0-1. */
  priceOutlierShare: number
  /** Hours since one of its pools last changed; null: not known. */
  ageHours: number | null
}

/** All guessed [G]: $1,000 of depth is a V2 pool of $200,000, $100 one of $20,000. */
const LIMITS = {
  low: { depthUsd: 100, ageHours: 7 * 24, outlierShare: 0.3 },
  high: { depthUsd: 1_000, ageHours: 24, outlierShare: 0.05 },
}

/** The confidence and the sentence that says why; null where there is no price. */
export function judgePrice(basis: PriceBasis): { confidence: Confidence; reason: string } | null {
  if (!(basis.priceUsd > 0)) return null
  if (basis.pricePoolCount === 0)
    return {
      confidence: 'medium',
      reason: 'It is a stablecoin of the chain and counts as one dollar: no pool is asked.',
    }
  const { depth2PctUsd, priceOutlierShare, ageHours } = basis
  if (depth2PctUsd === 0)
    return { confidence: 'low', reason: 'It is the price of a launch curve, of which no log tells how deep it is.' }
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
