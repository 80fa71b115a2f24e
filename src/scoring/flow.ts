// Pure. Measures the shape of the trading from the swaps of the last seven days (at most 2,000, oldest first). A
// measure that needs a trade is null without one.
import type { SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { gapsOf, medianOf } from './gaps.ts'
import { sum } from './ramp.ts'
import { referenceTime } from './reference-time.ts'

export interface FlowMeasures {
  /**
   * Dollars on the quote side of the pools before the window's first swap. For a token younger than seven days, this is
   * the first supply.
   */
  openingUsd: number
  /** The quote side now over `openingUsd`; null: the pools were empty. */
  reserveGrowth: number | null
  /** The first five buys over `openingUsd`, and the first over all buys. */
  firstBuysToOpening: number | null
  firstBuyShare: number | null
  sellVolumeUsd: number
  /**
   * Sells of exactly a quantity that was bought before, divided by the sells plus one. High values suggest that anybody
   * can sell.
   */
  roundTripShare: number
  /** The largest sale divided by the largest buy, in tokens. */
  sellToBuySize: number | null
  /** Sum of the squares of the trades' shares of the volume, 0-1; 1 means a single trade. */
  tradeConcentration: number | null
  /** From the first liquidity to the window's first swap; until now without one. */
  firstSwapHours: number
  sinceSwapHours: number | null
  medianGapSeconds: number | null
}

const HOUR = 3_600
const FIRST_BUYS = 5

/** The measures at the block. */
export function measureFlow(facts: TokenFacts): FlowMeasures {
  const { swaps } = facts
  const start = facts.firstLiquidityAt ?? facts.createdAt
  const now = referenceTime(facts)
  const buys = swaps.filter((swap) => swap.direction === 'buy')
  const sells = swaps.filter((swap) => swap.direction === 'sell')
  const [bought, sold] = [volumeOf(buys), volumeOf(sells)]
  const quoteUsd = facts.liquidityUsd / 2
  const openingUsd = Math.max(0, quoteUsd - bought + sold)
  const toOpening = (usd: number) => divide(usd, openingUsd)
  const gaps = gapsOf(swaps)
  const hoursTo = (swap: SwapFacts | undefined) => Math.max(0, (swap?.time ?? now) - start) / HOUR
  const last = swaps.at(-1)
  return {
    openingUsd,
    reserveGrowth: toOpening(quoteUsd),
    firstBuysToOpening: toOpening(volumeOf(buys.slice(0, FIRST_BUYS))),
    firstBuyShare: divide(buys[0]?.amountUsd ?? null, bought),
    sellVolumeUsd: sold,
    roundTripShare: countRoundTrips(swaps) / (sells.length + 1),
    sellToBuySize: divide(largestOf(sells), largestOf(buys)),
    tradeConcentration: concentrationOf(swaps, bought + sold),
    firstSwapHours: hoursTo(swaps[0]),
    sinceSwapHours: last ? Math.max(0, now - last.time) / HOUR : null,
    medianGapSeconds: medianOf(gaps),
  }
}

const volumeOf = (swaps: readonly SwapFacts[]): number => sum(swaps.map((swap) => swap.amountUsd))

const largestOf = (swaps: readonly SwapFacts[]): number =>
  swaps.reduce((largest, swap) => Math.max(largest, swap.quantity), 0)

function divide(part: number | null, whole: number | null): number | null {
  const ratio = part !== null && whole !== null && whole > 0 ? part / whole : null
  return ratio !== null && Number.isFinite(ratio) ? ratio : null
}

const concentrationOf = (swaps: readonly SwapFacts[], volumeUsd: number): number | null =>
  volumeUsd > 0 ? sum(swaps.map((swap) => (swap.amountUsd / volumeUsd) ** 2)) : null

/** Compares quantities to six significant digits, so that rounding in a transfer does not hide a round trip. */
function countRoundTrips(swaps: readonly SwapFacts[]): number {
  const bought = new Set<string>()
  let count = 0
  for (const { direction, quantity } of swaps) {
    const key = quantity.toPrecision(6)
    if (direction === 'buy') bought.add(key)
    else if (bought.has(key)) count++
  }
  return count
}
