// Scores a token's risk: dimensions, composite, floors, flags, confidence, and the explanation from which a reader can
// recompute the score. Unknown facts pull toward the prior; floors are not shrunk.
import type { Confidence, RiskFlag, RiskLevel } from '../base/vocabulary.ts'
import type { Contribution, Dimension, Explanation, Floor } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { composeParts, settleScore } from './composite.ts'
import { findFlags, findFloors } from './flags.ts'
import { scoreHolders } from './holders.ts'
import { toRiskLevel } from './levels.ts'
import { scoreLiquidity } from './liquidity.ts'
import { type MeasuredToken, measureToken, type TokenMeasures } from './measures.ts'
import { applyScorecard } from './scorecard.ts'
import { scoreSmartMoney } from './smart-money.ts'
import { scoreWash } from './wash.ts'
import { TOKEN_CONFIDENCE, TOKEN_WEIGHTS, type TokenWeights } from './weights.ts'

export interface TokenRisk extends MeasuredToken {
  /** Each 0-100; 100 is the highest risk. */
  dimensions: { liquidity: Dimension; holders: Dimension; wash: Dimension; smartMoney: Dimension }
  riskScore: number
  level: RiskLevel
  flags: RiskFlag[]
  confidence: Confidence
  contributions: Contribution[]
  floors: Floor[]
  explanation: Explanation
}

/** The risk of a token as of its block. With a scorecard in `weights` it replaces the weighted sum. */
export function scoreToken(facts: TokenFacts, weights: TokenWeights = TOKEN_WEIGHTS): TokenRisk {
  const measured = measureToken(facts)
  const { measures } = measured
  const dimensions = {
    liquidity: scoreLiquidity(measures),
    holders: scoreHolders(measures),
    wash: scoreWash(measures),
    smartMoney: scoreSmartMoney(measures),
  }
  const floors = findFloors(measures)
  const { confidence, reasons } = judgeConfidence(facts, measures)
  const explanation = explain(facts, dimensions, measures, floors, weights, reasons)
  return Object.assign(measured, {
    dimensions,
    riskScore: explanation.score,
    level: toRiskLevel(explanation.score),
    flags: findFlags(measures),
    confidence,
    contributions: explanation.contributions,
    floors,
    explanation,
  })
}

function explain(
  facts: TokenFacts,
  dimensions: TokenRisk['dimensions'],
  measures: TokenMeasures,
  floors: Floor[],
  weights: TokenWeights,
  confidenceReasons: string[],
): Explanation {
  const { scorecard, prior, evidenceHalf } = weights
  const parts = scorecard
    ? {
        link: 'logistic' as const,
        intercept: scorecard.intercept,
        contributions: applyScorecard(scorecard, measures, dimensions),
      }
    : { link: 'identity' as const, intercept: 0, contributions: weighDimensions(dimensions, weights) }
  const composite = composeParts(parts)
  const settled = Object.assign(parts, { composite, prior, evidence: countEvents(facts), evidenceHalf, floors })
  return Object.assign(settled, {
    block: facts.block.number,
    hour: new Date(facts.block.hourTime * 1_000).toISOString(),
    dimensions: Object.values(dimensions),
    score: settleScore(settled),
    confidenceReasons,
  })
}

/** The evidence: swaps, additions and removals so far. */
const countEvents = ({ swapCount, liquidityAddCount, liquidityRemoveCount }: TokenFacts): number =>
  swapCount + liquidityAddCount + liquidityRemoveCount

function weighDimensions(dimensions: TokenRisk['dimensions'], weights: TokenWeights): Contribution[] {
  return (['liquidity', 'holders', 'wash', 'smartMoney'] as const).map((name) => {
    const { value } = dimensions[name]
    const weight = weights.dimensions[name]
    return { name, value, weight, contribution: value * weight }
  })
}

/** How much is known about the token. Each reason names what is missing. */
function judgeConfidence(facts: TokenFacts, measures: TokenMeasures): { confidence: Confidence; reasons: string[] } {
  const { medium, high } = TOKEN_CONFIDENCE
  const reasons: string[] = []
  if (facts.swapCount < high.swaps) reasons.push('few_trades')
  if (measures.ageHours < high.ageHours) reasons.push('young')
  if (facts.partial) reasons.push('history_before_start_unknown')
  if (measures.topTenShare === null) reasons.push('holders_unknown')
  if (measures.matchedShare === null) reasons.push('traders_unknown')
  if (measures.exitShare === null) reasons.push('providers_unknown')
  if (facts.priceUsd === null) reasons.push('not_priced')
  const grown = facts.swapCount >= medium.swaps && measures.ageHours >= medium.ageHours
  const unknown = reasons.filter((reason) => reason !== 'few_trades' && reason !== 'young').length
  const confidence = reasons.length === 0 ? 'high' : grown && unknown <= 1 ? 'medium' : 'low'
  return { confidence, reasons }
}
