// The query of a token's page: one for the whole page, because each is charged. Each panel is also a request of its own
// to copy. A document is charged one request for each 200 items; the sizes of these lists keep the page below that.
import { PAGE_FIELDS } from '../../../src/fields/token.ts'
import { graphql } from '../api/graphql.ts'

/** In the types, the first one stands for all. */
const NUMBERS = PAGE_FIELDS.map(({ name }) => name).join(' ') as 'buyerCount'

const VERDICT = `verdict {
      level headline confidence checkedAt
      findings { kind topic name text points since block evidence { method params } }
      unknown { topic text }
      alike { text }
    }` as const

const OVERVIEW = `address symbol name launchpad partial createdAt ageHours decimals supply burned locked
    lastPriceUsd marketCapUsd liquidityUsd peakLiquidityUsd volume24hUsd organicVolume24hUsd depth2PctUsd
    priceChange { m5 h1 h6 h24 d7 }
    holderCount holderGrowth1hPct ${NUMBERS} riskScore
    lookalikeOf { address symbol }
    ${VERDICT}` as const

const SAFETY = `sellCheck {
      status sellable buyable buyTaxPct sellTaxPct measuredSellTaxPct holdersTried holdersBlocked
      checkedBlock checkedAt method reason refusal vouch { reason source }
    }
    powers { text kind function holder renounced hidden proven } code { unread }
    balancesDiffer { asked moved rebasing }
    withdrawablePct withdrawableBy { address } launch { withdrawable }
    clusters { clusters(limit: 1) { walletCount heldPct outsidePct } }
    deployer { address labels(limit: 1) { name kind source } }
    deployerRecord { tokens pulled funderTokens funderPulled earlier(limit: 6) { pulled token { address symbol liquidityUsd } } }`

const RISK = `score {
      explanation {
        score base confidenceReasons: confidenceGaps
        dimensions { name value inputs { name value points } }
      }
    }`

const HOLDER = `address classification holdingPct quantity valueUsd netActivity reputationScore reputationConfidence
      wallet { labels(limit: 1) { name kind source } }`

const HOLDERS = `topHolders { ${HOLDER} }` as const

const POOL = `address type feePct launchpad liquidityUsd peakLiquidityUsd depth2PctUsd
      base { symbol } quote { symbol address }
      locks(limit: 2) { endsAt sharePct counts locker owner }`

const POOLS = `pools(first: 6) { total nodes { ${POOL} } }` as const

const TRADER = `realisedUsd volumeUsd tradeCount
      wallet {
        address classification classifications reputationScore reputationConfidence
        labels(limit: 1) { name kind source }
      }`

const TRADERS = `topTraders(limit: 8) { ${TRADER} }` as const

const WINDOW = '{ volumeUsd buyCount sellCount traderCount }'
const WINDOWS = `windows { m5 ${WINDOW} h1 ${WINDOW} h6 ${WINDOW} h24 ${WINDOW} d7 ${WINDOW} }`

const EVENT = 'id type direction timestamp amountUsd quantity priceUsd walletAddress transactionHash'

const EVENTS = `events(first: 20) { total nodes { ${EVENT} } }` as const

const CANDLE = `start openUsd highUsd lowUsd closeUsd openQuote highQuote lowQuote closeQuote quoteSymbol
      volumeUsd buyVolumeUsd sellVolumeUsd buyCount sellCount liquidityUsd holderCount circulatingSupply marketCapUsd`

/** The marks of the chart, for any length of its candles. */
const MARKS = `added: events(filter: { types: [liquidity_add] }, first: 6) { nodes { id type timestamp amountUsd } }
    removed: events(filter: { types: [liquidity_remove] }, first: 6) { nodes { id type timestamp amountUsd } }
    newest: events(filter: { types: [swap] }, first: 1) { nodes { timestamp } }
    history: score { history(limit: 100) { time level flags } }`

const CHART = `candles(interval: $interval, limit: 240, fill: true) { ${CANDLE} }
    riskSeries(interval: $riskInterval, limit: 240) { time score level }
    ${MARKS}`

/** The charts that may suit a token better, while the token is unknown. */
const OTHER_CHARTS = `m5: candles(interval: m5, limit: 120, fill: true) @skip(if: $isChosen) { ${CANDLE} }
    d1: candles(interval: d1, limit: 90, fill: true) @skip(if: $isChosen) { ${CANDLE} }
    d1Risk: riskSeries(interval: d1, limit: 90) @skip(if: $isChosen) { time score level }`

export const TOKEN = graphql(
  `
query Token($address: Address!, $interval: Interval!, $riskInterval: Interval!, $isChosen: Boolean!) {
  chain { chainId }
  token(address: $address) {
    ${OVERVIEW}
    ${SAFETY}
    ${RISK}
    ${HOLDERS}
    ${POOLS}
    ${TRADERS}
    ${WINDOWS}
    ${EVENTS}
    ${CHART}
    ${OTHER_CHARTS}
  }
}` as const,
)

/** The lists of the page, whole. */
export const TOKEN_LISTS = {
  holders: graphql(
    `query TokenHolders($address: Address!, $first: Int, $after: String) {
  token(address: $address) { holders(first: $first, after: $after) { total nodes { ${HOLDER} } } }
}` as const,
  ),
  events: graphql(
    `query TokenEvents($address: Address!, $first: Int, $after: String) {
  token(address: $address) { events(first: $first, after: $after) { nodes { ${EVENT} } pageInfo { hasNextPage endCursor } } }
}` as const,
  ),
  pools: graphql(
    `query TokenPools($address: Address!, $first: Int, $after: String) {
  token(address: $address) { pools(first: $first, after: $after) { nodes { ${POOL} } pageInfo { hasNextPage endCursor } } }
}` as const,
  ),
  traders: graphql(
    `query TokenTraders($address: Address!) { token(address: $address) { topTraders(limit: 100) { ${TRADER} } } }` as const,
  ),
}

/** The newest events of a token of at least a value in dollars. */
export const SIZED_EVENTS = graphql(
  `query SizedEvents($address: Address!, $minAmountUsd: Float!) {
  token(address: $address) { events(filter: { minAmountUsd: $minAmountUsd }, first: 30) { nodes { ${EVENT} } } }
}` as const,
)

/** A panel's own request. */
const alone = (name: string, fields: string): string =>
  `query ${name}($address: Address!) {\n  token(address: $address) {\n    ${fields}\n  }\n}`

export const REQUESTS = {
  overview: alone('Overview', OVERVIEW),
  safety: alone('Safety', SAFETY),
  risk: alone('Risk', `riskScore ${VERDICT} ${RISK}`),
  holders: alone('Holders', HOLDERS),
  pools: alone('Pools', POOLS),
  traders: alone('Traders', TRADERS),
  windows: alone('Windows', `priceChange { m5 h1 h6 h24 d7 } ${WINDOWS}`),
  events: alone('Events', EVENTS),
  chart: `query Chart($address: Address!, $interval: Interval!, $riskInterval: Interval!) {\n  token(address: $address) {\n    ${CHART}\n  }\n}`,
}
