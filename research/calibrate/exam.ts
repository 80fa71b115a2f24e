// The emulated exam: in each market, a model is judged on tokens that came later than all that it was fitted to. The
// market is cut in time. Before the cut a rug counts only if it had happened by then, and no deployer is on both sides.

import { toRiskLevel } from '../../src/base/risk-level.ts'
import { DAY_SECONDS } from '../../src/base/time.ts'
import { RISK_LEVELS, type RiskLevel } from '../../src/base/vocabulary.ts'
import type { ModelledRisk } from '../../src/scoring/measured-risk.ts'
import { toRiskValues } from '../../src/scoring/risk-inputs.ts'
import { modelDimensions, type PreparedRisk, prepareRisk, type RiskModel } from '../../src/scoring/risk-model.ts'
import { modelRisk } from '../../src/scoring/risk-score.ts'
import type { AlikeCount } from '../../src/verdict/alike.ts'
import { scoreWithoutUnknowable } from '../evaluate/unknowable.ts'
import type { Traps } from '../labels/traps.ts'
import { FIXED_HOURS, PROTOCOLS, type Protocol } from '../replay/snapshots.ts'
import { areaUnderCurve, divide } from '../statistics/metrics.ts'
import { mixModels } from './mix-models.ts'
import { compareOutcomes, type JudgedOutcome } from './outcomes.ts'
import type { RiskCase } from './risk-cases.ts'

/** Share of each market's tokens that came before the cut. */
const KNOWN_SHARE = 0.6
/** A token of this age at the cut counts as alive, whatever came later: nobody could know then. */
const ALIVE_SECONDS = 30 * DAY_SECONDS
const MONTH_SECONDS = 30 * DAY_SECONDS
/** Chances in percent at which the table of reliability is cut. */
const CHANCES = [10, 30, 50, 65, 100.01] as const

export interface ExamRow {
  source: string
  protocol: Protocol
  n: number
  /** AUC of the pooled fit, of the served mix of it and the market's own, of the powers, of the published score. */
  pooled: number | null
  mixed: number | null
  capability: number | null
  score: number | null
}

export interface Reliability {
  source: string
  /** At fixed ages: tokens by their published chance of a pull in 30 days, and the share that was pulled. */
  chances: (Promise30d & { belowPct: number })[]
  /** By level, as far as the labelled files show. */
  levels: Record<RiskLevel, Promise30d>
}

/** Tokens, the share of them that was pulled within 30 days, and the mean of their published chances of that. */
export interface Promise30d {
  n: number
  pulledShare: number | null
  meanChance: number | null
}

/** Of a folder: how many tokens of a level at a fixed age were pulled within 30 days. */
export interface CountedLevels {
  source: string
  chainId: number
  market: string
  counts: AlikeCount[]
}

export interface Exam {
  rows: ExamRow[]
  levels: CountedLevels[]
  reliability: Reliability[]
  /** Empty without labels of traps. */
  outcomes: JudgedOutcome[]
}

interface Examined {
  one: RiskCase
  pooled: number
  mixed: number
  modelled: ModelledRisk
}

/** `fitCases` makes a model of cases. `traps`: labels of tokens that could not be sold. */
export function sitExam(
  cases: readonly RiskCase[],
  fitCases: (cases: readonly RiskCase[]) => RiskModel,
  traps: Traps,
): Exam {
  const markets = [...new Set(cases.map(({ market }) => market))]
  const examined = markets.flatMap((market) => examineMarket(cases, market, fitCases))
  const sources = [...new Set(cases.map(({ source }) => source))]
  return {
    rows: sources.flatMap((source) => PROTOCOLS.map((protocol) => toRow(examined, source, protocol))),
    reliability: sources.map((source) => toReliability(examined, source)),
    levels: sources.flatMap((source) => countLevels(examined, source)),
    outcomes: compareOutcomes(
      examined.map(({ one, modelled }) => ({ one, score: scoreWithoutUnknowable(modelled) })),
      traps,
    ),
  }
}

function examineMarket(
  cases: readonly RiskCase[],
  market: string,
  fitCases: (cases: readonly RiskCase[]) => RiskModel,
): Examined[] {
  const own = cases.filter((one) => one.market === market)
  const times = [...new Set(own.map(({ createdAt }) => createdAt))].sort((a, b) => a - b)
  const cut = times[Math.floor(times.length * KNOWN_SHARE)] ?? Number.POSITIVE_INFINITY
  const later = own.filter(({ createdAt }) => createdAt >= cut)
  const owners = new Set(later.map(({ owner }) => owner))
  const earlier = own.filter(({ createdAt, owner }) => createdAt < cut && !owners.has(owner))
  const known = earlier.flatMap((one) => labelAsKnown(one, cut))
  const pooled = fitCases([...known, ...cases.filter((one) => one.market !== market)])
  const [pooledModel, mixedModel] = [prepareRisk(pooled), prepareRisk(mixModels(pooled, fitCases(known)))]
  return later.map((one) => ({
    one,
    pooled: toLogOdds(pooledModel, one),
    mixed: toLogOdds(mixedModel, one),
    modelled: modelRisk(mixedModel, one),
  }))
}

/** The case with its label at the cut; none if it was undecided. */
function labelAsKnown(one: RiskCase, cut: number): RiskCase[] {
  if (!one.rugged || (one.rugAt ?? Number.POSITIVE_INFINITY) < cut) return [one]
  const isAlive = cut - one.createdAt > ALIVE_SECONDS && one.protocol !== 'aligned'
  return isAlive ? [{ ...one, positive: false }] : []
}

function toLogOdds(model: PreparedRisk, { measures, counts }: RiskCase): number {
  const dimensions = modelDimensions(model, toRiskValues(measures, counts))
  return dimensions.reduce((total, { value, weight }) => total + value * weight, model.intercept)
}

function toRow(examined: readonly Examined[], source: string, protocol: Protocol): ExamRow {
  const own = examined.filter(({ one }) => one.source === source && one.protocol === protocol)
  const area = (scoreOf: (it: Examined) => number) =>
    areaUnderCurve(own.map((it) => ({ positive: it.one.positive, score: scoreOf(it) })))
  return {
    source,
    protocol,
    n: own.length,
    pooled: area((it) => it.pooled),
    mixed: area((it) => it.mixed),
    capability: area(({ modelled }) => modelled.dimensions.find(({ name }) => name === 'capability')?.value ?? 0),
    score: area(({ modelled }) => scoreWithoutUnknowable(modelled)),
  }
}

/** Aligned cases are chosen by their end, so they say nothing about chances. */
function toReliability(examined: readonly Examined[], source: string): Reliability {
  const own = examined.filter(({ one }) => one.source === source && !one.protocol.startsWith('aligned'))
  const chances = CHANCES.map((belowPct, at) => {
    const from = CHANCES[at - 1] ?? 0
    const list = own.filter(({ modelled }) => {
      const chance = modelled.pullChance30dPct ?? 0
      return chance >= from && chance < belowPct
    })
    return { belowPct: Math.floor(belowPct), ...toPromise(list) }
  })
  const levels = RISK_LEVELS.map((level) => [level, toPromise(own.filter((it) => levelOf(it) === level))])
  return { source, chances, levels: Object.fromEntries(levels) as Reliability['levels'] }
}

const levelOf = ({ modelled }: Examined) => toRiskLevel(scoreWithoutUnknowable(modelled))

function countLevels(examined: readonly Examined[], source: string): CountedLevels[] {
  const own = examined.filter(({ one }) => one.source === source)
  const [first] = own
  if (!first) return []
  const counts = Object.entries(FIXED_HOURS).flatMap(([protocol, ageHours]) =>
    RISK_LEVELS.map((level) => {
      const alike = own.filter((it) => it.one.protocol === protocol && levelOf(it) === level)
      return {
        ageHours,
        level,
        tokens: alike.length,
        pulled: alike.filter(({ one }) => isPulledWithinMonth(one)).length,
      }
    }),
  )
  return [{ source, chainId: first.one.chainId, market: first.one.market, counts }]
}

const toPromise = (list: readonly Examined[]): Promise30d => ({
  n: list.length,
  pulledShare: divide(list.filter(({ one }) => isPulledWithinMonth(one)).length, list.length),
  meanChance: divide(
    list.reduce((sum, { modelled }) => sum + (modelled.pullChance30dPct ?? 0) / 100, 0),
    list.length,
  ),
})

const isPulledWithinMonth = ({ positive, rugAt, at }: RiskCase): boolean =>
  positive && rugAt !== null && rugAt - at <= MONTH_SECONDS
