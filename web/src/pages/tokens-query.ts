// The query of the tokens' table. Numbers that few columns show are asked for only where a column shows them.
import type { ResultOf } from 'gql.tada'
import { PAGE_FIELDS } from '../../../src/fields/token.ts'
import { graphql } from '../api/graphql.ts'

const WINDOW = '{ volumeUsd buyCount sellCount traderCount }'

/** In the types, the first one stands for all. */
const NUMBERS = PAGE_FIELDS.map(({ name }) => `${name} @include(if: $numbers)`).join(
  ' ',
) as 'buyerCount @include(if: $numbers)'

export const TOKENS = graphql(
  `
query Tokens($addresses: [Address!], $filter: TokenFilter, $orderBy: [TokenOrder!], $first: Int, $offset: Int, $after: String, $trades: Boolean!, $numbers: Boolean!) {
  tokens(addresses: $addresses, filter: $filter, orderBy: $orderBy, first: $first, offset: $offset, after: $after) {
    total pageInfo { hasNextPage endCursor }
    nodes {
      address symbol name priceUsd lastPriceUsd marketCapUsd liquidityUsd volume24hUsd organicVolume24hUsd depth2PctUsd
      holderCount holderGrowth1hPct ageHours ${NUMBERS}
      priceChange { m5 h1 h6 h24 d7 } sparkline(points: 24)
      windows @include(if: $trades) { m5 ${WINDOW} h1 ${WINDOW} h6 ${WINDOW} h24 ${WINDOW} d7 ${WINDOW} }
      riskScore verdict { level headline findings(limit: 2) { name text } }
      lookalikeOf { address symbol }
    }
  }
}` as const,
)

export type ListedToken = ResultOf<typeof TOKENS>['tokens']['nodes'][number]
