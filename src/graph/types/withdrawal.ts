// The wallet that could withdraw the liquidity of a token. Both fields come from its newest score, so they and its reasons
// name the same wallet.
import { toMeaning } from '../../base/amount.ts'
import { unpackExplanation } from '../../ledger/explanation-pack.ts'
import { LEAST_USD } from '../../verdict/bounds.ts'
import type { GraphContext } from '../context.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject, WalletObject } from '../schema/refs.ts'

builder.prismaObjectFields(TokenObject, (t) => ({
  withdrawablePct: t.float({
    nullable: true,
    description:
      'The largest share of the liquidity of all pools that one wallet can withdraw within 30 days, in percent, from the newest score. A lock counts until 30 days before its end. Null without liquidity, or if the wallets that can are unknown, which is no sign of safety.',
    resolve: async ({ id, liquidityUsd }, _, { loaders }) => {
      if (liquidityUsd < LEAST_USD) return null
      const { explanation } = await loaders.tokenScoreDetail.load(id)
      const inputs = explanation ? unpackExplanation(explanation).dimensions.flatMap((one) => one.inputs) : []
      const share = inputs.find(({ name }) => name === 'exitShare')?.value ?? null
      return share === null ? null : toMeaning(100 * share)
    },
  }),
  withdrawableBy: t.field({
    type: WalletObject,
    nullable: true,
    description: 'The wallet that can withdraw this share; null if `withdrawablePct` is null or 0.',
    resolve: async ({ id, liquidityUsd }, _, { loaders }: GraphContext) => {
      if (liquidityUsd < LEAST_USD) return null
      const { withdrawerId } = await loaders.tokenScoreDetail.load(id)
      return withdrawerId === null ? null : loaders.walletById.load(withdrawerId)
    },
  }),
}))
