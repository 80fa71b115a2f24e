// The history of a token's risk and of a wallet's profit, at the end of intervals.
import { invalid } from '../../base/errors.ts'
import { INTERVAL_SECONDS } from '../../base/interval.ts'
import { toRiskLevel } from '../../base/risk-level.ts'
import type { Head } from '../../ledger/head.ts'
import type { ScoreSeriesRow } from '../../ledger/read/score-series.ts'
import type { TokenScoreRow } from '../../ledger/read/token-score.ts'
import { seriesOf } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject, WalletObject } from '../schema/refs.ts'
import { RiskLevelEnum } from '../schema/vocabulary.ts'
import { MAX_POINTS, readSeries, seriesArgs } from './series.ts'

/** A quarter of a year of days. */
const DAYS = { interval: 'd1', limit: 90 } as const

/** The risk at one time. */
export const RiskPointObject = builder.objectRef<ScoreSeriesRow>('RiskPoint')
const PnlPointObject = builder.objectRef<ScoreSeriesRow>('PnlPoint')

const at = (place: number) => (point: ScoreSeriesRow) => point.details?.[place] ?? null

builder.objectType(RiskPointObject, {
  description: 'The risk of a token at the end of an interval, or at a block.',
  fields: (t) => ({
    time: t.expose('time', {
      type: 'DateTime',
      description: 'The first moment of the interval; of the risk at a block, the time of `blockNumber`.',
    }),
    blockNumber: t.exposeInt('blockNumber', { description: 'The number of the block of the computation.' }),
    score: t.exposeFloat('score', { description: 'The risk, 0-100; higher is riskier.' }),
    level: t.field({
      type: RiskLevelEnum,
      description: 'The band of the risk.',
      resolve: ({ score }) => toRiskLevel(score),
    }),
    holderConcentrationScore: t.float({
      nullable: true,
      description: 'How concentrated the ownership was, 0-100; null if unknown.',
      resolve: at(0),
    }),
    liquidityStabilityScore: t.float({
      nullable: true,
      description: 'How firmly the liquidity stayed, 0-100; null if unknown.',
      resolve: at(1),
    }),
    washTradeScore: t.float({
      nullable: true,
      description: 'The share of wash trading in the volume, 0-100; null if unknown.',
      resolve: at(2),
    }),
    smartMoneyFlowScore: t.float({
      nullable: true,
      description: 'The flow of wallets of high reputation, 0-100, 50 is neutral; null if unknown.',
      resolve: at(3),
    }),
  }),
})

builder.objectType(PnlPointObject, {
  description: 'Profit, net worth and reputation of a wallet at the end of an interval.',
  fields: (t) => ({
    time: t.expose('time', { type: 'DateTime', description: 'The first moment of the interval.' }),
    blockNumber: t.exposeInt('blockNumber', { description: 'The number of the block of the computation.' }),
    realisedUsd: t.float({
      nullable: true,
      description: 'Realised profit of all time until then in USD; null if unknown.',
      resolve: at(0),
    }),
    openUsd: t.float({
      nullable: true,
      description: 'Open profit of its 400 newest holdings in USD; null if unknown.',
      resolve: at(1),
    }),
    netWorthUsd: t.float({
      nullable: true,
      description: 'Value of its 400 newest holdings that have a price, in USD; null if unknown.',
      resolve: at(2),
    }),
    reputationScore: t.exposeFloat('score', { description: 'The reputation, 0-100; higher is better.' }),
  }),
})

const toPoint = (row: TokenScoreRow): Omit<ScoreSeriesRow, 'time'> => ({
  blockNumber: row.blockNumber,
  score: row.riskScore,
  level: toRiskLevel(row.riskScore),
  details: [row.holderConcentrationScore, row.liquidityStabilityScore, row.washTradeScore, row.smartMoneyFlowScore],
})

type Arguments = Parameters<typeof readSeries>[0]

function readScoreRange(args: Arguments, head: Head) {
  if (!args.interval || INTERVAL_SECONDS[args.interval] >= INTERVAL_SECONDS.h1) return readSeries(args, DAYS, head)
  const message = 'interval must be h1, h4 or d1: scores have no points of minutes'
  throw invalid([{ location: 'argument', field: 'interval', message }])
}

builder.prismaObjectField(TokenObject, 'riskSeries', (t) =>
  t.field({
    type: [RiskPointObject],
    description:
      'The risk and its dimensions at the end of each interval, oldest first, from the first score on. The history has a point for each change of level, and otherwise one a day.',
    args: seriesArgs(DAYS.interval, DAYS.limit),
    extensions: seriesOf('limit', MAX_POINTS),
    resolve: async (token, args, { lists, loaders, reading }) => {
      const range = readScoreRange(args, reading.head)
      const [series, score] = await Promise.all([
        lists.riskSeries.load({ id: token.id, ...range }),
        loaders.tokenScore.load(token.id),
      ])
      const last = series.at(-1)
      // The interval of the block ends with the current score.
      return last && range.endsNow ? [...series.slice(0, -1), { time: last.time, ...toPoint(score) }] : series
    },
  }),
)

builder.prismaObjectField(WalletObject, 'pnlSeries', (t) =>
  t.field({
    type: [PnlPointObject],
    description:
      'Profit, net worth and reputation at the end of each interval, oldest first, from the first reputation with evidence on. Only days on which the reputation changed have points; the newest values are in `pnl` and `score`.',
    args: seriesArgs(DAYS.interval, DAYS.limit),
    extensions: seriesOf('limit', MAX_POINTS),
    resolve: (wallet, args, { lists, reading }) =>
      lists.pnlSeries.load({ id: wallet.id, ...readScoreRange(args, reading.head) }),
  }),
)
