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

/** The trades for which an alert with this filter matches. */
export const pickTrades = (
  { boughtBy = [], soldBy = [], tradedBy = [] }: TokenFilter,
  trades: readonly WalletTrade[],
): WalletTrade[] =>
  trades.filter(
    ({ wallet, direction }) => tradedBy.includes(wallet) || (direction === 'buy' ? boughtBy : soldBy).includes(wallet),
  )

/** The wallets that a filter names. */
export const walletsOf = ({ boughtBy = [], soldBy = [], tradedBy = [] }: TokenFilter): string[] => [
  ...new Set([...boughtBy, ...soldBy, ...tradedBy]),
]
