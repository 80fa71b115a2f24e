// Pools in which a token trades.
import type { Address } from '../../base/address.ts'
import type { PoolKind } from '../../chain/event.ts'
import { describeRights, HOOK_RIGHTS, hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { SHOWN_POOL } from '../../fields/pool.ts'
import { MAX_LOCKS } from '../../ledger/held-locks.ts'
import { isManaged, keyOfPool } from '../../ledger/pool-address.ts'
import { listOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { implementConnection } from '../schema/connection.ts'
import { limitArgs } from '../schema/length.ts'
import { PoolConnection, PoolObject, TokenLockObject, TokenObject } from '../schema/refs.ts'
import { shownFields } from '../schema/shown-fields.ts'
import { described } from '../schema/vocabulary.ts'

/** How many locks are listed by default. */
const LOCKS = 10

const PoolTypeEnum = builder.enumType('PoolType', {
  description: 'The kind of a pool.',
  values: described(['v2', 'v3', 'v4', 'coins', 'curve'], {
    v2: 'A pair that is its own share token.',
    v3: 'Liquidity in ranges.',
    v4: 'Liquidity in ranges, held by a manager.',
    coins: 'Another formula (Curve, Balancer, LFJ, Maverick, Fluid), priced by its last trade.',
    curve: "A launch venue's sale of a token until it graduates to an exchange.",
  }),
})

// Values, shown as they are read.
builder.prismaObjectFields(PoolObject, (t) => shownFields(SHOWN_POOL, (field) => t.field(field)))

// Identity and terms.
builder.prismaObjectFields(PoolObject, (t) => ({
  id: t.id({
    description:
      'The identifier: "pool" and the address, or the key at its manager; a row of a pool of more than two coins adds its two.',
    resolve: (pool) => `pool:${pool.address}`,
  }),
  address: t.field({
    type: 'Address',
    description: 'The address of the pool contract; for a pool known by 32 bytes, that of its manager.',
    resolve: (pool) => (isManaged(pool) ? pool.factory : keyOfPool(pool)) as Address,
  }),
  poolId: t.string({
    nullable: true,
    description:
      'The 32 bytes by which its manager knows the pool; for a "curve", its token and the beginning of its venue. Null for a pool with its own address.',
    resolve: (pool) => (isManaged(pool) ? keyOfPool(pool) : null),
  }),
  type: t.field({
    type: PoolTypeEnum,
    description: 'The kind of the pool.',
    resolve: ({ kind }) => kind as PoolKind,
  }),
  hookRights: t.stringList({
    extensions: listOf(HOOK_RIGHTS),
    description: 'The rights of the hooks, in words, such as "takes a share of what a swap pays".',
    resolve: ({ hookRights }) => describeRights(hookRights),
  }),
}))

// Depth and tokens.
builder.prismaObjectFields(PoolObject, (t) => ({
  liquidityUsd: t.float({
    nullable: true,
    description: 'Its liquidity in USD; null if hooks settle swaps by their own curve, because no log shows it.',
    resolve: (pool) => (hasOwnCurve(pool.hookRights) ? null : pool.liquidityUsd),
  }),
  depth2PctUsd: t.float({
    nullable: true,
    description:
      'The size of a trade, in USD and without fees, that moves the price of this pool by 2 %, in the easier direction. V2: from the reserves. V3: from the active liquidity, as if it continued for 2 %, and at most the smaller side. Null without a priced quote.',
    resolve: ({ depth2PctUsd }) => (depth2PctUsd > 0 ? depth2PctUsd : null),
  }),
  base: t.field({
    type: TokenObject,
    nullable: true,
    description: 'The token of the events of the pool; null if it is not indexed, or neither side is a quote.',
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
      "The locks of the pool's shares, from the logs of known lockers and of launch venues, the soonest to end first. A lock that never ends has the year 9999. A locker's shares beyond these locks have an unknown end.",
    args: limitArgs(LOCKS, MAX_LOCKS),
    extensions: listOf('limit', MAX_LOCKS),
    resolve: (pool, { limit }, { lists }) =>
      lists.locks.load({ id: pool.lpTokenId, limit: readLimit(limit, LOCKS, MAX_LOCKS) }),
  }),
}))

implementConnection(PoolConnection, PoolObject, { one: 'A pool', many: 'pools' })
