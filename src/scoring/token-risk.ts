// Scores a token's risk: dimensions, composite, floors, flags, confidence, and the explanation from which a reader can
// recompute the score.

import { toRiskLevel } from '../base/risk-level.ts'
import type { Confidence, ConfidenceGap, RiskDimension, RiskFlag, RiskLevel } from '../base/vocabulary.ts'
import type { Dimension, Explanation } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { contractGap } from './contract.ts'
import { findFlags } from './flags.ts'
import { scoreHolders } from './holders.ts'
import type { MeasuredRisk } from './measured-risk.ts'
import { type MeasuredToken, measureToken, type TokenMeasures } from './measures.ts'
import fitted from './risk-model.json' with { type: 'json' }
import { type PreparedRisk, prepareRisk, type RiskModels } from './risk-model.ts'
import { modelRisk } from './risk-score.ts'
import { scoreSmartMoney } from './smart-money.ts'
import { scoreWash } from './wash.ts'
import { TOKEN_CONFIDENCE } from './weights.ts'

/** Fitted on labelled pools of three markets by `calibrate`. */
const OTHERS = prepareRisk(fitted.others)
const CHAINS: ReadonlyMap<number, PreparedRisk> = new Map(
  Object.entries((fitted as RiskModels).chains).map(([chainId, model]) => [Number(chainId), prepareRisk(model)]),
)

export interface TokenRisk extends MeasuredToken {
  /** Each 0-100, 100 is the most risk. */
  dimensions: Readonly<Record<RiskDimension, Dimension>>
  riskScore: number
  level: RiskLevel
  flags: RiskFlag[]
  confidence: Confidence
  explanation: Explanation
}

/** The risk of a token at its block. */
export function scoreToken(facts: TokenFacts): TokenRisk {
  const measured = measureToken(facts)
  const { measures } = measured
  const judged = judgeConfidence(facts, measures)
  const explanation = Object.assign(
    modelRisk(CHAINS.get(facts.chainId) ?? OTHERS, toMeasuredRisk(facts, measures, judged)),
    {
      block: facts.block.number,
      hour: new Date(facts.block.hourTime * 1_000).toISOString(),
      confidenceReasons: judged.reasons,
    },
  )
  const dimensions = Object.fromEntries(explanation.dimensions.map((dimension) => [dimension.name, dimension]))
  return Object.assign(measured, {
    dimensions: dimensions as TokenRisk['dimensions'],
    riskScore: explanation.score,
    level: toRiskLevel(explanation.score),
    flags: findFlags(measures),
    confidence: judged.confidence,
    explanation,
  })
}

/** The model's values of a token. */
export const toMeasuredRisk = (
  facts: TokenFacts,
  measures: TokenMeasures,
  { confidence }: Pick<Judged, 'confidence'> = judgeConfidence(facts, measures),
): MeasuredRisk => ({
  measures,
  counts: facts,
  confidence,
  isPriced: facts.priceUsd !== null,
  isQuote: facts.isQuote,
  previous: facts.previous,
  time: facts.block.time,
  formulas: { holders: scoreHolders(measures), wash: scoreWash(measures), smart_money: scoreSmartMoney(measures) },
})

/** These keep a confidence from being high, but alone do not make it low. */
const MILD_GAPS: ReadonlySet<ConfidenceGap> = new Set([
  'few_trades',
  'young',
  'contract_not_checked',
  'contract_checked_in_part',
])

interface Judged {
  confidence: Confidence
  reasons: ConfidenceGap[]
}

/** The confidence in the token's risk. Each reason names a gap. */
function judgeConfidence(facts: TokenFacts, measures: TokenMeasures): Judged {
  const { medium, high } = TOKEN_CONFIDENCE
  const reasons: ConfidenceGap[] = []
  // Wash trading makes nothing known.
  if (measures.cleanSwapCount < high.swaps) reasons.push('few_trades')
  if (measures.ageHours < high.ageHours) reasons.push('young')
  if (facts.partial) reasons.push('history_before_start_unknown')
  if (measures.topTenShare === null) reasons.push('holders_unknown')
  if (measures.matchedShare === null) reasons.push('traders_unknown')
  if (measures.exitShare === null) reasons.push('providers_unknown')
  if (facts.priceUsd === null) reasons.push('not_priced')
  const gap = facts.isQuote ? null : contractGap(facts.contract)
  if (gap) reasons.push(gap)
  const grown = measures.cleanSwapCount >= medium.swaps && measures.ageHours >= medium.ageHours
  const unknown = reasons.filter((reason) => !MILD_GAPS.has(reason)).length
  const confidence = reasons.length === 0 ? 'high' : grown && unknown <= 1 ? 'medium' : 'low'
  return { confidence, reasons }
}
