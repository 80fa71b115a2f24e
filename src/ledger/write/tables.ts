// The columns of the tables that the writer fills, in the order of the migrations, keys first.

import type {
  CandleRecord,
  Counts,
  EventRecord,
  LaunchRecord,
  LinkRecord,
  PoolDayRecord,
  PoolRecord,
  PositionRecord,
  PositionTokenRecord,
  StakeRecord,
  TokenBlockRecord,
  TokenLockRecord,
  TokenRecord,
  WalletRecord,
  WalletWeekRecord,
} from '../../book/rows/rows.ts'
import type { Column } from '../../database/binary-arrays.ts'
import { defineTable } from '../../database/table.ts'

const counts = <Row extends { counts: Counts }>(type: 'integer' | 'bigint'): Column<Row>[] => [
  ['event_count', type, (row) => row.counts[0]],
  ['swap_count', type, (row) => row.counts[1]],
  ['liquidity_add_count', type, (row) => row.counts[2]],
  ['liquidity_remove_count', type, (row) => row.counts[3]],
  ['transfer_count', type, (row) => row.counts[4]],
]

export const tokenTable = defineTable<TokenRecord>('token', 1, [
  ['id', 'integer', (row) => row.id],
  ['address', 'text', (row) => row.address],
  ['kind', 'text', (row) => row.kind],
  ['indexed', 'boolean', (row) => row.indexed],
  ['name', 'text', (row) => row.name],
  ['symbol', 'text', (row) => row.symbol],
  ['decimals', 'smallint', (row) => row.decimals],
  ['supply', 'numeric', (row) => row.supply],
  ['burned', 'numeric', (row) => row.burned],
  ['created_at', 'time', (row) => row.createdAt],
  ['created_block', 'integer', (row) => row.createdBlock],
  ['deployer_id', 'integer', (row) => row.deployerId],
  ['launchpad', 'text', (row) => row.launchpad],
  ['partial', 'boolean', (row) => row.partial],
  ['pool_id', 'integer', (row) => row.poolId],
  ['price_usd', 'double', (row) => row.priceUsd],
  ['quote_id', 'integer', (row) => row.quoteId],
  ['price_quote', 'double', (row) => row.priceQuote],
  ['market_cap_usd', 'double', (row) => row.marketCapUsd],
  ['liquidity_usd', 'double', (row) => row.liquidityUsd],
  ['peak_liquidity_usd', 'double', (row) => row.peakLiquidityUsd],
  ['listed_at', 'time', (row) => row.listedAt],
  ['first_liquidity_at', 'time', (row) => row.firstLiquidityAt],
  ['first_liquidity_block', 'integer', (row) => row.firstLiquidityBlock],
  ['buyer_count', 'integer', (row) => row.buyerCount],
  ['holder_count', 'integer', (row) => row.holderCount],
  ['funded_holder_count', 'integer', (row) => row.fundedHolderCount],
  ['funded_holder_count_1h_ago', 'integer', (row) => row.fundedHolderCount1hAgo],
  ['volume_24h_micro_usd', 'numeric', (row) => row.volume24hMicroUsd],
  ...counts<TokenRecord>('integer'),
  ['updated_block', 'integer', (row) => row.updatedBlock],
  ['locked', 'numeric', (row) => row.locked],
  ['priced_at', 'time', (row) => row.pricedAt],
  ['price_pool_count', 'integer', (row) => row.pricePoolCount],
  ['depth_2pct_usd', 'double', (row) => row.depth2PctUsd],
  ['price_outlier_share', 'double', (row) => row.priceOutlierShare],
  ['unit_id', 'integer', (row) => row.unitId],
  ['price_unit', 'double', (row) => row.priceUnit],
  ['is_unit', 'boolean', (row) => row.isUnit || null],
  ['price_hops', 'smallint', (row) => row.priceHops],
  ['oldest_priced_at', 'time', (row) => row.oldestPricedAt],
])

export const poolTable = defineTable<PoolRecord>('pool', 1, [
  ['id', 'integer', (row) => row.id],
  ['address', 'text', (row) => row.address],
  ['kind', 'text', (row) => row.kind],
  ['factory', 'text', (row) => row.factory],
  ['launchpad', 'text', (row) => row.launchpad],
  ['token0_id', 'integer', (row) => row.token0Id],
  ['token1_id', 'integer', (row) => row.token1Id],
  ['fee', 'integer', (row) => row.fee],
  ['stable', 'boolean', (row) => row.stable],
  ['hooks', 'text', (row) => row.hooks],
  ['hook_rights', 'integer', (row) => row.hookRights],
  ['tick_spacing', 'integer', (row) => row.tickSpacing],
  ['base_id', 'integer', (row) => row.baseId],
  ['quote_id', 'integer', (row) => row.quoteId],
  ['lp_token_id', 'integer', (row) => row.lpTokenId],
  ['wallet_id', 'integer', (row) => row.walletId],
  ['reserve0', 'numeric', (row) => row.reserve0],
  ['reserve1', 'numeric', (row) => row.reserve1],
  ['sqrt_price_x96', 'numeric', (row) => row.sqrtPriceX96],
  ['price', 'double', (row) => row.price],
  ['liquidity_usd', 'double', (row) => row.liquidityUsd],
  ['peak_liquidity_usd', 'double', (row) => row.peakLiquidityUsd],
  ['created_at', 'time', (row) => row.createdAt],
  ['created_block', 'integer', (row) => row.createdBlock],
  ['updated_block', 'integer', (row) => row.updatedBlock],
  ['opener_id', 'integer', (row) => row.openerId],
  ['opening_quote', 'double', (row) => row.openingQuote],
  ['active_liquidity', 'numeric', (row) => row.activeLiquidity],
  ['depth_2pct_usd', 'double', (row) => row.depth2PctUsd],
  ['offered', 'numeric', (row) => row.offered],
])

export const walletTable = defineTable<WalletRecord>('wallet', 1, [
  ['id', 'integer', (row) => row.id],
  ['address', 'text', (row) => row.address],
  ['indexed', 'boolean', (row) => row.indexed],
  ['kind', 'text', (row) => row.kind],
  ['first_seen_at', 'time', (row) => row.firstSeenAt],
  ['first_seen_block', 'integer', (row) => row.firstSeenBlock],
  ['first_funder_id', 'integer', (row) => row.firstFunderId],
  ...counts<WalletRecord>('integer'),
  ['bought_usd', 'double', (row) => row.boughtUsd],
  ['sold_usd', 'double', (row) => row.soldUsd],
  ['sold_known_usd', 'double', (row) => row.soldKnownUsd],
  ['realised_usd', 'double', (row) => row.realisedUsd],
  ['closed_count', 'integer', (row) => row.closedCount],
  ['win_count', 'integer', (row) => row.winCount],
  ['peak_realised_usd', 'double', (row) => row.peakRealisedUsd],
  ['max_drawdown_usd', 'double', (row) => row.maxDrawdownUsd],
  ['closed_token_count', 'integer', (row) => row.closedTokenCount],
  ['bought_token_count', 'integer', (row) => row.boughtTokenCount],
  ['early_buy_count', 'integer', (row) => row.earlyBuyCount],
  ['snipe_count', 'integer', (row) => row.snipeCount],
  ['deployed_count', 'integer', (row) => row.deployedCount],
  ['last_trade_at', 'time', (row) => row.lastTradeAt],
  ['updated_block', 'integer', (row) => row.updatedBlock],
  ['exit_count', 'integer', (row) => row.exitCount],
  ['exit_win_count', 'integer', (row) => row.exitWinCount],
  ['pulled_count', 'integer', (row) => row.pulledCount],
  ['updated_at', 'time', (row) => row.updatedAt],
])

export const positionTable = defineTable<PositionRecord>('position', 2, [
  ['token_id', 'integer', (row) => row.tokenId],
  ['wallet_id', 'integer', (row) => row.walletId],
  ['balance', 'numeric', (row) => row.balance],
  ['cost_quantity', 'double', (row) => row.costQuantity],
  ['cost_usd', 'double', (row) => row.costUsd],
  ['bought_usd', 'double', (row) => row.boughtUsd],
  ['sold_usd', 'double', (row) => row.soldUsd],
  ['sold_known_usd', 'double', (row) => row.soldKnownUsd],
  ['realised_usd', 'double', (row) => row.realisedUsd],
  ['buy_rank', 'integer', (row) => row.buyRank],
  ['first_buy_at', 'time', (row) => row.firstBuyAt],
  ['opening_days', 'integers', (row) => row.openingDays],
  ['openings', 'doubles', (row) => row.openings],
  ...counts<PositionRecord>('integer'),
  ['first_at', 'time', (row) => row.firstAt],
  ['last_at', 'time', (row) => row.lastAt],
  // Null for the many who never bought: a null takes no room in a row.
  ['open_quantity', 'double', (row) => row.openQuantity || null],
  ['open_result_usd', 'double', (row) => row.openResultUsd],
  ['closed_positions', 'integer', (row) => row.closedPositions || null],
  ['exit_result_usd', 'double', (row) => row.exitResultUsd],
  ['left_cost_usd', 'double', (row) => row.leftCostUsd || null],
  ['free_shares', 'double', (row) => row.freeShares || null],
  ['funded', 'boolean', (row) => row.funded || null],
  ['pulled_usd', 'double', (row) => row.pulledUsd || null],
])

export const eventTable = defineTable<EventRecord>('event', 1, [
  ['n', 'bigint', (row) => row.n],
  ['type_n', 'bigint', (row) => row.typeN],
  ['block_number', 'integer', (row) => row.blockNumber],
  ['log_index', 'integer', (row) => row.logIndex],
  ['token_id', 'integer', (row) => row.tokenId],
  ['token_n', 'integer', (row) => row.tokenN],
  ['token_type_n', 'integer', (row) => row.tokenTypeN],
  ['wallet_id', 'integer', (row) => row.walletId],
  ['wallet_n', 'integer', (row) => row.walletN],
  ['wallet_type_n', 'integer', (row) => row.walletTypeN],
  ['pool_id', 'integer', (row) => row.poolId],
  ['counterparty_id', 'integer', (row) => row.counterpartyId],
  ['type', 'smallint', (row) => row.type],
  ['direction', 'smallint', (row) => row.direction],
  ['quantity', 'double', (row) => row.quantity],
  ['amount_usd', 'double', (row) => row.amountUsd],
  ['time', 'time', (row) => row.time],
  ['tx_hash', 'hash', (row) => row.txHash],
  ['counterparty_n', 'integer', (row) => row.counterpartyN],
  ['counterparty_type_n', 'integer', (row) => row.counterpartyTypeN],
  ['part', 'smallint', (row) => row.part],
  ['attribution', 'smallint', (row) => row.attribution],
  ['signer_id', 'integer', (row) => row.signerId],
])

export const tokenBlockTable = defineTable<TokenBlockRecord>('token_block', 2, [
  ['block_number', 'integer', (row) => row.blockNumber],
  ['token_id', 'integer', (row) => row.tokenId],
  ['time', 'time', (row) => row.time],
  ['volume_micro_usd', 'numeric', (row) => row.volumeMicroUsd],
  ['holder_delta', 'integer', (row) => row.holderDelta],
])

/** Candles of one length: hours, or five minutes. */
const candles = (name: string, period: string) =>
  defineTable<CandleRecord>(name, 2, [
    ['token_id', 'integer', (row) => row.tokenId],
    [period, 'integer', (row) => row.period],
    ['open_usd', 'double', (row) => row.openUsd],
    ['high_usd', 'double', (row) => row.highUsd],
    ['low_usd', 'double', (row) => row.lowUsd],
    ['close_usd', 'double', (row) => row.closeUsd],
    ['volume_micro_usd', 'numeric', (row) => row.volumeMicroUsd],
    ['buy_count', 'integer', (row) => row.buyCount],
    ['sell_count', 'integer', (row) => row.sellCount],
    ['liquidity_usd', 'double', (row) => row.liquidityUsd],
    ['holder_count', 'integer', (row) => row.holderCount],
    ['quote_id', 'integer', (row) => row.quoteId],
    ['open_quote', 'double', (row) => row.openQuote],
    ['high_quote', 'double', (row) => row.highQuote],
    ['low_quote', 'double', (row) => row.lowQuote],
    ['close_quote', 'double', (row) => row.closeQuote],
  ])

export const tokenHourTable = candles('token_hour', 'hour')
export const tokenFiveMinutesTable = candles('token_five_minutes', 'slot')

export const poolDayTable = defineTable<PoolDayRecord>('pool_day', 2, [
  ['pool_id', 'integer', (row) => row.poolId],
  ['day', 'integer', (row) => row.day],
  ['open_quote', 'double', (row) => row.openQuote],
  ['close_quote', 'double', (row) => row.closeQuote],
  ['kept_fraction', 'double', (row) => row.keptFraction],
  ['removal_count', 'integer', (row) => row.removalCount],
  ['before_removal_quote', 'double', (row) => row.beforeRemovalQuote],
])

export const tokenLockTable = defineTable<TokenLockRecord>('token_lock', 3, [
  ['locker_id', 'integer', (row) => row.lockerId],
  ['number', 'integer', (row) => row.number],
  ['token_id', 'integer', (row) => row.tokenId],
  ['owner_id', 'integer', (row) => row.ownerId],
  ['amount', 'numeric', (row) => row.amount],
  ['ends_at', 'time', (row) => row.endsAt],
])

export const positionTokenTable = defineTable<PositionTokenRecord>('position_token', 2, [
  ['manager_id', 'integer', (row) => row.managerId],
  ['number', 'integer', (row) => row.number],
  ['owner_id', 'integer', (row) => row.ownerId],
  ['pool_id', 'integer', (row) => row.poolId],
  ['tick_lower', 'integer', (row) => row.tickLower],
  ['tick_upper', 'integer', (row) => row.tickUpper],
  ['liquidity', 'numeric', (row) => row.liquidity],
  ['owed0', 'numeric', (row) => row.owed0],
  ['owed1', 'numeric', (row) => row.owed1],
  ['owed_cost_quantity0', 'double', (row) => row.owedCost0.quantity || null],
  ['owed_cost_usd0', 'double', (row) => row.owedCost0.usd || null],
  ['owed_cost_quantity1', 'double', (row) => row.owedCost1.quantity || null],
  ['owed_cost_usd1', 'double', (row) => row.owedCost1.usd || null],
  ['costed_share', 'double', (row) => row.costedShare],
])

export const stakeTable = defineTable<StakeRecord>('stake', 3, [
  ['gauge_id', 'integer', (row) => row.gaugeId],
  ['owner_id', 'integer', (row) => row.ownerId],
  ['token_id', 'integer', (row) => row.tokenId],
  ['amount', 'numeric', (row) => row.amount],
])

export const launchTable = defineTable<LaunchRecord>('launch', 1, [
  ['pool_id', 'integer', (row) => row.poolId],
  ['token_id', 'integer', (row) => row.tokenId],
  ['creator_id', 'integer', (row) => row.creatorId],
  ['holder_id', 'integer', (row) => row.holderId],
])

export const walletWeekTable = defineTable<WalletWeekRecord>('wallet_week', 2, [
  ['wallet_id', 'integer', (row) => row.walletId],
  ['week', 'integer', (row) => row.week],
  ['realised_usd', 'double', (row) => row.realisedUsd],
])

/** Columns of `link`. It has no table definition: it is written with ON CONFLICT DO NOTHING, since only a first transfer counts. */
export const linkColumns: readonly Column<LinkRecord>[] = [
  ['from_id', 'integer', (row) => row.fromId],
  ['to_id', 'integer', (row) => row.toId],
  ['kind', 'smallint', (row) => row.kind],
  ['block_number', 'integer', (row) => row.blockNumber],
]
