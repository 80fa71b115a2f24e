// Derives the contract's flags from the measures, and the floors that raise a score.

import { RISK_CUTS } from '../base/risk-level.ts'
import type { RiskFlag } from '../base/vocabulary.ts'
import type { Floor } from '../ledger/explanation.ts'
import type { TokenMeasures } from './measures.ts'
import { ramp, round } from './ramp.ts'
import { isSybil } from './sybil.ts'
import { FALL, FLAG_FLOORS, HOLDERS, OPENER, PULLED, type Ramp, SMART_MONEY, WASH } from './weights.ts'

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

/**
 * The floors of the measured findings: they lift a score while the finding lasts. The stronger a flag, the higher its
 * floor.
 */
export function findFloors(measures: TokenMeasures, flags: readonly RiskFlag[]): Floor[] {
  const floors = flags.map((flag): Floor => ({ reason: flag, atLeast: FLAG_FLOOR[flag](measures) }))
  if (Math.max(measures.priceFall24h, measures.reserveFall) >= FALL.share)
    floors.push({ reason: 'fell_within_a_day', atLeast: FALL.floor })
  if (measures.deployerPulledCount + measures.funderPulledCount > 0)
    floors.push({ reason: 'deployer_pulled', atLeast: rise(deployerPulledShare(measures), FLAG_FLOORS.deployer) })
  if ((measures.openerEmptiedExcess ?? 0) > 0) floors.push({ reason: 'opener_emptied', atLeast: OPENER.floor })
  return floors
}

type MakerRecord = Pick<
  TokenMeasures,
  'deployerPulledCount' | 'deployerTokenCount' | 'funderPulledCount' | 'funderTokenCount'
>

/** Of one more token than there are, so that few weigh less than many. */
export const deployerPulledShare = (record: MakerRecord): number =>
  (record.deployerPulledCount + record.funderPulledCount) / (record.deployerTokenCount + record.funderTokenCount + 1)

const rise = (value: number | null, { ramp: range, by }: { ramp: Ramp; by: number }): number =>
  round(RISK_CUTS.low + by * ramp(value ?? 0, range))

const FLAG_FLOOR: Readonly<Record<RiskFlag, (measures: TokenMeasures) => number>> = {
  wash_trading: ({ matchedShare }) => rise(matchedShare, FLAG_FLOORS.wash_trading),
  liquidity_pulled: () => PULLED.floor,
  concentrated_ownership: ({ largestHolderShare, topTenShare }) =>
    Math.max(rise(largestHolderShare, FLAG_FLOORS.largestHolder), rise(topTenShare, FLAG_FLOORS.topTen)),
  sybil_cluster: ({ clusterSupplyShare }) => rise(clusterSupplyShare, FLAG_FLOORS.sybil_cluster),
  smart_money_exiting: ({ smartSoldShare }) => rise(smartSoldShare, FLAG_FLOORS.smart_money_exiting),
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

const isClustered = ({ clusterSupplyShare, clusterTopFiftyShare, clusterStrength }: TokenMeasures): boolean =>
  isSybil({ supplyShare: clusterSupplyShare ?? 0, topFiftyShare: 0, strength: clusterStrength }) ||
  isSybil({ supplyShare: 0, topFiftyShare: clusterTopFiftyShare ?? 0, strength: 1 })

function isExiting({ smartSellerCount, smartBuyerCount, smartSoldShare }: TokenMeasures): boolean {
  const { sellers, soldShare } = SMART_MONEY.exit
  return smartSellerCount >= sellers && smartSellerCount > smartBuyerCount && smartSoldShare >= soldShare
}
