// Derives the contract's flags from the measures, and the floors that raise a score.
import type { RiskFlag } from '../base/vocabulary.ts'
import type { Floor } from '../ledger/explanation.ts'
import type { TokenMeasures } from './measures.ts'
import { isSybil } from './sybil.ts'
import { FALL, HOLDERS, OPENER, PULLED, SMART_MONEY, WASH } from './weights.ts'

/** The flags that apply, in the order of the vocabulary. Unknown measures set no flag. */
export function findFlags(measures: TokenMeasures): RiskFlag[] {
  const tests: [RiskFlag, boolean][] = [
    ['wash_trading', isWashed(measures)],
    ['liquidity_pulled', measures.pulledShare >= PULLED.removed],
    ['concentrated_ownership', isConcentrated(measures)],
    ['sybil_cluster', isClustered(measures)],
    ['smart_money_exiting', isExiting(measures)],
  ]
  return tests.filter(([, holds]) => holds).map(([flag]) => flag)
}

/** The floors: a score is at least this high while the finding lasts. */
export function findFloors(measures: TokenMeasures): Floor[] {
  const floors: Floor[] = []
  if (measures.pulledShare >= PULLED.removed) floors.push({ reason: 'liquidity_pulled', atLeast: PULLED.floor })
  if (Math.max(measures.priceFall24h, measures.reserveFall) >= FALL.share)
    floors.push({ reason: 'fell_within_a_day', atLeast: FALL.floor })
  if ((measures.openerEmptiedExcess ?? 0) > 0) floors.push({ reason: 'opener_emptied', atLeast: OPENER.floor })
  return floors
}

function isWashed({ matchedShare, matchCount, matchedUsd }: TokenMeasures): boolean {
  const { share, matches, amountUsd } = WASH.flag
  return matchedShare !== null && matchedShare >= share && matchCount >= matches && matchedUsd >= amountUsd
}

function isConcentrated({ topTenShare, holderHhi, largestHolderShare, holderCount }: TokenMeasures): boolean {
  if (topTenShare === null || holderHhi === null || largestHolderShare === null) return false
  const { topTen, hhi, largest, minHolders } = HOLDERS.flag
  if (largestHolderShare >= largest) return true
  return (holderCount ?? 0) >= minHolders && (topTenShare >= topTen || holderHhi >= hhi)
}

const isClustered = ({ clusterSupplyShare, clusterTopFiftyShare }: TokenMeasures): boolean =>
  isSybil({ supplyShare: clusterSupplyShare ?? 0, topFiftyShare: clusterTopFiftyShare ?? 0 })

function isExiting({ smartSellerCount, smartBuyerCount, smartSoldShare }: TokenMeasures): boolean {
  const { sellers, soldShare } = SMART_MONEY.exit
  return smartSellerCount >= sellers && smartSellerCount > smartBuyerCount && smartSoldShare >= soldShare
}
