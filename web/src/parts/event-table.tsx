// Events, newest first.
import { explorerOf } from '../explorers.ts'
import { dollars, price, quantity, whole } from '../format.ts'
import { AddressLink, Foreign, TokenLink } from './address.tsx'
import { ExplorerLink } from './explorer-link.tsx'
import { Dash, Known } from './known.tsx'
import { Scroll } from './scroll.tsx'
import { Empty } from './state.tsx'
import { When } from './when.tsx'

interface EventRow {
  id: string
  type: string
  direction: string | null
  timestamp: string
  amountUsd: number
  quantity: number | null
  /** Of a whole token at this event; null: not known. */
  priceUsd: number | null
  walletAddress: string
  transactionHash: string
  tokenAddress?: string
  tokenSymbol?: string
}

interface EventTableProps {
  events: readonly EventRow[]
  /** Null: not counted. */
  total: number | null
  /** Undefined: nothing is indexed. */
  chainId: number | undefined
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

export function EventTable({ events, total, chainId, symbol, ofWallet = false }: EventTableProps) {
  if (events.length === 0)
    return <Empty>{total === null ? 'Nothing of this value has happened.' : 'Nothing has happened yet.'}</Empty>
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
              <th scope="col" class="far" title="Of a whole token, in this trade">
                Price
              </th>
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
                    <When iso={event.timestamp} />
                  </td>
                  <td class={`text ${tone}`}>{what}</td>
                  <td>{event.amountUsd === 0 ? <Dash /> : dollars(event.amountUsd)}</td>
                  <td>
                    <Known text={quantity(event.quantity)} />{' '}
                    {symbol === undefined ? (
                      <TokenLink address={event.tokenAddress ?? ''} symbol={event.tokenSymbol ?? ''} />
                    ) : (
                      <small>
                        <Foreign text={symbol} most={10} />
                      </small>
                    )}
                  </td>
                  <td class="far">{event.priceUsd === null ? <Dash /> : price(event.priceUsd)}</td>
                  {!ofWallet && (
                    <td class="text">
                      <AddressLink address={event.walletAddress} />
                    </td>
                  )}
                  <td class="text far">
                    <ExplorerLink to={explorerOf(chainId, 'tx', event.transactionHash)}>
                      <code title={event.transactionHash}>{event.transactionHash.slice(0, 12)}…</code>
                    </ExplorerLink>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scroll>
      <p class="faint foot">
        The newest {whole(events.length)}
        {total !== null && ` of ${whole(total)}`}.
      </p>
    </>
  )
}
