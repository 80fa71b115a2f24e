// Positions of a wallet: open ones with their value, or closed ones with their result.
import { dollars, quantity } from '../format.ts'
import type { WalletData } from '../pages/wallet-query.ts'
import { TokenLink } from './address.tsx'
import { Dash, Known } from './known.tsx'
import { RebasingMark } from './rebasing-mark.tsx'
import { Risk } from './risk.tsx'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'
import { Profit } from './wallet-overview.tsx'
import { When } from './when.tsx'

interface PositionTableProps {
  positions: WalletData['positions']['nodes']
  /** Whether all of them are closed. */
  isClosed: boolean
  /** Whether they are those of a trader, who bought and sold: a pool only holds. */
  isTraded: boolean
  /** The wallet pulled liquidity. */
  isPulled: boolean
}

export function PositionTable({ positions, isClosed, isTraded, isPulled }: PositionTableProps) {
  if (positions.length === 0)
    return <Empty>{isClosed ? 'It has closed no position.' : 'It holds none of the indexed tokens.'}</Empty>
  return (
    <Scroll label="Positions" tall>
      <table>
        <thead>
          <tr>
            <th scope="col" class="text">
              Token
            </th>
            {!isClosed && (
              <>
                <th scope="col" class="mid">
                  Amount
                </th>
                <th scope="col">Paper value</th>
                <th scope="col" title="The estimated proceeds of a sale of all of it at once">
                  Exit value
                </th>
              </>
            )}
            {isTraded && (
              <>
                {!isClosed && (
                  <th scope="col" class="mid">
                    Cost
                  </th>
                )}
                <th scope="col" class="mid">
                  Bought
                </th>
                <th scope="col" class="mid">
                  Sold
                </th>
                <th scope="col">Realised</th>
              </>
            )}
            <th scope="col" class="text mid">
              Risk
            </th>
            <th scope="col" class="text wide-only">
              Changed
            </th>
          </tr>
        </thead>
        <tbody>
          {positions.map((position) => (
            <tr key={position.tokenAddress}>
              <th scope="row" class="text">
                <TokenLink address={position.tokenAddress} symbol={position.tokenSymbol} />
                {position.rebasing && !isClosed && <RebasingMark />}
              </th>
              {!isClosed && (
                <>
                  <td class="mid">
                    <Known text={quantity(position.quantity)} />
                  </td>
                  <td>
                    <Known text={dollars(position.valueUsd)} />
                  </td>
                  <td>
                    <Known text={dollars(position.sellableUsd)} />
                  </td>
                </>
              )}
              {isTraded && (
                <>
                  {!isClosed && (
                    <td class="mid">
                      <Known text={dollars(position.costUsd)} />
                    </td>
                  )}
                  <td class="mid">{dollars(position.boughtUsd)}</td>
                  <td class="mid">{dollars(position.soldUsd)}</td>
                  <td>
                    <Profit usd={position.realisedUsd} isPulled={isPulled} />
                  </td>
                </>
              )}
              <td class="text mid">{position.token ? <Risk {...position.token} /> : <Dash />}</td>
              <td class="text wide-only">
                <When iso={position.lastAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
