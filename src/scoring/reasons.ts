// A modelled risk -> the three reasons that matter most, in words with their size. The points of all reasons together are
// the way from a token of which nothing is known to the score: each input gets its log-odds times the mean slope of the
// logistic between the two (Aumann and Shapley's share), what leans to the prior and what lifts to a floor the rest.
import type { FloorReason, RiskDimension } from '../base/vocabulary.ts'
import type { Floor, Reason } from '../ledger/explanation.ts'
import type { TokenMeasures } from './measures.ts'
import { RISK_INPUTS, type RiskInput } from './risk-inputs.ts'
import { toRisk } from './risk-model.ts'
import type { ModelledRisk, Weighed } from './risk-score.ts'
import { HOLDERS, LEAST_USD } from './weights.ts'
import { toPercent, toWords } from './words.ts'

/** So many are told. */
export const MOST_REASONS = 3

/** The one reason of a quote of the chain. */
export const QUOTE_REASON = {
  text: 'it is money of this chain, which is not judged as a launch',
  dimension: 'maturity',
} as const

interface Reasoned {
  /** Log-odds of a token of which nothing is known. */
  neutral: number
  weighed: readonly Weighed[]
  measures: TokenMeasures
  scored: Omit<ModelledRisk, 'reasons'>
}

const INPUTS: ReadonlyMap<string, RiskInput> = new Map(RISK_INPUTS.map((input) => [input.name, input]))

/**
 * Among the inputs of their dimensions. The opening is told with the liquidity: both say how large the pools are, and what one
 * adds for the size the other mostly takes off, so apart each would read like the opposite of the other.
 */
const LIQUIDITY_AT = placeOf('liquidity', 'liquidityUsd')
const OPENING_AT = placeOf('opening', 'openingUsd')
const EXIT_AT = placeOf('liquidity', 'exitShare')

function placeOf(dimension: RiskDimension, name: RiskInput['name']): number {
  return RISK_INPUTS.filter((input) => input.dimension === dimension).findIndex((input) => input.name === name)
}

/** What may be a reason: an input of a dimension, or a text that is known already. */
interface Candidate {
  points: number
  dimension: RiskDimension
  input: Weighed | null
  at: number
  text: string
}

/** The largest first, whole points; what is worth less than a half is none. Loops, and texts for the few that are told: it runs once a token. */
export function listReasons({ neutral, weighed, measures, scored }: Reasoned): Reason[] {
  const { composite, prior, evidence, evidenceHalf, floors, score } = scored
  const trust = evidence / (evidence + evidenceHalf)
  let sum = 0
  for (const { logOdds } of weighed) for (const each of logOdds) sum += each
  const perLogOdds = trust * meanSlope(neutral, neutral + sum)
  const found: Candidate[] = []
  const add = (points: number, dimension: RiskDimension, input: Weighed | null, at: number, text: string) => {
    if (Math.abs(points) >= 0.5) found.push({ points: Math.round(points), dimension, input, at, text })
  }
  const opening = weighed.find(({ name }) => name === 'opening')?.logOdds[OPENING_AT] ?? 0
  for (const one of weighed)
    for (const [at, logOdds] of one.logOdds.entries()) {
      if (one.name === 'opening' && at === OPENING_AT) continue
      // Who could withdraw what an empty pool holds is no reason for anything.
      if (one.name === 'liquidity' && at === EXIT_AT && measures.liquidityUsd < LEAST_USD) continue
      const isSize = one.name === 'liquidity' && at === LIQUIDITY_AT
      add((isSize ? logOdds + opening : logOdds) * perLogOdds, one.name, one, at, '')
    }
  const leaned = (prior - composite) * (1 - trust)
  add(leaned, 'activity', null, 0, 'there are few trades and changes of liquidity to judge it by')
  for (const { text, points, dimension } of tellFloor(floors, score - (composite + leaned), measures))
    found.push({ points, dimension, input: null, at: 0, text })
  found.sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
  return found.slice(0, MOST_REASONS).map(({ points, dimension, input, at, text }) => ({
    text: input ? tellInput(input, at, measures, points > 0) : text,
    points,
    dimension,
  }))
}

/** The highest floor, where it lifts the score by half a point or more. */
export function tellFloor(floors: readonly Floor[], lifted: number, measures: TokenMeasures): Reason[] {
  const floor = [...floors].sort((a, b) => b.atLeast - a.atLeast)[0]
  const told = floor && FLOORS[floor.reason]
  if (!told || lifted < 0.5) return []
  return [{ text: told.tell(measures), points: Math.round(lifted), dimension: told.dimension }]
}

/** Points of risk that one of log-odds is worth between two of them. */
function meanSlope(from: number, to: number): number {
  const risk = toRisk(from)
  return Math.abs(to - from) < 1e-9 ? (risk * (100 - risk)) / 100 : (toRisk(to) - risk) / (to - from)
}

function tellInput({ dimension }: Weighed, at: number, measures: TokenMeasures, isRaising: boolean): string {
  const formula = FORMULAS[dimension.name]
  if (formula) return formula(measures, dimension.value)
  const { name, value } = dimension.inputs[at] ?? { name: '', value: null }
  const input = INPUTS.get(name)
  if (!input || value === null) return name
  const text = tellEdge(input, value) ?? ((isRaising && input.raising) || input.text)
  return text.replace('{}', toWords(value, input.unit))
}

/** What is said of none of it and of all; null: something between. */
function tellEdge({ none, all, unit }: RiskInput, value: number): string | null {
  const rounding = unit === 'share' ? 0.005 : 0.5
  if (none && value < rounding) return none
  return all && value >= 1 - rounding ? all : null
}

const FORMULAS: Readonly<Record<string, (measures: TokenMeasures, value: number) => string>> = {
  holders: ({ topTenShare }) => `its ten largest holders own ${toPercent(topTenShare ?? 0)}`,
  wash: ({ matchedShare }) => tellWash(matchedShare),
  smartMoney: (_, value) => `wallets with a good record are ${value > 50 ? 'leaving' : 'buying'}`,
}

const tellWash = (share: number | null): string => `${toPercent(share ?? 0)} of the week's volume is wash trading`

interface Told {
  dimension: RiskDimension
  tell: (measures: TokenMeasures) => string
}

const FLOORS: Readonly<Record<FloorReason, Told>> = {
  liquidity_pulled: {
    dimension: 'liquidity',
    tell: ({ pulledShare }) => `${toPercent(pulledShare)} of a pool was withdrawn within a day`,
  },
  opener_emptied: {
    dimension: 'opening',
    tell: () => 'the wallet that opened its pool emptied most of its other pools',
  },
  fell_within_a_day: {
    dimension: 'trading',
    tell: ({ priceFall24h, reserveFall }) =>
      priceFall24h >= reserveFall
        ? `the price fell by ${toPercent(priceFall24h)} within a day`
        : `the money in its pools fell by ${toPercent(reserveFall)} within a day`,
  },
  fell_within_a_month: {
    dimension: 'trading',
    tell: ({ fullRangeToPeak }) =>
      `its pools hold only ${toPercent(fullRangeToPeak ?? 0)} of the money of their 30-day peak`,
  },
  wash_trading: { dimension: 'wash', tell: ({ matchedShare }) => tellWash(matchedShare) },
  concentrated_ownership: {
    dimension: 'holders',
    tell: ({ largestHolderShare, topTenShare }) =>
      (largestHolderShare ?? 0) >= HOLDERS.flag.largest
        ? `one holder owns ${toPercent(largestHolderShare ?? 0)}`
        : `its ten largest holders own ${toPercent(topTenShare ?? 0)}`,
  },
  sybil_cluster: {
    dimension: 'holders',
    tell: ({ clusterSupplyShare }) => `wallets that belong together own ${toPercent(clusterSupplyShare ?? 0)} of it`,
  },
  smart_money_exiting: {
    dimension: 'smartMoney',
    tell: ({ smartSoldShare }) =>
      `wallets with a good record sold ${toPercent(smartSoldShare)} of what they held within a day`,
  },
  not_priced: { dimension: 'liquidity', tell: () => 'it has no price, for want of decimals or of a deep enough pool' },
  barely_known: { dimension: 'activity', tell: () => 'fewer than ten trades and changes of liquidity so far' },
}
