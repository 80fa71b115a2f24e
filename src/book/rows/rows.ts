// The rows of the writer, field by field. Each field has its column, and its form in memory (camelCase, raw amounts as
// bigint, times in seconds since 1970). `fresh` means that the database does not have the row yet.
import { toAddress, toPoolKey, ZERO_ADDRESS } from '../../base/address.ts'
import { numberAt } from '../../base/item-at.ts'
import type { UnitPrices } from '../../base/present.ts'
import { UNKNOWN, type WalletKind } from '../../base/vocabulary.ts'
import type { PoolKind } from '../../chain/event.ts'
import { field, from, parts, type RowField, type RowOf, rowFactory } from '../../database/fields.ts'
import { toSnake } from '../../fields/field.ts'
import { type NullableNumber, STORED_NUMBERS, type StoredNumber } from '../../fields/token.ts'

/** `updatedBlock` of a new row until it is marked as changed. */
const UNTOUCHED = -1

const { bigint, boolean, double, doubles, hash, integer, integers, numeric, orNull, smallint, sparse, text, time } =
  field

/** Event counts: the total at index 0, then by type id (1 swap, 2 liquidity_add, 3 liquidity_remove, 4 transfer). */
export type Counts = [all: number, swap: number, liquidityAdd: number, liquidityRemove: number, transfer: number]

const COUNTS = ['event_count', 'swap_count', 'liquidity_add_count', 'liquidity_remove_count', 'transfer_count']

const counts = (type: 'integer' | 'bigint'): RowField<Counts> => ({
  cells: COUNTS.map((column, at) => ({ column, type, cellOf: (value) => numberAt(value, at) })),
  parse: (raw) => COUNTS.map((column) => raw[column]) as Counts,
  first: [0, 0, 0, 0, 0],
})

/** The address of a manager's pool, and of its shares, is 32 bytes. */
const poolKey = () => text('address', ZERO_ADDRESS, toPoolKey)

/** The numbers of a token that `src/fields` declares. */
const numbers = Object.fromEntries(
  STORED_NUMBERS.map(([name, type, nullable]): [string, RowField<number | null>] => {
    const own = field[type](toSnake(name))
    return [name, nullable ? orNull(own) : (own as RowField<number | null>)]
  }),
) as Record<Exclude<StoredNumber, NullableNumber>, RowField<number>> &
  Record<StoredNumber & NullableNumber, RowField<number | null>>

export const tokenFields = {
  id: integer('id'),
  address: poolKey(),
  kind: text<'erc20' | 'lp'>('kind', 'erc20'),
  indexed: boolean('indexed'),
  name: text('name', ''),
  symbol: text('symbol', ''),
  decimals: orNull(smallint('decimals')),
  supply: numeric('supply'),
  burned: numeric('burned'),
  /**
   * The part of the supply that the contract told and no log did; below zero: the logs made more. Null: it told no
   * supply.
   */
  unlogged: orNull(numeric('unlogged')),
  /** The block at whose end the contract was read last, and its time; null: read by an earlier version. */
  toldBlock: orNull(integer('told_block')),
  toldAt: orNull(time('told_at')),
  /** The balance in the lockers of the preset. */
  locked: numeric('locked'),
  createdAt: time('created_at'),
  createdBlock: integer('created_block'),
  deployerId: orNull(integer('deployer_id')),
  launchpad: text('launchpad', UNKNOWN),
  partial: boolean('partial'),
  poolId: orNull(integer('pool_id')),
  priceUsd: double('price_usd'),
  /** Block time of the last change of its pools. */
  pricedAt: orNull(time('priced_at')),
  /** As above, for the tokens between it and the chain's money: the oldest of them. */
  oldestPricedAt: orNull(time('oldest_priced_at')),
  pullerCount: integer('puller_count'),
  /** How many pools tell the price, their depth together, and the part of all pools' sizes that disagrees, 0-1. */
  pricePoolCount: integer('price_pool_count'),
  depth2PctUsd: double('depth_2pct_usd'),
  priceOutlierShare: double('price_outlier_share'),
  /** The quote of the pool that prices it, and the price in whole tokens of it; null when it has none. */
  quoteId: orNull(integer('quote_id')),
  priceQuote: orNull(double('price_quote')),
  /**
   * The token in which the price is stored, the native coin or a hub, and the price in whole tokens of it; null:
   * dollars.
   */
  unitId: orNull(integer('unit_id')),
  priceUnit: orNull(double('price_unit')),
  /** Whether prices of other tokens are stored in it. */
  isUnit: sparse(boolean('is_unit'), false),
  /**
   * The number of pools from it to the chain's money. It is 1 if that money quotes it, 3 at most, and 0 for the money
   * and without a price.
   */
  priceHops: smallint('price_hops'),
  marketCapUsd: double('market_cap_usd'),
  /** The time of its first pool; null if unknown. */
  listedAt: orNull(time('listed_at')),
  firstLiquidityAt: orNull(time('first_liquidity_at')),
  firstLiquidityBlock: orNull(integer('first_liquidity_block')),
  ...numbers,
  volume24hMicroUsd: numeric('volume_24h_micro_usd'),
  counts: counts('integer'),
  updatedBlock: from(UNTOUCHED, integer('updated_block')),
}

export const poolFields = {
  id: integer('id'),
  address: poolKey(),
  kind: text<PoolKind>('kind', 'v2'),
  factory: text('factory', ZERO_ADDRESS, toAddress),
  launchpad: text('launchpad', UNKNOWN),
  token0Id: integer('token0_id'),
  token1Id: integer('token1_id'),
  /** In hundredths of a basis point; null if it changes from trade to trade. */
  fee: orNull(integer('fee')),
  /** Whether its reserves follow the stable curve x^3 y + y^3 x. */
  stable: boolean('stable'),
  /** The contract that the pool calls around each change; null for none. */
  hooks: orNull(text('hooks', '')),
  /** Its rights, one bit each (chain/exchanges/hooks.ts). */
  hookRights: integer('hook_rights'),
  /** The distance between ticks at which positions may begin and end; null if the fee determines it. */
  tickSpacing: orNull(integer('tick_spacing')),
  baseId: orNull(integer('base_id')),
  quoteId: orNull(integer('quote_id')),
  lpTokenId: integer('lp_token_id'),
  walletId: integer('wallet_id'),
  reserve0: numeric('reserve0'),
  reserve1: numeric('reserve1'),
  sqrtPriceX96: orNull(numeric('sqrt_price_x96')),
  /** V3, V4: the active liquidity at the price; null for V2, and until a log has it. */
  activeLiquidity: orNull(numeric('active_liquidity')),
  price: double('price'),
  /** Dollars that move the price by 2 %. */
  depth2PctUsd: double('depth_2pct_usd'),
  liquidityUsd: double('liquidity_usd'),
  peakLiquidityUsd: double('peak_liquidity_usd'),
  createdAt: time('created_at'),
  createdBlock: integer('created_block'),
  updatedBlock: from(UNTOUCHED, integer('updated_block')),
  /** The wallet that added the first liquidity, and the whole quote tokens; null if unknown or without a quote. */
  openerId: orNull(integer('opener_id')),
  openingQuote: orNull(double('opening_quote')),
  /** Of a launch curve: how many raw tokens it sells before the token graduates; null if unknown. */
  offered: orNull(numeric('offered')),
}

/** The sums over the trades of one token, or of all tokens of a wallet. */
const tradedFields = {
  boughtUsd: double('bought_usd'),
  soldUsd: double('sold_usd'),
  /** The part of `soldUsd` whose cost is known. */
  soldKnownUsd: double('sold_known_usd'),
  realisedUsd: double('realised_usd'),
}

const tradeFields = {
  ...tradedFields,
  /** Closed positions, and those of them with a profit. */
  closedCount: integer('closed_count'),
  winCount: integer('win_count'),
  /** Exits, and those of them with a profit. */
  exitCount: integer('exit_count'),
  exitWinCount: integer('exit_win_count'),
  peakRealisedUsd: double('peak_realised_usd'),
  maxDrawdownUsd: double('max_drawdown_usd'),
}

export const walletFields = {
  id: integer('id'),
  address: text('address', ZERO_ADDRESS, toAddress),
  indexed: boolean('indexed'),
  kind: text<WalletKind>('kind', 'account'),
  /**
   * True: an account for good. It has signed, its code is that of an account, or an entry point called it. False: its code
   * is that of another contract. Null: not known.
   */
  signed: orNull(boolean('signed')),
  /** For how many acts of other accounts it paid. */
  relayedCount: sparse(integer('relayed_count'), 0),
  firstSeenAt: time('first_seen_at'),
  firstSeenBlock: integer('first_seen_block'),
  firstFunderId: orNull(integer('first_funder_id')),
  counts: counts('integer'),
  ...tradeFields,
  closedTokenCount: integer('closed_token_count'),
  boughtTokenCount: integer('bought_token_count'),
  earlyBuyCount: integer('early_buy_count'),
  snipeCount: integer('snipe_count'),
  deployedCount: integer('deployed_count'),
  /** Tokens whose liquidity it pulled. */
  pulledCount: integer('pulled_count'),
  lastTradeAt: orNull(time('last_trade_at')),
  updatedBlock: from(UNTOUCHED, integer('updated_block')),
  /** The time of that block; null: written by a version that did not keep it. */
  updatedAt: orNull(time('updated_at')),
}

const basisFields = {
  /** Whole tokens whose cost is known. */
  costQuantity: double('cost_quantity'),
  costUsd: double('cost_usd'),
  ...tradedFields,
  // Null for the many wallets that never bought.
  /** The largest amount of whole tokens with a known cost since the position was opened; 0: none is open. */
  openQuantity: sparse(double('open_quantity'), 0),
  /** The realised profit since then; null: none yet. */
  openResultUsd: orNull(double('open_result_usd')),
  /** How often a position in the token was closed. */
  closedPositions: sparse(integer('closed_positions'), 0),
  /** The cost of tokens that left without a result: unpriced, or shares of a pool that were given away. */
  leftCostUsd: sparse(double('left_cost_usd'), 0),
  /** The result of the sales since the last buy, which together are one exit; null: none since. */
  exitResultUsd: orNull(double('exit_result_usd')),
}

export const positionFields = {
  tokenId: integer('token_id'),
  walletId: integer('wallet_id'),
  balance: numeric('balance'),
  ...basisFields,
  /** Of pool shares: those whose token came without a cost. */
  freeShares: sparse(double('free_shares'), 0),
  /** Dollars of liquidity of the token that the wallet pulled and did not bring back. */
  pulledUsd: sparse(double('pulled_usd'), 0),
  /** Whether it is one of the holders with a dollar. */
  funded: sparse(boolean('funded'), false),
  buyRank: orNull(integer('buy_rank')),
  firstBuyAt: orNull(time('first_buy_at')),
  openingDays: integers('opening_days'),
  openings: doubles('openings'),
  counts: counts('integer'),
  firstAt: time('first_at'),
  lastAt: time('last_at'),
}

export const eventFields = {
  n: bigint('n'),
  typeN: bigint('type_n'),
  blockNumber: integer('block_number'),
  logIndex: integer('log_index'),
  tokenId: integer('token_id'),
  tokenN: integer('token_n'),
  tokenTypeN: integer('token_type_n'),
  walletId: integer('wallet_id'),
  walletN: integer('wallet_n'),
  walletTypeN: integer('wallet_type_n'),
  poolId: orNull(integer('pool_id')),
  counterpartyId: orNull(integer('counterparty_id')),
  /** Of a transfer to another wallet: its numbers among the recipient's events. */
  counterpartyN: orNull(integer('counterparty_n')),
  counterpartyTypeN: orNull(integer('counterparty_type_n')),
  type: smallint('type'),
  direction: orNull(smallint('direction')),
  quantity: double('quantity'),
  amountUsd: double('amount_usd'),
  time: time('time'),
  txHash: hash('tx_hash'),
  /** The evidence for the wallet, if it is not the signer, and the signer. */
  attribution: orNull(smallint('attribution')),
  signerId: orNull(integer('signer_id')),
  /** Null: the first event of its log, which is usually the only one. */
  part: orNull(smallint('part')),
}

export const tokenBlockFields = {
  blockNumber: integer('block_number'),
  tokenId: integer('token_id'),
  time: time('time'),
  volumeMicroUsd: numeric('volume_micro_usd'),
  /** Of the holders with a dollar. */
  holderDelta: integer('holder_delta'),
}

/** The trading of a token in a period: an hour, five minutes, or a minute. */
export const candleFields = (period: 'hour' | 'slot' | 'minute') => ({
  tokenId: integer('token_id'),
  /** Whole periods since 1970. */
  period: integer(period),
  openUsd: double('open_usd'),
  highUsd: double('high_usd'),
  lowUsd: double('low_usd'),
  closeUsd: double('close_usd'),
  volumeMicroUsd: numeric('volume_micro_usd'),
  buyCount: integer('buy_count'),
  sellCount: integer('sell_count'),
  liquidityUsd: double('liquidity_usd'),
  holderCount: integer('holder_count'),
  /** The parts of the volume that bought and that sold it. Trades that it is the money of have neither side. */
  buyVolumeMicroUsd: numeric('buy_volume_micro_usd'),
  sellVolumeMicroUsd: numeric('sell_volume_micro_usd'),
  /** The quote of the last price, and prices in it; null while it has none. */
  quoteId: orNull(integer('quote_id')),
  openQuote: orNull(double('open_quote')),
  highQuote: orNull(double('high_quote')),
  lowQuote: orNull(double('low_quote')),
  closeQuote: orNull(double('close_quote')),
  /** Whole tokens in circulation at the close; null: not known, or a row of an earlier version. */
  circulating: orNull(double('circulating')),
  /** The market cap at the close; null: not priced, or a row of an earlier version. */
  marketCapUsd: orNull(double('market_cap_usd')),
})

export const poolDayFields = {
  poolId: integer('pool_id'),
  day: integer('day'),
  openQuote: double('open_quote'),
  closeQuote: double('close_quote'),
  keptFraction: from(1, double('kept_fraction')),
  removalCount: integer('removal_count'),
  beforeRemovalQuote: double('before_removal_quote'),
}

export const walletWeekFields = {
  walletId: integer('wallet_id'),
  week: integer('week'),
  realisedUsd: double('realised_usd'),
}

/** What a wallet's sales of a UTC day earned, and the positions that it closed in it. */
export const walletDayFields = {
  walletId: integer('wallet_id'),
  day: integer('day'),
  realisedUsd: double('realised_usd'),
  closedCount: integer('closed_count'),
  winCount: integer('win_count'),
}

export const linkFields = {
  fromId: integer('from_id'),
  toId: integer('to_id'),
  kind: smallint('kind'),
  blockNumber: integer('block_number'),
}

export const tokenLockFields = {
  lockerId: integer('locker_id'),
  /** The lock's id at its locker; for lockers without ids, the day on which the lock ends. */
  number: integer('number'),
  tokenId: integer('token_id'),
  ownerId: orNull(integer('owner_id')),
  amount: numeric('amount'),
  endsAt: time('ends_at'),
}

/** A pool with which a launch venue opened a token, or into which it moved the token. Written once. */
export const launchFields = {
  poolId: integer('pool_id'),
  tokenId: integer('token_id'),
  /** Null: the venue's log names nobody, or moved the token. */
  creatorId: orNull(integer('creator_id')),
  /** The holder of most of the pool's liquidity then; null if unknown. */
  holderId: orNull(integer('holder_id')),
}

/** Whole tokens with a cost, and that cost in dollars. */
const owedCost = (side: 0 | 1) =>
  parts({
    quantity: sparse(double(`owed_cost_quantity${side}`), 0),
    usd: sparse(double(`owed_cost_usd${side}`), 0),
  })

/** A position in ranges, as a token of its manager. */
export const positionTokenFields = {
  /** The manager's wallet, and the token's number there. */
  managerId: integer('manager_id'),
  number: integer('number'),
  ownerId: integer('owner_id'),
  /** Null until its first change of liquidity was seen. */
  poolId: orNull(integer('pool_id')),
  tickLower: orNull(integer('tick_lower')),
  tickUpper: orNull(integer('tick_upper')),
  /** From the changes that were indexed. */
  liquidity: numeric('liquidity'),
  /** Tokens that were removed and not paid out yet. */
  owed0: numeric('owed0'),
  owed1: numeric('owed1'),
  /** The part of them that has a cost. */
  owedCost0: owedCost(0),
  owedCost1: owedCost(1),
  /** The share of the last removal that had a cost in the pool, 0-1; null before. */
  costedShare: orNull(double('costed_share')),
}

/** Shares that a gauge holds for their owner. */
export const stakeFields = {
  gaugeId: integer('gauge_id'),
  ownerId: integer('owner_id'),
  /** The share token. */
  tokenId: integer('token_id'),
  amount: numeric('amount'),
}

/** The newest block: the cursor, the counters and the last ids assigned. */
export const blockFields = {
  number: integer('number'),
  hash: text('hash', ''),
  parentHash: text('parent_hash', ''),
  time: time('time'),
  counts: counts('bigint'),
  tokenCount: integer('token_count'),
  walletCount: integer('wallet_count'),
  lastTokenId: integer('last_token_id'),
  lastWalletId: integer('last_wallet_id'),
  lastPoolId: integer('last_pool_id'),
  /**
   * The tokens in which prices are stored, in the order of their first use, and their prices at the end of the batch.
   */
  units: parts({ ids: integers('unit_ids'), usd: doubles('unit_usd') }) as RowField<unknown> as RowField<UnitPrices>,
}

/** A row that the database may not have yet. */
export interface KeptRow {
  fresh: boolean
}

export interface TokenRecord extends RowOf<typeof tokenFields>, KeptRow {}
export interface PoolRecord extends RowOf<typeof poolFields>, KeptRow {}
export interface WalletRecord extends RowOf<typeof walletFields>, KeptRow {}
export interface PositionRecord extends RowOf<typeof positionFields>, KeptRow {}
export interface CandleRecord extends RowOf<ReturnType<typeof candleFields>>, KeptRow {}
export interface PoolDayRecord extends RowOf<typeof poolDayFields>, KeptRow {}
export interface WalletWeekRecord extends RowOf<typeof walletWeekFields>, KeptRow {}
export interface WalletDayRecord extends RowOf<typeof walletDayFields>, KeptRow {}
export interface TokenLockRecord extends RowOf<typeof tokenLockFields>, KeptRow {}
export interface LaunchRecord extends RowOf<typeof launchFields>, KeptRow {}
export interface PositionTokenRecord extends RowOf<typeof positionTokenFields>, KeptRow {}
export interface StakeRecord extends RowOf<typeof stakeFields>, KeptRow {}
export type EventRecord = RowOf<typeof eventFields>
export type TokenBlockRecord = RowOf<typeof tokenBlockFields>
export type LinkRecord = RowOf<typeof linkFields>
export type BlockRecord = RowOf<typeof blockFields>
export type OwedCost = PositionTokenRecord['owedCost0']
/** The cost of a wallet's holding of a token, and the profit of its sales. */
export type Basis = RowOf<typeof basisFields>
/** The totals over all tokens of a wallet. */
export type TradeRecord = RowOf<typeof tradeFields>

/** A new row of each table. Every row begins as one of these, including rows read from a table. */
export const newToken: () => TokenRecord = rowFactory(tokenFields)
export const newPool: () => PoolRecord = rowFactory(poolFields)
export const newWallet: () => WalletRecord = rowFactory(walletFields)
export const newPosition: () => PositionRecord = rowFactory(positionFields)
export const newCandle: () => CandleRecord = rowFactory(candleFields('hour'))
export const newPoolDay: () => PoolDayRecord = rowFactory(poolDayFields)
export const newWalletWeek: () => WalletWeekRecord = rowFactory(walletWeekFields)
export const newWalletDay: () => WalletDayRecord = rowFactory(walletDayFields)
export const newTokenLock: () => TokenLockRecord = rowFactory(tokenLockFields)
export const newPositionToken: () => PositionTokenRecord = rowFactory(positionTokenFields)
export const newStake: () => StakeRecord = rowFactory(stakeFields)
export const NO_COST: OwedCost = { quantity: 0, usd: 0 }
