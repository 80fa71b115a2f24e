// Pools, the deepest first, and the locks of their shares with their ends.
import { dollars, duration, percent, secondsBetween } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { Foreign } from './address.tsx'
import { Known } from './known.tsx'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'
import { Day } from './when.tsx'

interface PoolTableProps {
  pools: TokenData['pools']['nodes']
  /** The time of the block. */
  now: string | null
}

export function PoolTable({ pools, now }: PoolTableProps) {
  if (pools.length === 0) return <Empty>No pool trades it, so it has no price.</Empty>
  return (
    <Scroll label="Pools">
      <table>
        <thead>
          <tr>
            <th scope="col" class="text">
              Pool
            </th>
            <th scope="col">Fee</th>
            <th scope="col">Liquidity</th>
            <th scope="col" title="A trade of this size moves the price of the pool by 2 %">
              2 %
            </th>
            <th scope="col" class="wide-only">
              Peak ever
            </th>
            <th scope="col" class="text" title="What is burned has no end, and is in the verdict">
              Locks with an end
            </th>
          </tr>
        </thead>
        <tbody>
          {pools.map((pool) => (
            <tr key={pool.address}>
              <th scope="row" class="text">
                <span title={pool.address}>
                  <Foreign text={pool.base?.symbol ?? 'unknown'} most={12} /> /{' '}
                  <Foreign text={pool.quote?.symbol ?? 'unknown'} most={12} />
                </span>{' '}
                <small>{pool.type}</small>
              </th>
              <td>
                <Known text={percent(pool.feePct)} />
              </td>
              <td>
                <Known text={dollars(pool.liquidityUsd)} />
              </td>
              <td>
                <Known text={dollars(pool.depth2PctUsd)} />
              </td>
              <td class="wide-only">
                <Known text={dollars(pool.peakLiquidityUsd)} />
              </td>
              <td class="text">
                {pool.locks.length === 0 ? (
                  <span class="faint">none</span>
                ) : (
                  pool.locks.map((lock) => (
                    <div key={`${lock.locker} ${lock.endsAt} ${lock.owner}`}>
                      {percent(lock.sharePct)} until <Day iso={lock.endsAt} />{' '}
                      <small class={lock.counts ? '' : 'down'}>{left(now, lock.endsAt)}</small>
                    </div>
                  ))
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function left(now: string | null, end: string): string {
  const seconds = secondsBetween(now, end)
  if (seconds === null) return ''
  return seconds > 0 ? `in ${duration(seconds)}` : 'ended'
}
