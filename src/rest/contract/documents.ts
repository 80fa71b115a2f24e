// The GraphQL document behind each REST route. A field without an alias gets its own name in snake_case; the root field
// is `answer`. `lift.ts` explains aliases that begin with `_`.
import { Kind, parse, print, visit } from 'graphql'
import { toSnake } from '../../fields/field.ts'
import { ALERT_ROWS } from '../../fields/filter.ts'
import { REST_NUMBERS } from '../../fields/token.ts'
import { REST_WALLET } from '../../fields/wallet.ts'
import { MOST_REASONS } from '../../scoring/reasons.ts'
import { MAIN_FINDINGS } from '../../verdict/settle.ts'
import { isHidden } from './lift.ts'

/** Names the fields as REST does. What a hidden field selects has no name in REST. */
const rest = (parts: TemplateStringsArray, ...inserted: readonly string[]): string =>
  print(
    visit(parse(String.raw(parts, ...inserted), { noLocation: true }), {
      Field: (field) => {
        if (field.alias) return isHidden(field.alias.value) ? false : undefined
        const value = toSnake(field.name.value)
        return value === field.name.value ? undefined : { ...field, alias: { kind: Kind.NAME as const, value } }
      },
    }),
  )

const TOKEN = `address name symbol marketCapUsd volume24hUsd liquidityUsd holderCount ageHours riskScore riskFlags
  aiSummary launchpad`

const REASONS = 'reasons { kind text points }'

/** What became of tokens like one. */
const ALIKE = 'alike { text tokenCount pulledCount pulledShare leastShare mostShare proven ageHours }'

/** The verdict, with as many of its findings. */
const verdictOf = (most: number): string =>
  `verdict { level headline findings(limit: ${most}) { kind topic severity text points since block }
    unknown { topic text } confidence checkedAt ${ALIKE} }`

/** Fields beside those of the contract. */
const MORE_OF_TOKEN = `priceUsd price_change_24h_pct: priceChange { _: h24 } fdvUsd confidence: score { _: confidence }
  ${REST_NUMBERS.join(' ')} ${REASONS} sellCheck { status sellable sellTaxPct checkedAt reason }`

const EVENT = 'tokenAddress tokenSymbol amountUsd direction timestamp tx_hash: transactionHash'

const MORE_OF_EVENT = 'quantity priceUsd pool { _: address } counterparty { _: address }'

const CONDITIONS = `conditions { ${ALERT_ROWS.map(([name]) => name).join(' ')} }`

const ALERT = `id name status ${CONDITIONS} notificationChannel url createdAt`

/** GET /tokens */
export const TOKENS = rest`query Tokens($addresses: [Address!], $filter: TokenFilter, $orderBy: [TokenOrder!], $asOf: BlockInput,
  $first: Int, $offset: Int) {
  answer: tokens(addresses: $addresses, filter: $filter, orderBy: $orderBy, asOf: $asOf, first: $first, offset: $offset) {
    data: nodes { ${TOKEN} ${MORE_OF_TOKEN} ${verdictOf(MAIN_FINDINGS)} } total
  }
}`

/** GET /stream/tokens */
export const TOKEN_STREAM = rest`subscription TokenStream($filter: TokenFilter, $sort: ScreenSort, $limit: Int, $after: ID) {
  answer: screen(filter: $filter, orderBy: $sort, first: $limit, after: $after) {
    id: cursor blockNumber blockHash reset retracted left
    placed { place isNew tokenAddress token { ${TOKEN} ${MORE_OF_TOKEN} ${verdictOf(MAIN_FINDINGS)} } }
  }
}`

/** GET /tokens/{address} */
export const TOKEN_PROFILE = rest`query Token($address: Address!) {
  answer: token(address: $address) {
    ${TOKEN}
    topHolders { address holdingPct classification reputationScore netActivity }
    createdAt ${MORE_OF_TOKEN} ${verdictOf(MOST_REASONS)}
  }
}`

/** GET /search */
export const SEARCH = rest`query Search($query: String!, $limit: Int) {
  answer: search(query: $query, limit: $limit) {
    tokens {
      address name symbol priceUsd marketCapUsd liquidityUsd riskScore riskLevel lookalikeOf { _: address }
    }
    wallets { address classification reputationScore }
  }
}`

/** GET /tokens/{address}/holders */
export const TOKEN_HOLDERS = rest`query TokenHolders($address: Address!, $first: Int, $offset: Int) {
  answer: token(address: $address) {
    holders(first: $first, offset: $offset) {
      data: nodes {
        address holdingPct quantity valueUsd sellableUsd rebasing classification reputationScore reputationConfidence
        netActivity firstAt lastAt
      } total
    }
  }
}`

/** GET /tokens/{address}/pools */
export const TOKEN_POOLS = rest`query TokenPools($address: Address!, $first: Int, $offset: Int) {
  answer: token(address: $address) {
    pools(first: $first, offset: $offset) {
      data: nodes {
        address poolId type factory launchpad feePct priceInQuote liquidityUsd peakLiquidityUsd
        depth_2pct_usd: depth2PctUsd base_address: base { _: address } quote_address: quote { _: address }
        quote_symbol: quote { _: symbol } createdAt locks { locker owner sharePct endsAt counts }
      } total
    }
  }
}`

/** GET /tokens/{address}/candles */
export const TOKEN_CANDLES = rest`query TokenCandles($address: Address!, $interval: Interval, $from: DateTime, $to: DateTime, $fill: Boolean, $limit: Int) {
  answer: token(address: $address) {
    data: candles(interval: $interval, from: $from, to: $to, fill: $fill, limit: $limit) {
      start openUsd highUsd lowUsd closeUsd volumeUsd buyVolumeUsd sellVolumeUsd buyCount sellCount liquidityUsd
      holderCount circulatingSupply marketCapUsd
    }
  }
}`

/** GET /tokens/{address}/traders */
export const TOKEN_TRADERS = rest`query TokenTraders($address: Address!, $sort: TraderOrder, $limit: Int) {
  answer: token(address: $address) {
    data: topTraders(orderBy: $sort, limit: $limit) {
      wallet_address: wallet { _: address } classification: wallet { _: classification }
      reputation_score: wallet { _: reputationScore } realisedUsd openUsd boughtUsd soldUsd volumeUsd tradeCount
      quantity firstAt lastAt
    }
  }
}`

/** GET /tokens/{address}/launch */
export const TOKEN_LAUNCH = rest`query TokenLaunch($address: Address!, $first: Int, $offset: Int) {
  answer: token(address: $address) {
    launchGroups {
      openedAt
      groups {
        name definition unknown walletCount heldPct peakPct peakAt soldPct soldUsd realisedUsd coverage
        wallets(first: $first, offset: $offset) {
          _: nodes { address firstBuyAt heldPct boughtUsd soldUsd realisedUsd }
        }
      }
    }
  }
}`

const CALL = 'call { method params }'

const SELL_CHECK = `{
      status sellable buyable buyTaxPct sellTaxPct measuredSellTaxPct holdersTried holdersBlocked checkedBlock
      checkedAt method reason refusal vouch { reason since } ${CALL}
    }`

/** GET /tokens/{address}/safety */
export const TOKEN_SAFETY = rest`query TokenSafety($address: Address!) {
  answer: token(address: $address) {
    address symbol riskScore sellCheck ${SELL_CHECK}
    powers { kind text function contract holder holderKind renounced delaySeconds hidden byMapping proven ${CALL} }
    powersRead findings: contractFindings { name text riskAtLeast ${CALL} }
    balancesDiffer { asked differ moved rebasing } multiplier { value nextValue effectiveAt }
    code { hash proxy implementation owner admin verifiedClone unread native tokensWithSameCode }
  }
}`

/** POST /tokens/{address}/check */
export const CHECK_TOKEN = rest`mutation CheckToken($address: Address!) {
  answer: tokenCheck(address: $address) {
    state address: token { _: address } symbol: token { _: symbol } risk_score: token { _: riskScore }
    verdict: token { _: ${verdictOf(MOST_REASONS)} } sell_check: token { _: sellCheck ${SELL_CHECK} }
  }
}`

const COUNTS = 'tokens blocked reviewed undecided'

/** GET /gate */
export const GATE = rest`query Gate($token: Address!, $action: GateAction, $amountUsd: Float, $policy: String, $rules: String) {
  answer: gate(token: $token, action: $action, amountUsd: $amountUsd, policy: $policy, rules: $rules) {
    decision token action amountUsd policy headline reasons { name decision text } missing pullChance30dPct ${ALIKE}
    trackRecord { text tokenCount pulledCount pulledShare horizonDays }
    blockNumber timestamp ages { fact block seconds } calls { of method params refused } signed
  }
}`

/** GET /gate/backtest */
export const GATE_BACKTEST = rest`query GateBacktest($amountUsd: Float, $policy: String, $rules: String, $ageHours: Int) {
  answer: gateBacktest(amountUsd: $amountUsd, policy: $policy, rules: $rules, ageHours: $ageHours) {
    summary from to ageHours keptSince exactSince pulled { ${COUNTS} } others { ${COUNTS} }
    pulledBeforeCount tooYoungCount untested
  }
}`

const POLICY = `name bounds rules ${CONDITIONS} createdAt updatedAt`

/** GET /gate/policies */
export const GATE_POLICIES = rest`query GatePolicies($first: Int, $offset: Int) {
  answer: gatePolicies(first: $first, offset: $offset) { data: nodes { ${POLICY} } total }
}`

/** GET /gate/policies/{name} */
export const ONE_GATE_POLICY = rest`query GatePolicy($name: String!) { answer: gatePolicy(name: $name) { ${POLICY} } }`

/** POST /gate/policies */
export const CREATE_GATE_POLICY = rest`mutation CreateGatePolicy($input: CreateGatePolicyInput!) {
  answer: gatePolicyCreate(input: $input) { gatePolicy { ${POLICY} } }
}`

/** PATCH /gate/policies/{name} */
export const UPDATE_GATE_POLICY = rest`mutation UpdateGatePolicy($name: String!, $input: UpdateGatePolicyInput!) {
  answer: gatePolicyUpdate(name: $name, input: $input) { gatePolicy { ${POLICY} } }
}`

/** DELETE /gate/policies/{name} */
export const DELETE_GATE_POLICY = rest`mutation DeleteGatePolicy($name: String!) {
  answer: gatePolicyDelete(name: $name) { deletedName }
}`

const RESULT = 'realisedUsd closedPositionCount wonPositionCount winRate'

/** GET /wallets/{address} */
export const WALLET_PROFILE = rest`query Wallet($address: Address!) {
  answer: wallet(address: $address) {
    address classification reputationScore reputationConfidence
    portfolio { tokenAddress tokenSymbol quantity valueUsd } pnlEstimateUsd pnlConfidence sectorPreference
    tradeCount firstSeen results { d7: d7 { ${RESULT} } d30: d30 { ${RESULT} } }
  }
}`

/** GET /wallets */
export const WALLETS = rest`query Wallets($filter: WalletFilter, $sort: WalletOrderField = reputation_score, $order: SortDirection,
  $after: String, $first: Int, $offset: Int) {
  answer: wallets(filter: $filter, orderBy: { field: $sort, direction: $order }, after: $after, first: $first, offset: $offset) {
    data: nodes {
      address classification reputationScore reputationConfidence tradeCount closedPositionCount wonPositionCount
      realisedUsd realisedThisWeekUsd realisedLastWeekUsd ${REST_WALLET.join(' ')}
    } total _end: pageInfo { hasNextPage endCursor }
  }
}`

/** GET /wallets/{address}/positions */
export const WALLET_POSITIONS = rest`query WalletPositions($address: Address!, $status: PositionStatus, $sort: PositionOrder, $first: Int, $offset: Int) {
  answer: wallet(address: $address) {
    positions(status: $status, orderBy: $sort, first: $first, offset: $offset) {
      data: nodes {
        tokenAddress tokenSymbol quantity valueUsd sellableUsd rebasing costUsd realisedUsd openUsd boughtUsd soldUsd
        tradeCount netActivity firstAt lastAt
      } total
    }
  }
}`

/** GET /wallets/{address}/liquidity */
export const WALLET_LIQUIDITY = rest`query WalletLiquidity($address: Address!, $limit: Int) {
  answer: wallet(address: $address) {
    data: liquidityPositions(limit: $limit) {
      pool_address: pool { _: address } base_symbol: pool { _: base { _: symbol } } quote_symbol: pool { _: quote { _: symbol } }
      sharePct valueUsd costUsd openUsd realisedUsd isLocked
    }
  }
}`

/** GET /wallets/{address}/events */
export const WALLET_EVENTS = rest`query WalletEvents($address: Address!, $filter: EventFilter, $direction: SortDirection, $first: Int, $offset: Int) {
  answer: wallet(address: $address) {
    events(filter: $filter, direction: $direction, first: $first, offset: $offset) {
      data: nodes { id type ${EVENT} ${MORE_OF_EVENT} _sender: walletAddress } total
    }
  }
}`

/** GET /events */
export const EVENTS = rest`query Events($filter: EventFilter, $direction: SortDirection, $first: Int, $offset: Int) {
  answer: events(filter: $filter, direction: $direction, first: $first, offset: $offset) {
    data: nodes { id type walletAddress ${EVENT} ${MORE_OF_EVENT} } total
  }
}`

/** GET /scores/wallet/{address} */
export const WALLET_SCORE = rest`query WalletScore($address: Address!) {
  answer: walletScore(address: $address) {
    address reputationScore confidence classification
    dimensions { winRate entryTimingScore consistencyScore riskDrawdownScore }
    tradeCount updatedAt contributions: explanation { _: contributions { name value weight contribution } }
  }
}`

/** GET /scores/token/{address} */
export const TOKEN_SCORE = rest`query TokenScore($address: Address!) {
  answer: tokenScore(address: $address) {
    address riskScore riskLevel flags
    dimensions { holderConcentrationScore liquidityStabilityScore washTradeScore smartMoneyFlowScore }
    topHolderSummary { earlyMoverCount earlyMoverNetActivity avg_reputation_top10: avgReputationTop10 }
    updatedAt confidence base: explanation { _: base } reasons: explanation { _: reasons { kind text points } }
    contributions: explanation { _: contributions { name value weight contribution } }
  }
}`

/** GET /me */
export const ME = rest`query Me {
  answer: me {
    email plan activeAlertCount limits { requestsPerMinute requestsPerDay activeAlerts webhooks streams gatePolicies }
    usage { date requests routes { route requests } }
    openStreams { openedAt keyId keyName }
  }
}`

const API_KEY = `id name prefix lastFour createdAt lastUsedAt expiresAt
  isCurrent`

/** GET /me/keys */
export const API_KEYS = rest`query ApiKeys($first: Int, $offset: Int) {
  answer: apiKeys(first: $first, offset: $offset) { data: nodes { ${API_KEY} } total }
}`

/** GET /me/keys/{id} */
export const ONE_API_KEY = rest`query ApiKey($id: ID!) { answer: apiKey(id: $id) { ${API_KEY} } }`

/** POST /me/keys */
export const CREATE_API_KEY = rest`mutation CreateApiKey($input: CreateApiKeyInput!) {
  answer: apiKeyCreate(input: $input) { apiKey { ${API_KEY} } key }
}`

/** PATCH /me/keys/{id} */
export const UPDATE_API_KEY = rest`mutation UpdateApiKey($id: ID!, $input: UpdateApiKeyInput!) {
  answer: apiKeyUpdate(id: $id, input: $input) { apiKey { ${API_KEY} } }
}`

/** POST /me/keys/{id}/rotate */
export const ROTATE_API_KEY = rest`mutation RotateApiKey($id: ID!, $input: RotateApiKeyInput!) {
  answer: apiKeyRotate(id: $id, input: $input) { apiKey { ${API_KEY} } key }
}`

/** DELETE /me/keys/{id} */
export const REVOKE_API_KEY = rest`mutation RevokeApiKey($id: ID!) { answer: apiKeyRevoke(id: $id) { revokedId } }`

/** POST /alerts */
export const CREATE_ALERT = rest`mutation CreateAlert($input: CreateAlertInput!) { answer: alertCreate(input: $input) { alert { ${ALERT} } secret } }`

/** GET /alerts */
export const ALERTS = rest`query Alerts($status: AlertStatus, $first: Int, $offset: Int) {
  answer: alerts(status: $status, first: $first, offset: $offset) {
    data: nodes { ${ALERT} lastTriggeredAt } total
  }
}`

/** GET /alerts/{id} */
export const ONE_ALERT = rest`query Alert($id: ID!) { answer: alert(id: $id) { ${ALERT} lastTriggeredAt } }`

/** PATCH /alerts/{id} */
export const UPDATE_ALERT = rest`mutation UpdateAlert($id: ID!, $input: UpdateAlertInput!) {
  answer: alertUpdate(id: $id, input: $input) { alert { ${ALERT} lastTriggeredAt } }
}`

/** POST /alerts/{id}/secret */
export const ROTATE_SECRET = rest`mutation RotateSecret($id: ID!) { answer: alertSecretRotate(id: $id) { alert { ${ALERT} lastTriggeredAt } secret } }`

/** POST /alerts/{id}/test */
export const TEST_ALERT = rest`mutation TestAlert($id: ID!) { answer: alertTest(id: $id) { delivered response } }`

/** POST /alerts/backtest */
export const BACKTEST = rest`query Backtest($filter: TokenFilter!, $from: DateTime, $to: DateTime) {
  answer: backtest(filter: $filter, from: $from, to: $to) {
    from to keptSince exactSince summary matchCount followedCount pulledCount unsellableCount pricedAfter24hCount
    unpricedAfter24hCount medianChangeAfter24hPct medianWorstFallPct
    matches(limit: 200) {
      tokenAddress tokenSymbol tokenName blockNumber matchedAt exact priceUsd priceAfter1hUsd priceAfter24hUsd
      priceAfter7dUsd changeAfter24hPct worstFallPct pulled sellable
    }
  }
}`

/** POST /sql */
export const SQL = rest`query Sql($query: String!) {
  answer: sql(query: $query) {
    asOf { blockNumber timestamp } columns { name type } rowCount truncated partial { view since } data: rows
  }
}`

/** DELETE /alerts/{id} */
export const DELETE_ALERT = rest`mutation DeleteAlert($id: ID!) { answer: alertDelete(id: $id) { deletedId } }`
