// Makes the book's rows out of rows that pg read: columns in snake_case, `numeric` as text, times as seconds since 1970.
import { type Address, toAddress, toPoolKey } from '../../base/address.ts'
import type { WalletKind } from '../../base/vocabulary.ts'
import type {
  CandleRecord,
  Counts,
  PoolDayRecord,
  PoolRecord,
  PositionRecord,
  PositionTokenRecord,
  StakeRecord,
  TokenLockRecord,
  TokenRecord,
  WalletRecord,
  WalletWeekRecord,
} from '../../book/rows/rows.ts'

/** A row as pg returns it. */
export type Raw = { [column: string]: unknown }

/** The counters of events: all, then by type. */
export const toCounts = (raw: Raw): Counts => [
  raw.event_count as number,
  raw.swap_count as number,
  raw.liquidity_add_count as number,
  raw.liquidity_remove_count as number,
  raw.transfer_count as number,
]

const address = (value: unknown): Address => toAddress(value as string)
/** Of a pool that a manager holds, and of its shares, the address is 32 bytes. */
const poolKey = (value: unknown): Address => toPoolKey(value as string)

/** A row of `token`. */
export const toToken = (raw: Raw): TokenRecord => ({
  fresh: false,
  id: raw.id as number,
  address: poolKey(raw.address),
  kind: raw.kind as TokenRecord['kind'],
  indexed: raw.indexed as boolean,
  name: raw.name as string,
  symbol: raw.symbol as string,
  decimals: raw.decimals as number | null,
  supply: BigInt(raw.supply as string),
  burned: BigInt(raw.burned as string),
  locked: BigInt(raw.locked as string),
  createdAt: raw.created_at as number,
  createdBlock: raw.created_block as number,
  deployerId: raw.deployer_id as number | null,
  launchpad: raw.launchpad as string,
  partial: raw.partial as boolean,
  poolId: raw.pool_id as number | null,
  priceUsd: raw.price_usd as number,
  pricedAt: raw.priced_at as number | null,
  oldestPricedAt: raw.oldest_priced_at as number | null,
  pricePoolCount: raw.price_pool_count as number,
  depth2PctUsd: raw.depth_2pct_usd as number,
  priceOutlierShare: raw.price_outlier_share as number,
  quoteId: raw.quote_id as number | null,
  priceQuote: raw.price_quote as number | null,
  unitId: raw.unit_id as number | null,
  priceUnit: raw.price_unit as number | null,
  isUnit: raw.is_unit === true,
  priceHops: raw.price_hops as number,
  marketCapUsd: raw.market_cap_usd as number,
  liquidityUsd: raw.liquidity_usd as number,
  peakLiquidityUsd: raw.peak_liquidity_usd as number,
  listedAt: raw.listed_at as number | null,
  firstLiquidityAt: raw.first_liquidity_at as number | null,
  firstLiquidityBlock: raw.first_liquidity_block as number | null,
  buyerCount: raw.buyer_count as number,
  holderCount: raw.holder_count as number,
  fundedHolderCount: raw.funded_holder_count as number,
  fundedHolderCount1hAgo: raw.funded_holder_count_1h_ago as number,
  volume24hMicroUsd: BigInt(raw.volume_24h_micro_usd as string),
  counts: toCounts(raw),
  updatedBlock: raw.updated_block as number,
})

/** A row of `pool`. */
export const toPool = (raw: Raw): PoolRecord => ({
  fresh: false,
  id: raw.id as number,
  address: poolKey(raw.address),
  kind: raw.kind as PoolRecord['kind'],
  factory: address(raw.factory),
  launchpad: raw.launchpad as string,
  token0Id: raw.token0_id as number,
  token1Id: raw.token1_id as number,
  fee: raw.fee as number | null,
  stable: raw.stable as boolean,
  hooks: raw.hooks as string | null,
  hookRights: raw.hook_rights as number,
  tickSpacing: raw.tick_spacing as number | null,
  baseId: raw.base_id as number | null,
  quoteId: raw.quote_id as number | null,
  lpTokenId: raw.lp_token_id as number,
  walletId: raw.wallet_id as number,
  reserve0: BigInt(raw.reserve0 as string),
  reserve1: BigInt(raw.reserve1 as string),
  sqrtPriceX96: raw.sqrt_price_x96 === null ? null : BigInt(raw.sqrt_price_x96 as string),
  activeLiquidity: raw.active_liquidity === null ? null : BigInt(raw.active_liquidity as string),
  price: raw.price as number,
  depth2PctUsd: raw.depth_2pct_usd as number,
  liquidityUsd: raw.liquidity_usd as number,
  peakLiquidityUsd: raw.peak_liquidity_usd as number,
  createdAt: raw.created_at as number,
  createdBlock: raw.created_block as number,
  updatedBlock: raw.updated_block as number,
  openerId: raw.opener_id as number | null,
  openingQuote: raw.opening_quote as number | null,
  offered: raw.offered === null ? null : BigInt(raw.offered as string),
})

/** A row of `wallet`. */
export const toWallet = (raw: Raw): WalletRecord => ({
  fresh: false,
  id: raw.id as number,
  address: address(raw.address),
  indexed: raw.indexed as boolean,
  kind: raw.kind as WalletKind,
  firstSeenAt: raw.first_seen_at as number,
  firstSeenBlock: raw.first_seen_block as number,
  firstFunderId: raw.first_funder_id as number | null,
  counts: toCounts(raw),
  boughtUsd: raw.bought_usd as number,
  soldUsd: raw.sold_usd as number,
  soldKnownUsd: raw.sold_known_usd as number,
  realisedUsd: raw.realised_usd as number,
  closedCount: raw.closed_count as number,
  winCount: raw.win_count as number,
  exitCount: raw.exit_count as number,
  exitWinCount: raw.exit_win_count as number,
  peakRealisedUsd: raw.peak_realised_usd as number,
  maxDrawdownUsd: raw.max_drawdown_usd as number,
  closedTokenCount: raw.closed_token_count as number,
  boughtTokenCount: raw.bought_token_count as number,
  earlyBuyCount: raw.early_buy_count as number,
  snipeCount: raw.snipe_count as number,
  deployedCount: raw.deployed_count as number,
  pulledCount: raw.pulled_count as number,
  lastTradeAt: raw.last_trade_at as number | null,
  updatedBlock: raw.updated_block as number,
  updatedAt: raw.updated_at as number | null,
})

/** A row of `position`. */
export const toPosition = (raw: Raw): PositionRecord => ({
  fresh: false,
  tokenId: raw.token_id as number,
  walletId: raw.wallet_id as number,
  balance: BigInt(raw.balance as string),
  costQuantity: raw.cost_quantity as number,
  costUsd: raw.cost_usd as number,
  boughtUsd: raw.bought_usd as number,
  soldUsd: raw.sold_usd as number,
  soldKnownUsd: raw.sold_known_usd as number,
  realisedUsd: raw.realised_usd as number,
  openQuantity: (raw.open_quantity as number | null) ?? 0,
  openResultUsd: raw.open_result_usd as number | null,
  closedPositions: (raw.closed_positions as number | null) ?? 0,
  exitResultUsd: raw.exit_result_usd as number | null,
  leftCostUsd: (raw.left_cost_usd as number | null) ?? 0,
  freeShares: (raw.free_shares as number | null) ?? 0,
  funded: raw.funded === true,
  pulledUsd: (raw.pulled_usd as number | null) ?? 0,
  buyRank: raw.buy_rank as number | null,
  firstBuyAt: raw.first_buy_at as number | null,
  openingDays: raw.opening_days as number[],
  openings: raw.openings as number[],
  counts: toCounts(raw),
  firstAt: raw.first_at as number,
  lastAt: raw.last_at as number,
})

/** A row of `token_hour` or `token_five_minutes`. */
export const toCandle = (raw: Raw): CandleRecord => ({
  fresh: false,
  tokenId: raw.token_id as number,
  period: (raw.hour ?? raw.slot) as number,
  openUsd: raw.open_usd as number,
  highUsd: raw.high_usd as number,
  lowUsd: raw.low_usd as number,
  closeUsd: raw.close_usd as number,
  volumeMicroUsd: BigInt(raw.volume_micro_usd as string),
  buyCount: raw.buy_count as number,
  sellCount: raw.sell_count as number,
  liquidityUsd: raw.liquidity_usd as number,
  holderCount: raw.holder_count as number,
  quoteId: raw.quote_id as number | null,
  openQuote: raw.open_quote as number | null,
  highQuote: raw.high_quote as number | null,
  lowQuote: raw.low_quote as number | null,
  closeQuote: raw.close_quote as number | null,
})

/** A row of `pool_day`. */
export const toDay = (raw: Raw): PoolDayRecord => ({
  fresh: false,
  poolId: raw.pool_id as number,
  day: raw.day as number,
  openQuote: raw.open_quote as number,
  closeQuote: raw.close_quote as number,
  keptFraction: raw.kept_fraction as number,
  removalCount: raw.removal_count as number,
  beforeRemovalQuote: raw.before_removal_quote as number,
})

/** A row of `token_lock`. */
export const toLock = (raw: Raw): TokenLockRecord => ({
  fresh: false,
  lockerId: raw.locker_id as number,
  number: raw.number as number,
  tokenId: raw.token_id as number,
  ownerId: raw.owner_id as number | null,
  amount: BigInt(raw.amount as string),
  endsAt: raw.ends_at as number,
})

/** A row of `position_token`. */
export const toPositionToken = (raw: Raw): PositionTokenRecord => ({
  fresh: false,
  managerId: raw.manager_id as number,
  number: raw.number as number,
  ownerId: raw.owner_id as number,
  poolId: raw.pool_id as number | null,
  tickLower: raw.tick_lower as number | null,
  tickUpper: raw.tick_upper as number | null,
  liquidity: BigInt(raw.liquidity as string),
  owed0: BigInt(raw.owed0 as string),
  owed1: BigInt(raw.owed1 as string),
  owedCost0: {
    quantity: (raw.owed_cost_quantity0 as number | null) ?? 0,
    usd: (raw.owed_cost_usd0 as number | null) ?? 0,
  },
  owedCost1: {
    quantity: (raw.owed_cost_quantity1 as number | null) ?? 0,
    usd: (raw.owed_cost_usd1 as number | null) ?? 0,
  },
  costedShare: raw.costed_share as number | null,
})

/** A row of `stake`. */
export const toStake = (raw: Raw): StakeRecord => ({
  fresh: false,
  gaugeId: raw.gauge_id as number,
  ownerId: raw.owner_id as number,
  tokenId: raw.token_id as number,
  amount: BigInt(raw.amount as string),
})

/** A row of `wallet_week`. */
export const toWeek = (raw: Raw): WalletWeekRecord => ({
  fresh: false,
  walletId: raw.wallet_id as number,
  week: raw.week as number,
  realisedUsd: raw.realised_usd as number,
})
