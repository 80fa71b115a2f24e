import { toRiskLevel } from '../base/risk-level.ts'
import type { Contribution, Dimension } from '../ledger/explanation.ts'
import { writeHeadline } from '../verdict/headline.ts'
import { scoreCapability } from './capability.ts'
import { composeParts, settleScore } from './composite.ts'
import { countEvidence, listFloors } from './floors.ts'
import { holdLevel } from './hysteresis.ts'
import type { MeasuredRisk, ModelledRisk } from './measured-risk.ts'
import { pullChance } from './pull-chance.ts'
import { round } from './ramp.ts'
import { listReasons } from './reasons.ts'
import { toRiskValues } from './risk-inputs.ts'
import { type ModelledDimension, modelDimensions, type PreparedRisk, toRisk } from './risk-model.ts'
import { CAPABILITY, RISK } from './weights.ts'

/** The risk as of the measures' block. */
export function modelRisk(model: PreparedRisk, measured: MeasuredRisk): ModelledRisk {
  const { measures, counts, isQuote } = measured
  const fitted = modelDimensions(model, toRiskValues(measures, counts))
  const capability = scoreCapability(measures)
  const logOdds = fitted.reduce((total, { value, weight }) => total + value * weight, model.intercept)
  const chance = pullChance(logOdds, measures.lifeHours)
  const parts = isQuote ? QUOTE_PARTS : toParts(model, fitted, capability)
  const composite = composeParts(parts)
  const base = round(isQuote ? composite : toRisk(model.neutral))
  const floors = listFloors(measured, chance)
  const held = holdLevel(settleScore({ composite, floors }), measured)
  if (held) floors.push(held)
  const score = settleScore({ composite, floors })
  const pullChance30dPct = isQuote ? null : round(100 * chance)
  const scored = { composite, evidence: countEvidence(measured), base, floors, score, pullChance30dPct }
  const reasons = listReasons({ neutral: model.neutral, fitted, capability, measured, scored })
  const headline = writeHeadline({ level: toRiskLevel(score), findings: reasons, measures, isBase: isQuote })
  const checkedAt = measures.contract?.checkedAt ?? null
  return Object.assign({}, parts, scored, {
    dimensions: listDimensions(fitted, measured, capability),
    ...{ reasons, headline, checkedAt },
  })
}

/** The trusted tokens of the chain's preset. */
const QUOTE_PARTS = { link: 'identity' as const, intercept: RISK.quote, contributions: [] }

const toParts = (model: PreparedRisk, fitted: readonly ModelledDimension[], capability: Dimension) => ({
  link: 'logistic' as const,
  intercept: round(model.intercept - CAPABILITY.weight * CAPABILITY.centre, 6),
  contributions: [
    ...fitted.map((one) => toContribution(one, one.weight)),
    toContribution(capability, CAPABILITY.weight),
  ],
})

const toContribution = ({ name, value }: Dimension, weight: number): Contribution => ({
  name,
  value,
  weight,
  contribution: value * weight,
})

/** In the order of the vocabulary: the contract's four first. */
function listDimensions(
  fitted: readonly ModelledDimension[],
  { formulas }: MeasuredRisk,
  capability: Dimension,
): Dimension[] {
  const [liquidity, ...others] = fitted.map(({ name, value, inputs }): Dimension => ({ name, value, inputs }))
  const { holders, wash, smart_money: smartMoney } = formulas
  return [...(liquidity ? [liquidity] : []), holders, wash, smartMoney, ...others, capability]
}
