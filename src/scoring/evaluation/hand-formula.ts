// A formula written by hand, as a baseline that the fitted model must beat on tokens left out of the fit: a weighted sum of
// four dimensions, of which liquidity is a weighted sum of four ramps. It is used in evaluations only.
import type { Dimension } from '../../ledger/explanation.ts'
import { settleScore } from '../composite.ts'
import { findFloors } from '../flags.ts'
import type { TokenMeasures } from '../measures.ts'
import { ramp, toDimension, toInput } from '../ramp.ts'
import type { FormulaDimension } from '../risk-score.ts'
import { type Ramp, RISK } from '../weights.ts'

const WEIGHTS = { liquidity: 0.5, holders: 0.15, wash: 0.25, smartMoney: 0.1 } as const

const LIQUIDITY = {
  weights: { depth: 0.45, exit: 0.25, drawdown: 0.2, providers: 0.1 },
  /** log10 of dollars. */
  depth: [2.5, 5.5] as Ramp,
  exit: [0.3, 1] as Ramp,
  drawdown: [0.1, 0.9] as Ramp,
  /** log10 of the number of providers. */
  providers: [0, 1.5] as Ramp,
} as const

/** Two kinds of suspicion; the larger one counts. */
const WASH = {
  matched: [0.05, 0.6] as Ramp,
  fewTraders: { weight: 0.5, log10: [0.3, 2.3] as Ramp },
  volumeHhi: { weight: 0.25, hhi: [0.03, 0.4] as Ramp },
} as const

/** The score by the formula, 0-100, shrunk towards the prior and raised to the floors like the published score. */
export function scoreByHand(
  measures: TokenMeasures,
  formulas: Readonly<Record<FormulaDimension, Dimension>>,
  evidence: number,
): number {
  const dimensions = { ...formulas, liquidity: scoreLiquidity(measures), wash: suspectWash(measures) }
  const contributions = (['liquidity', 'holders', 'wash', 'smartMoney'] as const).map((name) => {
    const { value } = dimensions[name]
    return { name, value, weight: WEIGHTS[name], contribution: value * WEIGHTS[name] }
  })
  const composite = contributions.reduce((total, { contribution }) => total + contribution, 0)
  const { prior, evidenceHalf } = RISK
  return settleScore({ composite, prior, evidence, evidenceHalf, floors: findFloors(measures) })
}

function scoreLiquidity(measures: TokenMeasures): Dimension {
  const { weights, depth, exit, drawdown, providers } = LIQUIDITY
  return toDimension('liquidity', [
    toInput('liquidityUsd', measures.liquidityUsd, weights.depth, (usd) => 1 - ramp(log10(usd), depth)),
    toInput('exitShare', measures.exitShare, weights.exit, (share) => ramp(share, exit)),
    toInput('reserveToPeak', measures.reserveToPeak, weights.drawdown, (left) => 1 - ramp(left, drawdown)),
    toInput('providerCount', measures.providerCount, weights.providers, (count) => 1 - ramp(log10(count), providers)),
  ])
}

function suspectWash({ matchedShare, cleanTraderCount, volumeHhi }: TokenMeasures): Dimension {
  const { matched, fewTraders, volumeHhi: even } = WASH
  const direct = toDimension('wash', [toInput('matchedShare', matchedShare, 1, (share) => ramp(share, matched))])
  const few = toDimension('wash', [
    toInput('traderCount', cleanTraderCount, fewTraders.weight, (count) => 1 - ramp(log10(count), fewTraders.log10)),
    toInput('volumeHhi', volumeHhi, even.weight, (index) => ramp(index, even.hhi)),
  ])
  return direct.value >= few.value ? direct : few
}

const log10 = (value: number): number => Math.log10(Math.max(value, 1))
