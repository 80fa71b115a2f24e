// A wallet's shares of pools: the part of its profit beside its positions in tokens.
import { toGain } from '../../base/amount.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import type { LiquidityPositionRow } from '../../ledger/read/liquidity-position.ts'
import { listOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { MOST_POSITIONS_READ } from '../row-budget.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { PoolObject, WalletObject } from '../schema/refs.ts'
import { takePositions } from './wallet.ts'

const LiquidityPositionObject = builder.objectRef<LiquidityPositionRow>('LiquidityPosition').implement({
  description: 'The shares of a pool that a wallet holds or held.',
  fields: (t) => ({
    pool: t.field({
      type: PoolObject,
      nullable: true,
      description: 'The pool; null if unknown.',
      resolve: ({ poolId }, _, { loaders }) => loaders.poolById.load(poolId),
    }),
    sharePct: t.exposeFloat('sharePct', {
      description: 'The share of the pool in percent, including shares that a locker or gauge keeps for the wallet.',
    }),
    valueUsd: t.exposeFloat('valueUsd', { description: 'The value of the shares with a known cost, in USD.' }),
    costUsd: t.exposeFloat('costUsd', { description: 'The cost of these shares, in USD.' }),
    uncostedUsd: t.exposeFloat('uncostedUsd', {
      description:
        'The part of the value whose tokens came without a cost, in USD: the side of the base token, as far as it was received and not bought.',
    }),
    openUsd: t.float({
      description: 'The unrealised profit in USD: the value, less its part without a cost, less the cost.',
      resolve: ({ openUsd }) => toGain(openUsd),
    }),
    realisedUsd: t.float({
      description: 'The profit in USD that removals of liquidity realised.',
      resolve: ({ realisedUsd }) => toGain(realisedUsd),
    }),
    isLocked: t.exposeBoolean('isLocked', {
      description: 'Whether a locker or gauge keeps shares for the wallet.',
    }),
  }),
})

builder.prismaObjectField(WalletObject, 'liquidityPositions', (t) =>
  t.field({
    type: [LiquidityPositionObject],
    description: `The wallet's shares of pools, the most valuable first. With \`positions\` they add up to the open and realised profit of \`pnl\`. Refused if the wallets of a query have more than ${MOST_POSITIONS_READ} positions together.`,
    args: limitArgs(MAX_LIMIT),
    extensions: listOf('limit'),
    resolve: async (wallet, { limit }, context) => {
      const range = { id: wallet.id, limit: readLimit(limit, MAX_LIMIT) }
      await takePositions(wallet, 'liquidityPositions', context)
      return context.lists.liquidityPositions.load(range)
    },
  }),
)
