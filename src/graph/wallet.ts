// Wallets: profile, portfolio, profit and loss, history.

import { MAX_LIMIT } from '../base/page.ts'
import { builder } from './builder.ts'
import { eventArgs, readEventQuery } from './event.ts'
import { listOf, PART } from './list-size.ts'
import { limitArgs } from './page.ts'
import { readLimit } from './page-arguments.ts'
import { EventPageObject, PnlObject, PositionObject, WalletObject, WalletScoreObject } from './refs.ts'
import { ClassificationEnum, ConfidenceEnum, WalletKindEnum } from './vocabulary.ts'

/** Reasons that a confidence in profit and loss can have. */
const PNL_REASONS = 4

builder.prismaObjectFields(WalletObject, (t) => ({
  address: t.expose('address', { type: 'Address' }),
  kind: t.expose('kind', { type: WalletKindEnum }),
  classification: t.field({
    type: ClassificationEnum,
    description: 'What the wallet does, or for an address that is no wallet what it is.',
    resolve: (wallet) => wallet.classification,
  }),
  reputationScore: t.float({
    description: 'The composite reputation, 0-100; higher is better.',
    resolve: (wallet) => wallet.reputationScore,
  }),
  reputationConfidence: t.field({
    type: ConfidenceEnum,
    description: 'How much evidence stands behind the reputation.',
    resolve: (wallet) => wallet.reputationConfidence,
  }),
  sectorPreference: t.string({
    description: 'The sector that it trades most, or "unknown".',
    resolve: (wallet) => wallet.sectorPreference,
  }),
  pnlEstimateUsd: t.float({
    description: 'The estimated profit and loss in USD, realised and open, at average cost.',
    resolve: async (wallet, _, { loaders }) => (await loaders.pnl.load(wallet.id)).pnlEstimateUsd,
  }),
  pnlConfidence: t.field({
    type: ConfidenceEnum,
    description: 'How much of the profit and loss is known: trades with a known cost, holdings with a price.',
    resolve: async (wallet, _, { loaders }) => (await loaders.pnl.load(wallet.id)).pnlConfidence,
  }),
  pnl: t.field({
    type: PnlObject,
    description: 'The profit and loss in its parts.',
    resolve: (wallet, _, { loaders }) => loaders.pnl.load(wallet.id),
  }),
  tradeCount: t.exposeInt('swapCount'),
  eventCount: t.exposeInt('eventCount'),
  deployedCount: t.exposeInt('deployedCount'),
  closedPositionCount: t.exposeInt('closedCount'),
  wonPositionCount: t.exposeInt('winCount'),
  firstSeen: t.expose('firstSeenAt', { type: 'DateTime' }),
  lastTradeAt: t.expose('lastTradeAt', { type: 'DateTime', nullable: true }),
  portfolio: t.field({
    type: [PositionObject],
    description: 'What it holds, by value, the largest first.',
    args: limitArgs(MAX_LIMIT),
    extensions: listOf('limit'),
    resolve: (wallet, { limit }, { lists }) =>
      lists.portfolio.load({ id: wallet.id, limit: readLimit(limit, MAX_LIMIT) }),
  }),
  events: t.field({
    type: EventPageObject,
    description: 'The events of the wallet, transfers to it included, newest first.',
    args: eventArgs,
    extensions: listOf('limit'),
    resolve: (wallet, args, { lists }) => lists.events.load({ ...readEventQuery(args), wallet }),
  }),
  score: t.field({
    type: WalletScoreObject,
    description: 'The reputation with its dimensions and how it came about.',
    resolve: (wallet, _, { loaders }) => loaders.walletScore.load(wallet.id),
  }),
  firstFunder: t.field({
    type: WalletObject,
    nullable: true,
    description: 'The wallet that sent it its first native coin or token; null when it is not known.',
    resolve: ({ firstFunderId }, _, { loaders }) =>
      firstFunderId === null ? null : loaders.walletById.load(firstFunderId),
  }),
}))

builder.objectType(PnlObject, {
  extensions: PART,
  description: 'Profit and loss of a wallet at average cost. Tokens that came by transfer carry no cost.',
  fields: (t) => ({
    estimateUsd: t.exposeFloat('pnlEstimateUsd', { description: 'Realised and open together, in USD.' }),
    realisedUsd: t.exposeFloat('realisedUsd', {
      description: 'What sales with a known cost brought above that cost, in USD.',
    }),
    openUsd: t.exposeFloat('openUsd', {
      description: 'What priced holdings are worth above their known cost, in USD.',
    }),
    coverage: t.exposeFloat('coverage', { description: 'The part of the value sold whose cost is known, 0-1.' }),
    pricedShare: t.exposeFloat('pricedShare', { description: 'The part of the holdings that has a price, 0-1.' }),
    confidence: t.expose('pnlConfidence', { type: ConfidenceEnum, description: 'How much of it is known.' }),
    confidenceReasons: t.exposeStringList('reasons', {
      extensions: listOf(PNL_REASONS),
      description: 'Why the confidence is what it is, such as "transfers_without_cost" or "unpriced_holdings".',
    }),
  }),
})

builder.queryField('wallet', (t) =>
  t.field({
    type: WalletObject,
    nullable: true,
    description: 'One wallet; null when it is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the wallet.' }) },
    resolve: (_, { address }, { loaders }) => loaders.walletByAddress.load(address),
  }),
)
