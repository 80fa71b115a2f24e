// The table of tokens. A header that can order the list is a button; on a narrow screen the columns that matter least go.
import type { ResultOf } from 'gql.tada'
import { count, dollars, duration, price } from '../format.ts'
import type { Sort, TOKENS } from '../pages/tokens.tsx'
import { Foreign } from './address.tsx'
import { Change } from './change.tsx'
import { Flags, Risk } from './risk.tsx'
import { Scroll } from './scroll.tsx'
import { Sparkline } from './sparkline.tsx'

type Token = ResultOf<typeof TOKENS>['tokens']['items'][number]

interface Column {
  name: string
  sort?: Sort
  /** How the sorted column is ordered. */
  order?: 'ascending' | 'descending'
  class?: string
}

const COLUMNS: readonly Column[] = [
  { name: 'Token', sort: 'trending', order: 'descending', class: 'text' },
  { name: 'Price' },
  { name: '24 h', class: 'mid' },
  { name: '7 days', class: 'text mid' },
  { name: 'Market cap', class: 'mid' },
  { name: 'Liquidity', sort: 'liquidity', order: 'descending' },
  { name: 'Volume 24 h', sort: 'volume', order: 'descending', class: 'mid' },
  { name: 'Holders', class: 'far' },
  { name: 'Holders 1 h', class: 'wide-only' },
  { name: 'Age', sort: 'newest', order: 'ascending', class: 'mid' },
  { name: 'Risk, and why', sort: 'risk_asc', order: 'ascending', class: 'text' },
]

interface TokenTableProps {
  tokens: readonly Token[]
  sort: Sort
  onSort(sort: Sort): void
}

export const TokenTable = ({ tokens, sort, onSort }: TokenTableProps) => (
  <Scroll label="Tokens">
    <table>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th
              key={column.name}
              scope="col"
              class={column.class}
              aria-sort={column.sort === sort ? column.order : undefined}
            >
              {column.sort ? (
                <button type="button" class="sort" onClick={() => column.sort && onSort(column.sort)}>
                  {column.name}
                </button>
              ) : (
                column.name
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <Row key={token.address} token={token} />
        ))}
      </tbody>
    </table>
  </Scroll>
)

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
      <td class="text mid">
        <Sparkline values={token.sparkline} />
      </td>
      <td class="mid">{token.priceUsd === 0 ? <Unknown /> : dollars(token.marketCapUsd)}</td>
      <td>{dollars(token.liquidityUsd)}</td>
      <td class="mid">{dollars(token.volume24hUsd)}</td>
      <td class="far">{count(token.holderCount)}</td>
      <td class="wide-only">
        <Change pct={token.holderGrowth1hPct} />
      </td>
      <td class="mid">{duration(token.ageHours * 3_600)}</td>
      <td class="text">
        <Risk riskScore={token.riskScore} riskLevel={token.riskLevel} isScored={reasons.length > 0} />{' '}
        <Flags flags={token.riskFlags} />
        <div class="why" title={why}>
          {why}
        </div>
      </td>
    </tr>
  )
}

const Unknown = () => <span class="faint">unknown</span>
