// The inputs of the risk model, by dimension: a measure, the begin and end of its ramps, and the direction that common
// sense allows. Plain numbers, published unchanged; the points of the ramps are fitted (risk-model.json).

import type { LiquidityCounts } from '../verdict/facts.ts'
import type { TokenMeasures } from './measures.ts'

/** The dimensions that the data fit; holders, wash and smart money have formulas of their own. */
export const FITTED_DIMENSIONS = ['liquidity', 'opening', 'activity', 'trading', 'maturity'] as const
export type FittedDimension = (typeof FITTED_DIMENSIONS)[number]

export interface RiskInput {
  name: keyof RiskValues
  dimension: FittedDimension
  /** Ascending, in the measure's unit: points change evenly from one to the next, and not outside. */
  knots: readonly number[]
  /** `log`: evenly in the logarithm, for amounts and times; `step`: at the knots, for few values. */
  scale: 'log' | 'linear' | 'step'
  /** 1: more is never less risky, -1: never more; 0: the data decide. */
  direction: 1 | -1 | 0
  /** Its points depend on the token's age: those of all inputs except the age itself do. */
  byAge: boolean
  /** They depend on the size of the pool's opening too. */
  byOpening: boolean
}

/** Dollars of the quote side at the opening: a pool between two of them takes the points of both in proportion. */
export const OPENING_SIZES = [300, 1_000, 3_000, 10_000, 30_000, 100_000] as const

/** Hours since the first liquidity: a token between two of them takes the points of both in proportion. */
export const AGES_HOURS = [1, 6, 24, 72, 240] as const

/** All values that the model reads. Null: unknown, and no points either way. */
export type RiskValues = { [Name in keyof ReturnType<typeof toRiskValues>]: number | null }

/** The measures in the model's form: wash traders' swaps count as no activity. */
export function toRiskValues(measures: TokenMeasures, counts: LiquidityCounts) {
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

type Given = Omit<RiskInput, 'name' | 'byAge' | 'byOpening'> & { byOpening?: true }

const LOG = { scale: 'log', direction: 0 } as const
const LINEAR = { scale: 'linear', direction: 0 } as const

/** The input of each value. */
const INPUTS: Readonly<Record<keyof RiskValues, Given>> = {
  liquidityUsd: {
    dimension: 'liquidity',
    knots: [300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000],
    ...LOG,
    direction: -1,
    byOpening: true,
  },
  exitShare: { dimension: 'liquidity', knots: [0, 0.3, 0.6, 0.9, 0.999], ...LINEAR, direction: 1, byOpening: true },
  ownerCount: { dimension: 'liquidity', knots: [1, 2, 4, 10, 20], ...LOG, direction: -1, byOpening: true },
  reserveToPeak: { dimension: 'liquidity', knots: [0.1, 0.3, 0.6, 0.9, 1], ...LINEAR, direction: -1 },
  liquidityToPeak: { dimension: 'liquidity', knots: [0.2, 0.5, 0.8, 0.95, 1], ...LINEAR, byOpening: true },
  keptShare: { dimension: 'liquidity', knots: [0, 0.5, 0.9, 1], ...LINEAR },
  removalCount: { dimension: 'liquidity', knots: [0, 1, 3, 10], ...LOG },
  openingUsd: { dimension: 'opening', knots: [300, 1_000, 3_000, 10_000, 30_000, 100_000], ...LOG },
  openingStep: {
    dimension: 'opening',
    knots: [0, 0.01, 0.1, 0.5, 1, 5, 10],
    scale: 'step',
    direction: 0,
    byOpening: true,
  },
  firstSwapHours: { dimension: 'opening', knots: [0.01, 0.05, 0.3, 2, 10], ...LOG },
  firstBuysToOpening: { dimension: 'opening', knots: [0.005, 0.02, 0.07, 0.2, 0.6], ...LOG, byOpening: true },
  firstBuyShare: { dimension: 'opening', knots: [0.005, 0.03, 0.1, 0.3, 1], ...LOG, byOpening: true },
  swapCount: { dimension: 'activity', knots: [3, 10, 30, 100, 300, 1_000], ...LOG, direction: -1, byOpening: true },
  tradingHours7d: { dimension: 'activity', knots: [1, 3, 8, 20, 50, 120], ...LOG, direction: -1 },
  volume7dUsd: { dimension: 'activity', knots: [100, 1_000, 1e4, 1e5, 1e6], ...LOG, direction: -1 },
  sinceSwapHours: { dimension: 'activity', knots: [0.02, 0.2, 1, 4, 12, 48], ...LOG, byOpening: true },
  medianGapSeconds: { dimension: 'activity', knots: [10, 40, 150, 600, 3_000], ...LOG },
  sinceToGap: { dimension: 'activity', knots: [0.1, 1, 3, 10, 100], ...LOG },
  gapTrend: { dimension: 'activity', knots: [0.1, 0.5, 1, 2, 10, 100], ...LOG },
  dayShare: { dimension: 'activity', knots: [0.02, 0.2, 0.6, 0.95], ...LINEAR },
  hourShare: { dimension: 'activity', knots: [0, 0.1, 0.4, 0.9], ...LINEAR },
  volumeToLiquidity: { dimension: 'activity', knots: [0.01, 0.1, 0.4, 1.5, 5], ...LOG },
  tradeToReserve: { dimension: 'trading', knots: [0.002, 0.007, 0.02, 0.06, 0.2], ...LOG, byOpening: true },
  sellShare: { dimension: 'trading', knots: [0.05, 0.2, 0.35, 0.5, 0.6], ...LINEAR, byOpening: true },
  newestBuyShare: { dimension: 'trading', knots: [0.1, 0.3, 0.5, 0.7, 0.9], ...LINEAR },
  sellVolumeUsd: { dimension: 'trading', knots: [10, 100, 1_000, 1e4, 1e5], ...LOG, byOpening: true },
  sellToBuySize: { dimension: 'trading', knots: [0.05, 0.3, 0.8, 1.2, 3], ...LOG },
  roundTripShare: { dimension: 'trading', knots: [0, 0.15, 0.4, 0.8], ...LINEAR },
  tradeConcentration: { dimension: 'trading', knots: [0.01, 0.03, 0.1, 0.3, 1], ...LOG, byOpening: true },
  reserveGrowth: { dimension: 'trading', knots: [0.3, 0.7, 1, 1.5, 3, 8], ...LOG, byOpening: true },
  lateGrowth: { dimension: 'trading', knots: [0.67, 0.9, 1, 1.1, 2], ...LOG },
  lifeHours: { dimension: 'maturity', knots: [0.1, 1, 6, 24, 72, 360], ...LOG, byOpening: true },
  additionCount: { dimension: 'maturity', knots: [1, 2, 3, 5, 10, 30], ...LOG, direction: -1, byOpening: true },
  sharesMovedHours: { dimension: 'maturity', knots: [0.01, 0.2, 2, 20, 70], ...LOG, byOpening: true },
}

/** The inputs in their published order. */
export const RISK_INPUTS: readonly RiskInput[] = Object.entries<Given>(INPUTS).map(
  ([name, { dimension, knots, byOpening = false, ...shape }]) => ({
    name: name as keyof RiskValues,
    dimension,
    knots,
    byAge: name !== 'lifeHours',
    byOpening,
    ...shape,
  }),
)
