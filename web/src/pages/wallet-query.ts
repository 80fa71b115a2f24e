// The query of a wallet's page: one for the whole page, because each is charged. Each panel is also a request of its
// own to copy.
import type { ResultOf, VariablesOf } from 'gql.tada'
import { graphql } from '../api/graphql.ts'

/** Positions on a page of them. */
export const POSITIONS_SIZE = 25

const RESULT = 'realisedUsd closedPositionCount wonPositionCount winRate'

const OVERVIEW =
  `address classification classifications kind firstSeen lastTradeAt tradeCount deployedCount sectorPreference eventCount
    reputationScore reputationConfidence netWorthUsd sellableUsd
    pnl { estimateUsd realisedUsd openUsd confidence confidenceReasons: confidenceGaps coverage pricedShare }
    results { d7 { ${RESULT} } d30 { ${RESULT} } }
    firstFunder { address }` as const

const REPUTATION = `score {
      confidence
      explanation {
        score composite evidence confidenceReasons: confidenceGaps
        contributions { name value contribution }
        dimensions { name value inputs { name value points } }
      }
    }`

const EVENT =
  'id type direction timestamp amountUsd quantity priceUsd walletAddress transactionHash tokenAddress tokenSymbol'

const EVENTS = `events(first: 50) { total nodes { ${EVENT} } }` as const

const PROFIT = `pnlSeries(interval: $interval, limit: 200) { time realisedUsd openUsd netWorthUsd reputationScore }`

const POSITIONS = `positions(status: $status, orderBy: $orderBy, first: $first, offset: $offset, after: $after) {
      total pageInfo { hasNextPage endCursor }
      nodes {
        tokenAddress tokenSymbol quantity valueUsd sellableUsd rebasing costUsd boughtUsd soldUsd realisedUsd tradeCount lastAt netActivity
        token { riskScore verdict { level headline } }
      }
    }`

const SHARE = `pool { address poolId base { address symbol } quote { symbol } }
      sharePct valueUsd costUsd openUsd realisedUsd isLocked`

const LIQUIDITY = `liquidityPositions(limit: 10) { ${SHARE} }` as const

const POSITION_VARIABLES =
  '$status: PositionStatus!, $orderBy: PositionOrder!, $first: Int, $offset: Int, $after: String'

export const WALLET = graphql(
  `
query Wallet($address: Address!, $interval: Interval!, $status: PositionStatus!, $orderBy: PositionOrder!, $first: Int, $offset: Int, $after: String) {
  chain { chainId }
  wallet(address: $address) {
    ${OVERVIEW}
    ${REPUTATION}
    ${PROFIT}
    ${POSITIONS}
    ${LIQUIDITY}
    ${EVENTS}
  }
}` as const,
)

/** The lists of the page, whole. */
export const WALLET_LISTS = {
  events: graphql(
    `query WalletEvents($address: Address!, $first: Int, $after: String) {
  wallet(address: $address) { events(first: $first, after: $after) { nodes { ${EVENT} } pageInfo { hasNextPage endCursor } } }
}` as const,
  ),
  positions: graphql(
    `query WalletPositions($address: Address!, ${POSITION_VARIABLES}) {
  wallet(address: $address) { ${POSITIONS} }
}` as const,
  ),
  liquidity: graphql(
    `query WalletLiquidity($address: Address!) {
  wallet(address: $address) { liquidityPositions(limit: 200) { ${SHARE} } }
}` as const,
  ),
}

export type WalletData = NonNullable<ResultOf<typeof WALLET>['wallet']>

/** A panel's own request. */
const alone = (name: string, fields: string, variables = ''): string =>
  `query ${name}($address: Address!${variables}) {\n  wallet(address: $address) {\n    ${fields}\n  }\n}`

export const REQUESTS = {
  overview: alone('Overview', OVERVIEW),
  reputation: alone('Reputation', REPUTATION),
  events: alone('Events', EVENTS),
  profit: alone('Profit', PROFIT, ', $interval: Interval!'),
  liquidity: alone('Liquidity', LIQUIDITY),
  positions: alone('Positions', POSITIONS, `, ${POSITION_VARIABLES}`),
}

/** Which positions, in which order. */
export type PositionList = Pick<VariablesOf<typeof WALLET>, 'status' | 'orderBy'>
