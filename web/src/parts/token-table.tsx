// The table of tokens. A header that can order the list is a button; a narrow screen hides the least important columns.
import type { ResultOf } from 'gql.tada'
import { graphql } from '../api/graphql.ts'
import { count, dollars, duration, price } from '../format.ts'
import type { Order, OrderName } from '../order.ts'
import { Foreign } from './address.tsx'
import { Change } from './change.tsx'
import { Flags, Lookalike, Risk } from './risk.tsx'
import { Scroll } from './scroll.tsx'
import { SellMark } from './sell-mark.tsx'
import { Sparkline } from './sparkline.tsx'
import { useGrowing } from './use-growing.ts'

export const TOKENS = graphql(`
query Tokens($filter: TokenFilter, $orderBy: [TokenOrder!], $limit: Int, $page: Int) {
  tokens(filter: $filter, orderBy: $orderBy, limit: $limit, page: $page) {
    total
    items {
      address symbol name priceUsd marketCapUsd liquidityUsd volume24hUsd
      holderCount holderGrowth1hPct ageHours
      priceChange { h24 } sparkline(points: 24)
      riskScore riskLevel riskFlags
      reasons { points text }
      sellCheck { sellable buyTaxPct sellTaxPct measuredSellTaxPct vouch { reason } }
      lookalikeOf { address symbol }
    }
  }
}`)

type Token = ResultOf<typeof TOKENS>['tokens']['items'][number]

interface Column {
  title: string
  /** The text after the title, if there is room. */
  more?: string
  /** Its name as an order; undefined: it has none. */
  order?: OrderName
  class?: string
}

const COLUMNS: readonly Column[] = [
  { title: 'Token', order: 'trending', class: 'text' },
  { title: 'Price', order: 'price' },
  { title: '24 h', class: 'mid' },
  { title: '7 days', class: 'text broad' },
  { title: 'Market cap', order: 'market_cap', class: 'mid' },
  { title: 'Liquidity', order: 'liquidity' },
  { title: 'Volume 24 h', order: 'volume', class: 'broad' },
  { title: 'Holders', order: 'holders', class: 'far' },
  { title: 'Holders 1 h', order: 'holder_growth', class: 'wide-only' },
  { title: 'Age', order: 'age', class: 'mid' },
  { title: 'Risk', more: ', and why', order: 'risk', class: 'text' },
]

/** On a phone. */
const ROWS_OF_A_SCREEN = 12
const ROWS_OF_A_STEP = 8

/** The youngest first is the latest creation first. */
const sortOf = ({ name, direction }: Order): 'ascending' | 'descending' =>
  (direction === 'ASC') === (name !== 'age') ? 'ascending' : 'descending'

interface TokenTableProps {
  tokens: readonly Token[]
  order: Order
  onOrder(name: OrderName): void
}

export function TokenTable({ tokens, order, onOrder }: TokenTableProps) {
  const shown = useGrowing(tokens.length, ROWS_OF_A_SCREEN, ROWS_OF_A_STEP)
  return (
    <Scroll label="Tokens">
      <table class="tokens">
        <thead>
          <tr>
            {COLUMNS.map(({ title, more, order: name, class: shown }) => (
              <th key={title} scope="col" class={shown} aria-sort={name === order.name ? sortOf(order) : undefined}>
                {name ? (
                  <button type="button" class="sort" onClick={() => onOrder(name)}>
                    {title}
                    {more && <span class="mid">{more}</span>}
                    {name === 'trending' && order.name === name && <span class="mid">, trending</span>}
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tokens.slice(0, shown).map((token) => (
            <Row key={token.address} token={token} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Row({ token }: { token: Token }) {
  const { reasons } = token
  const why = reasons.length > 0 ? reasons.map(({ text }) => text).join(' · ') : 'Not scored yet.'
  return (
    <tr>
      <th scope="row" class="text">
        <a class="symbol" href={`/token/${token.address}`}>
          <Foreign text={token.symbol} most={14} />
        </a>{' '}
        <span class="faint name">
          <Foreign text={token.name} most={24} />
        </span>
      </th>
      <td>{price(token.priceUsd)}</td>
      <td class="mid">
        <Change pct={token.priceChange.h24} />
      </td>
      <td class="text broad">
        <Sparkline values={token.sparkline} />
      </td>
      <td class="mid">{token.priceUsd === 0 ? <Unknown /> : dollars(token.marketCapUsd)}</td>
      <td>{dollars(token.liquidityUsd)}</td>
      <td class="broad">{dollars(token.volume24hUsd)}</td>
      <td class="far">{count(token.holderCount)}</td>
      <td class="wide-only">
        <Change pct={token.holderGrowth1hPct} />
      </td>
      <td class="mid">{duration(token.ageHours * 3_600)}</td>
      <td class="text">
        <Risk riskScore={token.riskScore} riskLevel={token.riskLevel} isScored={reasons.length > 0} />{' '}
        <Flags flags={token.riskFlags} />
        <SellMark check={token.sellCheck} />
        {token.lookalikeOf && <Lookalike of={token.lookalikeOf} />}
        <div class="why" title={why}>
          {why}
        </div>
      </td>
    </tr>
  )
}

const Unknown = () => <span class="faint">unknown</span>
