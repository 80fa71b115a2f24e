// The queries of a token's page. The whole page takes two; each panel also stands alone as a request to copy.
import { graphql } from '../api/graphql.ts'

const OVERVIEW = `address symbol name launchpad partial createdAt ageHours decimals supply burned
    priceUsd marketCapUsd liquidityUsd peakLiquidityUsd volume24hUsd
    priceChange { m5 h1 h6 h24 d7 }
    holderCount holderGrowth1hPct buyerCount swapCount riskScore riskLevel riskFlags
    deployer { address } lookalikeOf { address symbol }
    reasons { points text }`

const RISK = `score {
      confidence
      explanation {
        score composite evidence confidenceReasons: confidenceGaps
        floors { finding atLeast }
        contributions { name value contribution }
        dimensions { name value inputs { name value points } }
      }
    }`

const HOLDERS = `topHolders {
      address classification holdingPct quantity valueUsd netActivity reputationScore reputationConfidence
    }`

const POOLS = `pools {
      address type feePct launchpad liquidityUsd peakLiquidityUsd
      base { symbol } quote { symbol address }
      locks(limit: 3) { endsAt sharePct counts locker owner }
    }`

const TRADERS = `topTraders(limit: 10) {
      realisedUsd volumeUsd tradeCount
      wallet { address classification reputationScore reputationConfidence }
    }`

const EVENTS = `events(limit: 30) {
      total
      items { id type direction timestamp amountUsd quantity walletAddress txHash }
    }`

const CHART = `candles(interval: $interval, limit: 200) {
      start openUsd highUsd lowUsd closeUsd volumeUsd liquidityUsd holderCount
    }
    added: events(type: liquidity_add, limit: 16) { items { id type timestamp amountUsd } }
    removed: events(type: liquidity_remove, limit: 16) { items { id type timestamp amountUsd } }
    riskSeries(interval: $riskInterval, limit: 200) { time score level }
    score { history(limit: 100) { time level flags } }`

export const TOKEN = graphql(
  `
query Token($address: Address!) {
  chain { block { time } }
  token(address: $address) {
    ${OVERVIEW}
    ${RISK}
    ${HOLDERS}
    ${POOLS}
    ${TRADERS}
    ${EVENTS}
  }
}` as const,
)

export const TOKEN_CHART = graphql(
  `
query Chart($address: Address!, $interval: Interval!, $riskInterval: Interval!) {
  token(address: $address) {
    ${CHART}
  }
}` as const,
)

/** A panel's own request. */
const alone = (name: string, fields: string): string =>
  `query ${name}($address: Address!) {\n  token(address: $address) {\n    ${fields}\n  }\n}`

export const REQUESTS = {
  overview: alone('Overview', OVERVIEW),
  risk: alone('Risk', `riskScore riskLevel riskFlags reasons { text points } ${RISK}`),
  holders: alone('Holders', HOLDERS),
  pools: alone('Pools', POOLS),
  traders: alone('Traders', TRADERS),
  events: alone('Events', EVENTS),
}
