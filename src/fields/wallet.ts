// The fields of a wallet, over `wallet w LEFT JOIN wallet_score s`. A new field is a row.
import { entriesOf } from '../base/keys-of.ts'
import { UNSCORED } from '../base/unscored.ts'
import {
  type ConditionOn,
  type ConditionsOfRows,
  type ListCondition,
  listConditions,
  listWords,
  rowsWith,
  type WantedOf,
  WORDS,
} from './field.ts'
import { type NounField, rowsOfNoun, type ShownOf, shownRowsOf } from './noun.ts'

/** Whether a wallet is in a token's sybil cluster: then it is classified as `sybil`, whatever its own score is. */
export const IN_CLUSTER = `w.kind = 'account' AND EXISTS (SELECT FROM token_score c
    WHERE c.cluster_wallet_ids @> ARRAY[w.id] AND c.cluster_wallet_ids <> '{}')`
export const OWN_CLASS = `coalesce(s.classification, CASE w.kind WHEN 'account' THEN 'unknown' ELSE w.kind END)`

const SCORE = { form: 'points', nullable: true, exported: 'null if unknown' } as const

/** The parts of a reputation. */
const WALLET_DIMENSIONS = {
  winRate: {
    form: 'share',
    measured: true,
    sql: 's.win_rate',
    nullable: true,
    text: 'The share of the closed positions that made a profit, 0-1; null without closed positions. Fifty sales of one position count once.',
    exported: 'the share of closed positions with a profit; null without any',
  },
  entryTimingScore: {
    ...SCORE,
    sql: 's.entry_timing_score',
    text: 'How often prices were above those of its buys during the following three days, 0-100; null before one of them is that old.',
  },
  consistencyScore: {
    ...SCORE,
    sql: 's.consistency_score',
    text: 'The share of its weeks that ended with a profit, 0-100; 100 is all of them. Null before the first week with a result.',
  },
  riskDrawdownScore: {
    ...SCORE,
    sql: 's.risk_drawdown_score',
    text: 'How small its deepest loss was compared with its positions, 0-100; 100 is no loss. Null before its first sale.',
  },
} as const satisfies Record<string, NounField>

export const WALLET_FIELDS = {
  address: { form: 'text', sql: 'w.address', exported: 'the address' },
  kind: {
    form: 'text',
    of: 'kinds',
    sql: 'w.kind',
    text: 'The kind of the address.',
    exported: listWords(WORDS.kinds),
    conditions: { kinds: { is: 'any', of: 'kinds', text: 'Only addresses of these kinds.', for: 'all' } },
  },
  classification: {
    form: 'text',
    of: 'classifications',
    sql: `CASE WHEN ${IN_CLUSTER} THEN 'sybil' ELSE ${OWN_CLASS} END`,
    text: 'The behaviour of the wallet; for another address, its kind.',
    exported: 'its class',
    conditions: {
      classifications: {
        is: 'any',
        of: 'classifications',
        text: 'Only wallets classified as one of these.',
        for: 'all',
      },
      excludeClassifications: {
        is: 'none',
        of: 'classifications',
        text: 'Excludes wallets with any of these classes. The default is [rug_puller] for an order by profit without `classifications`; an empty list excludes nobody.',
        for: 'lists',
      },
    },
  },
  sectorPreference: {
    form: 'text',
    sql: `coalesce(s.sector_preference, 'unknown')`,
    text: 'The sector that the wallet trades most, or "unknown". Text, because the set is open, like that of launchpads.',
    exported: 'the launch venue of most of its trades, or `unknown`',
  },
  firstSeen: {
    form: 'time',
    sql: 'w.first_seen_at',
    text: 'The time of the first block with a decoded log or a plain payment that names it.',
    exported: 'the time of the first block that names it',
    rest: true,
  },
  firstSeenBlock: { form: 'whole', sql: 'w.first_seen_block', exported: 'that block' },
  firstFunderAddress: {
    form: 'text',
    sql: '(SELECT f.address FROM wallet f WHERE f.id = w.first_funder_id)',
    exported: 'the wallet that first sent it coins or tokens; null if unknown',
  },
  lastTradeAt: {
    form: 'time',
    sql: 'w.last_trade_at',
    nullable: true,
    text: 'The time of its newest swap; null when it made none.',
    exported: 'the time of its newest swap; null without one',
    rest: true,
    conditions: {
      tradedSince: { is: 'since', text: 'Only wallets that traded at this time or later.', for: 'all' },
    },
  },
  reputationScore: {
    form: 'points',
    sql: `coalesce(s.reputation_score, ${UNSCORED.reputation})`,
    text: 'The composite reputation, 0-100; higher is better.',
    exported: 'higher is better',
    order: 'The reputation; only wallets with a score.',
    conditions: {
      minReputationScore: { is: 'least', text: 'The least reputation, 0-100.', for: 'all', min: 0, max: 100 },
    },
  },
  reputationConfidence: {
    form: 'text',
    of: 'confidence',
    sql: `coalesce(s.confidence, 'low')`,
    text: 'How much evidence the reputation is based on.',
    exported: `its evidence: ${listWords(WORDS.confidence)}`,
    order: 'The confidence of the reputation, then the reputation; only wallets with a score.',
    conditions: {
      minConfidence: { is: 'rank', of: 'confidence', text: 'The least confidence of the reputation.', for: 'all' },
    },
  },
  scoredAt: {
    form: 'time',
    sql: 's.updated_at',
    exported: 'the time of the newest score; null: not scored, the reputation is a prior',
  },
  ...WALLET_DIMENSIONS,
  boughtUsd: { form: 'usd', sql: 'w.bought_usd', exported: 'the money spent on tokens' },
  soldUsd: { form: 'usd', sql: 'w.sold_usd', exported: 'the proceeds of sales' },
  soldKnownUsd: { form: 'usd', sql: 'w.sold_known_usd', exported: 'the part of the proceeds whose cost is known' },
  realisedUsd: {
    form: 'usd',
    sql: 'w.realised_usd',
    exported: 'realised profit',
    order: 'The realised profit in USD.',
    conditions: {
      minRealisedUsd: { is: 'least', text: 'The least realised profit in USD; may be negative.', for: 'all' },
    },
  },
  realisedThisWeekUsd: {
    form: 'usd',
    order: 'The realised profit in USD since Thursday 00:00 UTC; only wallets that sold since then.',
  },
  realisedLastWeekUsd: {
    form: 'usd',
    order: 'The realised profit in USD of the week before; only wallets that sold in it.',
  },
  closedPositionCount: {
    form: 'count',
    sql: 'w.closed_count',
    text: 'How many positions it closed: bought, then sold or sent away except for 5 % at most.',
    exported: 'positions that it closed',
    conditions: {
      minClosedPositionCount: {
        is: 'least',
        text: 'The least number of closed positions, 0 or more.',
        for: 'all',
        min: 0,
        whole: true,
      },
    },
  },
  wonPositionCount: {
    form: 'count',
    sql: 'w.win_count',
    text: 'How many of its closed positions made a profit.',
    exported: 'closed positions with a profit',
  },
  boughtTokenCount: { form: 'count', sql: 'w.bought_token_count', exported: 'tokens that it ever bought' },
  earlyBuyCount: {
    form: 'count',
    sql: 'w.early_buy_count',
    exported: 'first buys among the first 50 buyers of a token',
  },
  snipeCount: { form: 'count', sql: 'w.snipe_count', exported: 'first buys just after the first liquidity' },
  deployedCount: {
    form: 'count',
    sql: 'w.deployed_count',
    text: 'How many indexed tokens it deployed.',
    exported: 'indexed tokens that it deployed',
  },
  pulledCount: {
    form: 'count',
    sql: 'w.pulled_count',
    exported: 'tokens whose liquidity it pulled and did not return',
  },
  eventCount: { form: 'count', sql: 'w.event_count', text: 'How many events it has.', exported: 'its events' },
  tradeCount: {
    form: 'count',
    sql: 'w.swap_count',
    text: 'How many swaps it made.',
    exported: 'swaps',
    order: 'How many swaps it made.',
    conditions: {
      minTradeCount: { is: 'least', text: 'The least number of swaps, 0 or more.', for: 'all', min: 0, whole: true },
    },
  },
  liquidityAddCount: { form: 'count', sql: 'w.liquidity_add_count', exported: 'additions of liquidity' },
  liquidityRemoveCount: { form: 'count', sql: 'w.liquidity_remove_count', exported: 'removals of liquidity' },
  transferCount: { form: 'count', sql: 'w.transfer_count', exported: 'transfers' },
} as const satisfies Record<string, NounField>
type Rows = typeof WALLET_FIELDS
type WalletField = keyof Rows
type With<Part extends object> = { [Name in WalletField]: Rows[Name] extends Part ? Name : never }[WalletField]

export const WALLET_ROWS = rowsOfNoun(WALLET_FIELDS)

export const DIMENSION_ROWS = rowsOfNoun(WALLET_DIMENSIONS)
/** The dimensions of a wallet's reputation; null if unknown. */
export type WalletDimensions = ShownOf<typeof WALLET_DIMENSIONS>

/** The fields that GraphQL shows as they are stored. */
export const SHOWN_WALLET = shownRowsOf(WALLET_FIELDS).filter(([name]) => !(name in WALLET_DIMENSIONS))
export type ShownWallet = Omit<ShownOf<Rows>, keyof WalletDimensions>

/** The numbers by which an order sorts. */
export type WalletMeasure = With<{ order: string }>
export const WALLET_MEASURES = rowsWith<WalletMeasure, NounField>(WALLET_ROWS, ({ order }) => order !== undefined)

/** The fields of REST's list beside the contract's. */
export const REST_WALLET = WALLET_ROWS.filter(([, { rest }]) => rest).map(([name]) => name)

type ConditionsOf = ConditionsOfRows<Rows>
/** The conditions for wallets; a field that is left out sets no condition. Bounds are inclusive. */
export type WalletScreen = { -readonly [Name in keyof ConditionsOf]?: WantedOf<ConditionsOf[Name]> }
type ConditionRow = ConditionOn<WalletField, ListCondition>
export const WALLET_CONDITIONS = listConditions<keyof WalletScreen, ConditionRow>(Object.fromEntries(WALLET_ROWS))
export const WALLET_CONDITION_ROWS = entriesOf<keyof WalletScreen, ConditionRow>(WALLET_CONDITIONS)
