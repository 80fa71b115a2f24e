// How a launch venue opened a token: who asked for it, who holds the liquidity, and whether anybody can take it.
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
  description: 'How a launch venue opened a token, from its logs.',
  fields: (t) => ({
    venue: t.exposeString('venue', { description: 'The launch venue.' }),
    creator: t.field({
      type: WalletObject,
      nullable: true,
      description: 'Who asked for the token, as the venue says; null where it does not say.',
      resolve: ({ creatorId }, _, { loaders }) => (creatorId === null ? null : loaders.walletById.load(creatorId)),
    }),
    pool: t.field({
      type: PoolObject,
      nullable: true,
      description: 'The pool that the venue opened: its curve, or the pool into which it moved the token last.',
      resolve: ({ poolId }, _, { loaders }) => loaders.poolById.load(poolId),
    }),
    liquidityHolder: t.field({
      type: 'Address',
      nullable: true,
      description:
        "Who held most of the pool's liquidity at the launch: a locker, a hook, an account; null where no log tells.",
      resolve: ({ liquidityHolder }) => liquidityHolder,
    }),
    liquidityPct: t.float({
      nullable: true,
      description: "What the liquidity holder has of the pool's shares now, in percent; null where it is not known.",
      resolve: ({ liquidityPct }) => liquidityPct,
    }),
    withdrawable: t.boolean({
      nullable: true,
      description:
        "Whether that liquidity can be withdrawn at the time of the block. False only where the venue's log, or the published source of the contract that holds it, proves that it cannot; null where nothing proves either, which is no sign of safety.",
      resolve: (row, _, { reading }) => isWithdrawable(row, reading.head.time.getTime() / 1_000),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'From when on it can be withdrawn; null where it never can (`withdrawable` is false), or nothing says so.',
      resolve: ({ endsAt }) => (endsAt === null || endsAt === NEVER ? null : new Date(endsAt * 1_000)),
    }),
  }),
})

builder.prismaObjectFields(TokenObject, (t) => ({
  launch: t.field({
    type: LaunchObject,
    nullable: true,
    description: 'How a launch venue opened the token; null where none did, or its log is older than the start block.',
    resolve: (token, _, { loaders }) => loaders.launch.load(token.id),
  }),
}))
