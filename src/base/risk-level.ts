// Levels of a risk score.
import type { RiskLevel } from './vocabulary.ts'

/** `low` is below the first of them, and `critical` from the last on. */
export const RISK_CUTS = { low: 30, medium: 50, high: 65 } as const

export const toRiskLevel = (risk: number): RiskLevel =>
  risk < RISK_CUTS.low ? 'low' : risk < RISK_CUTS.medium ? 'medium' : risk < RISK_CUTS.high ? 'high' : 'critical'

/** The highest scores of the levels that end: a score has two decimals. */
export const HIGHEST_OF_LEVELS = {
  low: RISK_CUTS.low - 0.01,
  medium: RISK_CUTS.medium - 0.01,
  high: RISK_CUTS.high - 0.01,
} as const
