// Pools: where a token trades.
import { MAX_LOCKS } from '../ledger/held-locks.ts'
import { builder } from './builder.ts'
import { listOf } from './list-size.ts'
import { limitArgs } from './page.ts'
import { readLimit } from './page-arguments.ts'
import { PoolObject, TokenLockObject, TokenObject } from './refs.ts'

/** Locks that are listed unless asked otherwise. */
const LOCKS = 10

builder.prismaObjectFields(PoolObject, (t) => ({
  address: t.expose('address', { type: 'Address', description: 'The address of the pool contract.' }),
  kind: t.exposeString('kind', { description: 'The kind of pool: "v2" or "v3".' }),
  factory: t.expose('factory', { type: 'Address', description: 'The factory that made it.' }),
  launchpad: t.exposeString('launchpad', { description: 'The launch venue that the factory belongs to.' }),
  feePct: t.float({ description: 'The fee of a trade in percent.', resolve: (pool) => pool.feePct }),
  priceInQuote: t.float({
    description: 'Whole tokens of the quote side for one whole token of the base side.',
    resolve: (pool) => pool.priceInQuote,
  }),
  liquidityUsd: t.exposeFloat('liquidityUsd', { description: 'Its liquidity in USD, twice the quote side.' }),
  peakLiquidityUsd: t.exposeFloat('peakLiquidityUsd', {
    description: 'The most liquidity that it ever had, in USD.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time at which it was created.' }),
  base: t.field({
    type: TokenObject,
    nullable: true,
    description: 'The token that its events are about; null when it is not indexed, or neither side is a quote.',
    resolve: (pool, _, { loaders }) => (pool.baseId === null ? null : loaders.tokenById.load(pool.baseId)),
  }),
  quote: t.field({
    type: TokenObject,
    nullable: true,
    description: 'The token that it is priced in; null when it is not indexed, or neither side is a quote.',
    resolve: (pool, _, { loaders }) => (pool.quoteId === null ? null : loaders.tokenById.load(pool.quoteId)),
  }),
  locks: t.field({
    type: [TokenLockObject],
    description:
      'The locks of its shares that the logs of known lockers tell of, the soonest to end first. What such a locker holds beyond them has an unknown end.',
    args: limitArgs(LOCKS, MAX_LOCKS),
    extensions: listOf('limit', MAX_LOCKS),
    resolve: (pool, { limit }, { lists }) =>
      lists.locks.load({ id: pool.lpTokenId, limit: readLimit(limit, LOCKS, MAX_LOCKS) }),
  }),
}))
