// What Assay derives while it indexes, as a user of Ponder would store it. Not included, although Assay has them:
// scores, flags, summaries, trailing windows, opening balances of the day, native payments as links, and running
// numbers for paging.
import { index, onchainTable, primaryKey } from 'ponder'

export const token = onchainTable(
  'token',
  (t) => ({
    address: t.hex().primaryKey(),
    name: t.text().notNull(),
    symbol: t.text().notNull(),
    decimals: t.integer().notNull(),
    supply: t.bigint().notNull(),
    burned: t.bigint().notNull(),
    holderCount: t.integer().notNull(),
    deployer: t.hex(),
    pool: t.hex(),
    priced: t.boolean().notNull(),
    priceUsd: t.doublePrecision().notNull(),
    marketCapUsd: t.doublePrecision().notNull(),
    liquidityUsd: t.doublePrecision().notNull(),
    peakLiquidityUsd: t.doublePrecision().notNull(),
    firstLiquidityAt: t.bigint(),
    firstLiquidityBlock: t.bigint(),
    buyerCount: t.integer().notNull(),
    eventCount: t.integer().notNull(),
    swapCount: t.integer().notNull(),
    liquidityAddCount: t.integer().notNull(),
    liquidityRemoveCount: t.integer().notNull(),
    transferCount: t.integer().notNull(),
  }),
  (table) => ({ liquidity: index().on(table.liquidityUsd), marketCap: index().on(table.marketCapUsd) }),
)

export const pool = onchainTable(
  'pool',
  (t) => ({
    address: t.hex().primaryKey(),
    token0: t.hex().notNull(),
    token1: t.hex().notNull(),
    base: t.hex(),
    quote: t.hex(),
    reserve0: t.bigint().notNull(),
    reserve1: t.bigint().notNull(),
    price: t.doublePrecision().notNull(),
    liquidityUsd: t.doublePrecision().notNull(),
    peakLiquidityUsd: t.doublePrecision().notNull(),
    createdAt: t.bigint().notNull(),
  }),
  (table) => ({ base: index().on(table.base) }),
)

export const wallet = onchainTable('wallet', (t) => ({
  address: t.hex().primaryKey(),
  firstSeenAt: t.bigint().notNull(),
  firstFunder: t.hex(),
  eventCount: t.integer().notNull(),
  swapCount: t.integer().notNull(),
  liquidityAddCount: t.integer().notNull(),
  liquidityRemoveCount: t.integer().notNull(),
  transferCount: t.integer().notNull(),
  boughtUsd: t.doublePrecision().notNull(),
  soldUsd: t.doublePrecision().notNull(),
  soldKnownUsd: t.doublePrecision().notNull(),
  realisedUsd: t.doublePrecision().notNull(),
  closedCount: t.integer().notNull(),
  winCount: t.integer().notNull(),
  peakRealisedUsd: t.doublePrecision().notNull(),
  maxDrawdownUsd: t.doublePrecision().notNull(),
  closedTokenCount: t.integer().notNull(),
  boughtTokenCount: t.integer().notNull(),
  earlyBuyCount: t.integer().notNull(),
  snipeCount: t.integer().notNull(),
  lastTradeAt: t.bigint(),
}))

export const position = onchainTable(
  'position',
  (t) => ({
    token: t.hex().notNull(),
    wallet: t.hex().notNull(),
    balance: t.bigint().notNull(),
    costQuantity: t.doublePrecision().notNull(),
    costUsd: t.doublePrecision().notNull(),
    boughtUsd: t.doublePrecision().notNull(),
    soldUsd: t.doublePrecision().notNull(),
    soldKnownUsd: t.doublePrecision().notNull(),
    realisedUsd: t.doublePrecision().notNull(),
    buyRank: t.integer(),
    firstBuyAt: t.bigint(),
    eventCount: t.integer().notNull(),
    swapCount: t.integer().notNull(),
    liquidityAddCount: t.integer().notNull(),
    liquidityRemoveCount: t.integer().notNull(),
    transferCount: t.integer().notNull(),
    firstAt: t.bigint().notNull(),
    lastAt: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.token, table.wallet] }),
    holders: index().on(table.token, table.balance),
    wallets: index().on(table.wallet),
  }),
)

export const event = onchainTable(
  'event',
  (t) => ({
    id: t.text().primaryKey(),
    type: t.text().notNull(),
    direction: t.text(),
    token: t.hex().notNull(),
    wallet: t.hex().notNull(),
    counterparty: t.hex(),
    pool: t.hex(),
    quantity: t.doublePrecision().notNull(),
    amountUsd: t.doublePrecision().notNull(),
    time: t.bigint().notNull(),
    block: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    txHash: t.hex().notNull(),
  }),
  (table) => ({
    tokens: index().on(table.token, table.time),
    wallets: index().on(table.wallet, table.time),
    types: index().on(table.type, table.time),
  }),
)

export const tokenHour = onchainTable(
  'token_hour',
  (t) => ({
    token: t.hex().notNull(),
    hour: t.bigint().notNull(),
    openUsd: t.doublePrecision().notNull(),
    highUsd: t.doublePrecision().notNull(),
    lowUsd: t.doublePrecision().notNull(),
    closeUsd: t.doublePrecision().notNull(),
    volumeUsd: t.doublePrecision().notNull(),
    buyCount: t.integer().notNull(),
    sellCount: t.integer().notNull(),
    liquidityUsd: t.doublePrecision().notNull(),
    holderCount: t.integer().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.token, table.hour] }) }),
)

export const poolDay = onchainTable(
  'pool_day',
  (t) => ({
    pool: t.hex().notNull(),
    day: t.bigint().notNull(),
    openQuote: t.doublePrecision().notNull(),
    closeQuote: t.doublePrecision().notNull(),
    keptFraction: t.doublePrecision().notNull(),
    removalCount: t.integer().notNull(),
    beforeRemovalQuote: t.doublePrecision().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.pool, table.day] }) }),
)

export const walletWeek = onchainTable(
  'wallet_week',
  (t) => ({ wallet: t.hex().notNull(), week: t.bigint().notNull(), realisedUsd: t.doublePrecision().notNull() }),
  (table) => ({ pk: primaryKey({ columns: [table.wallet, table.week] }) }),
)

export const link = onchainTable(
  'link',
  (t) => ({ from: t.hex().notNull(), to: t.hex().notNull(), block: t.bigint().notNull() }),
  (table) => ({ pk: primaryKey({ columns: [table.from, table.to] }) }),
)
