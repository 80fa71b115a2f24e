// A token's trading in plain measures of the last hour, day and week. Input: the facts' bounded windows. The hour and
// the day end at the block and are exactly that long; the week starts at the block's hour.
import { DAY_SECONDS } from '../base/time.ts'
import type { SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'

export interface TradeMeasures {
  ageHours: number
  /** Whether the seven days are all of its life; the measures then cover its life. */
  isUnderWeek: boolean
  swapCount: number
  buyCount7d: number
  sellCount7d: number
  volume7dUsd: number
  /** Distinct wallets; null if the source does not say who swapped. */
  traderCount1h: number | null
  traderCount24h: number | null
  /** Without the swaps that matched as wash: of its life, and of the windows. */
  cleanSwapCount: number
  cleanVolume7dUsd: number
  cleanVolume1hUsd: number
  cleanVolume24hUsd: number
  /** The fall from the highest hourly close of 24 h to the current price, 0-1. */
  priceFall24h: number
}

/** Measures the trading; `matched` are the swaps that count as wash trades. */
export function measureTrades(facts: TokenFacts, matched: ReadonlySet<SwapFacts>): TradeMeasures {
  const { time, hourTime: now } = facts.block
  const week = facts.swaps.filter((swap) => swap.time > now - 7 * DAY_SECONDS)
  const day = week.filter((swap) => swap.time > time - DAY_SECONDS)
  const hour = day.filter((swap) => swap.time > time - 3_600)
  const clean = (swaps: readonly SwapFacts[]) => volumeOf(swaps.filter((swap) => !matched.has(swap)))
  const buys = week.filter((swap) => swap.direction === 'buy').length
  return {
    isUnderWeek: !facts.partial && (facts.firstLiquidityAt ?? facts.createdAt) > now - 7 * DAY_SECONDS,
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
  const since = facts.block.time - DAY_SECONDS
  const cut = Math.floor(since / 3_600)
  // The hour in which the day begins closes within the day if it has a trade there.
  const first = day.some((swap) => Math.floor(swap.time / 3_600) === cut) ? cut : cut + 1
  const closes = facts.hours?.filter(({ hour }) => hour >= first).map(({ closeUsd }) => closeUsd) ?? closeHours(day)
  const last = facts.priceUsd ?? closes.at(-1) ?? 0
  const high = Math.max(0, ...closes)
  return high > 0 ? Math.max(0, 1 - last / high) : 0
}

/** The price of the last swap of each hour. */
function closeHours(swaps: readonly SwapFacts[]): number[] {
  const closes = new Map<number, number>()
  for (const swap of swaps)
    if (swap.quantity > 0) closes.set(Math.floor(swap.time / 3_600), swap.amountUsd / swap.quantity)
  return [...closes.values()]
}
