// The GraphQL document behind each REST route. Aliases give the fields the contract's names; the root field is
// `answer`. `lift.ts` explains aliases that begin with `_`.
import { toSnake } from '../../fields/field.ts'
import { ALERT_ROWS } from '../../fields/filter.ts'
import { REST_NUMBERS } from '../../fields/token.ts'
import { MOST_REASONS } from '../../scoring/reasons.ts'
import { MAIN_FINDINGS } from '../../verdict/settle.ts'

const TOKEN = `address name symbol market_cap_usd: marketCapUsd volume_24h_usd: volume24hUsd liquidity_usd: liquidityUsd
  holder_count: holderCount age_hours: ageHours risk_score: riskScore risk_flags: riskFlags ai_summary: aiSummary launchpad`

const REASONS = 'reasons { kind text points }'

/** What became of tokens like one. */
const ALIKE = `alike { text token_count: tokenCount pulled_count: pulledCount pulled_share: pulledShare
      least_share: leastShare most_share: mostShare proven age_hours: ageHours }`

/** The verdict, with as many of its findings. */
const verdictOf = (most: number): string =>
  `verdict { level headline findings(limit: ${most}) { kind topic severity text points since block }
    unknown { topic text } confidence checked_at: checkedAt
    ${ALIKE} }`

/** Fields beside those of the contract. */
const MORE_OF_TOKEN = `price_usd: priceUsd price_change_24h_pct: priceChange { _: h24 } fdv_usd: fdvUsd confidence: score { _: confidence }
  ${REST_NUMBERS.map((name) => `${toSnake(name)}: ${name}`).join(' ')}
  ${REASONS} sell_check: sellCheck { status sellable sell_tax_pct: sellTaxPct checked_at: checkedAt reason }`

const EVENT = `token_address: tokenAddress token_symbol: tokenSymbol amount_usd: amountUsd direction timestamp
  tx_hash: transactionHash`

const MORE_OF_EVENT = 'quantity price_usd: priceUsd pool: pool { _: address } counterparty: counterparty { _: address }'

const CONDITIONS = `conditions { ${ALERT_ROWS.map(([name]) => `${toSnake(name)}: ${name}`).join(' ')} }`

const ALERT = `id name status ${CONDITIONS} notification_channel: notificationChannel url created_at: createdAt`

/** GET /tokens */
export const TOKENS = `query Tokens($addresses: [Address!], $filter: TokenFilter, $orderBy: [TokenOrder!], $asOf: BlockInput,
  $first: Int, $offset: Int) {
  answer: tokens(addresses: $addresses, filter: $filter, orderBy: $orderBy, asOf: $asOf, first: $first, offset: $offset) {
    data: nodes { ${TOKEN} ${MORE_OF_TOKEN} ${verdictOf(MAIN_FINDINGS)} } total
  }
}`

/** GET /tokens/{address} */
export const TOKEN_PROFILE = `query Token($address: Address!) {
  answer: token(address: $address) {
    ${TOKEN}
    top_holders: topHolders {
      address holding_pct: holdingPct classification reputation_score: reputationScore net_activity: netActivity
    }
    created_at: createdAt
    ${MORE_OF_TOKEN} ${verdictOf(MOST_REASONS)}
  }
}`

/** GET /search */
export const SEARCH = `query Search($query: String!, $limit: Int) {
  answer: search(query: $query, limit: $limit) {
    tokens {
      address name symbol price_usd: priceUsd market_cap_usd: marketCapUsd liquidity_usd: liquidityUsd risk_score: riskScore
      risk_level: riskLevel lookalike_of: lookalikeOf { _: address }
    }
    wallets { address classification reputation_score: reputationScore }
  }
}`

/** GET /tokens/{address}/holders */
export const TOKEN_HOLDERS = `query TokenHolders($address: Address!, $first: Int, $offset: Int) {
  answer: token(address: $address) {
    holders(first: $first, offset: $offset) {
      data: nodes {
        address holding_pct: holdingPct quantity value_usd: valueUsd sellable_usd: sellableUsd rebasing classification
        reputation_score: reputationScore reputation_confidence: reputationConfidence net_activity: netActivity
        first_at: firstAt last_at: lastAt
      } total
    }
  }
}`

/** GET /tokens/{address}/pools */
export const TOKEN_POOLS = `query TokenPools($address: Address!, $first: Int, $offset: Int) {
  answer: token(address: $address) {
    pools(first: $first, offset: $offset) {
      data: nodes {
        address pool_id: poolId type factory launchpad fee_pct: feePct price_in_quote: priceInQuote liquidity_usd: liquidityUsd
        peak_liquidity_usd: peakLiquidityUsd depth_2pct_usd: depth2PctUsd base_address: base { _: address } quote_address: quote { _: address }
        quote_symbol: quote { _: symbol } created_at: createdAt
        locks { locker owner share_pct: sharePct ends_at: endsAt counts }
      } total
    }
  }
}`

/** GET /tokens/{address}/candles */
export const TOKEN_CANDLES = `query TokenCandles($address: Address!, $interval: Interval, $from: DateTime, $to: DateTime, $fill: Boolean, $limit: Int) {
  answer: token(address: $address) {
    data: candles(interval: $interval, from: $from, to: $to, fill: $fill, limit: $limit) {
      start open_usd: openUsd high_usd: highUsd low_usd: lowUsd close_usd: closeUsd volume_usd: volumeUsd
      buy_volume_usd: buyVolumeUsd sell_volume_usd: sellVolumeUsd buy_count: buyCount sell_count: sellCount
      liquidity_usd: liquidityUsd holder_count: holderCount circulating_supply: circulatingSupply market_cap_usd: marketCapUsd
    }
  }
}`

/** GET /tokens/{address}/traders */
export const TOKEN_TRADERS = `query TokenTraders($address: Address!, $sort: TraderOrder, $limit: Int) {
  answer: token(address: $address) {
    data: topTraders(orderBy: $sort, limit: $limit) {
      wallet_address: wallet { _: address } classification: wallet { _: classification } reputation_score: wallet { _: reputationScore }
      realised_usd: realisedUsd open_usd: openUsd bought_usd: boughtUsd sold_usd: soldUsd volume_usd: volumeUsd
      trade_count: tradeCount quantity first_at: firstAt last_at: lastAt
    }
  }
}`

/** GET /tokens/{address}/launch */
export const TOKEN_LAUNCH = `query TokenLaunch($address: Address!, $first: Int, $offset: Int) {
  answer: token(address: $address) {
    launchGroups {
      opened_at: openedAt
      groups {
        name definition unknown wallet_count: walletCount held_pct: heldPct peak_pct: peakPct peak_at: peakAt
        sold_pct: soldPct sold_usd: soldUsd realised_usd: realisedUsd coverage
        wallets(first: $first, offset: $offset) {
          _: nodes {
            address first_buy_at: firstBuyAt held_pct: heldPct bought_usd: boughtUsd sold_usd: soldUsd
            realised_usd: realisedUsd
          }
        }
      }
    }
  }
}`

const CALL = 'call { method params }'

const SELL_CHECK = `{
      status sellable buyable buy_tax_pct: buyTaxPct sell_tax_pct: sellTaxPct measured_sell_tax_pct: measuredSellTaxPct
      holders_tried: holdersTried holders_blocked: holdersBlocked checked_block: checkedBlock checked_at: checkedAt
      method reason refusal vouch { reason since } ${CALL}
    }`

/** GET /tokens/{address}/safety */
export const TOKEN_SAFETY = `query TokenSafety($address: Address!) {
  answer: token(address: $address) {
    address symbol risk_score: riskScore
    sell_check: sellCheck ${SELL_CHECK}
    powers {
      kind text function contract holder holder_kind: holderKind renounced delay_seconds: delaySeconds hidden proven ${CALL}
    }
    powers_read: powersRead
    findings: contractFindings { name text risk_at_least: riskAtLeast ${CALL} }
    balances_differ: balancesDiffer { asked differ moved rebasing }
    multiplier { value next_value: nextValue effective_at: effectiveAt }
    code {
      hash proxy implementation owner admin verified_clone: verifiedClone unread native tokens_with_same_code: tokensWithSameCode
    }
  }
}`

/** POST /tokens/{address}/check */
export const CHECK_TOKEN = `mutation CheckToken($address: Address!) {
  answer: tokenCheck(address: $address) {
    state address: token { _: address } symbol: token { _: symbol } risk_score: token { _: riskScore }
    verdict: token { _: ${verdictOf(MOST_REASONS)} } sell_check: token { _: sellCheck ${SELL_CHECK} }
  }
}`

/** GET /gate */
export const GATE = `query Gate($token: Address!, $action: GateAction, $amountUsd: Float, $policy: GatePolicy, $rules: String) {
  answer: gate(token: $token, action: $action, amountUsd: $amountUsd, policy: $policy, rules: $rules) {
    decision token action amount_usd: amountUsd policy headline reasons { name decision text } missing
    pull_chance_30d_pct: pullChance30dPct ${ALIKE}
    block_number: blockNumber timestamp ages { fact block seconds }
    calls { of method params refused } signed
  }
}`

const RESULT =
  'realised_usd: realisedUsd closed_position_count: closedPositionCount won_position_count: wonPositionCount win_rate: winRate'

/** GET /wallets/{address} */
export const WALLET_PROFILE = `query Wallet($address: Address!) {
  answer: wallet(address: $address) {
    address classification reputation_score: reputationScore reputation_confidence: reputationConfidence
    portfolio { token_address: tokenAddress token_symbol: tokenSymbol quantity value_usd: valueUsd }
    pnl_estimate_usd: pnlEstimateUsd pnl_confidence: pnlConfidence sector_preference: sectorPreference
    trade_count: tradeCount first_seen: firstSeen results { d7 { ${RESULT} } d30 { ${RESULT} } }
  }
}`

/** GET /wallets */
export const WALLETS = `query Wallets($classifications: [Classification!], $kinds: [WalletKind!], $minReputationScore: Float,
  $minConfidence: Confidence, $minTradeCount: Int, $minClosedPositionCount: Int, $minRealisedUsd: Float, $tradedSince: DateTime,
  $sort: WalletOrderField = reputation_score, $order: SortDirection, $after: String, $first: Int, $offset: Int) {
  answer: wallets(filter: { classifications: $classifications, kinds: $kinds, minReputationScore: $minReputationScore,
    minConfidence: $minConfidence, minTradeCount: $minTradeCount, minClosedPositionCount: $minClosedPositionCount,
    minRealisedUsd: $minRealisedUsd, tradedSince: $tradedSince }, orderBy: { field: $sort, direction: $order },
    after: $after, first: $first, offset: $offset) {
    data: nodes {
      address classification reputation_score: reputationScore reputation_confidence: reputationConfidence trade_count: tradeCount
      closed_position_count: closedPositionCount won_position_count: wonPositionCount realised_usd: realisedUsd
      realised_this_week_usd: realisedThisWeekUsd realised_last_week_usd: realisedLastWeekUsd
      first_seen: firstSeen last_trade_at: lastTradeAt
    } total _end: pageInfo { hasNextPage endCursor }
  }
}`

/** GET /wallets/{address}/positions */
export const WALLET_POSITIONS = `query WalletPositions($address: Address!, $status: PositionStatus, $sort: PositionOrder, $first: Int, $offset: Int) {
  answer: wallet(address: $address) {
    positions(status: $status, orderBy: $sort, first: $first, offset: $offset) {
      data: nodes {
        token_address: tokenAddress token_symbol: tokenSymbol quantity value_usd: valueUsd sellable_usd: sellableUsd rebasing cost_usd: costUsd
        realised_usd: realisedUsd open_usd: openUsd bought_usd: boughtUsd sold_usd: soldUsd trade_count: tradeCount
        net_activity: netActivity first_at: firstAt last_at: lastAt
      } total
    }
  }
}`

/** GET /wallets/{address}/liquidity */
export const WALLET_LIQUIDITY = `query WalletLiquidity($address: Address!, $limit: Int) {
  answer: wallet(address: $address) {
    data: liquidityPositions(limit: $limit) {
      pool_address: pool { _: address } base_symbol: pool { _: base { _: symbol } } quote_symbol: pool { _: quote { _: symbol } }
      share_pct: sharePct value_usd: valueUsd cost_usd: costUsd open_usd: openUsd realised_usd: realisedUsd is_locked: isLocked
    }
  }
}`

/** GET /wallets/{address}/events */
export const WALLET_EVENTS = `query WalletEvents($address: Address!, $filter: EventFilter, $direction: SortDirection, $first: Int, $offset: Int) {
  answer: wallet(address: $address) {
    events(filter: $filter, direction: $direction, first: $first, offset: $offset) {
      data: nodes { id type ${EVENT} ${MORE_OF_EVENT} _sender: walletAddress } total
    }
  }
}`

/** GET /events */
export const EVENTS = `query Events($filter: EventFilter, $direction: SortDirection, $first: Int, $offset: Int) {
  answer: events(filter: $filter, direction: $direction, first: $first, offset: $offset) {
    data: nodes { id type wallet_address: walletAddress ${EVENT} ${MORE_OF_EVENT} } total
  }
}`

/** GET /scores/wallet/{address} */
export const WALLET_SCORE = `query WalletScore($address: Address!) {
  answer: walletScore(address: $address) {
    address reputation_score: reputationScore confidence classification
    dimensions {
      win_rate: winRate entry_timing_score: entryTimingScore consistency_score: consistencyScore
      risk_drawdown_score: riskDrawdownScore
    }
    trade_count: tradeCount updated_at: updatedAt
    contributions: explanation { _: contributions { name value weight contribution } }
  }
}`

/** GET /scores/token/{address} */
export const TOKEN_SCORE = `query TokenScore($address: Address!) {
  answer: tokenScore(address: $address) {
    address risk_score: riskScore risk_level: riskLevel flags
    dimensions {
      holder_concentration_score: holderConcentrationScore liquidity_stability_score: liquidityStabilityScore
      wash_trade_score: washTradeScore smart_money_flow_score: smartMoneyFlowScore
    }
    top_holder_summary: topHolderSummary {
      early_mover_count: earlyMoverCount early_mover_net_activity: earlyMoverNetActivity
      avg_reputation_top10: avgReputationTop10
    }
    updated_at: updatedAt
    confidence base: explanation { _: base } reasons: explanation { _: reasons { kind text points } }
    contributions: explanation { _: contributions { name value weight contribution } }
  }
}`

/** GET /me */
export const ME = `query Me {
  answer: me {
    email plan active_alert_count: activeAlertCount
    limits { requests_per_minute: requestsPerMinute requests_per_day: requestsPerDay active_alerts: activeAlerts webhooks streams }
    usage { date requests routes { route requests } }
    open_streams: openStreams { opened_at: openedAt key_id: keyId key_name: keyName }
  }
}`

const API_KEY = `id name prefix last_four: lastFour created_at: createdAt last_used_at: lastUsedAt expires_at: expiresAt
  is_current: isCurrent`

/** GET /me/keys */
export const API_KEYS = `query ApiKeys($first: Int, $offset: Int) {
  answer: apiKeys(first: $first, offset: $offset) { data: nodes { ${API_KEY} } total }
}`

/** GET /me/keys/{id} */
export const ONE_API_KEY = `query ApiKey($id: ID!) { answer: apiKey(id: $id) { ${API_KEY} } }`

/** POST /me/keys */
export const CREATE_API_KEY = `mutation CreateApiKey($input: CreateApiKeyInput!) {
  answer: apiKeyCreate(input: $input) { apiKey { ${API_KEY} } key }
}`

/** PATCH /me/keys/{id} */
export const UPDATE_API_KEY = `mutation UpdateApiKey($id: ID!, $input: UpdateApiKeyInput!) {
  answer: apiKeyUpdate(id: $id, input: $input) { apiKey { ${API_KEY} } }
}`

/** POST /me/keys/{id}/rotate */
export const ROTATE_API_KEY = `mutation RotateApiKey($id: ID!, $input: RotateApiKeyInput!) {
  answer: apiKeyRotate(id: $id, input: $input) { apiKey { ${API_KEY} } key }
}`

/** DELETE /me/keys/{id} */
export const REVOKE_API_KEY = 'mutation RevokeApiKey($id: ID!) { answer: apiKeyRevoke(id: $id) { revokedId } }'

/** POST /alerts */
export const CREATE_ALERT = `mutation CreateAlert($input: CreateAlertInput!) { answer: alertCreate(input: $input) { alert { ${ALERT} } secret } }`

/** GET /alerts */
export const ALERTS = `query Alerts($status: AlertStatus, $first: Int, $offset: Int) {
  answer: alerts(status: $status, first: $first, offset: $offset) {
    data: nodes { ${ALERT} last_triggered_at: lastTriggeredAt } total
  }
}`

/** GET /alerts/{id} */
export const ONE_ALERT = `query Alert($id: ID!) { answer: alert(id: $id) { ${ALERT} last_triggered_at: lastTriggeredAt } }`

/** PATCH /alerts/{id} */
export const UPDATE_ALERT = `mutation UpdateAlert($id: ID!, $input: UpdateAlertInput!) {
  answer: alertUpdate(id: $id, input: $input) { alert { ${ALERT} last_triggered_at: lastTriggeredAt } }
}`

/** POST /alerts/{id}/secret */
export const ROTATE_SECRET = `mutation RotateSecret($id: ID!) { answer: alertSecretRotate(id: $id) { alert { ${ALERT} last_triggered_at: lastTriggeredAt } secret } }`

/** POST /alerts/{id}/test */
export const TEST_ALERT = 'mutation TestAlert($id: ID!) { answer: alertTest(id: $id) { delivered response } }'

/** POST /alerts/backtest */
export const BACKTEST = `query Backtest($filter: TokenFilter!, $from: DateTime, $to: DateTime) {
  answer: backtest(filter: $filter, from: $from, to: $to) {
    from to kept_since: keptSince exact_since: exactSince summary match_count: matchCount followed_count: followedCount
    pulled_count: pulledCount unsellable_count: unsellableCount priced_after_24h_count: pricedAfter24hCount
    unpriced_after_24h_count: unpricedAfter24hCount median_change_after_24h_pct: medianChangeAfter24hPct
    median_worst_fall_pct: medianWorstFallPct
    matches(limit: 200) {
      token_address: tokenAddress token_symbol: tokenSymbol token_name: tokenName block_number: blockNumber
      matched_at: matchedAt exact price_usd: priceUsd price_after_1h_usd: priceAfter1hUsd
      price_after_24h_usd: priceAfter24hUsd price_after_7d_usd: priceAfter7dUsd
      change_after_24h_pct: changeAfter24hPct worst_fall_pct: worstFallPct pulled sellable
    }
  }
}`

/** POST /sql */
export const SQL = `query Sql($query: String!) {
  answer: sql(query: $query) {
    as_of: asOf { block_number: blockNumber timestamp } columns { name type } row_count: rowCount truncated
    partial { view since } data: rows
  }
}`

/** DELETE /alerts/{id} */
export const DELETE_ALERT = 'mutation DeleteAlert($id: ID!) { answer: alertDelete(id: $id) { deletedId } }'
