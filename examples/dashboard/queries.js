// What the dashboard asks: each view is one query, and each but the first costs one request.
const TOKENS = `tokens(filter: $filter, orderBy: [$order], first: 50) { total nodes {
  address symbol name priceUsd marketCapUsd liquidityUsd volume24hUsd holderCount riskScore riskFlags sparkline(points: 24) priceChange { h24 } } }`
const EVENT = 'id type direction timestamp amountUsd walletAddress tokenAddress tokenSymbol'

export const FIRST = `query ($filter: TokenFilter, $order: TokenOrder!) { ${TOKENS} events(first: 20) { nodes { ${EVENT} } } }`
export const LIST = `query ($filter: TokenFilter, $order: TokenOrder!) { ${TOKENS} }`
export const FEED = `subscription ($after: ID) { events(after: $after) { id cursor retracted event { ${EVENT} } } }`
export const TOKEN = `query ($address: Address!) { token(address: $address) { address symbol name aiSummary priceUsd marketCapUsd liquidityUsd
  holderCount riskScore reasons { text points } priceChange { h1 h24 d7 }
  candles(interval: h1, limit: 168, fill: true) { start openUsd highUsd lowUsd closeUsd }
  riskSeries(interval: d1, limit: 90) { time score }
  topTraders(orderBy: realised_usd, limit: 10) { wallet { address classification } realisedUsd openUsd volumeUsd } } }`
export const WALLET = `query ($address: Address!) { wallet(address: $address) { address classifications reputationScore reputationConfidence
  tradeCount pnl { realisedUsd openUsd confidence } pnlSeries(interval: d1, limit: 90) { time realisedUsd openUsd netWorthUsd }
  positions(first: 20) { total nodes { tokenAddress tokenSymbol valueUsd openUsd realisedUsd } } } }`
export const LEADERS = `query ($order: WalletOrder!) { wallets(filter: { kinds: [account], minTradeCount: 3 }, orderBy: $order, first: 50) {
  nodes { address classification reputationScore reputationConfidence realisedUsd realisedThisWeekUsd tradeCount lastTradeAt } } }`
export const SEARCH = `query ($query: String!) { search(query: $query, limit: 20) {
  tokens { address symbol name liquidityUsd riskScore lookalikeOf { address symbol } } wallets { address classification reputationScore } } }`
