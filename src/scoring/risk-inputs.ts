// What the risk model asks of a token, by dimension: a measure, where its ramps begin and end, and the direction that
// common sense allows. Plain numbers, published as they stand; the points of the ramps are fitted (risk-model.json).
import type { TokenMeasures } from './measures.ts'

/** The dimensions that the data fit; holders, wash and smart money have formulas of their own. */
export const FITTED_DIMENSIONS = ['liquidity', 'opening', 'activity', 'trading', 'maturity'] as const
export type FittedDimension = (typeof FITTED_DIMENSIONS)[number]

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

type Shape = Pick<RiskInput, 'scale' | 'direction'> & Partial<Pick<RiskInput, 'byOpening'>>

const input = (
  dimension: FittedDimension,
  name: keyof RiskValues,
  knots: readonly number[],
  { byOpening = false, ...shape }: Shape,
): RiskInput => ({ name, dimension, knots, byAge: name !== 'lifeHours', byOpening, ...shape })

const LOG = { scale: 'log', direction: 0 } as const
const LINEAR = { scale: 'linear', direction: 0 } as const
const BY_OPENING = { byOpening: true } as const

/** The inputs in their published order. */
export const RISK_INPUTS: readonly RiskInput[] = [
  input('liquidity', 'liquidityUsd', [300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000], {
    scale: 'log',
    direction: -1,
    byOpening: true,
  }),
  input('liquidity', 'exitShare', [0, 0.3, 0.6, 0.9, 0.999], {
    scale: 'linear',
    direction: 1,
    byOpening: true,
  }),
  input('liquidity', 'ownerCount', [1, 2, 4, 10, 20], { scale: 'log', direction: -1, byOpening: true }),
  input('liquidity', 'reserveToPeak', [0.1, 0.3, 0.6, 0.9, 1], { scale: 'linear', direction: -1 }),
  input('liquidity', 'liquidityToPeak', [0.2, 0.5, 0.8, 0.95, 1], { ...LINEAR, ...BY_OPENING }),
  input('liquidity', 'keptShare', [0, 0.5, 0.9, 1], { ...LINEAR }),
  input('liquidity', 'removalCount', [0, 1, 3, 10], { ...LOG }),
  input('opening', 'openingUsd', [300, 1_000, 3_000, 10_000, 30_000, 100_000], LOG),
  input('opening', 'openingStep', [0, 0.01, 0.1, 0.5, 1, 5, 10], { scale: 'step', direction: 0, byOpening: true }),
  input('opening', 'firstSwapHours', [0.01, 0.05, 0.3, 2, 10], LOG),
  input('opening', 'firstBuysToOpening', [0.005, 0.02, 0.07, 0.2, 0.6], { ...LOG, ...BY_OPENING }),
  input('opening', 'firstBuyShare', [0.005, 0.03, 0.1, 0.3, 1], { ...LOG, ...BY_OPENING }),
  input('activity', 'swapCount', [3, 10, 30, 100, 300, 1_000], { scale: 'log', direction: -1, byOpening: true }),
  input('activity', 'tradingHours7d', [1, 3, 8, 20, 50, 120], { scale: 'log', direction: -1 }),
  input('activity', 'volume7dUsd', [100, 1_000, 1e4, 1e5, 1e6], { scale: 'log', direction: -1 }),
  input('activity', 'sinceSwapHours', [0.02, 0.2, 1, 4, 12, 48], { ...LOG, ...BY_OPENING }),
  input('activity', 'medianGapSeconds', [10, 40, 150, 600, 3_000], LOG),
  input('activity', 'sinceToGap', [0.1, 1, 3, 10, 100], LOG),
  input('activity', 'gapTrend', [0.1, 0.5, 1, 2, 10, 100], LOG),
  input('activity', 'dayShare', [0.02, 0.2, 0.6, 0.95], LINEAR),
  input('activity', 'hourShare', [0, 0.1, 0.4, 0.9], LINEAR),
  input('activity', 'volumeToLiquidity', [0.01, 0.1, 0.4, 1.5, 5], LOG),
  input('trading', 'tradeToReserve', [0.002, 0.007, 0.02, 0.06, 0.2], { ...LOG, ...BY_OPENING }),
  input('trading', 'sellShare', [0.05, 0.2, 0.35, 0.5, 0.6], { ...LINEAR, ...BY_OPENING }),
  input('trading', 'newestBuyShare', [0.1, 0.3, 0.5, 0.7, 0.9], LINEAR),
  input('trading', 'sellVolumeUsd', [10, 100, 1_000, 1e4, 1e5], { ...LOG, ...BY_OPENING }),
  input('trading', 'sellToBuySize', [0.05, 0.3, 0.8, 1.2, 3], LOG),
  input('trading', 'roundTripShare', [0, 0.15, 0.4, 0.8], LINEAR),
  input('trading', 'tradeConcentration', [0.01, 0.03, 0.1, 0.3, 1], { ...LOG, ...BY_OPENING }),
  input('trading', 'reserveGrowth', [0.3, 0.7, 1, 1.5, 3, 8], { ...LOG, ...BY_OPENING }),
  input('trading', 'lateGrowth', [0.67, 0.9, 1, 1.1, 2], LOG),
  input('maturity', 'lifeHours', [0.1, 1, 6, 24, 72, 360], { ...LOG, ...BY_OPENING }),
  input('maturity', 'additionCount', [1, 2, 3, 5, 10, 30], { scale: 'log', direction: -1, byOpening: true }),
  input('maturity', 'sharesMovedHours', [0.01, 0.2, 2, 20, 70], { ...LOG, ...BY_OPENING }),
]
