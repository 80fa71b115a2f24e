// The stored form of an explanation: derived numbers are left out, and names are replaced by numbers. Unpacking
// restores every number of the score's computation to the last digit, even after the weights have changed. Measured
// values, which only explain points, are stored with six digits.
import { toSixDigits } from '../base/decimal.ts'
import { FINDING_TOPICS, type FloorReason, REASON_KINDS, type RiskDimension } from '../base/vocabulary.ts'
import type { Contribution, Dimension, Explanation, Floor, Input, Reason } from './explanation.ts'

/** A name's number is its index here. Only append: stored explanations refer to these indexes. A name not listed is stored as text. */
const NAMES: readonly string[] = `liquidity holders wash smart_money winRate consistency riskDrawdown entryTiming
  liquidityUsd exitShare reserveToPeak providerCount topTenShare holderHhi traderCount volumeHhi matchedShare smartFlow
  shrunkWinRate profitableWeeks medianGapSeconds drawdownToPosition tradesAboveIn3d lifeHours exitUsd exitHeldHours
  lockedShare ownerCount swapCount tradingHours7d tradingHours24h volume7dUsd meanTradeUsd tradeToReserve sellShare
  openingUsd reserveGrowth turnover firstBuysToOpening firstBuyShare sellVolumeUsd roundTripShare sellToBuySize
  tradeConcentration medianBuyUsd sizeDeviation priceChange firstSwapHours firstSellHours sinceSwapHours gapVariation
  halfwayShare nextExitShare burnedLiquidityShare sharesMovedHours sharesHeldHours lockDelayHours lockHeldHours
  exitMovedHours keptShare peakLiquidityUsd liquidityToPeak openingStep openerEmptiedExcess opening activity trading maturity removalCount additionCount dayShare hourShare
  volumeToLiquidity shrunkExitWinRate pulledLiquidity pulledTokens washTrading washedTokens sinceToGap gapTrend
  newestBuyShare lateGrowth dumpedTokens capability contractStrength clusterSupplyShare pulledRecord`.split(/\s+/)
const NUMBERS: ReadonlyMap<string, number> = new Map(NAMES.map((name, number) => [name, number]))

type Name = string | number
const packName = (name: string): Name => NUMBERS.get(name) ?? name
const unpackName = (name: Name): string => (typeof name === 'number' ? (NAMES[name] ?? `input ${name}`) : name)

type PackedInput = [name: Name, value: number | null, points: number, weight: number]
/** A value that is left out is the sum of the inputs' contributions. */
type PackedDimension = [name: Name, value: number, inputs: PackedInput[]] | [name: Name, inputs: PackedInput[]]
/** A contribution that is left out is weight x value. A value that is left out, or `true`, is that of the dimension of that name. */
type PackedPart =
  | [name: Name, weight: number]
  | [name: Name, value: number | null | true, weight: number, contribution?: number]
/** JSON of `token_score.explanation` and `wallet_score.explanation`. */
export type PackedExplanation = [
  block: number,
  hour: number,
  logistic: 0 | 1,
  intercept: number,
  composite: number,
  evidence: number,
  base: number | null,
  pullChance30dPct: number | null,
  score: number,
  floors: [reason: FloorReason, atLeast: number][],
  confidenceReasons: string[],
  dimensions: PackedDimension[],
  contributions: PackedPart[],
  reasons: PackedReason[],
  verdict?: PackedHeadline,
]

/** All from `name` on are missing in scores of an earlier version. */
type PackedReason = [
  kind: number,
  text: string,
  points: number,
  dimension: Name,
  name?: string,
  topic?: number,
  severity?: number,
  since?: number | null,
  block?: number | null,
]
/** The headline, the time of the contract check, and what nobody knows. */
type PackedHeadline = [headline: string, checkedAt: number | null]

/** Packs an explanation for storage. */
export function packExplanation(explanation: Explanation): PackedExplanation {
  const packed = packScore(explanation)
  if (explanation.headline !== '') packed[14] = [explanation.headline, explanation.checkedAt]
  return packed
}

function packScore(explanation: Explanation): PackedExplanation {
  const { block, link, intercept, composite, evidence, base, pullChance30dPct, score, contributions } = explanation
  return [
    block,
    Date.parse(explanation.hour) / 3_600_000,
    link === 'logistic' ? 1 : 0,
    intercept,
    composite,
    evidence,
    base,
    pullChance30dPct,
    score,
    explanation.floors.map(({ reason, atLeast }) => [reason, atLeast]),
    explanation.confidenceReasons,
    explanation.dimensions.map(packDimension),
    contributions.map((part) => packPart(part, explanation.dimensions)),
    explanation.reasons.map(packReason),
  ]
}

const packReason = (reason: Reason): PackedReason => {
  const { kind, text, points, dimension, name, topic, severity, since, block } = reason
  const told: PackedReason = [REASON_KINDS.indexOf(kind), text, points, packName(dimension), name]
  told.push(FINDING_TOPICS.indexOf(topic), severity)
  if (since !== null || block !== null) told.push(since, block)
  return told
}

const packValue = (value: number | null): number | null => (value === null ? null : toSixDigits(value))

function packDimension({ name, value, inputs }: Dimension): PackedDimension {
  const packed = inputs.map(
    (input): PackedInput => [packName(input.name), packValue(input.value), input.points, input.weight],
  )
  return value === sumOf(inputs) ? [packName(name), packed] : [packName(name), value, packed]
}

function packPart({ name, value, weight, contribution }: Contribution, dimensions: readonly Dimension[]): PackedPart {
  const isOfDimension = value !== null && value === findValue(name, dimensions)
  if (value === null || contribution !== value * weight)
    return [packName(name), isOfDimension || value, weight, contribution]
  return isOfDimension ? [packName(name), weight] : [packName(name), value, weight]
}

const sumOf = (inputs: readonly Input[]): number => inputs.reduce((total, input) => total + input.contribution, 0)
const findValue = (name: string, dimensions: readonly Dimension[]): number | null =>
  dimensions.find((dimension) => dimension.name === name)?.value ?? null

/** Restores an explanation that `packExplanation` packed. */
export function unpackExplanation(packed: PackedExplanation): Explanation {
  const [block, hour, logistic, intercept, composite, evidence, base, pullChance30dPct, score, floors, gaps] = packed
  const dimensions = packed[11].map(unpackDimension)
  return {
    block,
    hour: new Date(hour * 3_600_000).toISOString(),
    dimensions,
    link: logistic ? 'logistic' : 'identity',
    intercept,
    contributions: packed[12].map((part) => unpackPart(part, dimensions)),
    composite,
    evidence,
    base,
    floors: floors.map(([reason, atLeast]): Floor => ({ reason, atLeast })),
    score,
    confidenceReasons: gaps,
    reasons: unpackReasons(packed[13]),
    headline: packed[14]?.[0] ?? '',
    checkedAt: packed[14]?.[1] ?? null,
    pullChance30dPct,
  }
}

/** The reasons in stored form, and the SQL that reads them alone: a whole explanation takes ten times the memory. */
export type PackedReasons = PackedExplanation[13]
export const PACKED_REASONS = 's.explanation::json->13'

/** The parts of a verdict in stored form, and the SQL that reads them alone. Null: there is no explanation. */
export type PackedVerdict = [reasons: PackedReasons, headline: PackedHeadline | null, gaps: string[]]
export const PACKED_VERDICT = `(SELECT CASE WHEN e IS NULL THEN NULL ELSE json_build_array(e->13, e->14, e->10) END
  FROM (SELECT s.explanation::json AS e) x)`

export const unpackVerdict = ([reasons, headline, gaps]: PackedVerdict) => ({
  findings: unpackReasons(reasons),
  headline: headline?.[0] ?? '',
  checkedAt: headline?.[1] ?? null,
  gaps,
})

/** Restores the reasons alone. */
export const unpackReasons = (packed: PackedReasons): Reason[] => packed.map(unpackReason)

/** The chance of a pull alone. */
export const unpackPullChance = (packed: PackedExplanation): number | null => packed[7]

function unpackDimension(packed: PackedDimension): Dimension {
  const inputs = (packed.length === 2 ? packed[1] : packed[2]).map(unpackInput)
  return { name: unpackName(packed[0]), value: packed.length === 2 ? sumOf(inputs) : packed[1], inputs }
}

const unpackInput = ([name, value, points, weight]: PackedInput): Input => ({
  name: unpackName(name),
  value,
  points,
  weight,
  contribution: points * weight,
})

function unpackReason(packed: PackedReason): Reason {
  const [kind, text, points, dimension, name = '', topic = 0, severity = 0, since = null, block = null] = packed
  return {
    kind: REASON_KINDS[kind] ?? 'fact',
    topic: FINDING_TOPICS[topic] ?? 'market',
    ...{ name, severity, text, points, since, block },
    dimension: unpackName(dimension) as RiskDimension,
  }
}

function unpackPart(packed: PackedPart, dimensions: readonly Dimension[]): Contribution {
  const name = unpackName(packed[0])
  const [stored, weight] = packed.length === 2 ? [true as const, packed[1]] : [packed[1], packed[2]]
  const value = stored === true ? findValue(name, dimensions) : stored
  // Plus 0: no share of a dimension below zero is -0.
  return { name, value, weight, contribution: packed[3] ?? (value ?? 0) * weight + 0 }
}
