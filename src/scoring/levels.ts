// Maps scores to levels; the cut points are in weights.ts.
import type { RiskLevel } from '../base/vocabulary.ts'
import { REPUTATION_CUTS, RISK_CUTS } from './weights.ts'

export const toRiskLevel = (risk: number): RiskLevel =>
  risk < RISK_CUTS.low ? 'low' : risk < RISK_CUTS.medium ? 'medium' : risk < RISK_CUTS.high ? 'high' : 'critical'

/** The level of a reputation. The history of a wallet's score stores one point per change of level. */
export const toReputationLevel = (reputation: number): 'low' | 'medium' | 'high' =>
  reputation < REPUTATION_CUTS.low ? 'low' : reputation < REPUTATION_CUTS.medium ? 'medium' : 'high'
