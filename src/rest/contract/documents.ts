// The GraphQL document behind each REST route. Aliases give the fields the contract's names; the root field is
// `answer`.

const TOKEN = `address name symbol market_cap_usd: marketCapUsd volume_24h_usd: volume24hUsd liquidity_usd: liquidityUsd
  holder_count: holderCount age_hours: ageHours risk_score: riskScore risk_flags: riskFlags ai_summary: aiSummary launchpad`

const EVENT = `token_address: tokenAddress token_symbol: tokenSymbol amount_usd: amountUsd direction timestamp
  tx_hash: transactionHash`

const CONDITIONS = `conditions {
  min_liquidity_usd: minLiquidityUsd max_market_cap_usd: maxMarketCapUsd min_market_cap_usd: minMarketCapUsd
  max_risk_score: maxRiskScore exclude_flags: excludeFlags include_flags: includeFlags min_holder_growth_1h_pct: minHolderGrowth1hPct
  max_age_hours: maxAgeHours contract_checked: contractChecked sellable min_sell_tax_pct: minSellTaxPct max_sell_tax_pct: maxSellTaxPct
  exclude_powers: excludePowers include_powers: includePowers owner_changed: ownerChanged
}`

const ALERT = `id name status ${CONDITIONS} notification_channel: notificationChannel url created_at: createdAt`

/** GET /tokens */
export const TOKENS = `query Tokens($minLiquidityUsd: Float, $maxMarketCapUsd: Float, $minMarketCapUsd: Float,
  $maxRiskScore: Float, $excludeFlags: [RiskFlag!], $minHolderGrowth1hPct: Float, $maxAgeHours: Float,
  $sort: TokenSort, $page: Int, $limit: Int) {
  answer: tokens(filter: { minLiquidityUsd: $minLiquidityUsd, maxMarketCapUsd: $maxMarketCapUsd,
    minMarketCapUsd: $minMarketCapUsd, maxRiskScore: $maxRiskScore, excludeFlags: $excludeFlags,
    minHolderGrowth1hPct: $minHolderGrowth1hPct, maxAgeHours: $maxAgeHours },
    sort: $sort, page: $page, limit: $limit) { data: items { ${TOKEN} } total page limit }
}`

/** GET /tokens/{address} */
export const TOKEN_PROFILE = `query Token($address: Address!) {
  answer: token(address: $address) {
    ${TOKEN}
    top_holders: topHolders {
      address holding_pct: holdingPct classification reputation_score: reputationScore net_activity: netActivity
    }
    created_at: createdAt
  }
}`

const CALL = 'call { method params }'

/** GET /tokens/{address}/safety */
export const TOKEN_SAFETY = `query TokenSafety($address: Address!) {
  answer: token(address: $address) {
    address symbol risk_score: riskScore
    sell_check: sellCheck {
      status sellable buyable buy_tax_pct: buyTaxPct sell_tax_pct: sellTaxPct measured_sell_tax_pct: measuredSellTaxPct
      holders_tried: holdersTried holders_blocked: holdersBlocked checked_block: checkedBlock checked_at: checkedAt
      method reason refusal vouch { reason since } ${CALL}
    }
    powers {
      kind text function contract holder holder_kind: holderKind renounced delay_seconds: delaySeconds hidden proven ${CALL}
    }
    findings: contractFindings { name text risk_at_least: riskAtLeast ${CALL} }
    balances_differ: balancesDiffer { asked differ }
    code {
      hash proxy implementation owner admin verified_clone: verifiedClone tokens_with_same_code: tokensWithSameCode
    }
  }
}`

/** GET /wallets/{address} */
export const WALLET_PROFILE = `query Wallet($address: Address!) {
  answer: wallet(address: $address) {
    address classification reputation_score: reputationScore reputation_confidence: reputationConfidence
    portfolio { token_address: tokenAddress token_symbol: tokenSymbol quantity value_usd: valueUsd }
    pnl_estimate_usd: pnlEstimateUsd pnl_confidence: pnlConfidence sector_preference: sectorPreference
    trade_count: tradeCount first_seen: firstSeen
  }
}`

/** GET /wallets/{address}/events */
export const WALLET_EVENTS = `query WalletEvents($address: Address!, $type: EventType, $after: ID, $page: Int, $limit: Int) {
  answer: wallet(address: $address) {
    events(type: $type, after: $after, page: $page, limit: $limit) { data: items { id type ${EVENT} } total page limit }
  }
}`

/** GET /events */
export const EVENTS = `query Events($type: EventType, $tokenAddress: Address, $walletAddress: Address, $since: DateTime,
  $after: ID, $page: Int, $limit: Int) {
  answer: events(type: $type, tokenAddress: $tokenAddress, walletAddress: $walletAddress, since: $since,
    after: $after, page: $page, limit: $limit) { data: items { id type wallet_address: walletAddress ${EVENT} } total page limit }
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
  }
}`

/** POST /alerts */
export const CREATE_ALERT = `mutation CreateAlert($input: CreateAlertInput!) { answer: alertCreate(input: $input) { alert { ${ALERT} } secret } }`

/** GET /alerts */
export const ALERTS = `query Alerts($status: AlertStatus, $page: Int, $limit: Int) {
  answer: alerts(status: $status, page: $page, limit: $limit) {
    data: items { ${ALERT} last_triggered_at: lastTriggeredAt } total page limit
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

/** DELETE /alerts/{id} */
export const DELETE_ALERT = 'mutation DeleteAlert($id: ID!) { answer: alertDelete(id: $id) { deletedId } }'
