// The query of a token's page: one for the whole page, because each is charged. Each panel is also a request of its own
// to copy. A document is charged one request for each 200 items; the sizes of these lists keep the page below that.
import { graphql } from '../api/graphql.ts'

const OVERVIEW = `address symbol name launchpad partial createdAt ageHours decimals supply burned
    priceUsd marketCapUsd liquidityUsd peakLiquidityUsd volume24hUsd
    priceChange { m5 h1 h6 h24 d7 }
    holderCount holderGrowth1hPct buyerCount swapCount riskScore riskLevel riskFlags
    lookalikeOf { address symbol }
    reasons { kind points text }`

const SAFETY = `sellCheck {
      status sellable buyable buyTaxPct sellTaxPct measuredSellTaxPct holdersTried holdersBlocked
      checkedBlock checkedAt method reason refusal vouch { reason }
    }
    powers { kind holder holderKind renounced delaySeconds hidden proven }
    contractFindings { name text riskAtLeast }
    withdrawablePct withdrawableBy { address } launch { withdrawable }
    deployer { address } deployerRecord { tokens pulled }`

const RISK = `score {
      confidence
      explanation {
        score base pullChance30dPct confidenceReasons: confidenceGaps
        reasons { kind points text }
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
      locks(limit: 2) { endsAt sharePct counts locker owner }
    }`

const TRADERS = `topTraders(limit: 8) {
      realisedUsd volumeUsd tradeCount
      wallet { address classification classifications reputationScore reputationConfidence }
    }`

const EVENTS = `events(limit: 20) {
      total
      items { id type direction timestamp amountUsd quantity walletAddress transactionHash }
    }`

const CANDLE = 'start openUsd highUsd lowUsd closeUsd volumeUsd liquidityUsd holderCount'

/** The marks of the chart, for any length of its candles. */
const MARKS = `added: events(type: liquidity_add, limit: 6) { items { id type timestamp amountUsd } }
    removed: events(type: liquidity_remove, limit: 6) { items { id type timestamp amountUsd } }
    history: score { history(limit: 100) { time level flags } }`

const CHART = `candles(interval: $interval, limit: 168) { ${CANDLE} }
    riskSeries(interval: $riskInterval, limit: 168) { time score level }
    ${MARKS}`

/** The charts that may suit a token better, while the token is unknown. */
const OTHER_CHARTS = `m5: candles(interval: M5, limit: 120) @skip(if: $isChosen) { ${CANDLE} }
    d1: candles(interval: D1, limit: 90) @skip(if: $isChosen) { ${CANDLE} }
    d1Risk: riskSeries(interval: D1, limit: 90) @skip(if: $isChosen) { time score level }`

export const TOKEN = graphql(
  `
query Token($address: Address!, $interval: Interval!, $riskInterval: Interval!, $isChosen: Boolean!) {
  token(address: $address) {
    ${OVERVIEW}
    ${SAFETY}
    ${RISK}
    ${HOLDERS}
    ${POOLS}
    ${TRADERS}
    ${EVENTS}
    ${CHART}
    ${OTHER_CHARTS}
  }
}` as const,
)

/** A panel's own request. */
const alone = (name: string, fields: string): string =>
  `query ${name}($address: Address!) {\n  token(address: $address) {\n    ${fields}\n  }\n}`

export const REQUESTS = {
  overview: alone('Overview', OVERVIEW),
  safety: alone('Safety', SAFETY),
  risk: alone('Risk', `riskScore riskLevel riskFlags reasons { text points } ${RISK}`),
  holders: alone('Holders', HOLDERS),
  pools: alone('Pools', POOLS),
  traders: alone('Traders', TRADERS),
  events: alone('Events', EVENTS),
  chart: `query Chart($address: Address!, $interval: Interval!, $riskInterval: Interval!) {\n  token(address: $address) {\n    ${CHART}\n  }\n}`,
}
