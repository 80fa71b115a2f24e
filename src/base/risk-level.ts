// Levels of a risk score.
import type { RiskLevel } from './vocabulary.ts'

/** `low` is below the first of them, and `critical` from the last on. */
export const RISK_CUTS = { low: 30, medium: 50, high: 65 } as const

export const toRiskLevel = (risk: number): RiskLevel =>
  risk < RISK_CUTS.low ? 'low' : risk < RISK_CUTS.medium ? 'medium' : risk < RISK_CUTS.high ? 'high' : 'critical'

/** The highest scores of `low`, `medium` and `high`: a score has two decimals. */
export const HIGHEST_OF_LEVELS = [RISK_CUTS.low, RISK_CUTS.medium, RISK_CUTS.high].map((cut) => cut - 0.01)
