// A measured token -> its risk by the model: the fitted dimensions and those with formulas of their own, one composite of
// all, leaned to the prior where little happened, and lifted to what common sense demands.
import { RISK_DIMENSIONS, type RiskDimension } from '../base/vocabulary.ts'
import type { Contribution, Dimension, Explanation, Floor, Reason } from '../ledger/explanation.ts'
import { composeParts, settleScore } from './composite.ts'
import { contractFloors } from './contract.ts'
import { findFlags, findFloors } from './flags.ts'
import type { TokenMeasures } from './measures.ts'
import { round } from './ramp.ts'
import { listReasons, QUOTE_REASON, tellFloor } from './reasons.ts'
import { type RiskCounts, toRiskValues } from './risk-inputs.ts'
import { modelDimensions, type PreparedRisk } from './risk-model.ts'
import { FALL, FORMULA_WEIGHTS, RISK, RISK_CUTS, WASH } from './weights.ts'

export type FormulaDimension = keyof typeof FORMULA_WEIGHTS

export interface MeasuredRisk {
  measures: TokenMeasures
  counts: RiskCounts
  isPriced: boolean
  /** Money of the chain, which is not judged as a launch. */
  isQuote: boolean
  /** Those with formulas of their own. */
  formulas: Readonly<Record<FormulaDimension, Dimension>>
}

/** Everything of an explanation that the token's block and confidence do not say. */
export type ModelledRisk = Omit<Explanation, 'block' | 'hour' | 'confidenceReasons'>

/** What a token's dimensions say in log-odds, and what each weighs. */
export interface Weighed {
  name: RiskDimension
  dimension: Dimension
  weight: number
  /** By input of a fitted dimension; of one with a formula in one number. */
  logOdds: readonly number[]
}

/** The risk as of the measures' block. */
export function modelRisk(model: PreparedRisk, measured: MeasuredRisk): ModelledRisk {
  const { measures, counts, isQuote } = measured
  const weighed = weighDimensions(model, measured)
  const evidence = measures.cleanSwapCount + counts.liquidityAddCount + counts.liquidityRemoveCount
  const floors = listFloors(measured, evidence)
  const parts = isQuote ? toQuoteParts(weighed) : toParts(model, weighed)
  const composite = composeParts(parts)
  const settled = Object.assign(parts, {
    composite,
    // A token that looks worse than one without events does not gain by having few.
    prior: isQuote ? composite : Math.max(RISK.prior, composite),
    evidence,
    evidenceHalf: RISK.evidenceHalf,
    floors,
  })
  const score = settleScore(settled)
  const scored = Object.assign(settled, { dimensions: weighed.map(({ dimension }) => dimension), score })
  return Object.assign(scored, { reasons: toReasons(model, measured, weighed, scored) })
}

function weighDimensions(model: PreparedRisk, { measures, counts, formulas }: MeasuredRisk): Weighed[] {
  const fitted = modelDimensions(model, toRiskValues(measures, counts))
  return RISK_DIMENSIONS.map((name) => {
    if (name in formulas) {
      const dimension = formulas[name as FormulaDimension]
      const { weight, centre } = FORMULA_WEIGHTS[name as FormulaDimension]
      return { name, dimension, weight, logOdds: [weight * (dimension.value - centre)] }
    }
    const { value, inputs, weight, logOdds } = fitted.find((one) => one.name === name) ?? NOTHING
    return { name, dimension: { name, value, inputs }, weight, logOdds }
  })
}

const NOTHING = { value: 0, inputs: [], weight: 0, logOdds: [] }

const CENTRES = Object.values(FORMULA_WEIGHTS).reduce((total, { weight, centre }) => total + weight * centre, 0)

const toParts = (model: PreparedRisk, weighed: readonly Weighed[]) => ({
  link: 'logistic' as const,
  intercept: round(model.intercept - CENTRES, 6),
  contributions: weighed.map(({ dimension, weight }) => toContribution(dimension, weight)),
})

/** What the chain's preset vouches for: its dimensions are measured, and weigh nothing. */
const toQuoteParts = (weighed: readonly Weighed[]) => ({
  link: 'identity' as const,
  intercept: RISK.quote,
  contributions: weighed.map(({ dimension }) => toContribution(dimension, 0)),
})

const toContribution = ({ name, value }: Dimension, weight: number): Contribution => ({
  name,
  value,
  weight,
  contribution: value * weight,
})

function toReasons(
  model: PreparedRisk,
  { measures, isQuote }: MeasuredRisk,
  weighed: readonly Weighed[],
  scored: Omit<ModelledRisk, 'reasons'>,
): Reason[] {
  if (!isQuote) return listReasons({ neutral: model.neutral, weighed, measures, scored })
  const points = Math.round(RISK.quote - RISK.prior)
  return [{ ...QUOTE_REASON, points }, ...tellFloor(scored.floors, scored.score - RISK.quote, measures)]
}

/** What the score does not fall below, whatever the model says. */
function listFloors({ measures, isPriced, isQuote }: MeasuredRisk, evidence: number): Floor[] {
  const floors = findFloors(measures)
  const mostly = (measures.matchedShare ?? 0) >= WASH.mostly
  for (const flag of findFlags(measures)) {
    const isHigh = flag === 'wash_trading' && mostly
    if (flag !== 'liquidity_pulled') floors.push({ reason: flag, atLeast: isHigh ? RISK_CUTS.medium : RISK_CUTS.low })
  }
  if (!isQuote && (measures.fullRangeToPeak ?? 1) <= FALL.monthLeft)
    floors.push({ reason: 'fell_within_a_month', atLeast: RISK_CUTS.low })
  if (!isQuote) floors.push(...contractFloors(measures.contract))
  if (!isPriced) floors.push({ reason: 'not_priced', atLeast: RISK_CUTS.low })
  if (evidence < RISK.barelyKnownEvents && !isQuote) floors.push({ reason: 'barely_known', atLeast: RISK_CUTS.low })
  return floors
}
