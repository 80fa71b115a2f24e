// The reasons of a modelled risk, one fact each. The base is the score of a token without any known fact. With the
// reasons' points it gives the score to the last digit. Each input gets its log-odds times the mean slope of the
// logistic between the two (Aumann and Shapley's share). The lift of the floors belongs to the highest one. Arrays by
// number, because it runs once a score.
import { keysOf } from '../base/keys-of.ts'
import { RISK_CUTS } from '../base/risk-level.ts'
import type { ReasonKind } from '../base/vocabulary.ts'
import type { Dimension, Floor, Reason } from '../ledger/explanation.ts'
import { LEAST_USD } from '../verdict/bounds.ts'
import { tellFinding } from '../verdict/contract.ts'
import { FLOOR_WORDS, topicOf } from '../verdict/floor-words.ts'
import { HELD_LEVEL, OTHERS, settleFindings } from '../verdict/settle.ts'
import { isYoung, REASON_TOPICS, type Telling, type Topic, type TopicName } from '../verdict/topics.ts'
import { capitalise } from '../words/numbers.ts'
import { liftScore } from './composite.ts'
import { isHopeless } from './floors.ts'
import type { MeasuredRisk, ModelledRisk } from './measured-risk.ts'
import type { TokenMeasures } from './measures.ts'
import { type ModelledDimension, toRisk } from './risk-model.ts'
import { CAPABILITY, NEVER_LOW } from './weights.ts'

/** The most reasons kept, including the line for all others. */
export const MOST_REASONS = 12

interface Reasoned {
  /** Log-odds of a token without any known fact. */
  neutral: number
  fitted: readonly ModelledDimension[]
  capability: Dimension
  measured: MeasuredRisk
  scored: Pick<ModelledRisk, 'composite' | 'base' | 'floors' | 'score' | 'pullChance30dPct'>
}

const NAMES = keysOf(REASON_TOPICS)
const LIST: readonly Topic[] = NAMES.map((name) => REASON_TOPICS[name])
const TOPIC_OF_INPUT: ReadonlyMap<string, number> = new Map(
  LIST.flatMap(({ inputs }, at) => inputs.map((input): [string, number] => [input, at])),
)
const TOPIC_OF_NAME: ReadonlyMap<TopicName, number> = new Map(NAMES.map((name, at) => [name, at]))

/** The findings of the verdict, in the order in which they matter. */
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
    covered.has(at) ? [] : tellTopic(topic, at, points[at] ?? 0, floors.get(at), reasoned),
  )
  const told = measured.isQuote ? [BASE_ASSET, ...found] : [...found, ...tellMoreOfContract(measured, found)]
  const kept = told.length < MOST_REASONS ? told : told.sort(byWeight).slice(0, MOST_REASONS - 1)
  const rest = totalCents - kept.reduce((sum, reason) => sum + toCents(reason.points), 0)
  const settled = settleFindings(kept, scored.score, () => LITTLE_KNOWN)
  return rest === 0 ? settled : [...settled, { ...PLAIN, name: OTHERS, text: 'Other measures', points: rest / 100 }]
}

const PLAIN: Omit<Reason, 'name' | 'text'> = {
  ...({ kind: 'fact', topic: 'market', dimension: 'activity' } as const),
  ...{ severity: 0, points: 0, since: null, block: null },
}

/** The danger of a token whose base alone is high. */
const LITTLE_KNOWN: Reason = {
  ...PLAIN,
  ...{ kind: 'danger', topic: 'age', dimension: 'maturity' },
  ...{ name: 'known', text: 'Too little is known that speaks for it' },
}

const BASE_ASSET: Reason = { ...PLAIN, dimension: 'maturity', name: 'base_asset', text: 'Others are traded against it' }

/** Dangers are never left out. */
const byWeight = (a: Reason, b: Reason): number =>
  Number(b.kind === 'danger') - Number(a.kind === 'danger') || Math.abs(b.points) - Math.abs(a.points)

/** The findings of the contract beside the strongest: each is a fact of its own, whose floor another one exceeds. */
function tellMoreOfContract({ measures: { contract } }: MeasuredRisk, found: readonly Reason[]): Reason[] {
  if (!contract) return []
  const told = new Set(found.flatMap(({ name, text }) => [name, text]))
  return contract.findings.flatMap((finding): Reason[] => {
    const { name, strength } = finding
    const text = capitalise(tellFinding(name, contract))
    if (told.has(name) || told.has(text)) return []
    told.add(name).add(text)
    const kind = strength >= RISK_CUTS.medium ? 'danger' : 'caution'
    const seen = { since: contract.checkedAt, block: contract.sellCheck.checkedBlock }
    return [{ ...PLAIN, kind, topic: topicOf(name), name, severity: strength, text, dimension: 'capability', ...seen }]
  })
}

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
const [AGE, TRADES, DEPTH, WITHDRAWAL, LEVEL] = (['age', 'trades', 'depth', 'withdrawal', 'level'] as const).map(
  numberOf,
) as [number, number, number, number, number]

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
    const lifted = floor.reason === HELD_LEVEL ? 0 : liftScore(composite, floor.atLeast)
    if (lifted > (highest?.lifted ?? composite)) highest = { at, lifted }
  }
  const reached = highest?.lifted ?? composite
  if (highest) points[highest.at] = (points[highest.at] ?? 0) + reached - composite
  // A held level adds only what the causes leave.
  if (score > reached) points[LEVEL] = (points[LEVEL] ?? 0) + score - reached
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

/** Empty for a topic without a floor, without a danger, and with less than half a point. */
function tellTopic(
  topic: Topic,
  at: number,
  points: number,
  floor: Floor | undefined,
  { measured, scored }: Reasoned,
): Reason[] {
  if (measured.isQuote && !floor) return []
  const told: Telling = { measures: measured.measures, counts: measured.counts, isRaising: points > 0 }
  const isGrave = floor && floor.atLeast >= RISK_CUTS.medium
  const found = isGrave ? 'danger' : kindOf(topic, told, points, floor !== undefined)
  const kind = found === 'comfort' && isHopeless(scored.floors) ? 'fact' : found
  if (!floor && kind !== 'danger' && Math.abs(points) < 0.5) return []
  const text = floor ? FLOOR_WORDS[floor.reason].tell(measured.measures) : topic.tell(told)
  if (text === '') return []
  const name = floor?.reason ?? NAMES[at] ?? OTHERS
  const reason: Reason = {
    kind,
    text: capitalise(text),
    points: Math.round(100 * points) / 100,
    dimension: topic.dimension,
    name,
    topic: floor ? topicOf(floor.reason) : topic.about,
    severity: name === HELD_LEVEL ? 0 : (floor?.atLeast ?? weakSeverity(kind, points)),
    ...seenAt(topic, measured),
  }
  return floor && points < 0 ? partFloor(reason, topic, told, NAMES[at] ?? OTHERS) : [reason]
}

/** A floor takes nothing from the score: points below 0 are of its topic's measures, which have words of their own. */
function partFloor(reason: Reason, topic: Topic, telling: Telling, name: string): Reason[] {
  const text = capitalise(topic.tell(telling))
  const told = { ...reason, points: 0 }
  // Fewer points are among those of all other measures.
  if (text === '' || text === reason.text || -reason.points < 0.5) return [told]
  return [told, { ...reason, kind: 'fact', text, name, topic: topic.about, severity: 0 }]
}

/** A fact without a floor keeps no token from being low by itself. */
const weakSeverity = (kind: ReasonKind, points: number): number =>
  kind === 'danger' || kind === 'caution' ? Math.min(RISK_CUTS.low - 1, Math.max(0, Math.round(points))) : 0

/** What a check saw is of its block; all else is as of the score's. */
function seenAt(topic: Topic, { measures: { contract } }: MeasuredRisk): Pick<Reason, 'since' | 'block'> {
  if (topic !== REASON_TOPICS.contract || !contract) return { since: null, block: null }
  return { since: contract.checkedAt, block: contract.sellCheck.checkedBlock }
}

function kindOf(topic: Topic, told: Telling, points: number, isLifted: boolean): ReasonKind {
  if (topic.isDanger?.(told)) return 'danger'
  if (isLifted || topic.isUnknown?.(told)) return 'caution'
  if (points > 0) return topic.isPlain?.(told) ? 'fact' : 'caution'
  return topic.isComfort?.(told) ? 'comfort' : 'fact'
}
