// What the risk model asks of a token, by dimension: a measure, where its ramps begin and end, and the direction that
// common sense allows. Plain numbers, published as they stand; the points of the ramps are fitted (risk-model.json).
import type { TokenMeasures } from './measures.ts'

/** The dimensions that the data fit; holders, wash and smart money have formulas of their own. */
export const FITTED_DIMENSIONS = ['liquidity', 'opening', 'activity', 'trading', 'maturity'] as const
export type FittedDimension = (typeof FITTED_DIMENSIONS)[number]

/** How a value is put into words: see `words.ts`. */
export type Unit = 'usd' | 'share' | 'ratio' | 'hours' | 'seconds' | 'step' | 'inverse' | 'wallet' | 'time' | 'hour'

export interface RiskInput {
  name: keyof RiskValues
  dimension: FittedDimension
  /** Ascending, in the measure's unit: points change evenly from one to the next, and not outside. */
  knots: readonly number[]
  /** `log`: evenly in the logarithm, as amounts and times want it; `step`: at the knots, for values that are few. */
  scale: 'log' | 'linear' | 'step'
  /** 1: more is never less risky, -1: never more; 0: the data decide. */
  direction: 1 | -1 | 0
  /** Its points depend on the token's age: those of all inputs do but of the age itself. */
  byAge: boolean
  /** They depend on how large the pool opened too. */
  byOpening: boolean
  /** What the whole range takes or gives at least, and what the fit leans to, in log-odds. */
  least?: number
  leaning?: number
  /** What a reader is told; `{}` stands for the value. */
  text: string
  /** What a reader is told where it raises the risk, if that needs other words. */
  raising?: string
  /** What a reader is told of none of it, and of all. */
  none?: string
  all?: string
  unit: Unit
}

/** Dollars of the quote side at the opening: a pool between two of them takes the points of both in proportion. */
export const OPENING_SIZES = [300, 1_000, 3_000, 10_000, 30_000, 100_000] as const

/** Hours since the first liquidity: a token between two of them takes the points of both in proportion. */
export const AGES_HOURS = [1, 6, 24, 72, 240] as const

/** Every value that the model reads. Null: not known, and no points either way. */
export type RiskValues = { [Name in keyof ReturnType<typeof toRiskValues>]: number | null }

export interface RiskCounts {
  liquidityAddCount: number
  liquidityRemoveCount: number
}

/** The measures as the model reads them: what wash traders make up counts as no activity. */
export function toRiskValues(measures: TokenMeasures, counts: RiskCounts) {
  return {
    liquidityUsd: measures.liquidityUsd,
    exitShare: measures.exitShare,
    ownerCount: measures.ownerCount,
    reserveToPeak: measures.reserveToPeak,
    liquidityToPeak: measures.liquidityToPeak,
    keptShare: measures.keptShare,
    removalCount: counts.liquidityRemoveCount,
    openingUsd: measures.openingUsd,
    openingStep: measures.openingStep,
    firstSwapHours: measures.firstSwapHours,
    firstBuysToOpening: measures.firstBuysToOpening,
    firstBuyShare: measures.firstBuyShare,
    swapCount: measures.cleanSwapCount,
    tradingHours7d: measures.tradingHours7d,
    volume7dUsd: measures.cleanVolume7dUsd,
    sinceSwapHours: measures.sinceSwapHours,
    medianGapSeconds: measures.medianGapSeconds,
    sinceToGap: measures.sinceToGap,
    gapTrend: measures.gapTrend,
    dayShare: measures.cleanVolume24hUsd / (measures.cleanVolume7dUsd + 1),
    hourShare: measures.cleanVolume1hUsd / (measures.cleanVolume24hUsd + 1),
    volumeToLiquidity: measures.cleanVolume24hUsd / (measures.liquidityUsd + 10),
    tradeToReserve: measures.tradeToReserve,
    sellShare: measures.sellShare,
    newestBuyShare: measures.newestBuyShare,
    sellVolumeUsd: measures.sellVolumeUsd,
    sellToBuySize: measures.sellToBuySize,
    roundTripShare: measures.roundTripShare,
    tradeConcentration: measures.tradeConcentration,
    reserveGrowth: measures.reserveGrowth,
    lateGrowth: measures.lateGrowth,
    lifeHours: measures.lifeHours,
    additionCount: counts.liquidityAddCount,
    sharesMovedHours: measures.sharesMovedHours,
  }
}

type Shape = Pick<RiskInput, 'scale' | 'direction'> &
  Partial<Pick<RiskInput, 'byOpening' | 'least' | 'leaning' | 'raising' | 'none' | 'all'>>

const input = (
  dimension: FittedDimension,
  name: keyof RiskValues,
  knots: readonly number[],
  { byOpening = false, ...shape }: Shape,
  unit: Unit,
  text: string,
): RiskInput => ({ name, dimension, knots, byAge: name !== 'lifeHours', byOpening, ...shape, unit, text })

const LOG = { scale: 'log', direction: 0 } as const
const LINEAR = { scale: 'linear', direction: 0 } as const
const BY_OPENING = { byOpening: true } as const

/** The inputs in their published order. */
export const RISK_INPUTS: readonly RiskInput[] = [
  input(
    'liquidity',
    'liquidityUsd',
    [300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000],
    { scale: 'log', direction: -1, byOpening: true, least: 5, leaning: 5.5 },
    'usd',
    'the pools hold {} of liquidity',
  ),
  input(
    'liquidity',
    'exitShare',
    [0, 0.3, 0.6, 0.9, 0.999],
    {
      scale: 'linear',
      direction: 1,
      byOpening: true,
      least: 1,
      leaning: 1.5,
    },
    'share',
    'one wallet can withdraw {} of the liquidity',
  ),
  input(
    'liquidity',
    'ownerCount',
    [1, 2, 4, 10, 20],
    { scale: 'log', direction: -1, byOpening: true, least: 1.2, leaning: 1.5 },
    'wallet',
    'the liquidity belongs to {}, locked shares included',
  ),
  input(
    'liquidity',
    'reserveToPeak',
    [0.1, 0.3, 0.6, 0.9, 1],
    { scale: 'linear', direction: -1, least: 1.2, leaning: 1.5 },
    'share',
    'the money in its pools is at {} of its 30-day peak',
  ),
  input(
    'liquidity',
    'liquidityToPeak',
    [0.2, 0.5, 0.8, 0.95, 1],
    { ...LINEAR, ...BY_OPENING },
    'share',
    'its liquidity is at {} of the most it ever had',
  ),
  input(
    'liquidity',
    'keptShare',
    [0, 0.5, 0.9, 1],
    { ...LINEAR, all: 'hardly any liquidity was removed in the past month' },
    'share',
    'on the day of its largest removals {} of a pool stayed',
  ),
  input(
    'liquidity',
    'removalCount',
    [0, 1, 3, 10],
    { ...LOG, none: 'liquidity was never removed' },
    'time',
    'liquidity was removed {}',
  ),
  input(
    'opening',
    'openingUsd',
    [300, 1_000, 3_000, 10_000, 30_000, 100_000],
    LOG,
    'usd',
    'its pools began the past week with {} of money in them',
  ),
  input(
    'opening',
    'openingStep',
    [0, 0.01, 0.1, 0.5, 1, 5, 10],
    { scale: 'step', direction: 0, byOpening: true },
    'step',
    'its first liquidity was {}',
  ),
  input(
    'opening',
    'firstSwapHours',
    [0.01, 0.05, 0.3, 2, 10],
    LOG,
    'hours',
    'the week’s first trade came {} after the first liquidity',
  ),
  input(
    'opening',
    'firstBuysToOpening',
    [0.005, 0.02, 0.07, 0.2, 0.6],
    { ...LOG, ...BY_OPENING },
    'share',
    'the week’s first five buys were {} of the money in its pools',
  ),
  input(
    'opening',
    'firstBuyShare',
    [0.005, 0.03, 0.1, 0.3, 1],
    { ...LOG, ...BY_OPENING },
    'share',
    'the week’s first buy is {} of all its buying',
  ),
  input(
    'activity',
    'swapCount',
    [3, 10, 30, 100, 300, 1_000],
    { scale: 'log', direction: -1, byOpening: true },
    'time',
    'it was traded {} so far',
  ),
  input(
    'activity',
    'tradingHours7d',
    [1, 3, 8, 20, 50, 120],
    { scale: 'log', direction: -1 },
    'hour',
    '{} of the past 7 days had a trade',
  ),
  input(
    'activity',
    'volume7dUsd',
    [100, 1_000, 1e4, 1e5, 1e6],
    { scale: 'log', direction: -1 },
    'usd',
    '{} were traded in the past 7 days',
  ),
  input(
    'activity',
    'sinceSwapHours',
    [0.02, 0.2, 1, 4, 12, 48],
    { ...LOG, ...BY_OPENING },
    'hours',
    'the last trade was {} ago',
  ),
  input(
    'activity',
    'medianGapSeconds',
    [10, 40, 150, 600, 3_000],
    LOG,
    'seconds',
    'half of its trades come within {} of the one before',
  ),
  input(
    'activity',
    'sinceToGap',
    [0.1, 1, 3, 10, 100],
    LOG,
    'ratio',
    'the last trade is {} times as long ago as trades are apart',
  ),
  input(
    'activity',
    'gapTrend',
    [0.1, 0.5, 1, 2, 10, 100],
    LOG,
    'ratio',
    'the time between trades is {} times what it was in the older half of them',
  ),
  input(
    'activity',
    'dayShare',
    [0.02, 0.2, 0.6, 0.95],
    LINEAR,
    'share',
    'the last 24 hours made {} of the week’s volume',
  ),
  input('activity', 'hourShare', [0, 0.1, 0.4, 0.9], LINEAR, 'share', 'the last hour made {} of the day’s volume'),
  input(
    'activity',
    'volumeToLiquidity',
    [0.01, 0.1, 0.4, 1.5, 5],
    LOG,
    'ratio',
    'the 24-hour volume is {} times the liquidity',
  ),
  input(
    'trading',
    'tradeToReserve',
    [0.002, 0.007, 0.02, 0.06, 0.2],
    { ...LOG, ...BY_OPENING, all: 'the average trade is as large as all the money in its pools, or larger' },
    'share',
    'the average trade is {} of the money in its pools',
  ),
  input(
    'trading',
    'sellShare',
    [0.05, 0.2, 0.35, 0.5, 0.6],
    { ...LINEAR, ...BY_OPENING },
    'share',
    'about {} of the week’s trades are sales',
  ),
  input(
    'trading',
    'newestBuyShare',
    [0.1, 0.3, 0.5, 0.7, 0.9],
    LINEAR,
    'share',
    'about {} of the newest trades are buys',
  ),
  input(
    'trading',
    'sellVolumeUsd',
    [10, 100, 1_000, 1e4, 1e5],
    { ...LOG, ...BY_OPENING, none: 'nothing was sold in the past 7 days' },
    'usd',
    '{} were sold in the past 7 days',
  ),
  input(
    'trading',
    'sellToBuySize',
    [0.05, 0.3, 0.8, 1.2, 3],
    LOG,
    'ratio',
    'the week’s largest sale is {} times its largest buy',
  ),
  input(
    'trading',
    'roundTripShare',
    [0, 0.15, 0.4, 0.8],
    LINEAR,
    'share',
    '{} of the sales are of the exact amount of an earlier buy',
  ),
  input(
    'trading',
    'tradeConcentration',
    [0.01, 0.03, 0.1, 0.3, 1],
    { ...LOG, ...BY_OPENING },
    'inverse',
    'the week’s volume is as concentrated as {}',
  ),
  input(
    'trading',
    'reserveGrowth',
    [0.3, 0.7, 1, 1.5, 3, 8],
    { ...LOG, ...BY_OPENING },
    'ratio',
    'the money in its pools is {} times what they began the week with',
  ),
  input(
    'trading',
    'lateGrowth',
    [0.67, 0.9, 1, 1.1, 2],
    LOG,
    'ratio',
    'the latest third of the trading made the money in its pools {} times as much',
  ),
  input(
    'maturity',
    'lifeHours',
    [0.1, 1, 6, 24, 72, 360],
    // Beside the counts of trades and owners it says how slowly they came.
    { ...LOG, ...BY_OPENING, raising: 'little trade for its age of {}' },
    'hours',
    'its first liquidity came {} ago',
  ),
  input(
    'maturity',
    'additionCount',
    [1, 2, 3, 5, 10, 30],
    { scale: 'log', direction: -1, byOpening: true },
    'time',
    'liquidity was added {}',
  ),
  input(
    'maturity',
    'sharesMovedHours',
    [0.01, 0.2, 2, 20, 70],
    { ...LOG, ...BY_OPENING },
    'hours',
    'ownership of the liquidity last changed {} after it came',
  ),
]
