// The common history fields of a token's and a wallet's score: its computation, and earlier scores.
import { MAX_LIMIT } from '../../base/page.ts'
import { RISK_FLAGS, RISK_LEVELS } from '../../base/vocabulary.ts'
import { type PackedExplanation, unpackExplanation } from '../../ledger/explanation-pack.ts'
import type { GraphContext } from '../context.ts'
import { listOf, seriesOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { ExplanationObject, ScorePointObject } from '../schema/refs.ts'
import { described, RiskFlagEnum } from '../schema/vocabulary.ts'

/** How many earlier scores are listed by default: a quarter of a year, with one a day. */
const HISTORY = 90

const ScoreLevelEnum = builder.enumType('ScoreLevel', {
  description: 'The band of a score: a high risk is bad, a high reputation is good.',
  values: described([...RISK_LEVELS, 'unknown'], {
    low: 'The lowest band.',
    medium: 'The middle band.',
    high: 'The upper band; of a reputation the highest.',
    critical: 'The highest band of a risk.',
    unknown: 'The stored band is none of these.',
  }),
})

builder.prismaObjectFields(ScorePointObject, (t) => ({
  time: t.expose('time', { type: 'DateTime' }),
  blockNumber: t.exposeInt('blockNumber'),
  score: t.exposeFloat('score'),
  level: t.field({
    type: ScoreLevelEnum,
    description: 'The level of that score.',
    resolve: ({ level }) => RISK_LEVELS.find((word) => word === level) ?? 'unknown',
  }),
  flags: t.field({
    type: [RiskFlagEnum],
    nullable: true,
    description: 'The risk flags of the token then; null for a wallet. Each change of them has a point.',
    extensions: listOf(RISK_FLAGS.length),
    resolve: ({ flags }) => flags,
  }),
}))

/** The field `explanation`; `read` finds the packed one. */
export const explanationOf = <Score>(
  what: 'token' | 'wallet',
  read: (score: Score, loaders: GraphContext['loaders']) => Promise<{ explanation: PackedExplanation | null }>,
) => ({
  type: ExplanationObject,
  nullable: true as const,
  description: `How the score was computed; null if the ${what} was not scored yet.`,
  resolve: async (score: Score, _: unknown, { loaders }: GraphContext) => {
    const { explanation } = await read(score, loaders)
    return explanation && unpackExplanation(explanation)
  },
})

/** The field `history`. */
export const historyOf = (list: 'tokenHistory' | 'walletHistory') => ({
  type: [ScorePointObject] as [typeof ScorePointObject],
  description: 'Earlier scores, newest first: one per change of level or flags, otherwise at most one a day.',
  args: limitArgs(HISTORY),
  extensions: seriesOf('limit', MAX_LIMIT),
  resolve: ({ id }: { id: number }, { limit }: { limit?: number | null | undefined }, { lists }: GraphContext) =>
    lists[list].load({ id, limit: readLimit(limit, HISTORY) }),
})
