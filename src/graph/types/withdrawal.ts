// Who could take the liquidity of a token.
import { toMeaning } from '../../base/amount.ts'
import { unpackExplanation } from '../../ledger/explanation-pack.ts'
import type { GraphContext } from '../context.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject, WalletObject } from '../schema/refs.ts'

/** 0-1; null where nobody knows who can, or the token was not scored yet. */
async function readExitShare(tokenId: number, { loaders }: GraphContext): Promise<number | null> {
  const { explanation } = await loaders.tokenScoreDetail.load(tokenId)
  const inputs = explanation ? unpackExplanation(explanation).dimensions.flatMap((dimension) => dimension.inputs) : []
  return inputs.find(({ name }) => name === 'exitShare')?.value ?? null
}

builder.prismaObjectFields(TokenObject, (t) => ({
  withdrawablePct: t.float({
    nullable: true,
    description:
      'The largest share of the liquidity that one wallet can withdraw within 30 days, in percent, as of the newest score. A lock counts until 30 days before its end. Null where nobody knows who can, which is no sign of safety.',
    resolve: async ({ id }, _, context) => {
      const share = await readExitShare(id, context)
      return share === null ? null : toMeaning(100 * share)
    },
  }),
  withdrawableBy: t.field({
    type: WalletObject,
    nullable: true,
    description: 'The wallet that can withdraw the most; null where `withdrawablePct` is null or 0.',
    resolve: async ({ id }, _, context) => {
      if (!(await readExitShare(id, context))) return null
      const walletId = await context.loaders.withdrawer.load(id)
      return walletId === null ? null : context.loaders.walletById.load(walletId)
    },
  }),
}))
