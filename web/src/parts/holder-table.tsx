// The largest holders, with a bar of their shares in the colours of their classes.
import { count, dollars, percent, score, whole, words } from '../format.ts'
import type { TokenData } from '../pages/token-chart.ts'
import { AddressLink } from './address.tsx'
import { Certainty } from './certainty.tsx'
import { Known } from './known.tsx'
import { LabelMark } from './label-mark.tsx'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'

interface HolderTableProps {
  holders: TokenData['topHolders']
  /** The total number of holders. */
  count: number
}

export function HolderTable({ holders, count: total }: HolderTableProps) {
  if (holders.length === 0) return <Empty>Nobody holds it.</Empty>
  const rest = Math.max(0, 100 - holders.reduce((sum, { holdingPct }) => sum + holdingPct, 0))
  return (
    <>
      <div class="stack" aria-hidden="true">
        {holders.map(({ address, classification, holdingPct }) => (
          <span key={address} class={`class-${classification}`} style={{ flexGrow: holdingPct }} />
        ))}
        <span style={{ flexGrow: rest }} />
      </div>
      <Scroll label="Holders">
        <table>
          <thead>
            <tr>
              <th scope="col" class="text">
                Holder
              </th>
              <th scope="col" class="text">
                Class
              </th>
              <th scope="col">Share</th>
              <th scope="col" class="wide-only">
                Value
              </th>
              <th scope="col">Reputation</th>
              <th scope="col" class="text wide-only">
                Past 7 days
              </th>
            </tr>
          </thead>
          <tbody>
            {holders.map((holder) => (
              <tr key={holder.address}>
                <th scope="row" class="text">
                  <AddressLink address={holder.address} />
                </th>
                <td class="text">
                  <ClassName name={holder.classification} /> <LabelMark labels={holder.wallet.labels} />
                </td>
                <td>{percent(holder.holdingPct)}</td>
                <td class="wide-only">
                  <Known text={dollars(holder.valueUsd)} />
                </td>
                <td>
                  {isJudged(holder.classification) ? (
                    <>
                      {score(holder.reputationScore)} <Certainty of={holder.reputationConfidence} />
                    </>
                  ) : (
                    <span class="faint">–</span>
                  )}
                </td>
                <td class="text wide-only">{holder.netActivity}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="faint foot">
        {whole(holders.length)} of {count(total)} holders; {percent(rest)} lies with the others. Dots beside a
        reputation say how well it is known.
      </p>
    </>
  )
}

export const ClassName = ({ name }: { name: string }) => <span class={`class class-${name}`}>{words(name)}</span>

/** Whether the address is a wallet; only a wallet has a reputation. */
const isJudged = (name: string): boolean => !['pool', 'burned', 'locker', 'exchange', 'contract'].includes(name)
