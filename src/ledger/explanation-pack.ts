// The stored form of an explanation: derived numbers are left out, and names are replaced by numbers. Unpacking restores
// every number that the score is computed from to the last digit, even after the weights have changed. Measured values,
// which only say where points come from, are stored with six digits.
import { toSixDigits } from '../base/decimal.ts'
import type { FloorReason, RiskDimension } from '../base/vocabulary.ts'
import type { Contribution, Dimension, Explanation, Floor, Input, Reason } from './explanation.ts'

/** A name's number is its index here. Only append: stored explanations refer to these indexes. A name not listed is stored as text. */
const NAMES: readonly string[] = `liquidity holders wash smartMoney winRate consistency riskDrawdown entryTiming
  liquidityUsd exitShare reserveToPeak providerCount topTenShare holderHhi traderCount volumeHhi matchedShare smartFlow
  shrunkWinRate profitableWeeks medianGapSeconds drawdownToPosition tradesAboveIn3d lifeHours exitUsd exitHeldHours
  lockedShare ownerCount swapCount tradingHours7d tradingHours24h volume7dUsd meanTradeUsd tradeToReserve sellShare
  openingUsd reserveGrowth turnover firstBuysToOpening firstBuyShare sellVolumeUsd roundTripShare sellToBuySize
  tradeConcentration medianBuyUsd sizeDeviation priceChange firstSwapHours firstSellHours sinceSwapHours gapVariation
  halfwayShare nextExitShare burnedLiquidityShare sharesMovedHours sharesHeldHours lockDelayHours lockHeldHours
  exitMovedHours keptShare peakLiquidityUsd liquidityToPeak openingStep openerEmptiedExcess opening activity trading maturity removalCount additionCount dayShare hourShare
  volumeToLiquidity shrunkExitWinRate pulledLiquidity pulledTokens washTrading washedTokens sinceToGap gapTrend
  newestBuyShare lateGrowth dumpedTokens`.split(/\s+/)
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
/** Only in rows that an earlier version wrote: contributions of weight 1, stored by column, that come before all others. */
type PackedPoints = [names: Name[], values: (number | null)[], contributions: number[]]

/** JSON of `token_score.explanation` and `wallet_score.explanation`. */
export type PackedExplanation = [
  block: number,
  hour: number,
  logistic: 0 | 1,
  intercept: number,
  composite: number,
  prior: number,
  evidence: number,
  evidenceHalf: number,
  score: number,
  floors: [reason: FloorReason, atLeast: number][],
  confidenceReasons: string[],
  dimensions: PackedDimension[],
  contributions: PackedPart[],
  points?: PackedPoints | null,
  reasons?: [text: string, points: number, dimension: Name][],
]

/** Packs an explanation for storage. */
export function packExplanation(explanation: Explanation): PackedExplanation {
  const { block, link, intercept, composite, prior, evidence, evidenceHalf, score, contributions } = explanation
  return [
    block,
    Date.parse(explanation.hour) / 3_600_000,
    link === 'logistic' ? 1 : 0,
    intercept,
    composite,
    prior,
    evidence,
    evidenceHalf,
    score,
    explanation.floors.map(({ reason, atLeast }) => [reason, atLeast]),
    explanation.confidenceReasons,
    explanation.dimensions.map(packDimension),
    contributions.map((part) => packPart(part, explanation.dimensions)),
    null,
    explanation.reasons.map(({ text, points, dimension }) => [text, points, packName(dimension)]),
  ]
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
  const [block, hour, logistic, intercept, composite, prior, evidence, evidenceHalf, score, floors, reasons] = packed
  const dimensions = packed[11].map(unpackDimension)
  return {
    block,
    hour: new Date(hour * 3_600_000).toISOString(),
    dimensions,
    link: logistic ? 'logistic' : 'identity',
    intercept,
    contributions: [...unpackPoints(packed[13]), ...packed[12].map((part) => unpackPart(part, dimensions))],
    composite,
    prior,
    evidence,
    evidenceHalf,
    floors: floors.map(([reason, atLeast]): Floor => ({ reason, atLeast })),
    score,
    confidenceReasons: reasons,
    reasons: (packed[14] ?? []).map(unpackReason),
  }
}

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

const unpackReason = ([text, points, dimension]: [string, number, Name]): Reason => ({
  text,
  points,
  dimension: unpackName(dimension) as RiskDimension,
})

const unpackPoints = (points: PackedPoints | null = null): Contribution[] => {
  const [names, values, contributions] = points ?? [[], [], []]
  return names.map((name, at) => ({
    name: unpackName(name),
    value: values[at] ?? null,
    weight: 1,
    contribution: contributions[at] ?? 0,
  }))
}

function unpackPart(packed: PackedPart, dimensions: readonly Dimension[]): Contribution {
  const name = unpackName(packed[0])
  const [stored, weight] = packed.length === 2 ? [true as const, packed[1]] : [packed[1], packed[2]]
  const value = stored === true ? findValue(name, dimensions) : stored
  // Plus 0: no share of a dimension below zero is -0.
  return { name, value, weight, contribution: packed[3] ?? (value ?? 0) * weight + 0 }
}
