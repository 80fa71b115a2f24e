// Estimates a wallet's profit, realised and open, and the confidence in it. Uses average cost. Tokens that came by
// transfer have no cost: neither their sale nor their value counts as profit, and the coverage falls.
import type { Confidence, ConfidenceGap } from '../base/vocabulary.ts'
import type { PositionSums } from '../ledger/read/position.ts'
import { sum } from './ramp.ts'
import { PNL_CONFIDENCE } from './weights.ts'

/** A wallet's holding of one token. */
export interface PnlPosition {
  /** Whole tokens held. */
  quantity: number
  /** Of these, the whole tokens with a known cost, and that cost. */
  costQuantity: number
  costUsd: number
  boughtUsd: number
  soldUsd: number
  /** The part of `soldUsd` whose cost is known. */
  soldKnownUsd: number
  realisedUsd: number
  /** Cost of tokens that left without a result. */
  leftCostUsd?: number
  /** 0 or null: not priced, and counted as worthless. */
  priceUsd: number | null
}

export interface Pnl {
  pnlEstimateUsd: number
  pnlConfidence: Confidence
  /**
   * The gaps: `no_trades`, `transfers_without_cost`, `left_without_result`, `unpriced_holdings`, `pulled_liquidity`.
   */
  reasons: ConfidenceGap[]
  realisedUsd: number
  openUsd: number
  /** Share of the sold value with a known cost, 0-1; 1 without sales. */
  coverage: number
  /** Share of the holdings that is priced, by value, 0-1; 1 without holdings. */
  pricedShare: number
  /** The value of the holdings with a price. */
  heldUsd: number
}

type Sums = Omit<PositionSums, 'walletId' | 'sellableUsd'>

/** Estimates the realised profit, and the open profit at current prices. */
export const estimatePnl = (positions: readonly PnlPosition[]): Pnl => toPnl(addUp(positions))

/** Sums are published in whole micro-dollars. */
const toMicro = (usd: number): number => Math.round(usd * 1e6) / 1e6

/** Share of what left, in USD, whose cost is known, 0-1; 1 if nothing left. */
export const costCoverage = (knownUsd: number, outUsd: number): number =>
  outUsd > 0 ? Math.min(1, knownUsd / outUsd) : 1

/** The estimate from the sums, and the confidence in it. */
export function toPnl({ soldUsd, soldKnownUsd, leftCostUsd, traded, swapped, pulled, ...held }: Sums): Pnl {
  const [realisedUsd, openUsd] = [toMicro(held.realisedUsd), toMicro(held.openUsd)]
  const outUsd = soldUsd + leftCostUsd
  const coverage = costCoverage(soldKnownUsd, outUsd)
  const heldUsd = held.pricedUsd + held.unpricedCostUsd
  const pricedShare = heldUsd > 0 ? held.pricedUsd / heldUsd : 1
  const reasons: ConfidenceGap[] = []
  if (!swapped) reasons.push('no_trades')
  if (soldKnownUsd < PNL_CONFIDENCE.high.known * soldUsd) reasons.push('transfers_without_cost')
  if (leftCostUsd > (1 - PNL_CONFIDENCE.high.known) * outUsd) reasons.push('left_without_result')
  if (pricedShare < PNL_CONFIDENCE.high.priced) reasons.push('unpriced_holdings')
  if (pulled) reasons.push('pulled_liquidity')
  const pnlConfidence =
    reasons.length === 0 && coverage >= PNL_CONFIDENCE.high.known
      ? 'high'
      : traded && !pulled && coverage >= PNL_CONFIDENCE.medium.known
        ? 'medium'
        : 'low'
  return {
    pnlEstimateUsd: toMicro(realisedUsd + openUsd),
    pnlConfidence,
    reasons,
    realisedUsd,
    openUsd,
    coverage,
    pricedShare,
    heldUsd: toMicro(held.pricedUsd),
  }
}

function addUp(positions: readonly PnlPosition[]): Sums {
  const held = positions.filter((position) => position.quantity > 0)
  const traded = positions.some(({ boughtUsd, soldUsd }) => boughtUsd > 0 || soldUsd > 0)
  return {
    realisedUsd: sum(positions.map((position) => position.realisedUsd)),
    openUsd: sum(positions.map((position) => position.costQuantity * (position.priceUsd ?? 0) - position.costUsd)),
    soldUsd: sum(positions.map((position) => position.soldUsd)),
    soldKnownUsd: sum(positions.map((position) => position.soldKnownUsd)),
    traded,
    swapped: traded,
    pulled: false,
    leftCostUsd: sum(positions.map((position) => position.leftCostUsd ?? 0)),
    pricedUsd: sum(held.map((position) => position.quantity * (position.priceUsd ?? 0))),
    unpricedCostUsd: sum(held.filter((position) => !position.priceUsd).map((position) => position.costUsd)),
  }
}
