// Fits the risk model to folders of labelled tokens, and measures how well such a model scores periods and markets that it
// was not fitted to. It uses the same snapshots as the evaluation. The result is the same for the same folders and seed.

import { toRiskValues } from '../risk-inputs.ts'
import { type InputPoints, type PreparedRisk, prepareRisk, type RiskModel } from '../risk-model.ts'
import { modelRisk } from '../risk-score.ts'
import { fitRisk } from './fit-risk.ts'
import { areaUnderCurve } from './metrics.ts'
import { FOLDS, type RiskCase, readCases, weighCases } from './risk-cases.ts'
import { PROTOCOLS, type Protocol } from './snapshots.ts'

interface HeldOutRow {
  source: string
  protocol: Protocol
  n: number
  /** AUC of the published score on data left out of the fit: each of five blocks of creation time, and each market. */
  byTime: number | null
  byMarket: number | null
  formula: number | null
  /** For the blocks of time: mean score and share of rugs of the tokens that score below 30, 50 and 65, and of the others. */
  calibration: { n: number; score: number; rugShare: number }[]
}

export interface RiskCalibration {
  model: RiskModel
  /** The factor on the fitted log-odds, so that of tokens scored 70 in periods left out, about 70 % are rugs. */
  temperature: number
  heldOut: HeldOutRow[]
}

/** A part of the cases, and a model that was fitted without it. */
interface HeldOut {
  part: readonly RiskCase[]
  model: RiskModel
}

/** Fits the model to all folders, and evaluates models that were fitted without a part of them. */
export function calibrate(folders: readonly string[], seed: number): RiskCalibration {
  const cases = readCases(folders, seed)
  const markets = [...new Set(cases.map(({ market }) => market))]
  const blocks = Array.from({ length: FOLDS }, (_, fold) => cases.filter((one) => one.fold === fold))
  const periods = holdOut(cases, blocks)
  const temperature = fitTemperature(cases, periods)
  const scoreAll = (parts: readonly HeldOut[]) => scoreHeldOut(parts, temperature)
  const byMarket =
    markets.length > 1
      ? scoreAll(
          holdOut(
            cases,
            markets.map((name) => cases.filter((one) => one.market === name)),
          ),
        )
      : null
  const model = scaleModel(fitCases(cases), temperature)
  return { model, temperature, heldOut: tabulate(cases, scoreAll(periods), byMarket) }
}

const fitCases = (cases: readonly RiskCase[]): RiskModel =>
  fitRisk(
    weighCases(cases).map(({ one, weight }) => {
      return { values: toRiskValues(one.measures, one.counts), positive: one.positive, weight }
    }),
  )

/** For each part, fits a model to all other cases, except those of deployers in the part. */
function holdOut(cases: readonly RiskCase[], parts: readonly RiskCase[][]): HeldOut[] {
  return parts.map((part) => {
    const held = new Set(part)
    const owners = new Set(part.map(({ owner }) => owner))
    return { part, model: fitCases(cases.filter((one) => !held.has(one) && !owners.has(one.owner))) }
  })
}

function scoreHeldOut(parts: readonly HeldOut[], temperature: number): Map<RiskCase, number> {
  const scores = new Map<RiskCase, number>()
  for (const { part, model } of parts) {
    const prepared = prepareRisk(scaleModel(model, temperature))
    for (const one of part) scores.set(one, modelRisk(prepared, one).score)
  }
  return scores
}

/** The factor from 0.5 to 1.5 on the log-odds at which the labels of the periods left out are most likely. */
function fitTemperature(cases: readonly RiskCase[], periods: readonly HeldOut[]): number {
  const logOdds = new Map<RiskCase, number>()
  for (const { part, model } of periods) {
    const prepared = prepareRisk(model)
    for (const one of part) logOdds.set(one, toLogOdds(prepared, one))
  }
  const weighed = weighCases(cases)
  const lossAt = (temperature: number) =>
    weighed.reduce((total, { one, weight }) => {
      const odds = temperature * (logOdds.get(one) ?? 0)
      return total + weight * Math.log(1 + Math.exp(one.positive ? -odds : odds))
    }, 0)
  const steps = Array.from({ length: 101 }, (_, at) => (50 + at) / 100)
  return steps.reduce((best, step) => (lossAt(step) < lossAt(best) ? step : best), 1)
}

function toLogOdds(model: PreparedRisk, one: RiskCase): number {
  const { intercept, contributions } = modelRisk(model, one)
  return contributions.reduce((total, { contribution }) => total + contribution, intercept)
}

function scaleModel({ intercept, points }: RiskModel, by: number): RiskModel {
  const scale = (number: number) => Number((number * by).toFixed(4))
  const scaleTable = (table: InputPoints['byAge']) => table.map((row) => row.map(scale))
  const scaled = Object.entries(points).map(([name, { byAge, byOpening }]) => {
    return [name, { byAge: scaleTable(byAge), byOpening: scaleTable(byOpening) }]
  })
  return { intercept: scale(intercept), points: Object.fromEntries(scaled) }
}

function tabulate(
  cases: readonly RiskCase[],
  byTime: ReadonlyMap<RiskCase, number>,
  byMarket: ReadonlyMap<RiskCase, number> | null,
): HeldOutRow[] {
  const sources = [...new Set(cases.map(({ source }) => source))]
  return sources.flatMap((source) =>
    PROTOCOLS.map((protocol) => {
      const own = cases.filter((one) => one.source === source && one.protocol === protocol)
      const judge = (scoreOf: (one: RiskCase) => number) =>
        areaUnderCurve(own.map((one) => ({ positive: one.positive, score: scoreOf(one) })))
      return {
        source,
        protocol,
        n: own.length,
        byTime: judge((one) => byTime.get(one) ?? 0),
        byMarket: byMarket && judge((one) => byMarket.get(one) ?? 0),
        formula: judge(({ formula }) => formula),
        calibration: calibrationOf(own, byTime),
      }
    }),
  )
}

const BANDS = [0, 30, 50, 65, 101] as const

/** Rugs and peers weigh the same in sum, as in the fit. */
function calibrationOf(cases: readonly RiskCase[], scores: ReadonlyMap<RiskCase, number>): HeldOutRow['calibration'] {
  const positives = cases.filter(({ positive }) => positive).length
  const weightOf = ({ positive }: RiskCase) => 1 / Math.max(1, positive ? positives : cases.length - positives)
  return BANDS.slice(1).map((below, at) => {
    const own = cases.filter((one) => (scores.get(one) ?? 0) >= (BANDS[at] ?? 0) && (scores.get(one) ?? 0) < below)
    const total = own.reduce((sum, one) => sum + weightOf(one), 0)
    const mean = (value: (one: RiskCase) => number) =>
      total > 0 ? own.reduce((sum, one) => sum + weightOf(one) * value(one), 0) / total : 0
    return {
      n: own.length,
      score: mean((one) => scores.get(one) ?? 0),
      rugShare: mean(({ positive }) => (positive ? 1 : 0)),
    }
  })
}
