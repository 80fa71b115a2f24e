// Folders of labelled tokens -> the fitted risk model, and how it does on what it never saw: whole periods, and whole
// markets. In: the snapshots that the evaluation judges. Out: plain points, the same for the same folders and seed.

import { toRiskValues } from '../risk-inputs.ts'
import type { RiskModel } from '../risk-model.ts'
import { type MeasuredRisk, modelRisk } from '../risk-score.ts'
import { scoreToken } from '../token-risk.ts'
import { TOKEN_WEIGHTS } from '../weights.ts'
import { fitRisk } from './fit-risk.ts'
import { readTokenFolder } from './folder.ts'
import type { TokenHistory } from './history.ts'
import { createLeftOut } from './left-out.ts'
import { areaUnderCurve, createRandom } from './metrics.ts'
import { PROTOCOLS, type Protocol, takeSnapshots } from './snapshots.ts'

/** The complete records are judged and not learnt from: they are the aligned ones once more. */
const PROTOCOL_WEIGHT: Record<Protocol, number> = { '1h': 0.5, '24h': 1, '72h': 0.5, aligned: 2, aligned_complete: 0 }
/** Peers for each rug. */
const PEERS = 3
const FOLDS = 5

export interface RiskCase extends MeasuredRisk {
  source: string
  /** Folders that share a token are one market. */
  market: string
  protocol: Protocol
  positive: boolean
  owner: string
  fold: number
  createdAt: number
  /** What the scorecard and the weighted sum of the dimensions say. */
  scorecard: number
  formula: number
}

export interface HeldOutRow {
  source: string
  protocol: Protocol
  n: number
  /** AUC of the published score: of five blocks of creation time, and of markets, that the fit never saw. */
  byTime: number | null
  byMarket: number | null
  formula: number | null
  scorecard: number | null
  /** By time: mean score and share of rugs of the tokens below 30, below 50, below 65, and above. */
  calibration: { n: number; score: number; rugShare: number }[]
}

export interface RiskCalibration {
  model: RiskModel
  heldOut: HeldOutRow[]
}

/** The model of all folders, and the judgement of those fitted to less. */
export function calibrateRisk(folders: readonly string[], seed: number): RiskCalibration {
  const cases = readCases(folders, seed)
  const markets = [...new Set(cases.map(({ market }) => market))]
  const blocks = Array.from({ length: FOLDS }, (_, fold) => cases.filter((one) => one.fold === fold))
  const byTime = scoreHeldOut(cases, blocks)
  const byMarket =
    markets.length > 1
      ? scoreHeldOut(
          cases,
          markets.map((name) => cases.filter((one) => one.market === name)),
        )
      : null
  return { model: fitCases(cases), heldOut: tabulate(cases, byTime, byMarket) }
}

export function readCases(folders: readonly string[], seed: number): RiskCase[] {
  const read = folders.map((source) => ({ source, histories: readTokenFolder(source, createLeftOut()) }))
  const markets = nameMarkets(read)
  return read.flatMap(({ source, histories }) => {
    const market = markets.get(source) ?? source
    const folds = foldByTime(read.filter((one) => markets.get(one.source) === market).flatMap((one) => one.histories))
    const random = createRandom(seed)
    const snapshots = PROTOCOLS.flatMap((protocol) => takeSnapshots(histories, protocol, random, PEERS))
    return snapshots.map(({ history, protocol, positive, facts }) => {
      const risk = scoreToken(facts)
      return {
        source,
        market,
        protocol,
        positive,
        owner: `${market} ${history.deployer}`,
        fold: folds.get(keyOf(history)) ?? 0,
        createdAt: history.createdAt,
        scorecard: risk.riskScore,
        formula: scoreToken(facts, { ...TOKEN_WEIGHTS, scorecard: null }).riskScore,
        measures: risk.measures,
        counts: facts,
        isPriced: facts.priceUsd !== null,
        dimensions: risk.dimensions,
      }
    })
  })
}

const keyOf = ({ deployer, createdAt }: TokenHistory): string => `${deployer} ${createdAt}`

/** The first folder that shares a token names the market. */
function nameMarkets(read: readonly { source: string; histories: readonly TokenHistory[] }[]): Map<string, string> {
  const seen = new Map<string, string>()
  const markets = new Map<string, string>()
  for (const { source, histories } of read) {
    const known = histories.map(keyOf).find((key) => seen.has(key))
    const market = (known && seen.get(known)) ?? source
    markets.set(source, market)
    for (const history of histories) seen.set(keyOf(history), market)
  }
  return markets
}

function foldByTime(histories: readonly TokenHistory[]): Map<string, number> {
  const keys = [...new Map(histories.map((history) => [keyOf(history), history])).entries()]
  const sorted = keys.sort(([, a], [, b]) => a.createdAt - b.createdAt)
  return new Map(sorted.map(([key], at) => [key, Math.floor((at * FOLDS) / sorted.length)]))
}

/** Each market weighs the same, and in it each folder, and each class of each protocol of that. */
export function fitCases(cases: readonly RiskCase[]): RiskModel {
  const learnt = cases.filter(({ protocol }) => PROTOCOL_WEIGHT[protocol] > 0)
  const groupOf = ({ source, protocol, positive }: RiskCase) => `${source} ${protocol} ${positive}`
  const counts = new Map<string, number>()
  for (const one of learnt) counts.set(groupOf(one), (counts.get(groupOf(one)) ?? 0) + 1)
  const folders = new Map<string, Set<string>>()
  for (const { market, source } of learnt) folders.set(market, (folders.get(market) ?? new Set()).add(source))
  return fitRisk(
    learnt.map((one) => ({
      values: toRiskValues(one.measures, one.counts),
      positive: one.positive,
      weight: PROTOCOL_WEIGHT[one.protocol] / (counts.get(groupOf(one)) ?? 1) / (folders.get(one.market)?.size ?? 1),
    })),
  )
}

/** Each part scored by a model of all others, without the deployers that it shares with them. */
function scoreHeldOut(cases: readonly RiskCase[], parts: readonly RiskCase[][]): Map<RiskCase, number> {
  const scores = new Map<RiskCase, number>()
  for (const part of parts) {
    const held = new Set(part)
    const owners = new Set(part.map(({ owner }) => owner))
    const model = fitCases(cases.filter((one) => !held.has(one) && !owners.has(one.owner)))
    for (const one of part) scores.set(one, modelRisk(model, one).score)
  }
  return scores
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
        scorecard: judge(({ scorecard }) => scorecard),
        calibration: calibrationOf(own, byTime),
      }
    }),
  )
}

const BANDS = [0, 30, 50, 65, 101] as const

/** Rugs and peers weigh the same, as in the fit. */
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
