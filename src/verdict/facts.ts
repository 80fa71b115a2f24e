// The measures that the sentences of a verdict name. Shares are 0-1, times seconds since 1970. Null: unknown.
import type { SafetyReport } from '../safety/report.ts'

/** The newest check of a token's contract. */
export interface CheckedContract extends Pick<SafetyReport, 'sellCheck' | 'powers' | 'findings' | 'complete'> {
  /** The time of the checked block. */
  checkedAt: number
}

export interface VerdictMeasures {
  lifeHours: number
  isUnderWeek: boolean
  liquidityUsd: number
  /** The largest share of the liquidity that one wallet can withdraw within 30 days, and that wallet. */
  exitShare: number | null
  withdrawer: { address: string | null } | null
  withdrawableShare: number | null
  datedShare: number | null
  lockedUntil: number | null
  ownerCount: number | null
  reserveToPeak: number | null
  /** The share of the month's peak that a deep fall left. */
  leftAfterFall: number | null
  pulledShare: number
  reserveFall: number
  priceFall24h: number
  reserveGrowth: number | null
  openingStep: number | null
  firstBuysToOpening: number | null
  buyCount7d: number
  sellCount7d: number
  volume7dUsd: number
  traderCount: number | null
  tradeToReserve: number | null
  sinceSwapHours: number | null
  matchedShare: number | null
  sharesMovedHours: number | null
  topTenShare: number | null
  largestHolderShare: number | null
  largestOwnerWalletCount: number | null
  clusterHeldShare: number | null
  clusterSupplyShare: number | null
  smartFlow: number | null
  smartSoldShare: number
  contract: CheckedContract | null
  deployerTokenCount: number
  deployerPulledCount: number
  funderTokenCount: number
  funderPulledCount: number
  openerPoolCount: number
  openerEmptiedCount: number
}

/** Changes of liquidity since the launch. */
export interface LiquidityCounts {
  liquidityAddCount: number
  liquidityRemoveCount: number
}
