// Enums, spelled as in REST. More values may be added later, so a client must accept unknown ones.
import { INTERVALS } from '../../base/interval.ts'
import { recordOf } from '../../base/keys-of.ts'
import {
  ALERT_STATUSES,
  ATTRIBUTIONS,
  CLASSIFICATIONS,
  CONFIDENCE_GAPS,
  CONFIDENCES,
  DIRECTIONS,
  EVENT_TYPES,
  FLOOR_REASONS,
  LABEL_KINDS,
  NET_ACTIVITIES,
  PLANS,
  POWER_KINDS,
  REASON_KINDS,
  RISK_DIMENSIONS,
  RISK_FLAGS,
  RISK_LEVELS,
  WALLET_KINDS,
} from '../../base/vocabulary.ts'
import { byChannel, NOTIFICATION_CHANNELS } from '../../fields/channels.ts'
import { toSnake } from '../../fields/field.ts'
import { ALERT_ROWS } from '../../fields/filter.ts'
import { builder } from './builder.ts'

/** Enum values with a description each, in the order of the words. */
export const described = <T extends string>(
  words: readonly T[],
  texts: Record<T, string>,
): Record<T, { description: string }> => recordOf(words, (word) => ({ description: texts[word] }))

export const EventTypeEnum = builder.enumType('EventType', {
  description: 'The kind of an event.',
  values: described(EVENT_TYPES, {
    swap: 'A token was bought or sold in a pool.',
    liquidity_add: 'Liquidity was added to a pool.',
    liquidity_remove: 'Liquidity was removed from a pool.',
    transfer: 'Tokens were sent from one address to another outside of any trade.',
  }),
})

export const DirectionEnum = builder.enumType('Direction', {
  description: 'The side of a swap, from the view of the wallet.',
  values: described(DIRECTIONS, { buy: 'The token left the pool.', sell: 'The token went into the pool.' }),
})

export const FinalityEnum = builder.enumType('Finality', {
  description: 'Whether a block can still be rolled back.',
  values: described(['final', 'provisional'], {
    final: 'It cannot be rolled back any more.',
    provisional: 'A reorganisation of the chain may still retract it.',
  }),
})

export const SummarySourceEnum = builder.enumType('SummarySource', {
  description: 'The author of a summary.',
  values: described(['facts', 'model'], {
    facts: 'A template, from the facts.',
    model: 'A language model, from a brief of the facts.',
  }),
})

const AttributionEnum = builder.enumType('Attribution', {
  description: 'The evidence for the wallet of an event.',
  values: described(ATTRIBUTIONS, {
    signer: 'The signer of the transaction; of a transfer, the sender.',
    operation:
      'The sender of an operation (ERC-4337), the signer of a request (ERC-2771), or the called account with code; another account signed.',
    settlement: 'The owner of the order that a settlement, or a filler of orders, filled with this trade.',
    balances: 'The account whose balances changed on both sides of the swap; another account signed.',
    venue: 'The account in the log of the launch venue; another account signed.',
    position: 'The holder of the position token, or the contract that owns the liquidity; another account signed.',
    unknown: 'None: nothing names the trader, or the evidence conflicts. The wallet is the called contract.',
  }),
})

export const LabelKindEnum = builder.enumType('LabelKind', {
  description: 'What a list says of an address.',
  values: described(LABEL_KINDS, {
    exchange: 'An exchange that keeps the tokens of its customers.',
    bridge: 'A bridge to another chain.',
    fund: 'A fund or another professional investor.',
    market_maker: 'A market maker.',
    mev_bot: 'A bot that takes the difference between prices, or trades around the trades of others.',
    deployer: 'An account that deploys contracts for others.',
    other: 'Something else; the name says what.',
  }),
})

const FLAG_TEXTS = {
  wash_trading: 'Wallets traded a large share of the volume with themselves.',
  liquidity_pulled: 'Most of the liquidity was removed within a day and has not come back.',
  concentrated_ownership: 'A few holders own most of the supply.',
  sybil_cluster: 'Wallets that belong together hold a large share.',
  smart_money_exiting: 'Wallets of high reputation are selling their holdings.',
}

export const RiskFlagEnum = builder.enumType('RiskFlag', {
  description: 'A pattern that has preceded losses.',
  values: described(RISK_FLAGS, FLAG_TEXTS),
})

export const RiskDimensionEnum = builder.enumType('RiskDimension', {
  description: 'A subject of a risk score.',
  values: described(RISK_DIMENSIONS, {
    liquidity: 'The depth of its pools, and who controls the liquidity.',
    holders: 'How the supply is spread over its holders.',
    wash: 'The share of the volume that wallets traded with themselves.',
    smart_money: 'The trades of wallets of high reputation.',
    opening: 'How its first pool was opened, and by whom.',
    activity: 'The amount of activity.',
    trading: 'The pattern of trades, and the path of the price.',
    maturity: 'The age of the token.',
    capability: 'A table of points for all facts, without a fit: one grave fact costs at most 19 of 100.',
  }),
})

/** 'A finding of a contract check.' */
const CONTRACT_TEXTS = {
  cannot_sell: 'Sampled holders cannot send it to the pool, or a sale one block after a purchase fails.',
  balances_gone: 'Holders have less than a tenth of the balance that their transfers left them.',
  extreme_tax: 'A purchase or a sale loses half or more.',
  taken_without_approval: 'Somebody took tokens of holders without their approval.',
  nobody_can_buy: 'Nobody but insiders can buy it.',
  late_mint: 'Its deployer or owner got mints of half of the supply or more, a day or more after the launch.',
  time_bomb: 'Sales stop by themselves at a later time.',
  spends_without_allowance: 'An insider can spend the tokens of holders without an allowance.',
  hidden_power: 'An account has a power that the contract does not name.',
  confiscating_power: 'An account can take or destroy the tokens of holders.',
  high_tax: 'A purchase or a sale loses a fifth or more.',
  open_power: 'The owner has a named power, such as to pause, to block, or to upgrade.',
  hides_from_simulation: 'The contract behaves differently in a trial than in a real transaction.',
  answers_differ: 'The contract gives two answers to the same question.',
  few_buyers_sold: 'Far fewer buyers ever sold than chance allows.',
  run_of_buys: 'All newest trades are buys, beyond chance.',
  new_buyers_refused: 'Holders that bought within the hour were refused; an honest pause could be the reason.',
} as const

export const ScoreFindingEnum = builder.enumType('ScoreFinding', {
  description: 'A finding that keeps a risk score from falling below a number.',
  values: described(FLOOR_REASONS, {
    ...FLAG_TEXTS,
    fell_within_a_day: 'Most of the price, or of the quote side of its pools, went within a day.',
    fell_within_a_month: 'Little is left of the peak that it had within a month.',
    opener_emptied: 'Whoever opened its first pool emptied most of the other pools that they opened.',
    not_priced: 'Nothing prices it.',
    barely_known: 'It has almost no activity.',
    young: 'Its first liquidity came less than 24 hours ago.',
    low_confidence: 'Too little is known for a low risk.',
    one_wallet_can_withdraw: 'One wallet can withdraw more than half of the liquidity within 30 days.',
    withdrawal_unknown: 'The wallets that can withdraw the liquidity are unknown.',
    deployer_pulled: 'Its deployer, or the opener of a pool, pulled the liquidity of earlier tokens.',
    recently_higher: 'Its level was higher less than 10 minutes ago; a level falls only after that.',
    contract_not_checked: 'No trial of a sale was made yet.',
    pull_likely: 'The model estimates the chance of a pull within 30 days at a tenth or more.',
    ...CONTRACT_TEXTS,
  }),
})

export const PowerKindEnum = builder.enumType('PowerKind', {
  description: 'A power over the holders of a token.',
  values: described(POWER_KINDS, {
    stop_sales: 'Stop sales.',
    pause: 'Pause transfers.',
    blacklist: 'Block single holders.',
    fee: 'Raise the tax of trades.',
    limits: 'Limit what holders may sell.',
    mint: 'Mint new tokens.',
    take: 'Take the tokens of holders.',
    upgrade: 'Replace the contract.',
    destroy: 'Destroy the contract.',
  }),
})

export const AlertConditionEnum = builder.enumType('AlertCondition', {
  description: 'A condition of an alert, spelled as in REST.',
  values: Object.fromEntries(ALERT_ROWS.map(([name, { text }]) => [toSnake(name), { description: text }])),
})

export const ConfidenceGapEnum = builder.enumType('ConfidenceGap', {
  description: 'A gap in the evidence; closing it raises the confidence.',
  values: described(CONFIDENCE_GAPS, {
    contract_not_checked: 'No trial of a sale was made yet.',
    contract_checked_in_part: 'The check of its contract did not finish.',
    few_trades: 'Few swaps; of a wallet, few sales.',
    few_tokens: 'Few tokens whose positions the wallet closed.',
    young: 'The token is young.',
    history_before_start_unknown: 'It is older than the index.',
    holders_unknown: 'Its holders are unknown.',
    traders_unknown: 'Its traders are unknown.',
    providers_unknown: 'The wallets that could withdraw its liquidity are unknown.',
    not_priced: 'Nothing prices it.',
    no_trades: 'The wallet never traded: all its profit comes from liquidity.',
    pulled_liquidity: 'Part of the profit is liquidity that the wallet pulled, the money of others.',
    transfers_without_cost: 'It sold tokens that it received by transfer, at an unknown cost.',
    left_without_result: 'Tokens that it had paid for left it without a known result.',
    unpriced_holdings: 'It holds tokens without a price.',
  }),
})

export const ConfidenceEnum = builder.enumType('Confidence', {
  description: 'How much evidence a number is based on.',
  values: described(CONFIDENCES, { low: 'Little evidence.', medium: 'Some evidence.', high: 'Much evidence.' }),
})

export const RiskLevelEnum = builder.enumType('RiskLevel', {
  description: 'The band that a risk score falls into.',
  values: described(RISK_LEVELS, {
    low: 'The lowest band.',
    medium: 'Above low.',
    high: 'Above medium.',
    critical: 'The highest band.',
  }),
})

export const NetActivityEnum = builder.enumType('NetActivity', {
  description: 'How a holding changed over the past 7 days.',
  values: described(NET_ACTIVITIES, {
    accumulating: 'The holding grew by more than 5 %.',
    distributing: 'The holding shrank by more than 5 %.',
    neutral: 'The holding stayed within 5 %.',
    inactive: 'Almost nothing is left of the holding.',
  }),
})

export const ClassificationEnum = builder.enumType('Classification', {
  description: 'The behaviour of a wallet; for another address, its kind.',
  values: described(CLASSIFICATIONS, {
    smart_money: 'A wallet of high reputation with profits over several tokens.',
    early_mover: 'A wallet that is often among the first buyers of a token.',
    sniper: 'A wallet that buys within seconds of the first liquidity.',
    whale: 'A wallet with a large portfolio, or a large share of a token.',
    rug_puller: 'A wallet that pulled the liquidity of a token, and did not bring it back.',
    liquidity_provider: 'A wallet that mostly adds and removes liquidity.',
    bot: 'A wallet that trades faster or more often than a person does.',
    developer: 'A wallet that deployed or first funded a token.',
    sybil: 'A wallet of a cluster of wallets that act as one.',
    retail: 'A wallet that trades and fits no other class.',
    contract: 'A contract of unknown purpose.',
    unknown: 'A wallet with too few trades to be classified.',
    pool: 'A liquidity pool.',
    burned: 'A burn address, from which nothing can be sent.',
    locker: 'A contract that locks tokens or liquidity for a time.',
    exchange: 'An exchange that holds for its customers.',
    relayer: 'A wallet that pays for what other accounts do more often than it acts itself.',
  }),
})

export const IntervalEnum = builder.enumType('Interval', {
  description: 'The length of an interval of a series.',
  values: described(INTERVALS, {
    m1: 'A minute.',
    m5: 'Five minutes, from :00, :05 and so on.',
    m15: 'A quarter of an hour, from :00, :15, :30 and :45.',
    h1: 'An hour.',
    h4: 'Four hours, from 00:00, 04:00 and so on in UTC.',
    d1: 'A day in UTC.',
  }),
})

const WalletKindEnum = builder.enumType('WalletKind', {
  description: 'The kind of an address, as far as the chain and its preset show.',
  values: described(WALLET_KINDS, {
    account: 'An account with a private key, or an account contract.',
    contract: 'A contract.',
    pool: 'A liquidity pool.',
    burned: 'A burn address, from which nothing can be sent.',
    locker: 'A known locker.',
    exchange: 'A known exchange.',
  }),
})

export const AlertStatusEnum = builder.enumType('AlertStatus', {
  description: 'Whether an alert is active.',
  values: described(ALERT_STATUSES, {
    active: 'The alert sends a message when a token begins to match.',
    paused: 'The alert sends nothing. After it is resumed, it does not report missed matches.',
  }),
})

export const NotificationChannelEnum = builder.enumType('NotificationChannel', {
  description: 'How messages reach the owner of an alert.',
  values: described(
    NOTIFICATION_CHANNELS,
    byChannel(
      { email: 'By mail to the address of the account.', webhook: 'By a signed HTTP request to a URL.' },
      ({ text }) => text,
    ),
  ),
})

export const PlanEnum = builder.enumType('Plan', {
  description: 'The plan of an account.',
  values: described(PLANS, {
    free: 'The free plan.',
    pro: 'The Pro plan.',
    api: 'The API Tier, with limits of its own per account.',
  }),
})

/** The enums of the words that conditions name. */
export const WORD_ENUMS = {
  flags: RiskFlagEnum,
  powers: PowerKindEnum,
  confidence: ConfidenceEnum,
  classifications: ClassificationEnum,
  kinds: WalletKindEnum,
  eventTypes: EventTypeEnum,
  directions: DirectionEnum,
  attributions: AttributionEnum,
} as const

export const ReasonKindEnum = builder.enumType('ReasonKind', {
  description: 'The kind of a reason.',
  values: described(REASON_KINDS, {
    danger: 'A danger for its holders, whatever its points.',
    caution: 'A warning, or an unknown fact.',
    comfort: 'A fact in favour of the token.',
    fact: 'Neither.',
  }),
})
