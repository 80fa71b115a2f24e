// Swaps of the facts' window -> the shape of the trading: how it began, what is sold, how even it is. In: at most 2,000
// swaps of seven days, oldest first. Out: plain measures; what needs a trade is null where there is none. One pass each.
import type { SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { gapsOf, medianOf } from './gaps.ts'
import { newestTime } from './newest.ts'
import { sum } from './ramp.ts'

export interface FlowMeasures {
  /** The pools' quote side before the window's first swap, dollars: what was supplied, of a token that is younger. */
  openingUsd: number
  /** The quote side now, and the volume, over `openingUsd`; null: nothing was there. */
  reserveGrowth: number | null
  turnover: number | null
  /** The first five buys over `openingUsd`, and the first over all buys. */
  firstBuysToOpening: number | null
  firstBuyShare: number | null
  sellVolumeUsd: number
  /** Sells of exactly a quantity that was bought before, over the sells plus one: anybody can sell, and does. */
  roundTripShare: number
  /** Largest sale over the largest buy, in tokens. */
  sellToBuySize: number | null
  /** Sum of squares of the trades' shares of the volume, 0-1: 1 is a single trade. */
  tradeConcentration: number | null
  medianBuyUsd: number | null
  /** Standard deviation of the logarithm of the trades' dollars. */
  sizeDeviation: number | null
  /** The last price over the window's first. */
  priceChange: number | null
  /** From the first liquidity to the window's first swap, and to its first sale; until now where there is none. */
  firstSwapHours: number
  firstSellHours: number
  sinceSwapHours: number | null
  medianGapSeconds: number | null
  /** Standard deviation of the seconds between swaps over their mean. */
  gapVariation: number | null
  /** When half of the swaps were done, as a share of the life so far. */
  halfwayShare: number | null
}

const HOUR = 3_600
const FIRST_BUYS = 5

/** Measures as of the block. */
export function measureFlow(facts: TokenFacts): FlowMeasures {
  const { swaps } = facts
  const start = facts.firstLiquidityAt ?? facts.createdAt
  const now = newestTime(facts)
  const life = Math.max(1, now - start)
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
    turnover: toOpening(bought + sold),
    firstBuysToOpening: toOpening(volumeOf(buys.slice(0, FIRST_BUYS))),
    firstBuyShare: divide(buys[0]?.amountUsd ?? null, bought),
    sellVolumeUsd: sold,
    roundTripShare: countRoundTrips(swaps) / (sells.length + 1),
    sellToBuySize: divide(largestOf(sells), largestOf(buys)),
    tradeConcentration: concentrationOf(swaps, bought + sold),
    medianBuyUsd: medianOf(buys.map((swap) => swap.amountUsd)),
    sizeDeviation: deviationOf(swaps.map((swap) => Math.log(swap.amountUsd + 1))),
    priceChange: divide(priceOf(last), priceOf(swaps[0])),
    firstSwapHours: hoursTo(swaps[0]),
    firstSellHours: hoursTo(sells[0]),
    sinceSwapHours: last ? Math.max(0, now - last.time) / HOUR : null,
    medianGapSeconds: medianOf(gaps),
    gapVariation: divide(deviationOf(gaps), gaps.length > 0 ? sum(gaps) / gaps.length + 1 : null),
    halfwayShare: last ? ((swaps[Math.floor(swaps.length / 2)]?.time ?? start) - start) / life : null,
  }
}

const volumeOf = (swaps: readonly SwapFacts[]): number => sum(swaps.map((swap) => swap.amountUsd))

const largestOf = (swaps: readonly SwapFacts[]): number =>
  swaps.reduce((largest, swap) => Math.max(largest, swap.quantity), 0)

const priceOf = (swap: SwapFacts | undefined): number | null =>
  swap && swap.quantity > 0 ? swap.amountUsd / swap.quantity : null

function divide(part: number | null, whole: number | null): number | null {
  const ratio = part !== null && whole !== null && whole > 0 ? part / whole : null
  return ratio !== null && Number.isFinite(ratio) ? ratio : null
}

const concentrationOf = (swaps: readonly SwapFacts[], volumeUsd: number): number | null =>
  volumeUsd > 0 ? sum(swaps.map((swap) => (swap.amountUsd / volumeUsd) ** 2)) : null

/** Six digits tell quantities apart: what a transfer rounds away does not hide a pair. */
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

function deviationOf(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const mean = sum(values) / values.length
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length)
}
