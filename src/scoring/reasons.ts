// A modelled risk -> the three reasons that matter most, in words with their size. The points of all reasons together are
// the way from a token of which nothing is known to the score: each input gets its log-odds times the mean slope of the
// logistic between the two (Aumann and Shapley's share), what leans to the prior and what lifts to a floor the rest. A floor is
// told with the inputs that say the same as it does, so that one fact is one reason; that of a flag comes first.
import { CONTRACT_FINDINGS, type FloorReason, RISK_FLAGS, type RiskDimension } from '../base/vocabulary.ts'
import type { Floor, Reason } from '../ledger/explanation.ts'
import { tellFinding } from './contract.ts'
import type { TokenMeasures } from './measures.ts'
import { RISK_INPUTS, type RiskInput } from './risk-inputs.ts'
import { toRisk } from './risk-model.ts'
import type { ModelledRisk, Weighed } from './risk-score.ts'
import { HOLDERS, LEAST_USD, RISK_CUTS } from './weights.ts'
import { tellCluster, tellLargestOwner, toLife, toPercent, toWords } from './words.ts'

/** So many are told. */
export const MOST_REASONS = 3
/** So many of them raise the risk of a token that is a high risk: what speaks for it does not say why. */
const RAISING_REASONS = 2

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
 * adds for the size the other mostly takes off, so apart each would read like the opposite of the other. Who can withdraw the
 * liquidity is told with it too: money that one wallet can take is not there in the way that locked money is, and of a large pool
 * the free hand weighs too little to be told by itself.
 */
const LIQUIDITY_AT = placeOf('liquidity', 'liquidityUsd')
const OPENING_AT = placeOf('opening', 'openingUsd')
const EXIT_AT = placeOf('liquidity', 'exitShare')
const TRADE_AT = placeOf('trading', 'tradeToReserve')

function placeOf(dimension: RiskDimension, name: RiskInput['name']): number {
  return RISK_INPUTS.filter((input) => input.dimension === dimension).findIndex((input) => input.name === name)
}

/** What trades there are does not speak for a token whose liquidity was pulled: they are of a pool that is gone. */
const isNoRelief = ({ points, dimension }: Candidate): boolean =>
  points < 0 && (dimension === 'trading' || dimension === 'activity' || dimension === 'smartMoney')

/** What may be a reason: an input of a dimension, or a text that is known already. */
interface Candidate {
  points: number
  dimension: RiskDimension
  input: Weighed | null
  at: number
  text: string
}

/** The flag's first, then the largest; whole points, and what is worth less than a half is none. Loops, and texts for the few that are told: it runs once a token. */
export function listReasons({ neutral, weighed, measures, scored }: Reasoned): Reason[] {
  const { composite, prior, evidence, evidenceHalf, floors, score } = scored
  const trust = evidence / (evidence + evidenceHalf)
  let sum = 0
  for (const { logOdds } of weighed) for (const each of logOdds) sum += each
  const perLogOdds = trust * meanSlope(neutral, neutral + sum)
  const leaned = (prior - composite) * (1 - trust)
  const lifted = score - (composite + leaned)
  const highest = findHighest(floors)
  const told = highest && (lifted >= 0.5 || isGrave(highest)) ? FLOORS[highest.reason] : null
  const same = told?.same ?? NOTHING_ELSE
  let floorPoints = lifted
  const found: Candidate[] = []
  const add = (points: number, dimension: RiskDimension, input: Weighed | null, at: number, text: string) => {
    if (Math.abs(points) >= 0.5) found.push({ points: Math.round(points), dimension, input, at, text })
  }
  const opening = weighed.find(({ name }) => name === 'opening')?.logOdds[OPENING_AT] ?? 0
  for (const one of weighed)
    for (const [at, logOdds] of one.logOdds.entries()) {
      if ((one.name === 'opening' && at === OPENING_AT) || (one.name === 'liquidity' && at === EXIT_AT)) continue
      if (same.has(nameOf(one, at))) floorPoints += logOdds * perLogOdds
      // Of what an empty pool holds neither who could withdraw it nor what trades were of it is a reason for anything; nor is the
      // size of trades beside what a pull left.
      else if ((measures.liquidityUsd >= LEAST_USD && told !== FLOORS.liquidity_pulled) || !isTradeOfIt(one, at)) {
        const more = isSize(one, at) ? opening + (measures.liquidityUsd >= LEAST_USD ? handOf(one) : 0) : 0
        add((logOdds + more) * perLogOdds, one.name, one, at, '')
      }
    }
  add(leaned, 'activity', null, 0, 'there are few trades and changes of liquidity to judge it by')
  const others = found.length
  if (told) add(floorPoints, told.dimension, null, 0, told.tell(measures))
  const floor = found[others]
  const isFlag = highest !== null && isOfFlag(highest)
  found.sort(
    (a, b) => Number(isFlag && b === floor) - Number(isFlag && a === floor) || Math.abs(b.points) - Math.abs(a.points),
  )
  const shown = told === FLOORS.liquidity_pulled ? found.filter((each) => !isNoRelief(each)) : found
  return choose(shown, score >= RISK_CUTS.medium).map(({ points, dimension, input, at, text }) => ({
    text: tellSpan(input ? tellInput(input, at, measures, points > 0) : text, measures),
    points,
    dimension,
  }))
}

/** The first ones, in their order; of a high risk some that raise it. */
function choose(found: readonly Candidate[], isHigh: boolean): Candidate[] {
  const chosen = new Set<Candidate>()
  if (isHigh) for (const each of found) if (each.points > 0 && chosen.size < RAISING_REASONS) chosen.add(each)
  for (const each of found) if (chosen.size < MOST_REASONS) chosen.add(each)
  return found.filter((each) => chosen.has(each))
}

const NOTHING_ELSE: ReadonlySet<string> = new Set()

/** The input's name; that of the dimension, where it has a formula of its own. */
const nameOf = ({ name, dimension }: Weighed, at: number): string =>
  name in FORMULAS ? name : (dimension.inputs[at]?.name ?? name)

const isSize = ({ name }: Weighed, at: number): boolean => name === 'liquidity' && at === LIQUIDITY_AT
/** No reader may miss these. */
const TOLD_FIRST: ReadonlySet<string> = new Set([...RISK_FLAGS, ...CONTRACT_FINDINGS])

const isTradeOfIt = ({ name }: Weighed, at: number): boolean => name === 'trading' && at === TRADE_AT

/** What the liquidity's dimension says of who can withdraw it, in log-odds. */
const handOf = ({ logOdds }: Weighed): number => logOdds[EXIT_AT] ?? 0

const isOfFlag = ({ reason }: Floor): boolean => TOLD_FIRST.has(reason)

/** A flag that no reader may miss, whether or not the inputs alone come to a score above its floor. */
const isGrave = (floor: Floor): boolean => isOfFlag(floor) && floor.atLeast >= RISK_CUTS.medium

/** Among equals a flag, which is published, before what is not. */
function findHighest(floors: readonly Floor[]): Floor | null {
  const [highest] = [...floors].sort((a, b) => b.atLeast - a.atLeast || Number(isOfFlag(b)) - Number(isOfFlag(a)))
  return highest ?? null
}

/** The highest floor, where it lifts the score by half a point or more. */
export function tellFloor(floors: readonly Floor[], lifted: number, measures: TokenMeasures): Reason[] {
  const highest = findHighest(floors)
  if (!highest || lifted < 0.5) return []
  const { tell, dimension } = FLOORS[highest.reason]
  return [{ text: tellSpan(tell(measures), measures), points: Math.round(lifted), dimension }]
}

/** Of a token that is no week old there is no week to tell of. */
const tellSpan = (text: string, { isUnderWeek }: TokenMeasures): string => (isUnderWeek ? toLife(text) : text)

/** Points of risk that one of log-odds is worth between two of them. */
function meanSlope(from: number, to: number): number {
  const risk = toRisk(from)
  return Math.abs(to - from) < 1e-9 ? (risk * (100 - risk)) / 100 : (toRisk(to) - risk) / (to - from)
}

function tellInput(weighed: Weighed, at: number, measures: TokenMeasures, isRaising: boolean): string {
  if (isSize(weighed, at)) return tellLiquidity(measures, isRaising, handOf(weighed) > 0)
  const { dimension } = weighed
  const formula = FORMULAS[dimension.name]
  if (formula) return formula(measures, dimension.value)
  const { name, value } = dimension.inputs[at] ?? { name: '', value: null }
  const input = INPUTS.get(name)
  if (!input || value === null) return name
  const text = tellEdge(input, value) ?? ((isRaising && input.raising) || input.text)
  return text.replace('{}', toWords(value, input.unit))
}

/** How much lies in the pools, and who can withdraw it; the hand comes first where all of it raises the risk. */
function tellLiquidity({ liquidityUsd, exitShare }: TokenMeasures, isRaising: boolean, isHandRaising: boolean): string {
  const money = `${toWords(liquidityUsd, 'usd')} of liquidity`
  if (exitShare === null || liquidityUsd < LEAST_USD) return `the pools hold ${money}`
  if (exitShare < 0.005) return `the pools hold ${money}, which no wallet can withdraw`
  const part = exitShare >= 0.995 ? 'all' : toPercent(exitShare)
  if (!isHandRaising) return `the pools hold ${money}, of which one wallet can withdraw ${part}`
  return isRaising
    ? `one wallet can withdraw ${part} of the ${money}`
    : `the pools hold ${money}, but one wallet can withdraw ${part} of it`
}

/** Whether a reason says what the ten largest holders own. */
export const tellsTopTen = ({ text }: Pick<Reason, 'text'>): boolean => text.startsWith('its ten largest holders own')

/** Whether a reason says how much lies in the pools, so that whoever tells the reasons need not say it again. */
export const tellsLiquidity = ({ text }: Pick<Reason, 'text'>): boolean =>
  /^(the pools hold|one wallet can withdraw) .* of liquidity/.test(text)

/** What is said of none of it and of all; null: something between. */
function tellEdge({ none, all, unit }: RiskInput, value: number): string | null {
  const rounding = unit === 'share' ? 0.005 : 0.5
  if (none && value < rounding) return none
  return all && value >= 1 - rounding ? all : null
}

const FORMULAS: Readonly<Record<string, (measures: TokenMeasures, value: number) => string>> = {
  holders: ({ topTenShare }) => `its ten largest holders own ${toPercent(topTenShare ?? 0)} of the supply`,
  wash: ({ matchedShare }) => tellWash(matchedShare),
  smartMoney: (_, value) => `wallets with a good record are ${value > 50 ? 'leaving' : 'buying'}`,
}

const tellWash = (share: number | null): string => `${toPercent(share ?? 0)} of the week's volume is wash trading`

interface Told {
  dimension: RiskDimension
  /** Inputs, or dimensions with formulas of their own, that say the same. */
  same?: ReadonlySet<string>
  tell: (measures: TokenMeasures) => string
}

const CONTRACT_FLOORS = Object.fromEntries(
  CONTRACT_FINDINGS.map((name) => [
    name,
    { dimension: 'trading', tell: ({ contract }) => tellFinding(name, contract) },
  ]),
) as Record<(typeof CONTRACT_FINDINGS)[number], Told>

const FLOORS: Readonly<Record<FloorReason, Told>> = {
  ...CONTRACT_FLOORS,
  liquidity_pulled: {
    dimension: 'liquidity',
    same: new Set(['reserveToPeak', 'liquidityToPeak', 'keptShare', 'removalCount']),
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
    same: new Set(['reserveToPeak']),
    tell: ({ fullRangeToPeak }) =>
      `its pools hold only ${toPercent(fullRangeToPeak ?? 0)} of the money of their 30-day peak`,
  },
  wash_trading: { dimension: 'wash', same: new Set(['wash']), tell: ({ matchedShare }) => tellWash(matchedShare) },
  concentrated_ownership: {
    dimension: 'holders',
    same: new Set(['holders']),
    tell: ({ largestHolderShare, largestOwnerWalletCount, topTenShare }) =>
      (largestHolderShare ?? 0) >= HOLDERS.flag.largest
        ? tellLargestOwner(largestHolderShare ?? 0, largestOwnerWalletCount ?? 1)
        : `its ten largest holders own ${toPercent(topTenShare ?? 0)} of the supply`,
  },
  sybil_cluster: {
    dimension: 'holders',
    tell: ({ clusterHeldShare, clusterSupplyShare }) => tellCluster(clusterHeldShare ?? 0, clusterSupplyShare ?? 0),
  },
  smart_money_exiting: {
    dimension: 'smartMoney',
    same: new Set(['smartMoney']),
    tell: ({ smartSoldShare }) =>
      `wallets with a good record sold ${toPercent(smartSoldShare)} of what they held within a day`,
  },
  not_priced: { dimension: 'liquidity', tell: () => 'it has no price, for want of decimals or of a deep enough pool' },
  barely_known: { dimension: 'activity', tell: () => 'fewer than ten trades and changes of liquidity so far' },
}
