// Swaps and hours -> what a token's trading was like. In: the facts' bounded windows. Out: plain measures of the last hour,
// day and week. Windows end at the newest swap and start a whole period before the block's hour.
import type { SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'

export interface TradeMeasures {
  ageHours: number
  swapCount: number
  buyCount7d: number
  sellCount7d: number
  volume7dUsd: number
  /** Distinct wallets; null where the source does not say who swapped. */
  traderCount1h: number | null
  traderCount24h: number | null
  /** Without the swaps that matched as wash: of its life, and of the windows. */
  cleanSwapCount: number
  cleanVolume7dUsd: number
  cleanVolume1hUsd: number
  cleanVolume24hUsd: number
  /** Share of the highest hourly close of 24 h that the price has lost, 0-1. */
  priceFall24h: number
}

/** Measures of the trading; `matched` are the swaps that count as wash. */
export function measureTrades(facts: TokenFacts, matched: ReadonlySet<SwapFacts>): TradeMeasures {
  const now = facts.block.hourTime
  const week = facts.swaps.filter((swap) => swap.time > now - 7 * 86_400)
  const day = week.filter((swap) => swap.time > now - 86_400)
  const hour = day.filter((swap) => swap.time > now - 3_600)
  const clean = (swaps: readonly SwapFacts[]) => volumeOf(swaps.filter((swap) => !matched.has(swap)))
  const buys = week.filter((swap) => swap.direction === 'buy').length
  return {
    ageHours: Math.max(0, (now - (facts.firstLiquidityAt ?? facts.createdAt)) / 3_600),
    swapCount: facts.swapCount,
    cleanSwapCount: Math.max(0, facts.swapCount - matched.size),
    cleanVolume7dUsd: clean(week),
    buyCount7d: buys,
    sellCount7d: week.length - buys,
    volume7dUsd: volumeOf(week),
    traderCount1h: countWallets(hour),
    traderCount24h: countWallets(day),
    cleanVolume1hUsd: clean(hour),
    cleanVolume24hUsd: clean(day),
    priceFall24h: measureFall(facts, day),
  }
}

const volumeOf = (swaps: readonly SwapFacts[]): number => swaps.reduce((total, swap) => total + swap.amountUsd, 0)

function countWallets(swaps: readonly SwapFacts[]): number | null {
  const wallets = new Set(swaps.map((swap) => swap.walletId))
  return wallets.has(null) ? null : wallets.size
}

function measureFall(facts: TokenFacts, day: readonly SwapFacts[]): number {
  const closes = facts.hours
    ? facts.hours
        .filter((hour) => hour.hour * 3_600 > facts.block.hourTime - 86_400 - 3_600)
        .map((hour) => hour.closeUsd)
    : closeHours(day)
  const last = facts.priceUsd ?? closes.at(-1) ?? 0
  const high = Math.max(0, ...closes)
  return high > 0 ? Math.max(0, 1 - last / high) : 0
}

/** The price of each hour's last swap. */
function closeHours(swaps: readonly SwapFacts[]): number[] {
  const closes = new Map<number, number>()
  for (const swap of swaps)
    if (swap.quantity > 0) closes.set(Math.floor(swap.time / 3_600), swap.amountUsd / swap.quantity)
  return [...closes.values()]
}
