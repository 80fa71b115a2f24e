// Scores: of tokens and of wallets, with their dimensions, their explanation and their past.
import { unpackExplanation } from '../ledger/explanation-pack.ts'
import { toRiskLevel } from '../scoring/levels.ts'
import { builder } from './builder.ts'
import { listOf, PART } from './cost.ts'
import {
  ExplanationObject,
  ScorePointObject,
  TokenDimensionsObject,
  TokenObject,
  TokenScoreObject,
  TopHolderSummaryObject,
  WalletDimensionsObject,
  WalletObject,
  WalletScoreObject,
} from './objects.ts'
import { limitArgs, readLimit } from './page.ts'
import { ClassificationEnum, ConfidenceEnum, NetActivityEnum, RiskFlagEnum, RiskLevelEnum } from './vocabulary.ts'

/** Points of a history unless asked otherwise: a quarter of a year, at one a day. */
const HISTORY = 90

builder.objectType(TokenScoreObject, {
  extensions: PART,
  description: 'The risk of a token: a weighted composite of its dimensions, not an average.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'The address of the token contract.' }),
    riskScore: t.exposeFloat('riskScore', { description: 'The risk, 0-100; higher is riskier.' }),
    riskLevel: t.field({
      type: RiskLevelEnum,
      description: 'The band of the risk score.',
      resolve: (score) => toRiskLevel(score.riskScore),
    }),
    confidence: t.expose('confidence', {
      type: ConfidenceEnum,
      description: 'How much evidence stands behind it; why not more: `explanation.confidenceReasons`.',
    }),
    flags: t.expose('flags', { type: [RiskFlagEnum], description: 'The risk flags that apply; often none.' }),
    dimensions: t.field({
      type: TokenDimensionsObject,
      description: 'The dimensions of the score.',
      resolve: (score) => score,
    }),
    topHolderSummary: t.field({
      type: TopHolderSummaryObject,
      description: 'The largest holders in short.',
      resolve: (score) => score,
    }),
    summary: t.exposeString('summary', { description: 'The generated summary of the token, 400 characters at most.' }),
    summarySource: t.exposeString('summarySource', {
      description: 'Who wrote the summary: "facts" when it was made from the facts, "model" when a language model did.',
    }),
    summaryBlock: t.exposeInt('summaryBlock', {
      description:
        'The number of the block whose facts it is about; older than the score while what a model wrote holds.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'The time of the block it was computed at.' }),
    blockNumber: t.exposeInt('blockNumber', { description: 'The number of the block it was computed at.' }),
    explanation: t.field({
      type: ExplanationObject,
      nullable: true,
      resolve: ({ explanation }) => (explanation ? unpackExplanation(explanation) : null),
      description: 'How it came about; null when the token was not scored yet.',
    }),
    history: t.field({
      type: [ScorePointObject],
      description: 'Its past, newest first: a point per change of level, at most one a day otherwise.',
      args: limitArgs(HISTORY),
      extensions: listOf('limit'),
      resolve: (score, { limit }, { loaders }) =>
        loaders.tokenHistory.load({ id: score.id, limit: readLimit(limit, HISTORY) }),
    }),
    token: t.field({
      type: TokenObject,
      nullable: true,
      description: 'The token; null when it is no longer indexed.',
      resolve: (score, _, { loaders }) => loaders.tokenById.load(score.id),
    }),
  }),
})

builder.objectType(TokenDimensionsObject, {
  extensions: PART,
  description: 'The dimensions of a risk score. Each measures what its name says.',
  fields: (t) => ({
    holderConcentrationScore: t.exposeFloat('holderConcentrationScore', {
      description: 'How concentrated the ownership is, 0-100; 100 is one holder.',
    }),
    liquidityStabilityScore: t.exposeFloat('liquidityStabilityScore', {
      description: 'How firmly the liquidity stays, 0-100; 100 cannot leave.',
    }),
    washTradeScore: t.exposeFloat('washTradeScore', {
      description: 'How much of the volume is wash trading, 0-100; 100 is all of it.',
    }),
    smartMoneyFlowScore: t.exposeFloat('smartMoneyFlowScore', {
      description: 'Where wallets of high reputation go, 0-100; 100 is a strong inflow, 50 is neutral or unknown.',
    }),
  }),
})

builder.objectType(TopHolderSummaryObject, {
  extensions: PART,
  description: 'The largest holders of a token in short.',
  fields: (t) => ({
    earlyMoverCount: t.exposeInt('earlyMoverCount', { description: 'How many early buyers are among them.' }),
    earlyMoverNetActivity: t.expose('earlyMoverNetActivity', {
      type: NetActivityEnum,
      description: 'What these early buyers did with their holdings over the past 7 days.',
    }),
    avgReputationTop10: t.exposeFloat('avgReputationTop10', {
      description: 'The mean reputation of the ten largest, 0-100.',
    }),
  }),
})

builder.objectType(WalletScoreObject, {
  extensions: PART,
  description: 'The reputation of a wallet: a weighted composite of its dimensions, not an average.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'The address of the wallet.' }),
    reputationScore: t.exposeFloat('reputationScore', { description: 'The reputation, 0-100; higher is better.' }),
    confidence: t.expose('reputationConfidence', {
      type: ConfidenceEnum,
      description: 'How much evidence stands behind it.',
    }),
    classification: t.expose('classification', {
      type: ClassificationEnum,
      description: 'What the wallet does, or for an address that is no wallet what it is.',
    }),
    dimensions: t.field({
      type: WalletDimensionsObject,
      description: 'The dimensions of the score.',
      resolve: (score) => score,
    }),
    tradeCount: t.exposeInt('tradeCount', { description: 'How many swaps the wallet made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'The time of the block it was computed at.' }),
    blockNumber: t.exposeInt('blockNumber', { description: 'The number of the block it was computed at.' }),
    explanation: t.field({
      type: ExplanationObject,
      nullable: true,
      resolve: ({ explanation }) => (explanation ? unpackExplanation(explanation) : null),
      description: 'How it came about; null when the wallet was not scored yet.',
    }),
    history: t.field({
      type: [ScorePointObject],
      description: 'Its past, newest first: a point per change of level, at most one a day otherwise.',
      args: limitArgs(HISTORY),
      extensions: listOf('limit'),
      resolve: (score, { limit }, { loaders }) =>
        loaders.walletHistory.load({ id: score.id, limit: readLimit(limit, HISTORY) }),
    }),
    wallet: t.field({
      type: WalletObject,
      description: 'The wallet.',
      resolve: (score, _, { loaders }) => loaders.walletById.load(score.id),
    }),
  }),
})

builder.objectType(WalletDimensionsObject, {
  extensions: PART,
  description: 'The dimensions of a reputation.',
  fields: (t) => ({
    winRate: t.exposeFloat('winRate', { description: 'The part of the closed trades that made a profit, 0-1.' }),
    entryTimingScore: t.exposeFloat('entryTimingScore', {
      description: 'How often prices stood above its buys in the three days after, 0-100.',
    }),
    consistencyScore: t.exposeFloat('consistencyScore', {
      description: 'How many of its weeks made a profit, and at how steady a pace it trades, 0-100.',
    }),
    riskDrawdownScore: t.exposeFloat('riskDrawdownScore', {
      description: 'How small its deepest loss was against its positions, 0-100; 100 is none.',
    }),
  }),
})

builder.objectType(ScorePointObject, {
  description: 'A score as it was.',
  fields: (t) => ({
    time: t.expose('time', { type: 'DateTime', description: 'The time of the block.' }),
    blockNumber: t.exposeInt('blockNumber', { description: 'The number of the block.' }),
    score: t.exposeFloat('score', { description: 'The score, 0-100.' }),
    level: t.exposeString('level', { description: 'The level of that score, such as "low" or "high".' }),
  }),
})

builder.queryFields((t) => ({
  tokenScore: t.field({
    type: TokenScoreObject,
    nullable: true,
    description: 'The risk score of a token; null when the token is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the token contract.' }) },
    resolve: (_, { address }, { loaders }) => loaders.tokenScoreByAddress.load(address),
  }),
  walletScore: t.field({
    type: WalletScoreObject,
    nullable: true,
    description: 'The reputation of a wallet; null when the wallet is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the wallet.' }) },
    resolve: (_, { address }, { loaders }) => loaders.walletScoreByAddress.load(address),
  }),
}))
