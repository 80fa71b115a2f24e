// Pure. Compares a token's recent trading with the earlier one, from the swaps of the last seven days (at most 2,000,
// oldest first). A measure that needs a trade is null without one.
import type { SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { sum } from './ramp.ts'
import { referenceTime } from './reference-time.ts'

export interface TempoMeasures {
  /**
   * Seconds since the last swap over the mean seconds between two. One is added to both, because a block may have
   * several swaps.
   */
  sinceToGap: number | null
  /** Mean seconds between the newer half of the swaps, until now, over those between the older half; one is added to both. */
  gapTrend: number | null
  /** (buys + 1) / (swaps + 2) of the newest twenty swaps. */
  newestBuyShare: number
  /** The quote side now over its value before the swaps of the last third of the time since the first swap. */
  lateGrowth: number | null
}

const NEWEST = 20
/** Halves of fewer swaps have no mean gap. */
const MIN_FOR_HALVES = 4
/** Liquidity may have left since: the earlier value is at least this share of the current one. */
const LEAST_BEFORE = 0.001

/** The measures at the block. */
export function measureTempo(facts: TokenFacts): TempoMeasures {
  const { swaps } = facts
  const now = referenceTime(facts)
  const newest = swaps.slice(-NEWEST)
  return {
    sinceToGap: measureSince(swaps, now),
    gapTrend: measureTrend(swaps, now),
    newestBuyShare: (newest.filter(isBuy).length + 1) / (newest.length + 2),
    lateGrowth: measureLateGrowth(facts, now),
  }
}

const isBuy = ({ direction }: SwapFacts): boolean => direction === 'buy'

function measureSince(swaps: readonly SwapFacts[], now: number): number | null {
  const [first, last] = [swaps[0], swaps.at(-1)]
  if (!first || !last || swaps.length < 2) return null
  const meanGap = (last.time - first.time) / (swaps.length - 1)
  return (Math.max(0, now - last.time) + 1) / (meanGap + 1)
}

function measureTrend(swaps: readonly SwapFacts[], now: number): number | null {
  const half = swaps.length >>> 1
  const [first, middle] = [swaps[0], swaps[half]]
  if (!first || !middle || swaps.length < MIN_FOR_HALVES) return null
  const older = (middle.time - first.time) / half
  const newer = Math.max(0, now - middle.time) / (swaps.length - half)
  return (newer + 1) / (older + 1)
}

function measureLateGrowth({ swaps, liquidityUsd }: TokenFacts, now: number): number | null {
  const [first, quoteUsd] = [swaps[0], liquidityUsd / 2]
  if (!first || quoteUsd <= 0) return null
  const since = first.time + (2 * (now - first.time)) / 3
  const late = swaps.filter(({ time }) => time >= since)
  const net = sum(late.map((swap) => (isBuy(swap) ? swap.amountUsd : -swap.amountUsd)))
  return 1 / Math.max(1 - net / quoteUsd, LEAST_BEFORE)
}
