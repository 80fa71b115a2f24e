// Facts from trades: taxes, the share of sellers, and the time without a sale. Input: trades in the chain's order.
// Output: numbers. Pure.
import type { Address } from '../../base/address.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { LogFacts } from '../log-facts.ts'
import { lossPct } from '../loss.ts'
import type { LogWindow, TokenTrade } from './window.ts'

const middle = (losses: readonly number[]): number | null =>
  losses.length === 0 ? null : (losses.toSorted((a, b) => a - b)[Math.floor(losses.length / 2)] ?? null)

/** The median losses of purchases and of sales, 0 to 100; null for a side with fewer than `least` trades. */
export function measureTaxes(trades: readonly TokenTrade[], least: number) {
  const taxOf = (isBuy: boolean): number | null => {
    const losses = trades.filter((trade) => trade.isBuy === isBuy).flatMap((trade) => lossPct(trade) ?? [])
    return losses.length < least ? null : middle(losses)
  }
  return { buyTaxPct: taxOf(true), sellTaxPct: taxOf(false) }
}

type CrowdFacts = Pick<
  LogFacts,
  'buys' | 'sells' | 'oldBuyers' | 'oldBuyersThatSold' | 'sellersOfLastDay' | 'buyersOfLastDay'
>

/** The buyers, and those of them that ever sold. */
export function measureCrowd({ trades, insiders, to }: Pick<LogWindow, 'trades' | 'insiders' | 'to'>): CrowdFacts {
  const strange = trades.filter(({ trader }) => !insiders.has(trader))
  const firstBuy = new Map<Address, number>()
  for (const { trader, isBuy, time } of strange) if (isBuy && !firstBuy.has(trader)) firstBuy.set(trader, time)
  const sellers = new Set(strange.filter(({ isBuy }) => !isBuy).map(({ trader }) => trader))
  const old = [...firstBuy].filter(([, time]) => time <= to - DAY_SECONDS).map(([trader]) => trader)
  const recent = strange.filter(({ time }) => time > to - DAY_SECONDS)
  const distinct = (isBuy: boolean) =>
    new Set(recent.filter((each) => each.isBuy === isBuy).map(({ trader }) => trader)).size
  return {
    buys: strange.filter(({ isBuy }) => isBuy).length,
    sells: strange.filter(({ isBuy }) => !isBuy).length,
    oldBuyers: old.length,
    oldBuyersThatSold: old.filter((trader) => sellers.has(trader)).length,
    sellersOfLastDay: distinct(false),
    buyersOfLastDay: distinct(true),
  }
}

/** The prior share of buys, with the weight of this many trades. */
const PRIOR = { buys: 3, trades: 5 }

/**
 * Buys of strangers since a stranger's last sale, and the probability of so long a run. Each trade is drawn by the
 * share of buys before the run.
 */
export function measureRun({
  trades,
  insiders,
}: Pick<LogWindow, 'trades' | 'insiders'>): Pick<LogFacts, 'buyRun' | 'buyRunChance'> {
  const strange = trades.filter(({ trader }) => !insiders.has(trader))
  const lastSale = strange.findLastIndex(({ isBuy }) => !isBuy)
  const before = strange.slice(0, lastSale + 1)
  const share = (before.filter(({ isBuy }) => isBuy).length + PRIOR.buys) / (before.length + PRIOR.trades)
  const buyRun = strange.length - before.length
  return { buyRun, buyRunChance: Math.min(1, share ** buyRun) }
}
