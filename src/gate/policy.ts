// The rules by which a gate decides. A policy may be stricter than the built-in ones, and says what to do about each
// finding. None allows a danger, or what nobody knows: `decide.ts` holds that.
import { HIGHEST_OF_LEVELS } from '../base/risk-level.ts'

export const GATE_DECISIONS = ['allow', 'review', 'block'] as const
/** What a bot may do: act, ask somebody, or leave it. From the mildest on. */
export type GateDecision = (typeof GATE_DECISIONS)[number]

export const GATE_POLICIES = ['standard', 'strict'] as const
export type GatePolicyName = (typeof GATE_POLICIES)[number]

export interface GatePolicy {
  /** A higher risk score is reviewed. */
  maxRiskScore: number
  /** An older contract check is stale. */
  maxCheckAgeSeconds: number
  /** A larger order, as a share of the liquidity, is reviewed, in percent. */
  maxLiquidityPct: number
  /** What a caution leads to that implies at least this risk alone. */
  cautionsFrom: number
  /** A higher loss of a sale to the contract is reviewed, in percent. */
  maxSellTaxPct: number
  /** What findings lead to, by the selectors of `rules.ts`. A danger blocks all the same. */
  findings: Readonly<Record<string, GateDecision>>
}

const STANDARD: GatePolicy = {
  maxRiskScore: HIGHEST_OF_LEVELS.medium,
  maxCheckAgeSeconds: 3_600,
  maxLiquidityPct: 2,
  cautionsFrom: 30,
  maxSellTaxPct: 10,
  findings: {},
}

export const BUILT_IN: Readonly<Record<GatePolicyName, GatePolicy>> = {
  standard: STANDARD,
  strict: {
    ...STANDARD,
    maxRiskScore: 29,
    maxCheckAgeSeconds: 600,
    maxLiquidityPct: 0.5,
    cautionsFrom: 5,
    maxSellTaxPct: 1,
  },
}
