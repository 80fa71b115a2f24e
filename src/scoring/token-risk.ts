// Scores a token's risk: dimensions, composite, floors, flags, confidence, and the explanation from which a reader can
// recompute the score. Unknown facts pull toward the prior; floors are not shrunk.
import type { Confidence, ConfidenceGap, RiskDimension, RiskFlag, RiskLevel } from '../base/vocabulary.ts'
import type { Dimension, Explanation } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { contractGap } from './contract.ts'
import { findFlags } from './flags.ts'
import { scoreHolders } from './holders.ts'
import { toRiskLevel } from './levels.ts'
import { type MeasuredToken, measureToken, type TokenMeasures } from './measures.ts'
import fitted from './risk-model.json' with { type: 'json' }
import { prepareRisk } from './risk-model.ts'
import { type MeasuredRisk, modelRisk } from './risk-score.ts'
import { scoreSmartMoney } from './smart-money.ts'
import { scoreWash } from './wash.ts'
import { TOKEN_CONFIDENCE } from './weights.ts'

/** Fitted on labelled pools of three markets by `calibrate`. */
const MODEL = prepareRisk(fitted)

export interface TokenRisk extends MeasuredToken {
  /** Each 0-100, 100 is the most risk. */
  dimensions: Readonly<Record<RiskDimension, Dimension>>
  riskScore: number
  level: RiskLevel
  flags: RiskFlag[]
  confidence: Confidence
  explanation: Explanation
}

/** The risk of a token as of its block. */
export function scoreToken(facts: TokenFacts): TokenRisk {
  const measured = measureToken(facts)
  const { measures } = measured
  const { confidence, reasons } = judgeConfidence(facts, measures)
  const explanation = Object.assign(modelRisk(MODEL, toMeasuredRisk(facts, measures)), {
    block: facts.block.number,
    hour: new Date(facts.block.hourTime * 1_000).toISOString(),
    confidenceReasons: reasons,
  })
  const dimensions = Object.fromEntries(explanation.dimensions.map((dimension) => [dimension.name, dimension]))
  return Object.assign(measured, {
    dimensions: dimensions as TokenRisk['dimensions'],
    riskScore: explanation.score,
    level: toRiskLevel(explanation.score),
    flags: findFlags(measures),
    confidence,
    explanation,
  })
}

/** What the model asks of a token. */
export const toMeasuredRisk = (facts: TokenFacts, measures: TokenMeasures): MeasuredRisk => ({
  measures,
  counts: facts,
  isPriced: facts.priceUsd !== null,
  isQuote: facts.isQuote,
  formulas: { holders: scoreHolders(measures), wash: scoreWash(measures), smartMoney: scoreSmartMoney(measures) },
})

/** These keep a confidence from being high, and do not make it low by themselves. */
const MILD_GAPS: ReadonlySet<ConfidenceGap> = new Set([
  'few_trades',
  'young',
  'contract_not_checked',
  'contract_checked_in_part',
])

/** How much is known about the token. Each reason names what is missing. */
function judgeConfidence(
  facts: TokenFacts,
  measures: TokenMeasures,
): { confidence: Confidence; reasons: ConfidenceGap[] } {
  const { medium, high } = TOKEN_CONFIDENCE
  const reasons: ConfidenceGap[] = []
  if (facts.swapCount < high.swaps) reasons.push('few_trades')
  if (measures.ageHours < high.ageHours) reasons.push('young')
  if (facts.partial) reasons.push('history_before_start_unknown')
  if (measures.topTenShare === null) reasons.push('holders_unknown')
  if (measures.matchedShare === null) reasons.push('traders_unknown')
  if (measures.exitShare === null) reasons.push('providers_unknown')
  if (facts.priceUsd === null) reasons.push('not_priced')
  const gap = facts.isQuote ? null : contractGap(facts.contract)
  if (gap) reasons.push(gap)
  const grown = facts.swapCount >= medium.swaps && measures.ageHours >= medium.ageHours
  const unknown = reasons.filter((reason) => !MILD_GAPS.has(reason)).length
  const confidence = reasons.length === 0 ? 'high' : grown && unknown <= 1 ? 'medium' : 'low'
  return { confidence, reasons }
}
