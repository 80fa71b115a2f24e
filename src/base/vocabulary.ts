// The closed sets of words in the API contract. Clients must expect more words in later versions.

export const EVENT_TYPES = ['swap', 'liquidity_add', 'liquidity_remove', 'transfer'] as const
export type EventType = (typeof EVENT_TYPES)[number]
/** The number that `event.type` stores for each type. */
export const EVENT_TYPE_ID: Record<EventType, number> = { swap: 1, liquidity_add: 2, liquidity_remove: 3, transfer: 4 }

/** The number that `link.kind` stores: a link by transfers of the native coin, or of tokens. */
export const LINK_KIND_ID = { native: 1, token: 2 } as const

export const DIRECTIONS = ['buy', 'sell'] as const
export type Direction = (typeof DIRECTIONS)[number]
/** The number that `event.direction` stores for each direction. */
export const DIRECTION_ID: Record<Direction, number> = { buy: 1, sell: 2 }

/** The evidence for the wallet of an event. */
export const ATTRIBUTIONS = ['signer', 'operation', 'settlement', 'venue', 'balances', 'position', 'unknown'] as const
export type Attribution = (typeof ATTRIBUTIONS)[number]
/** The number that `event.attribution` stores; the signer's own is null. */
export const ATTRIBUTION_ID: Record<Attribution, number | null> = {
  signer: null,
  operation: 1,
  settlement: 2,
  venue: 3,
  balances: 4,
  position: 5,
  unknown: 6,
}

export const RISK_FLAGS = [
  'wash_trading',
  'liquidity_pulled',
  'concentrated_ownership',
  'sybil_cluster',
  'smart_money_exiting',
] as const
export type RiskFlag = (typeof RISK_FLAGS)[number]

/** Flags as bits, in the order of `RISK_FLAGS`. */
export const toFlagBits = (flags: readonly RiskFlag[]): number =>
  flags.reduce((bits, flag) => bits | (1 << RISK_FLAGS.indexOf(flag)), 0)

export const TOKEN_SORTS = ['trending', 'newest', 'liquidity', 'volume', 'risk_asc', 'gainers', 'losers'] as const
export type TokenSort = (typeof TOKEN_SORTS)[number]

export const CONFIDENCES = ['low', 'medium', 'high'] as const
export type Confidence = (typeof CONFIDENCES)[number]

export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const
export type RiskLevel = (typeof RISK_LEVELS)[number]

/** The subjects of a token's risk, in the order in which they are added: the contract's four first. */
export const RISK_DIMENSIONS = [
  'liquidity',
  'holders',
  'wash',
  'smart_money',
  'opening',
  'activity',
  'trading',
  'maturity',
  'capability',
] as const
export type RiskDimension = (typeof RISK_DIMENSIONS)[number]

/** The powers over the holders of a token. Only append: stored numbers have a bit for each. */
export const POWER_KINDS = [
  'stop_sales',
  'pause',
  'blacklist',
  'fee',
  'limits',
  'mint',
  'take',
  'upgrade',
  'destroy',
] as const
export type PowerKind = (typeof POWER_KINDS)[number]

/** The findings of a contract check. Only append: stored reports and scores name them. */
export const CONTRACT_FINDINGS = [
  'cannot_sell',
  'balances_gone',
  'extreme_tax',
  'taken_without_approval',
  'nobody_can_buy',
  'late_mint',
  'time_bomb',
  'spends_without_allowance',
  'hidden_power',
  'confiscating_power',
  'high_tax',
  'open_power',
  'hides_from_simulation',
  'answers_differ',
  'few_buyers_sold',
  'run_of_buys',
  'new_buyers_refused',
] as const
export type ContractFinding = (typeof CONTRACT_FINDINGS)[number]

/** The findings that keep a risk score from falling below a number. Only append: stored scores name them. */
export const FLOOR_REASONS = [
  ...RISK_FLAGS,
  'fell_within_a_day',
  'fell_within_a_month',
  'opener_emptied',
  'not_priced',
  'barely_known',
  ...CONTRACT_FINDINGS,
  'young',
  'low_confidence',
  'one_wallet_can_withdraw',
  'withdrawal_unknown',
  'contract_not_checked',
  'pull_likely',
  'recently_higher',
  'deployer_pulled',
] as const
export type FloorReason = (typeof FLOOR_REASONS)[number]

/** The kind of a reason: a danger, a warning, a fact in favour, or neither. */
export const REASON_KINDS = ['danger', 'caution', 'comfort', 'fact'] as const
export type ReasonKind = (typeof REASON_KINDS)[number]

/** The topics of a verdict. */
export const FINDING_TOPICS = ['sale', 'liquidity', 'owner', 'maker', 'holders', 'market', 'age'] as const
export type FindingTopic = (typeof FINDING_TOPICS)[number]

/** The gaps that lower a confidence. Only append: stored scores name them. */
export const CONFIDENCE_GAPS = [
  'few_trades',
  'few_tokens',
  'young',
  'history_before_start_unknown',
  'holders_unknown',
  'traders_unknown',
  'providers_unknown',
  'not_priced',
  'no_trades',
  'transfers_without_cost',
  'left_without_result',
  'unpriced_holdings',
  'contract_not_checked',
  'contract_checked_in_part',
  'pulled_liquidity',
] as const
export type ConfidenceGap = (typeof CONFIDENCE_GAPS)[number]

export const NET_ACTIVITIES = ['accumulating', 'distributing', 'neutral', 'inactive'] as const
export type NetActivity = (typeof NET_ACTIVITIES)[number]

/** The behaviour of a wallet, or the kind of another holder. */
export const CLASSIFICATIONS = [
  'smart_money',
  'early_mover',
  'sniper',
  'whale',
  'rug_puller',
  'liquidity_provider',
  'bot',
  'developer',
  'sybil',
  'retail',
  'contract',
  'unknown',
  'pool',
  'burned',
  'locker',
  'exchange',
  'relayer',
] as const
export type Classification = (typeof CLASSIFICATIONS)[number]

/** The kind of an address, as far as the chain and the preset tell. */
export const WALLET_KINDS = ['account', 'contract', 'pool', 'burned', 'locker', 'exchange'] as const
export type WalletKind = (typeof WALLET_KINDS)[number]

/** What a list says of an address. */
export const LABEL_KINDS = ['exchange', 'bridge', 'fund', 'market_maker', 'mev_bot', 'deployer', 'other'] as const
export type LabelKind = (typeof LABEL_KINDS)[number]
/** Those that act for others, or only move prices: their links and holdings are no owner's. */
export const SERVICE_LABELS: readonly LabelKind[] = ['exchange', 'bridge', 'market_maker', 'mev_bot']

export const ALERT_STATUSES = ['active', 'paused'] as const
export type AlertStatus = (typeof ALERT_STATUSES)[number]

export const PLANS = ['free', 'pro', 'api'] as const
export type Plan = (typeof PLANS)[number]

/** For an unknown launch venue or sector. */
export const UNKNOWN = 'unknown'
