// Pure. What wallets traded in the blocks of a sweep, as facts of a token: they hold in that sweep alone.
import type { TokenFilter } from '../fields/filter.ts'
import type { WalletTrade } from '../ledger/alerts/trades.ts'
import type { MatchFacts } from './match.ts'

/** The facts of the trades of one token. */
export type TradeFacts = Pick<MatchFacts, 'buyers' | 'sellers' | 'traders'>

export const toTradeFacts = (trades: readonly WalletTrade[]): TradeFacts => ({
  buyers: trades.filter(({ direction }) => direction === 'buy').map(({ wallet }) => wallet),
  sellers: trades.filter(({ direction }) => direction === 'sell').map(({ wallet }) => wallet),
  traders: [...new Set(trades.map(({ wallet }) => wallet))],
})

/** Whether a trade has the size that a filter wants. A trade of unknown size passes no bound. */
const isOfSize =
  ({ minAmountUsd, maxAmountUsd }: TokenFilter) =>
  ({ usd }: WalletTrade): boolean =>
    (minAmountUsd === undefined && maxAmountUsd === undefined) ||
    (usd > 0 && usd >= (minAmountUsd ?? 0) && usd <= (maxAmountUsd ?? Infinity))

/** What each wallet bought and sold in all, as far as a filter wants trades of that size. */
export function sumTrades(filter: TokenFilter, trades: readonly WalletTrade[]): WalletTrade[] {
  const sums = new Map<string, WalletTrade>()
  for (const trade of trades) {
    const name = `${trade.wallet} ${trade.direction}`
    sums.set(name, { ...trade, usd: (sums.get(name)?.usd ?? 0) + trade.usd })
  }
  return [...sums.values()].filter(isOfSize(filter))
}

/** Whether trades of the wanted size alone meet what a filter says of wallets. */
export function hasSize(filter: TokenFilter, trades: readonly WalletTrade[]): boolean {
  const { buyers = [], sellers = [], traders = [] } = toTradeFacts(trades.filter(isOfSize(filter)))
  const isMet = (wanted: readonly string[] | undefined, found: readonly string[]) =>
    wanted === undefined || wanted.some((wallet) => found.includes(wallet))
  return isMet(filter.boughtBy, buyers) && isMet(filter.soldBy, sellers) && isMet(filter.tradedBy, traders)
}

/** The trades for which an alert with this filter matches. */
export const pickTrades = (filter: TokenFilter, trades: readonly WalletTrade[]): WalletTrade[] => {
  const { boughtBy = [], soldBy = [], tradedBy = [] } = filter
  return trades
    .filter(isOfSize(filter))
    .filter(
      ({ wallet, direction }) =>
        tradedBy.includes(wallet) || (direction === 'buy' ? boughtBy : soldBy).includes(wallet),
    )
}

/** The wallets that a filter names. */
export const walletsOf = ({ boughtBy = [], soldBy = [], tradedBy = [] }: TokenFilter): string[] => [
  ...new Set([...boughtBy, ...soldBy, ...tradedBy]),
]
