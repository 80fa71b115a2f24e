// The rules by which a gate decides. A policy may be stricter than the built-in ones, and says what to do about each
// finding. None allows a danger, or what nobody knows: `decide.ts` holds that.
import { HIGHEST_OF_LEVELS } from '../base/risk-level.ts'
import type { TokenFilter } from '../fields/filter.ts'

export const GATE_DECISIONS = ['allow', 'review', 'block'] as const
/** What a bot may do: act, ask somebody, or leave it. From the mildest on. */
export type GateDecision = (typeof GATE_DECISIONS)[number]

export const GATE_BOUNDS = ['standard', 'strict'] as const
export type GateBounds = (typeof GATE_BOUNDS)[number]

export const isBuiltIn = (name: string): name is GateBounds => GATE_BOUNDS.some((bounds) => bounds === name)

/** Characters of the name of a saved policy. */
export const MAX_POLICY_NAME = 40
export const POLICY_NAME = '^[a-z0-9][a-z0-9_-]*$'

/** The fault of a policy's name, after the field's; null: there is none. */
export function faultOfPolicyName(name: string): string | null {
  if (isBuiltIn(name)) return `must not be ${GATE_BOUNDS.join(' or ')}, which are built in`
  if (name.length <= MAX_POLICY_NAME && new RegExp(POLICY_NAME).test(name)) return null
  return `must have 1 to ${MAX_POLICY_NAME} characters of a-z, 0-9, _ and -, the first one a letter or a digit`
}

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
  /** The tokens that it is about. It blocks any other one, unless a rule names the condition. */
  conditions: TokenFilter
}

const STANDARD: GatePolicy = {
  maxRiskScore: HIGHEST_OF_LEVELS.medium,
  maxCheckAgeSeconds: 3_600,
  maxLiquidityPct: 2,
  cautionsFrom: 30,
  maxSellTaxPct: 10,
  findings: {},
  conditions: {},
}

export const BUILT_IN: Readonly<Record<GateBounds, GatePolicy>> = {
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
