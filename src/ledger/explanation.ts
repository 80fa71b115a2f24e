// How a score was computed, in stored and published form. A reader can compute the score again exactly. Summands have
// full precision, and sums run in the published order, so that even the last digit agrees.
import type {
  Classification,
  Confidence,
  FloorReason,
  NetActivity,
  RiskDimension,
  RiskFlag,
  RiskLevel,
} from '../base/vocabulary.ts'
import type { ScoredNumber } from '../fields/token.ts'
import type { VerdictFinding } from '../verdict/finding.ts'
import type { ClusterMap } from './clusters.ts'

/** One measured input of a dimension: `contribution` = `points` x `weight`. */
export interface Input {
  name: string
  /**
   * As measured, in the unit that docs/scores.md names; stored with six digits. Null: unknown; `points` are then the
   * prior's.
   */
  value: number | null
  /** 0-100. */
  points: number
  weight: number
  contribution: number
}

/** A subject of a score, 0-100: the sum of its inputs' contributions. */
export interface Dimension {
  name: string
  /** For a token 100 is the most risk, for a wallet 100 is the best. */
  value: number
  inputs: Input[]
}

/** One summand of the composite. */
export interface Contribution {
  name: string
  /** As measured; null: unknown. */
  value: number | null
  weight: number
  /** `weight` x `value`. */
  contribution: number
}

/** The reasons of a score, for people: the findings of its verdict. */
export interface Reason extends VerdictFinding {
  /** The name of its dimension. */
  dimension: RiskDimension
}

/** A finding that lifts the score to `atLeast` or above it. */
export interface Floor {
  reason: FloorReason
  atLeast: number
}

/**
 * score = round(max(composite, floors), 2 digits). A floor lifts a composite below the end of the floor's level (30,
 * 50, 65 or 100). The lifted score is floor + (end - floor) x composite / end. The composite is clamp(intercept + sum
 * of contributions, 0, 100); with the link `logistic` it is 100 / (1 + e^-(that sum)).
 */
export interface Explanation {
  block: number
  /** The block's time floored to the hour, ISO 8601. */
  hour: string
  dimensions: Dimension[]
  link: 'identity' | 'logistic'
  intercept: number
  contributions: Contribution[]
  composite: number
  /** For a token the number of its swaps and changes of liquidity, for a wallet that of its exits. */
  evidence: number
  floors: Floor[]
  score: number
  /** The gaps that lower the confidence: words such as `few_trades`, `transfers_without_cost`. */
  confidenceReasons: string[]
  /**
   * The score of a token without any known fact. With the points of all reasons it makes the score. Null for a wallet.
   */
  base: number | null
  /** A token's reasons, twelve at most, dangers first; empty for a wallet. */
  reasons: Reason[]
  /** The verdict's sentence; empty for a wallet, and for a score of an earlier version. */
  headline: string
  /** The time of the contract check behind it, in seconds since 1970; null: there was none. */
  checkedAt: number | null
  /** The chance that its liquidity is pulled within 30 days, in percent; null for a base asset and for a wallet. */
  pullChance30dPct: number | null
}

/** A token's score, as stored. */
export interface TokenScore {
  tokenId: number
  block: number
  riskScore: number
  riskLevel: RiskLevel
  flags: RiskFlag[]
  confidence: Confidence
  trendingScore: number
  /** What its launch groups hold. Null: it was not read anew, and the stored shares stay. */
  shares: Record<ScoredNumber, number | null> | null
  /**
   * Null: its holders, the wallets that can withdraw its liquidity, its trades, or those of wallets with a good record
   * are unknown.
   */
  holderConcentrationScore: number | null
  liquidityStabilityScore: number | null
  washTradeScore: number | null
  smartMoneyFlowScore: number | null
  earlyMoverCount: number
  earlyMoverNetActivity: NetActivity
  avgReputationTop10: number
  summary: string
  summarySource: 'facts' | 'model'
  /** Whether the newest contract check found that holders can sell; null: unknown. */
  sellable: boolean | null
  /** Until when its level is held after a fall, in seconds since 1970; null: it is not. */
  heldUntil: number | null
  /** The wallet that can withdraw the most of its liquidity. Null: none can, or nobody knows who. */
  withdrawerId: number | null
  /** USD of the last 24 hours without wash trades and round trips. Null: unknown. */
  organicVolume24hUsd: number | null
  /** The wallets behind the flag `sybil_cluster`, ascending; empty without the flag. */
  clusterWalletIds: number[]
  /** The clusters among its wallets; null: unknown. */
  clusterMap: ClusterMap | null
  /** The wallets behind its matched swaps of the week, ascending. */
  washerIds: number[]
  explanation: Explanation
}

/** A wallet's score, as stored. */
export interface WalletScore {
  walletId: number
  /** The block that last changed the wallet. */
  block: number
  /** The time of the newest fact in it, in seconds since 1970. */
  time: number
  reputationScore: number
  /** The level of the reputation, by the cut points in scoring/levels. */
  level: string
  confidence: Confidence
  classification: Classification
  /** All that apply, in order. */
  classifications: Classification[]
  /** Fraction 0-1, not shrunk. This and the next three: null if unknown. */
  winRate: number | null
  entryTimingScore: number | null
  consistencyScore: number | null
  riskDrawdownScore: number | null
  sectorPreference: string
  explanation: Explanation
}
