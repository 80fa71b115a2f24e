// Wallets in the requested order.
import type { ResultOf } from 'gql.tada'
import { graphql } from '../api/graphql.ts'
import { count, score, whole } from '../format.ts'
import { AddressLink } from './address.tsx'
import { Certainty } from './certainty.tsx'
import { ClassName } from './holder-table.tsx'
import { Scroll } from './scroll.tsx'
import { hasPulled, Profit } from './wallet-overview.tsx'
import { When } from './when.tsx'

export const WALLETS = graphql(`
query Wallets($filter: WalletFilter, $orderBy: WalletOrder, $first: Int, $offset: Int, $after: String) {
  wallets(filter: $filter, orderBy: $orderBy, first: $first, offset: $offset, after: $after) {
    total pageInfo { hasNextPage endCursor }
    nodes {
      address classification classifications reputationScore reputationConfidence tradeCount lastTradeAt
      pnl { realisedUsd openUsd confidence } realisedThisWeekUsd realisedLastWeekUsd
    }
  }
}`)

type Listed = ResultOf<typeof WALLETS>['wallets']['nodes'][number]

/** The realised profit, by the window it is of. A week begins on a Thursday. */
const PROFITS = {
  ever: { title: 'Realised', of: ({ pnl }: Listed) => pnl.realisedUsd },
  this_week: { title: 'Since Thursday', of: (wallet: Listed) => wallet.realisedThisWeekUsd },
  last_week: { title: 'The week before', of: (wallet: Listed) => wallet.realisedLastWeekUsd },
} as const

type ProfitWindow = keyof typeof PROFITS

interface WalletTableProps {
  wallets: readonly Listed[]
  profit: ProfitWindow
  /** The place of the first one. */
  first: number
}

export const WalletTable = ({ wallets, first, profit }: WalletTableProps) => (
  <Scroll label="Wallets">
    <table>
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col" class="text">
            Wallet
          </th>
          <th scope="col" class="text mid">
            Class
          </th>
          <th scope="col">Reputation</th>
          <th scope="col">
            {PROFITS[profit].title}
            {profit === 'ever' && <span class="mid"> ever</span>}
          </th>
          <th scope="col" class="mid">
            Open now
          </th>
          <th scope="col">
            Swaps<span class="mid"> ever</span>
          </th>
          <th scope="col" class="text far">
            Last swap
          </th>
        </tr>
      </thead>
      <tbody>
        {wallets.map((wallet, index) => (
          <tr key={wallet.address}>
            <td>{whole(first + index)}</td>
            <th scope="row" class="text">
              <AddressLink address={wallet.address} />
            </th>
            <td class="text mid">
              <ClassName name={wallet.classification} />
            </td>
            <td>
              {score(wallet.reputationScore)} <Certainty of={wallet.reputationConfidence} />
            </td>
            <td>
              <Profit usd={PROFITS[profit].of(wallet)} isPulled={hasPulled(wallet)} />{' '}
              {hasPulled(wallet) ? (
                <small class="bad">pulled liquidity</small>
              ) : (
                <Certainty of={wallet.pnl.confidence} />
              )}
            </td>
            <td class="mid">
              <Profit usd={wallet.pnl.openUsd} isPulled={hasPulled(wallet)} />
            </td>
            <td>{count(wallet.tradeCount)}</td>
            <td class="text far">{wallet.lastTradeAt ? <When iso={wallet.lastTradeAt} /> : 'none'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
