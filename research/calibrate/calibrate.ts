// Fits the risk models to folders of labelled tokens. One model is for every chain; each chain of the folders gets a
// mix of it with the chain's own. The result is the same for the same folders and seed.
import { toRiskValues } from '../../src/scoring/risk-inputs.ts'
import type { RiskModel, RiskModels } from '../../src/scoring/risk-model.ts'
import type { Traps } from '../labels/traps.ts'
import { type Exam, sitExam } from './exam.ts'
import { fitRisk } from './fit-risk.ts'
import { mixModels } from './mix-models.ts'
import { type RiskCase, readCases, weighCases } from './risk-cases.ts'

export interface RiskCalibration {
  models: RiskModels
  exam: Exam
}

/** Fits the models to all folders, and measures such models on later tokens. `traps`: labels for a further table. */
export function calibrate(folders: readonly string[], seed: number, traps: Traps = new Map()): RiskCalibration {
  const cases = readCases(folders, seed)
  const pooled = fitCases(cases)
  const chains = [...new Set(cases.map(({ chainId }) => chainId))]
  const mixed = chains.map((chainId) => [chainId, mixModels(pooled, fitCases(newestMarket(cases, chainId)))])
  return { models: { chains: Object.fromEntries(mixed), others: pooled }, exam: sitExam(cases, fitCases, traps) }
}

/** Of a chain with several markets, the one that began last. */
function newestMarket(cases: readonly RiskCase[], chainId: number): RiskCase[] {
  const own = cases.filter((one) => one.chainId === chainId)
  const begins = new Map<string, number>()
  for (const { market, createdAt } of own) begins.set(market, Math.min(createdAt, begins.get(market) ?? createdAt))
  const [newest] = [...begins].reduce((last, one) => (one[1] > last[1] ? one : last))
  return own.filter(({ market }) => market === newest)
}

const fitCases = (cases: readonly RiskCase[]): RiskModel =>
  fitRisk(
    weighCases(cases).map(({ one, weight }) => {
      return { values: toRiskValues(one.measures, one.counts), positive: one.positive, weight }
    }),
  )
