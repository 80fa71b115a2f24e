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
  address: t.expose('address', { type: 'Address' }),
  kind: t.exposeString('kind'),
  factory: t.expose('factory', { type: 'Address' }),
  launchpad: t.exposeString('launchpad'),
  feePct: t.float({ description: 'The fee of a trade in percent.', resolve: (pool) => pool.feePct }),
  priceInQuote: t.float({
    description: 'Whole tokens of the quote side for one whole token of the base side.',
    resolve: (pool) => pool.priceInQuote,
  }),
  liquidityUsd: t.exposeFloat('liquidityUsd'),
  depth2PctUsd: t.float({
    nullable: true,
    description:
      'What a trade must be, in USD and without fees, to move the price of this pool by 2 %, in the direction that takes less. V2: from the reserves. V3: from the liquidity in force at the price, as if it went on for 2 %, and never more than lies on the smaller side. Null where the pool has no quote with a price.',
    resolve: ({ depth2PctUsd }) => (depth2PctUsd > 0 ? depth2PctUsd : null),
  }),
  peakLiquidityUsd: t.exposeFloat('peakLiquidityUsd'),
  createdAt: t.expose('createdAt', { type: 'DateTime' }),
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
