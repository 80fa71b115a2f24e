// Events, newest first.
import { dollars, quantity, shortTime, whole } from '../format.ts'
import { AddressLink, Foreign, TokenLink } from './address.tsx'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'

interface EventRow {
  id: string
  type: string
  direction: string | null
  timestamp: string
  amountUsd: number
  quantity: number | null
  walletAddress: string
  transactionHash: string
  tokenAddress?: string
  tokenSymbol?: string
}

interface EventTableProps {
  events: readonly EventRow[]
  total: number
  /** The symbol of their only token; undefined: each names its own. */
  symbol?: string
  /** Whether the wallet is the same for all. */
  ofWallet?: boolean
}

const TYPES: Readonly<Record<string, [string, string]>> = {
  buy: ['Buy', 'up'],
  sell: ['Sell', 'down'],
  liquidity_add: ['Liquidity added', 'up'],
  liquidity_remove: ['Liquidity removed', 'down'],
  transfer: ['Transfer', 'faint'],
}

export function EventTable({ events, total, symbol, ofWallet = false }: EventTableProps) {
  if (events.length === 0) return <Empty>Nothing has happened yet.</Empty>
  return (
    <>
      <Scroll label="Events" tall>
        <table>
          <thead>
            <tr>
              <th scope="col" class="text">
                Time
              </th>
              <th scope="col" class="text">
                What
              </th>
              <th scope="col">Value</th>
              <th scope="col">Amount</th>
              {!ofWallet && (
                <th scope="col" class="text">
                  Wallet
                </th>
              )}
              <th scope="col" class="text far">
                Transaction
              </th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => {
              const [what, tone] = TYPES[event.direction ?? event.type] ?? [event.type, '']
              return (
                <tr key={event.id} data-event={event.id}>
                  <td class="text">
                    <time dateTime={event.timestamp}>{shortTime(event.timestamp)}</time>
                  </td>
                  <td class={`text ${tone}`}>{what}</td>
                  <td>{event.amountUsd === 0 ? <span class="faint">unknown</span> : dollars(event.amountUsd)}</td>
                  <td>
                    {quantity(event.quantity)}{' '}
                    {symbol === undefined ? (
                      <TokenLink address={event.tokenAddress ?? ''} symbol={event.tokenSymbol ?? ''} />
                    ) : (
                      <small>
                        <Foreign text={symbol} most={10} />
                      </small>
                    )}
                  </td>
                  {!ofWallet && (
                    <td class="text">
                      <AddressLink address={event.walletAddress} />
                    </td>
                  )}
                  <td class="text far">
                    <code title={event.transactionHash}>{event.transactionHash.slice(0, 12)}…</code>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scroll>
      <p class="faint foot">
        The newest {whole(events.length)} of {whole(total)}.
      </p>
    </>
  )
}
