// Shares of pools that a wallet holds: what its profit counts beside its positions in tokens.
import { toGain } from '../../base/amount.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import type { LiquidityPositionRow } from '../../ledger/read/liquidity-position.ts'
import { listOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { MOST_POSITIONS_READ } from '../row-budget.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/page.ts'
import { PoolObject, WalletObject } from '../schema/refs.ts'
import { takePositions } from './wallet.ts'

const LiquidityPositionObject = builder.objectRef<LiquidityPositionRow>('LiquidityPosition').implement({
  description: 'The shares of a pool that a wallet holds or held.',
  fields: (t) => ({
    pool: t.field({
      type: PoolObject,
      nullable: true,
      description: 'The pool; null if it is not known.',
      resolve: ({ poolId }, _, { loaders }) => loaders.poolById.load(poolId),
    }),
    sharePct: t.exposeFloat('sharePct', {
      description: "The shares in percent of the pool's, those included that a locker or gauge keeps for the wallet.",
    }),
    valueUsd: t.exposeFloat('valueUsd', { description: 'What the shares with a known cost are worth, in USD.' }),
    costUsd: t.exposeFloat('costUsd', { description: 'What these shares cost, in USD.' }),
    openUsd: t.float({
      description:
        'The unrealised profit in USD: the value minus the cost. Of shares whose token came without a cost, half of the value has one.',
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
    description: `The wallet's shares of pools, the most valuable first. With \`positions\` they add up to the open and realised profit of \`pnl\`. Refused where the wallets of a query have more than ${MOST_POSITIONS_READ} positions together.`,
    args: limitArgs(MAX_LIMIT),
    extensions: listOf('limit'),
    resolve: async (wallet, { limit }, context) => {
      const range = { id: wallet.id, limit: readLimit(limit, MAX_LIMIT) }
      await takePositions(wallet, 'liquidityPositions', context)
      return context.lists.liquidityPositions.load(range)
    },
  }),
)
