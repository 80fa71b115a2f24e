// Maps reputations to levels; the cut points are in weights.ts.
import { REPUTATION_CUTS } from './weights.ts'

/** The level of a reputation. The history of a wallet's score stores one point per change of level. */
export const toReputationLevel = (reputation: number): 'low' | 'medium' | 'high' =>
  reputation < REPUTATION_CUTS.low ? 'low' : reputation < REPUTATION_CUTS.medium ? 'medium' : 'high'
