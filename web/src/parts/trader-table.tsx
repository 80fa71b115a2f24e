// Who has earned the most with a token.
import { count, dollars, score } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { AddressLink } from './address.tsx'
import { Certainty } from './certainty.tsx'
import { ClassName } from './holder-table.tsx'
import { LabelMark } from './label-mark.tsx'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'
import { hasPulled, Profit } from './wallet-overview.tsx'

export function TraderTable({ traders }: { traders: TokenData['topTraders'] }) {
  if (traders.length === 0) return <Empty>Nobody has sold it yet.</Empty>
  return (
    <>
      <Scroll label="Traders">
        <table>
          <thead>
            <tr>
              <th scope="col" class="text">
                Trader
              </th>
              <th scope="col" class="text">
                Class
              </th>
              <th scope="col">Realised</th>
              <th scope="col" class="wide-only">
                Volume
              </th>
              <th scope="col" class="wide-only">
                Swaps
              </th>
              <th scope="col">Reputation</th>
            </tr>
          </thead>
          <tbody>
            {traders.map(({ wallet, realisedUsd, volumeUsd, tradeCount }) => (
              <tr key={wallet.address}>
                <th scope="row" class="text">
                  <AddressLink address={wallet.address} />
                </th>
                <td class="text">
                  <ClassName name={wallet.classification} /> <LabelMark labels={wallet.labels} />
                </td>
                <td>
                  <Profit usd={realisedUsd} isPulled={hasPulled(wallet)} />
                </td>
                <td class="wide-only">{dollars(volumeUsd)}</td>
                <td class="wide-only">{count(tradeCount)}</td>
                <td>
                  {score(wallet.reputationScore)} <Certainty of={wallet.reputationConfidence} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="faint foot">Of all time with this token: realised profit, volume and swaps.</p>
    </>
  )
}
