// Wallets in the requested order.
import type { ResultOf } from 'gql.tada'
import { graphql } from '../api/graphql.ts'
import { count, score, shortTime, whole } from '../format.ts'
import { AddressLink } from './address.tsx'
import { ClassName } from './holder-table.tsx'
import { Scroll } from './scroll.tsx'
import { hasPulled, Profit } from './wallet-overview.tsx'

export const WALLETS = graphql(`
query Wallets($filter: WalletFilter, $orderBy: WalletOrder, $limit: Int, $page: Int) {
  wallets(filter: $filter, orderBy: $orderBy, limit: $limit, page: $page) {
    total
    items {
      address classification classifications reputationScore reputationConfidence tradeCount lastTradeAt
      pnl { realisedUsd openUsd confidence }
    }
  }
}`)

interface WalletTableProps {
  wallets: ResultOf<typeof WALLETS>['wallets']['items']
  /** The place of the first one. */
  first: number
}

export const WalletTable = ({ wallets, first }: WalletTableProps) => (
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
          <th scope="col">Realised</th>
          <th scope="col" class="mid">
            Open
          </th>
          <th scope="col">Swaps</th>
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
              {score(wallet.reputationScore)} <small>{wallet.reputationConfidence}</small>
            </td>
            <td>
              <Profit usd={wallet.pnl.realisedUsd} isPulled={hasPulled(wallet)} />{' '}
              {hasPulled(wallet) ? <small class="bad">pulled liquidity</small> : <small>{wallet.pnl.confidence}</small>}
            </td>
            <td class="mid">
              <Profit usd={wallet.pnl.openUsd} isPulled={hasPulled(wallet)} />
            </td>
            <td>{count(wallet.tradeCount)}</td>
            <td class="text far">{wallet.lastTradeAt ? shortTime(wallet.lastTradeAt) : 'none'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
