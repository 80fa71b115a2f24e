// A measured token -> its risk by the model: the fitted dimensions and those with formulas of their own, one composite of
// all, leaned to the prior where little happened, and lifted to what common sense demands.
import type { Dimension, Floor } from '../ledger/explanation.ts'
import { settleScore } from './composite.ts'
import { findFlags, findFloors } from './flags.ts'
import type { TokenMeasures } from './measures.ts'
import { type RiskCounts, toRiskValues } from './risk-inputs.ts'
import { composeDimensions, type ModelledDimension, modelDimensions, type RiskModel, toRisk } from './risk-model.ts'
import { RISK_CUTS } from './weights.ts'

/** Log-odds a point from the value that says nothing; the data know neither holders nor reputations, so these are small [G]. */
export const FORMULA_WEIGHTS = {
  holders: { weight: 0.01, centre: 60 },
  wash: { weight: 0.01, centre: 60 },
  smartMoney: { weight: 0.01, centre: 50 },
} as const
export type FormulaDimension = keyof typeof FORMULA_WEIGHTS
const FORMULA_DIMENSIONS = ['holders', 'wash', 'smartMoney'] as const

/** A token without events; one event weighs as much as it. */
const PRIOR = 60
const EVIDENCE_HALF = 1
/** Fewer events than this are hardly anything known: never of low risk. */
const BARELY_KNOWN_EVENTS = 10
/** Matched share of the week's volume from which wash trading is most of it. */
const MOSTLY_WASH = 0.5

export interface MeasuredRisk {
  measures: TokenMeasures
  counts: RiskCounts
  isPriced: boolean
  dimensions: Readonly<Record<FormulaDimension, Pick<Dimension, 'value'>>>
}

export interface ModelledRisk {
  /** 0-100, two digits. */
  score: number
  composite: number
  dimensions: ModelledDimension[]
  floors: Floor[]
}

/** The risk as of the measures' block. */
export function modelRisk(model: RiskModel, { measures, counts, isPriced, dimensions }: MeasuredRisk): ModelledRisk {
  const modelled = modelDimensions(model, toRiskValues(measures, counts))
  const formulas = FORMULA_DIMENSIONS.map((name) => {
    const { weight, centre } = FORMULA_WEIGHTS[name]
    return { name, value: dimensions[name].value, weight, contribution: weight * (dimensions[name].value - centre) }
  })
  const intercept = composeDimensions(model, modelled)
  const evidence = measures.swapCount + counts.liquidityAddCount + counts.liquidityRemoveCount
  const floors = listFloors(measures, evidence, isPriced)
  const logOdds = formulas.reduce((total, { contribution }) => total + contribution, intercept)
  const composite = toRisk(logOdds)
  const score = settleScore({
    link: 'logistic',
    intercept,
    contributions: formulas,
    composite,
    // A token that looks worse than one without events does not gain by having few.
    prior: Math.max(PRIOR, composite),
    evidence,
    evidenceHalf: EVIDENCE_HALF,
    floors,
  })
  return { score, composite, dimensions: modelled, floors }
}

/** What the score does not fall below, whatever the model says. */
export function listFloors(measures: TokenMeasures, evidence: number, isPriced: boolean): Floor[] {
  const flags = findFlags(measures)
  const floors = findFloors(measures)
  const mostly = (measures.matchedShare ?? 0) >= MOSTLY_WASH
  for (const flag of flags) {
    const isHigh = flag === 'liquidity_pulled' || (flag === 'wash_trading' && mostly)
    floors.push({ reason: flag, atLeast: isHigh ? RISK_CUTS.medium : RISK_CUTS.low })
  }
  if (!isPriced) floors.push({ reason: 'not_priced', atLeast: RISK_CUTS.low })
  if (evidence < BARELY_KNOWN_EVENTS) floors.push({ reason: 'barely_known', atLeast: RISK_CUTS.low })
  return floors
}
