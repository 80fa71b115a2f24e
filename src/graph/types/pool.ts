// Pools in which a token trades.
import type { Address } from '../../base/address.ts'
import { toMeaning } from '../../base/amount.ts'
import type { PoolKind } from '../../chain/event.ts'
import { describeRights, HOOK_RIGHTS, hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { MAX_LOCKS } from '../../ledger/held-locks.ts'
import { listOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/page.ts'
import { PoolObject, TokenLockObject, TokenObject } from '../schema/refs.ts'
import { described } from '../schema/vocabulary.ts'

/** How many locks are listed by default. */
const LOCKS = 10

/** What the pool is known by, without the two coins that a row of a pool of many is about. */
const keyOf = ({ address }: { address: string }): string => address.split('-', 1)[0] ?? address

/** A longer key is the 32 bytes that a manager knows the pool by. */
const isManaged = (pool: { address: string }): boolean => keyOf(pool).length > 42

const PoolTypeEnum = builder.enumType('PoolType', {
  description: 'What kind of pool it is.',
  values: described(['v2', 'v3', 'v4', 'coins', 'curve'], {
    v2: 'A pair that is its own share token.',
    v3: 'Liquidity in ranges.',
    v4: 'Liquidity in ranges, held by a manager.',
    coins: 'Another formula (Curve, Balancer, LFJ, Maverick, Fluid), priced by its last trade.',
    curve: 'Where a launch venue sells a token until it graduates to an exchange.',
  }),
})

builder.prismaObjectFields(PoolObject, (t) => ({
  id: t.id({
    description:
      'The identifier: "pool" and the address, or what its manager knows it by; of a pool of more than two coins also two of them.',
    resolve: (pool) => `pool:${pool.address}`,
  }),
  address: t.field({
    type: 'Address',
    description: 'The address of the pool contract; of a pool that is known by 32 bytes, its manager.',
    resolve: (pool) => (isManaged(pool) ? pool.factory : keyOf(pool)) as Address,
  }),
  poolId: t.string({
    nullable: true,
    description:
      'The 32 bytes by which its manager knows the pool, of a "curve" its token and the beginning of its venue; null for a pool that has an address of its own.',
    resolve: (pool) => (isManaged(pool) ? keyOf(pool) : null),
  }),
  type: t.field({
    type: PoolTypeEnum,
    description: 'What kind of pool it is.',
    resolve: ({ kind }) => kind as PoolKind,
  }),
  factory: t.expose('factory', { type: 'Address' }),
  launchpad: t.exposeString('launchpad', {
    description:
      "The launch venue that the factory belongs to. Text, for the set is open: the chain's configuration names its venues.",
  }),
  feePct: t.float({
    nullable: true,
    description: 'The fee of a trade in percent; null where it changes from trade to trade.',
    resolve: (pool) => pool.feePct,
  }),
  stable: t.exposeBoolean('stable'),
  hooks: t.field({
    type: 'Address',
    nullable: true,
    description: 'The contract that is called around each change of the pool; null for none.',
    resolve: ({ hooks }) => hooks as Address | null,
  }),
  hookRights: t.stringList({
    extensions: listOf(HOOK_RIGHTS),
    description: 'What the hooks may do, in words, such as "takes a share of what a swap pays".',
    resolve: ({ hookRights }) => describeRights(hookRights),
  }),
  priceInQuote: t.float({
    description: 'How many whole tokens of the quote side one whole token of the base side costs.',
    resolve: (pool) => toMeaning(pool.priceInQuote),
  }),
  liquidityUsd: t.float({
    nullable: true,
    description:
      'Its liquidity in USD; null where hooks settle swaps by a curve of their own, so that no log tells it.',
    resolve: (pool) => (hasOwnCurve(pool.hookRights) ? null : pool.liquidityUsd),
  }),
  depth2PctUsd: t.float({
    nullable: true,
    description:
      'What a trade must be, in USD and without fees, to move the price of this pool by 2 %, in the direction that takes less. V2: from the reserves. V3: from the liquidity in force at the price, as if it went on for 2 %, and never more than lies on the smaller side. Null where the pool has no quote with a price.',
    resolve: ({ depth2PctUsd }) => (depth2PctUsd > 0 ? depth2PctUsd : null),
  }),
  peakLiquidityUsd: t.exposeFloat('peakLiquidityUsd'),
  createdAt: t.expose('createdAt', { type: 'DateTime' }),
  curveProgressPct: t.float({
    nullable: true,
    description:
      'Of a launch curve: the percent of its tokens that are sold; at 100 the token graduates to an exchange. Null for other pools, and where nobody says how many it sells.',
    resolve: ({ curveProgressPct }) => curveProgressPct,
  }),
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
      "The locks of the pool's shares, from the logs of known lockers and of launch venues, the soonest to end first; one that never ends has the year 9999. Shares that a locker holds beyond these locks have an unknown end.",
    args: limitArgs(LOCKS, MAX_LOCKS),
    extensions: listOf('limit', MAX_LOCKS),
    resolve: (pool, { limit }, { lists }) =>
      lists.locks.load({ id: pool.lpTokenId, limit: readLimit(limit, LOCKS, MAX_LOCKS) }),
  }),
}))
