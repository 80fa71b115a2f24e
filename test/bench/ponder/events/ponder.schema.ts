// The minimum that an indexer of this chain stores: balances, reserves, trades.
import { index, onchainTable, primaryKey } from 'ponder'

export const balance = onchainTable(
  'balance',
  (t) => ({ token: t.hex().notNull(), holder: t.hex().notNull(), amount: t.bigint().notNull() }),
  (table) => ({
    pk: primaryKey({ columns: [table.token, table.holder] }),
    holders: index().on(table.token, table.amount),
  }),
)
export const pool = onchainTable('pool', (t) => ({
  address: t.hex().primaryKey(),
  reserve0: t.bigint().notNull(),
  reserve1: t.bigint().notNull(),
}))
export const event = onchainTable(
  'event',
  (t) => ({
    id: t.text().primaryKey(),
    type: t.text().notNull(),
    pool: t.hex().notNull(),
    wallet: t.hex().notNull(),
    time: t.bigint().notNull(),
    amount0: t.bigint().notNull(),
    amount1: t.bigint().notNull(),
  }),
  (table) => ({ pools: index().on(table.pool, table.time), wallets: index().on(table.wallet, table.time) }),
)
