// Pools in which a token trades.
import { MAX_LOCKS } from '../ledger/held-locks.ts'
import { builder } from './builder.ts'
import { listOf } from './list-size.ts'
import { limitArgs } from './page.ts'
import { readLimit } from './page-arguments.ts'
import { PoolObject, TokenLockObject, TokenObject } from './refs.ts'

/** How many locks are listed by default. */
const LOCKS = 10

builder.prismaObjectFields(PoolObject, (t) => ({
  address: t.expose('address', { type: 'Address' }),
  kind: t.exposeString('kind'),
  factory: t.expose('factory', { type: 'Address' }),
  launchpad: t.exposeString('launchpad'),
  feePct: t.float({ description: 'The fee of a trade in percent.', resolve: (pool) => pool.feePct }),
  priceInQuote: t.float({
    description: 'How many whole tokens of the quote side one whole token of the base side costs.',
    resolve: (pool) => pool.priceInQuote,
  }),
  liquidityUsd: t.exposeFloat('liquidityUsd'),
  peakLiquidityUsd: t.exposeFloat('peakLiquidityUsd'),
  createdAt: t.expose('createdAt', { type: 'DateTime' }),
  base: t.field({
    type: TokenObject,
    nullable: true,
    description:
      'The token that the events of the pool are about; null if it is not indexed, or neither side is a quote.',
    resolve: (pool, _, { loaders }) => (pool.baseId === null ? null : loaders.tokenById.load(pool.baseId)),
  }),
  quote: t.field({
    type: TokenObject,
    nullable: true,
    description: 'The token in which the base token is priced; null if it is not indexed, or neither side is a quote.',
    resolve: (pool, _, { loaders }) => (pool.quoteId === null ? null : loaders.tokenById.load(pool.quoteId)),
  }),
  locks: t.field({
    type: [TokenLockObject],
    description:
      "The locks of the pool's shares, from the logs of known lockers, the soonest to end first. Shares that a locker holds beyond these locks have an unknown end.",
    args: limitArgs(LOCKS, MAX_LOCKS),
    extensions: listOf('limit', MAX_LOCKS),
    resolve: (pool, { limit }, { lists }) =>
      lists.locks.load({ id: pool.lpTokenId, limit: readLimit(limit, LOCKS, MAX_LOCKS) }),
  }),
}))
