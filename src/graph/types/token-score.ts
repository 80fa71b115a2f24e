// The risk score of a token, with its dimensions, explanation and history.

import { toRiskLevel } from '../../base/risk-level.ts'
import { RISK_FLAGS } from '../../base/vocabulary.ts'
import { unpackPullChance } from '../../ledger/explanation-pack.ts'
import type { TokenScoreDetailRow, TokenScoreRow } from '../../ledger/read/token-score.ts'
import type { GraphContext } from '../context.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { TokenDimensionsObject, TokenObject, TokenScoreObject, TopHolderSummaryObject } from '../schema/refs.ts'
import {
  ConfidenceEnum,
  NetActivityEnum,
  RiskFlagEnum,
  RiskLevelEnum,
  SummarySourceEnum,
} from '../schema/vocabulary.ts'
import { explanationOf, historyOf } from './history.ts'

/** A resolver that reads the details of a token's score. */
const detail =
  <T>(pick: (row: TokenScoreDetailRow) => T) =>
  async ({ id }: TokenScoreRow, _: unknown, { loaders }: GraphContext) =>
    pick(await loaders.tokenScoreDetail.load(id))

// The score.
builder.prismaObjectFields(TokenScoreObject, (t) => ({
  address: t.field({
    type: 'Address',
    description: 'The address of the token contract.',
    resolve: (score) => score.address,
  }),
  riskScore: t.exposeFloat('riskScore'),
  riskLevel: t.field({
    type: RiskLevelEnum,
    description: 'The band of the risk score.',
    resolve: (score) => toRiskLevel(score.riskScore),
  }),
  confidence: t.expose('confidence', { type: ConfidenceEnum }),
  flags: t.field({
    type: [RiskFlagEnum],
    extensions: listOf(RISK_FLAGS.length),
    description: 'The risk flags that apply; often empty.',
    resolve: (score) => score.flags,
  }),
  dimensions: t.field({
    type: TokenDimensionsObject,
    description: 'The dimensions of the score.',
    resolve: (score) => score,
  }),
}))

// Its words and history.
builder.prismaObjectFields(TokenScoreObject, (t) => ({
  topHolderSummary: t.field({
    type: TopHolderSummaryObject,
    description: 'A summary of the largest holders.',
    resolve: (score) => score,
  }),
  summary: t.string({
    description: 'The generated summary of the token, 400 characters at most.',
    resolve: detail((row) => row.summary),
  }),
  summarySource: t.field({
    type: SummarySourceEnum,
    description: 'Who wrote the summary.',
    resolve: detail((row) => (row.summarySource === 'model' ? 'model' : 'facts')),
  }),
  summaryBlock: t.int({
    description:
      'The number of the block that the summary describes. May be older than the score if a language model wrote the summary.',
    resolve: detail((row) => row.summaryBlock),
  }),
  pullChance30dPct: t.float({
    nullable: true,
    description:
      "The model's estimate of the chance of a pull within 30 days, in percent: no count of tokens, which `verdict { alike }` has. Null for a base asset, and before the first score.",
    resolve: detail((row) => row.explanation && unpackPullChance(row.explanation)),
  }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  blockNumber: t.exposeInt('blockNumber'),
  explanation: t.field(
    explanationOf('token', (score: TokenScoreRow, loaders) => loaders.tokenScoreDetail.load(score.id)),
  ),
  history: t.field(historyOf('tokenHistory')),
  token: t.field({
    type: TokenObject,
    nullable: true,
    description: 'The token; null if it is no longer indexed.',
    resolve: (score, _, { loaders }) => loaders.tokenById.load(score.id),
  }),
}))

builder.objectType(TokenDimensionsObject, {
  extensions: PART,
  description: 'The dimensions of a risk score.',
  fields: (t) => ({
    holderConcentrationScore: t.exposeFloat('holderConcentrationScore', {
      nullable: true,
      description: 'How concentrated the ownership is, 0-100; 100 is one holder. Null for unknown balances.',
    }),
    liquidityStabilityScore: t.exposeFloat('liquidityStabilityScore', {
      nullable: true,
      description:
        'How firmly the liquidity stays, 0-100: 100 only if no wallet can withdraw any of it within 30 days. Null if the wallets that can are unknown.',
    }),
    washTradeScore: t.exposeFloat('washTradeScore', {
      nullable: true,
      description:
        'The share of wash trading in the volume, 0-100; 100 is all of it, 0 means that none was found. Null without trades in the week, or with unknown traders.',
    }),
    smartMoneyFlowScore: t.exposeFloat('smartMoneyFlowScore', {
      nullable: true,
      description:
        'The flow of wallets of high reputation, 0-100; 100 is a strong inflow, 50 is neutral. Null when fewer than three such wallets traded it in the week.',
    }),
  }),
})

builder.objectType(TopHolderSummaryObject, {
  extensions: PART,
  description: 'A summary of the largest holders of a token.',
  fields: (t) => ({
    earlyMoverCount: t.exposeInt('earlyMoverCount', {
      nullable: true,
      description: 'How many of the hundred largest holders are early buyers; null before the first score.',
    }),
    earlyMoverNetActivity: t.field({
      type: NetActivityEnum,
      nullable: true,
      resolve: ({ earlyMoverCount, earlyMoverNetActivity }) => (earlyMoverCount ? earlyMoverNetActivity : null),
      description: 'How the holdings of these early buyers changed over the past 7 days; null without any.',
    }),
    avgReputationTop10: t.exposeFloat('avgReputationTop10', {
      nullable: true,
      description:
        'The mean reputation of the ten largest holders that are accounts or contracts, 0-100. Pools, lockers, exchanges and burn addresses do not count. Null before the first score.',
    }),
  }),
})

builder.queryField('tokenScore', (t) =>
  t.field({
    type: TokenScoreObject,
    nullable: true,
    description: 'The risk score of a token; null when the token is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the token contract.' }) },
    resolve: (_, { address }, { loaders }) => loaders.tokenScoreByAddress.load(address),
  }),
)
