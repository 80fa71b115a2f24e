// The risk of a token and the reputation of a wallet as they stood at an earlier block.
import { invalid } from '../../base/errors.ts'
import { toRiskLevel } from '../../base/risk-level.ts'
import type { ScoreAtRow } from '../../ledger/read/score-at.ts'
import { toReputationLevel } from '../../scoring/levels.ts'
import type { GraphContext } from '../context.ts'
import { builder } from '../schema/builder.ts'
import { ScorePointObject, TokenObject, WalletObject } from '../schema/refs.ts'
import { RiskPointObject } from './score-series.ts'

const blockArgument = builder.args((t) => ({
  block: t.int({ required: true, description: 'The number of the block.' }),
}))

const KEPT =
  'Exact for a block that can still be rolled back. An older block has the newest score of the history up to it. The history has a point for each change of level or flags, and otherwise one a day.'

/** Throws INVALID_PARAMS for a block that is not indexed. */
async function checkBlock(block: number, { loaders, reading }: GraphContext): Promise<number> {
  const first = (await loaders.chain.load(0))?.startBlock ?? 0
  const last = reading.head.number
  if (block >= first && block <= last) return block
  const message = `block must be from ${first} to ${last}: only indexed blocks have scores`
  throw invalid([{ location: 'argument', field: 'block', message }])
}

const toScorePoint = ({ score, ...point }: ScoreAtRow, kind: number, id: number, level: string) => ({
  ...point,
  score,
  level,
  kind,
  id,
  details: [],
  flags: null,
})

builder.prismaObjectField(TokenObject, 'riskAt', (t) =>
  t.field({
    type: RiskPointObject,
    nullable: true,
    description: `The risk at a block, with the block of its computation; null when it had no score then. ${KEPT}`,
    args: blockArgument,
    resolve: async (token, { block }, context) => {
      const point = await context.loaders.tokenScoreAt.load({ id: token.id, block: await checkBlock(block, context) })
      return point && { ...point, level: toRiskLevel(point.score) }
    },
  }),
)

builder.prismaObjectField(WalletObject, 'reputationAt', (t) =>
  t.field({
    type: ScorePointObject,
    nullable: true,
    description: `The reputation at a block, with the block of its computation; null when it had none with evidence then. ${KEPT}`,
    args: blockArgument,
    resolve: async (wallet, { block }, context) => {
      const point = await context.loaders.walletScoreAt.load({ id: wallet.id, block: await checkBlock(block, context) })
      return point && toScorePoint(point, 2, wallet.id, toReputationLevel(point.score))
    },
  }),
)
