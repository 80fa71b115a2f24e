// The reasons of a modelled risk, one fact each. The base is the score of a token without any known fact. With the
// reasons' points it gives the score to the last digit. Each input gets its log-odds times the mean slope of the
// logistic between the two (Aumann and Shapley's share). The lift of the floors belongs to the highest one. Arrays by
// number, because it runs once a score.
import type { ReasonKind } from '../base/vocabulary.ts'
import type { Dimension, Floor, Reason } from '../ledger/explanation.ts'
import { liftScore } from './composite.ts'
import { FLOOR_WORDS, HELD_LEVEL } from './floor-words.ts'
import { isHopeless } from './floors.ts'
import type { MeasuredRisk, ModelledRisk } from './measured-risk.ts'
import type { TokenMeasures } from './measures.ts'
import { type ModelledDimension, toRisk } from './risk-model.ts'
import { isYoung, REASON_TOPICS, type Telling, type Topic, type TopicName } from './topics.ts'
import { CAPABILITY, LEAST_USD, NEVER_LOW, RISK_CUTS } from './weights.ts'
import { capitalise } from './words.ts'

/** The most reasons kept, including the line for all others. */
export const MOST_REASONS = 12
/** The most reasons in the short list. */
export const MAIN_REASONS = 3

interface Reasoned {
  /** Log-odds of a token without any known fact. */
  neutral: number
  fitted: readonly ModelledDimension[]
  capability: Dimension
  measured: MeasuredRisk
  scored: Pick<ModelledRisk, 'composite' | 'base' | 'floors' | 'score' | 'pullChance30dPct'>
}

const NAMES = Object.keys(REASON_TOPICS) as TopicName[]
const LIST: readonly Topic[] = NAMES.map((name) => REASON_TOPICS[name])
const TOPIC_OF_INPUT: ReadonlyMap<string, number> = new Map(
  LIST.flatMap(({ inputs }, at) => inputs.map((input): [string, number] => [input, at])),
)
const TOPIC_OF_NAME: ReadonlyMap<TopicName, number> = new Map(NAMES.map((name, at) => [name, at]))

/** Dangers first, then warnings, facts in favour, and the rest. */
export function listReasons(reasoned: Reasoned): Reason[] {
  const { measured, scored } = reasoned
  const totalCents = toCents(scored.score) - toCents(scored.base ?? 0)
  const points = new Float64Array(LIST.length)
  if (!measured.isQuote) {
    spread(reasoned, points)
    joinTopics(measured.measures, points)
  }
  const { floors, covered } = gatherFloors(reasoned, points)
  const found = LIST.flatMap((topic, at) =>
    covered.has(at) ? [] : (tellTopic(topic, at, points[at] ?? 0, floors.get(at), reasoned) ?? []),
  )
  const told = measured.isQuote ? [BASE_ASSET, ...found] : found
  const kept = told.length < MOST_REASONS ? told : told.sort(byWeight).slice(0, MOST_REASONS - 1)
  const rest = totalCents - kept.reduce((sum, reason) => sum + toCents(reason.points), 0)
  settleKinds(kept, scored.score)
  kept.sort((a, b) => ORDER[a.kind] - ORDER[b.kind] || byWeight(a, b))
  return rest === 0 ? kept : [...kept, { kind: 'fact', text: OTHERS, points: rest / 100, dimension: 'activity' }]
}

/**
 * A danger and the level agree. Below `high` what could harm is a warning. From `high` on the list names a danger, the
 * gravest by its points. A held level is no cause.
 */
function settleKinds(kept: Reason[], score: number): void {
  if (score < RISK_CUTS.medium) {
    for (const reason of kept) if (reason.kind === 'danger') reason.kind = 'caution'
    return
  }
  if (kept.some(({ kind }) => kind === 'danger')) return
  const causes = kept.filter(({ text, points }) => text !== HELD_LEVEL && points > 0)
  const gravest = causes.reduce<Reason | null>((most, one) => (one.points > (most?.points ?? 0) ? one : most), null)
  if (gravest) gravest.kind = 'danger'
  else kept.push({ kind: 'danger', text: LITTLE_KNOWN, points: 0, dimension: 'maturity' })
}

/** The danger of a token whose base alone is high. */
const LITTLE_KNOWN = 'Too little is known that speaks for it'

/** The line for all facts that are not listed. */
const OTHERS = 'Other measures'

const BASE_ASSET: Reason = { kind: 'fact', text: 'Base asset, not scored', points: 0, dimension: 'maturity' }

const ORDER: Readonly<Record<ReasonKind, number>> = { danger: 0, caution: 1, comfort: 2, fact: 3 }

/** Dangers are never left out. */
const byWeight = (a: Reason, b: Reason): number =>
  Number(b.kind === 'danger') - Number(a.kind === 'danger') || Math.abs(b.points) - Math.abs(a.points)

const toCents = (points: number): number => Math.round(100 * points)

/** The points of all inputs by topic. */
function spread({ neutral, fitted, capability, scored }: Reasoned, points: Float64Array): void {
  const { weight, centre } = CAPABILITY
  const logOdds = Math.log(scored.composite / (100 - scored.composite))
  const slope = meanSlope(neutral, logOdds)
  const add = (dimension: string, name: string, amount: number) => {
    const at = TOPIC_OF_INPUT.get(`${dimension}.${name}`)
    if (at !== undefined) points[at] = (points[at] ?? 0) + amount * slope
  }
  for (const dimension of fitted)
    for (const [at, input] of dimension.inputs.entries()) add(dimension.name, input.name, dimension.logOdds[at] ?? 0)
  for (const input of capability.inputs)
    add('capability', input.name, weight * (input.contribution - centre * input.weight))
}

const numberOf = (name: TopicName): number => TOPIC_OF_NAME.get(name) ?? 0
const [AGE, TRADES, DEPTH, WITHDRAWAL] = (['age', 'trades', 'depth', 'withdrawal'] as const).map(numberOf) as [
  number,
  number,
  number,
  number,
]

/** Joins what one sentence says, so that no fact is both a warning and in favour. */
function joinTopics(measures: TokenMeasures, points: Float64Array): void {
  const join = (from: number, to: number) => {
    points[to] = (points[to] ?? 0) + (points[from] ?? 0)
    points[from] = 0
  }
  // Beside the trades, an age that raises the risk tells how slowly they came.
  if ((points[AGE] ?? 0) > 0 && !isYoung(measures)) join(AGE, TRADES)
  const isEmpty = measures.liquidityUsd < LEAST_USD
  // Nobody can withdraw from an empty pool, which speaks for nothing.
  if (isEmpty) points[WITHDRAWAL] = 0
  const isFree = measures.exitShare === null || measures.exitShare > NEVER_LOW.exitShare
  if (isEmpty || !isFree || (points[DEPTH] ?? 0) > 0) join(DEPTH, WITHDRAWAL)
}

/** Points of risk per log-odds between two of them. */
function meanSlope(from: number, to: number): number {
  const risk = toRisk(from)
  return Math.abs(to - from) < 1e-9 ? (risk * (100 - risk)) / 100 : (toRisk(to) - risk) / (to - from)
}

interface GatheredFloors {
  /** The highest floor of each topic. */
  floors: ReadonlyMap<number, Floor>
  /** The topics that the sentence of a floor tells, too. */
  covered: ReadonlySet<number>
}

/** The lift of the floors is added to the topic of the highest one. */
function gatherFloors({ measured, scored }: Reasoned, points: Float64Array): GatheredFloors {
  const { composite, floors, score } = scored
  const byTopic = new Map<number, Floor>()
  let highest: { at: number; lifted: number } | null = null
  for (const floor of floors) {
    const at = numberOf(FLOOR_WORDS[floor.reason].topic)
    if (floor.atLeast > (byTopic.get(at)?.atLeast ?? -1)) byTopic.set(at, floor)
    const lifted = liftScore(composite, floor.atLeast)
    if (lifted > (highest?.lifted ?? composite)) highest = { at, lifted }
  }
  if (highest) points[highest.at] = (points[highest.at] ?? 0) + score - composite
  const told = new Set<number>()
  for (const [at, { reason }] of byTopic) {
    for (const name of FLOOR_WORDS[reason].covers?.(measured.measures) ?? []) {
      const covered = numberOf(name)
      points[at] = (points[at] ?? 0) + (points[covered] ?? 0)
      points[covered] = 0
      byTopic.delete(covered)
      told.add(covered)
    }
  }
  return { floors: byTopic, covered: told }
}

/** Null for a topic without a floor, without a danger, and with less than half a point. */
function tellTopic(
  topic: Topic,
  at: number,
  points: number,
  floor: Floor | undefined,
  { measured, scored }: Reasoned,
): Reason | null {
  if (measured.isQuote && !floor) return null
  const told: Telling = { measures: measured.measures, counts: measured.counts, isRaising: points > 0 }
  const isGrave = floor && floor.atLeast >= RISK_CUTS.medium && !FLOOR_WORDS[floor.reason].isCaution
  const found = isGrave ? 'danger' : kindOf(topic, told, points, floor !== undefined)
  const kind = found === 'comfort' && isHopeless(scored.floors) ? 'fact' : found
  if (!floor && kind !== 'danger' && Math.abs(points) < 0.5) return null
  const text = floor
    ? FLOOR_WORDS[floor.reason].tell(measured.measures, scored.pullChance30dPct ?? 0)
    : topic.tell(told)
  if (text === '') return null
  return {
    kind,
    text: capitalise(text),
    points: Math.round(100 * points) / 100,
    dimension: LIST[at]?.dimension ?? 'activity',
  }
}

function kindOf(topic: Topic, told: Telling, points: number, isLifted: boolean): ReasonKind {
  if (topic.isDanger?.(told)) return 'danger'
  if (isLifted || topic.isUnknown?.(told) || points > 0) return 'caution'
  return topic.isComfort?.(told) ? 'comfort' : 'fact'
}

/** The few that matter most: dangers, then the largest, without the line for all others. */
export const pickMain = (reasons: readonly Reason[]): Reason[] => {
  const named = reasons.filter(({ text }) => text !== OTHERS).sort(byWeight)
  const chosen = new Set(named.slice(0, MAIN_REASONS))
  return reasons.filter((reason) => chosen.has(reason))
}
