// The opening of a token by a launch venue: its creator, the holder of the liquidity, and whether the liquidity can be
// withdrawn.
import { NEVER } from '../../base/time.ts'
import type { LaunchRow } from '../../ledger/read/launch.ts'
import { builder } from '../schema/builder.ts'
import { PoolObject, TokenObject, WalletObject } from '../schema/refs.ts'

/** Null: nothing proves it. */
function isWithdrawable({ endsAt, isCreators, liquidityPct }: LaunchRow, now: number): boolean | null {
  if (!liquidityPct) return null
  if (endsAt !== null) return endsAt <= now
  return isCreators ? true : null
}

const LaunchObject = builder.objectRef<LaunchRow>('TokenLaunch').implement({
  description: 'The opening of a token by a launch venue, from its logs.',
  fields: (t) => ({
    venue: t.exposeString('venue', { description: 'The launch venue.' }),
    creator: t.field({
      type: WalletObject,
      nullable: true,
      description: 'The creator of the token by the log of the venue; null if the log names none.',
      resolve: ({ creatorId }, _, { loaders }) => (creatorId === null ? null : loaders.walletById.load(creatorId)),
    }),
    pool: t.field({
      type: PoolObject,
      nullable: true,
      description: 'The pool that the venue opened: its curve, or the pool into which it moved the token last.',
      resolve: ({ poolId }, _, { loaders }) => loaders.poolById.load(poolId),
    }),
    liquidityHolder: t.expose('liquidityHolder', {
      type: 'Address',
      nullable: true,
      description:
        "The holder of most of the pool's liquidity at the launch: a locker, a hook, an account; null if no log names one.",
    }),
    liquidityPct: t.exposeFloat('liquidityPct', {
      nullable: true,
      description: "The liquidity holder's current share of the pool, in percent; null if unknown.",
    }),
    withdrawable: t.boolean({
      nullable: true,
      description:
        "Whether that liquidity can be withdrawn at the time of the block. False only with proof: the venue's log, or the published source of the holding contract. Null without proof, which is no sign of safety.",
      resolve: (row, _, { reading }) => isWithdrawable(row, reading.head.time.getTime() / 1_000),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When it can first be withdrawn; null if it never can (`withdrawable` is false), or the time is unknown.',
      resolve: ({ endsAt }) => (endsAt === null || endsAt === NEVER ? null : new Date(endsAt * 1_000)),
    }),
  }),
})

builder.prismaObjectFields(TokenObject, (t) => ({
  launch: t.field({
    type: LaunchObject,
    nullable: true,
    description:
      'The opening of the token by a launch venue; null without one, or if its log is older than the start block.',
    resolve: (token, _, { loaders }) => loaders.launch.load(token.id),
  }),
}))
