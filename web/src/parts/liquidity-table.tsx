// Shares of pools that a wallet holds, with their cost and profit.
import { dollars, percent } from '../format.ts'
import type { WalletData } from '../pages/wallet-query.ts'
import { Foreign } from './address.tsx'
import { Known } from './known.tsx'
import { Scroll } from './scroll.tsx'
import { Profit } from './wallet-overview.tsx'

interface LiquidityTableProps {
  positions: WalletData['liquidityPositions']
  /** The wallet pulled liquidity. */
  isPulled: boolean
}

export const LiquidityTable = ({ positions, isPulled }: LiquidityTableProps) => (
  <Scroll label="Liquidity" tall>
    <table>
      <thead>
        <tr>
          <th scope="col" class="text">
            Pool
          </th>
          <th scope="col">Share</th>
          <th scope="col">Value</th>
          <th scope="col" class="mid">
            Cost
          </th>
          <th scope="col">Open</th>
          <th scope="col">Realised</th>
        </tr>
      </thead>
      <tbody>
        {positions.map(({ pool, ...position }) => (
          <tr key={pool ? `${pool.address} ${pool.poolId}` : 'unknown'}>
            <th scope="row" class="text">
              <span title={pool?.address ?? 'unknown'}>
                <Foreign text={pool?.base?.symbol ?? 'unknown'} most={12} /> /{' '}
                <Foreign text={pool?.quote?.symbol ?? 'unknown'} most={12} />
              </span>{' '}
              {position.isLocked && <small>locked or staked</small>}
            </th>
            <td>
              <Known text={percent(position.sharePct)} />
            </td>
            <td>
              <Known text={dollars(position.valueUsd)} />
            </td>
            <td class="mid">
              <Known text={dollars(position.costUsd)} />
            </td>
            <td>
              <Profit usd={position.openUsd} isPulled={isPulled} />
            </td>
            <td>
              <Profit usd={position.realisedUsd} isPulled={isPulled} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
