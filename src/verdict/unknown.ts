// What nobody knows about a token, from the gaps in its score.
import type { ConfidenceGap } from '../base/vocabulary.ts'
import type { Unknown } from './finding.ts'

const UNKNOWNS: Readonly<Partial<Record<ConfidenceGap, Unknown>>> = {
  contract_not_checked: { topic: 'sale', text: 'Whether it can be sold, and what its contract allows' },
  contract_checked_in_part: { topic: 'owner', text: 'A part of what its contract allows' },
  providers_unknown: { topic: 'liquidity', text: 'Who can withdraw its liquidity' },
  holders_unknown: { topic: 'holders', text: 'Who holds it' },
  traders_unknown: { topic: 'market', text: 'Who trades it' },
  not_priced: { topic: 'market', text: 'What it is worth' },
  history_before_start_unknown: { topic: 'age', text: 'Its past before the first indexed block' },
}

/** The gravest first. */
export const listUnknown = (gaps: readonly string[]): Unknown[] =>
  Object.entries(UNKNOWNS).flatMap(([gap, unknown]) => (gaps.includes(gap) ? [unknown] : []))

/** The most unknowns of a verdict. */
export const MOST_UNKNOWN = Object.keys(UNKNOWNS).length
