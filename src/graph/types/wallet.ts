// Wallets: profile, portfolio, profit and loss, events.

import { MAX_LIMIT } from '../../base/page.ts'
import { CLASSIFICATIONS } from '../../base/vocabulary.ts'
import { COUNTED_POSITIONS } from '../../ledger/read/position.ts'
import { toClassifications } from '../../ledger/read/wallet.ts'
import type { GraphContext } from '../context.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { MOST_POSITIONS_READ } from '../row-budget.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/page.ts'
import { EventPageObject, PnlObject, PositionObject, WalletObject, WalletScoreObject } from '../schema/refs.ts'
import { ClassificationEnum, ConfidenceEnum, ConfidenceGapEnum, WalletKindEnum } from '../schema/vocabulary.ts'
import { eventArgs, readEventQuery } from './event.ts'

/** How many reasons a confidence in profit and loss has at most. */
const PNL_REASONS = 6

/** Lets all positions of the wallet be read for the field. Throws INVALID_PARAMS where they are too many. */
export async function takePositions(
  { id, eventCount }: { id: number; eventCount: number },
  field: 'portfolio' | 'liquidityPositions' | 'pnl',
  { loaders, rowBudget }: GraphContext,
): Promise<void> {
  if (rowBudget.has(field, id)) return
  // A wallet has no more positions than events.
  const counted = eventCount > COUNTED_POSITIONS ? await loaders.positionCount.load(id) : eventCount
  rowBudget.take(field, id, counted > COUNTED_POSITIONS ? eventCount : counted)
}

async function loadPnl(wallet: { id: number; eventCount: number }, context: GraphContext) {
  await takePositions(wallet, 'pnl', context)
  return context.loaders.pnl.load(wallet.id)
}

builder.prismaObjectFields(WalletObject, (t) => ({
  address: t.expose('address', { type: 'Address' }),
  kind: t.expose('kind', { type: WalletKindEnum }),
  classification: t.field({
    type: ClassificationEnum,
    description: 'How the wallet behaves; for an address that is no wallet, what it is.',
    resolve: (wallet) => wallet.classification,
  }),
  classifications: t.field({
    type: [ClassificationEnum],
    description: 'All classes that hold, such as [whale, smart_money], in order: the first is `classification`.',
    extensions: listOf(CLASSIFICATIONS.length),
    resolve: (wallet) => toClassifications(wallet),
  }),
  reputationScore: t.float({
    description: 'The composite reputation, 0-100; higher is better.',
    resolve: (wallet) => wallet.reputationScore,
  }),
  reputationConfidence: t.field({
    type: ConfidenceEnum,
    description: 'How much evidence the reputation is based on.',
    resolve: (wallet) => wallet.reputationConfidence,
  }),
  sectorPreference: t.string({
    description:
      'The sector that the wallet trades most, or "unknown". Text, for the set is open, as that of launchpads is.',
    resolve: (wallet) => wallet.sectorPreference,
  }),
  pnlEstimateUsd: t.float({
    description:
      'The estimated profit and loss in USD, realised and open, at average cost. What its transactions paid for gas is not in it, since no log tells that.',
    resolve: async (wallet, _, context) => (await loadPnl(wallet, context)).pnlEstimateUsd,
  }),
  pnlConfidence: t.field({
    type: ConfidenceEnum,
    description: 'How reliable the estimate is: how many sales have a known cost, and how many holdings a price.',
    resolve: async (wallet, _, context) => (await loadPnl(wallet, context)).pnlConfidence,
  }),
  netWorthUsd: t.float({
    description:
      'What its holdings are worth together, in USD: each at the price, and at most what the pools of its token could pay; one without a price counts as 0. `sellableUsd` is what they would bring. The native coin is not among them, only what is wrapped.',
    resolve: async (wallet, _, context) => (await loadPnl(wallet, context)).heldUsd,
  }),
  sellableUsd: t.float({
    description:
      'What its holdings would bring together if each were sold at once, in USD and without fees; one without a price, or whose depth no log tells, counts as 0. Far below `netWorthUsd` where a wallet holds a large part of its pools.',
    resolve: async (wallet, _, context) => (await loadPnl(wallet, context)).sellableUsd,
  }),
  pnl: t.field({
    type: PnlObject,
    description: `The parts of the profit and loss. Refused, as the estimate is, where the wallets of a query have more than ${MOST_POSITIONS_READ} positions together.`,
    resolve: (wallet, _, context) => loadPnl(wallet, context),
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
    description: `What the wallet holds, the most valuable holding first. The native coin is not among it, only what is wrapped: payments by contracts write no log. What is beyond ${MAX_LIMIT} has \`positions\` by page. Refused where the wallets of a query have more than ${MOST_POSITIONS_READ} positions together.`,
    args: limitArgs(MAX_LIMIT),
    extensions: listOf('limit'),
    resolve: async (wallet, { limit }, context) => {
      const range = { id: wallet.id, limit: readLimit(limit, MAX_LIMIT) }
      await takePositions(wallet, 'portfolio', context)
      return context.lists.portfolio.load(range)
    },
  }),
  events: t.field({
    type: EventPageObject,
    description: 'The events of the wallet, including transfers to it, newest first.',
    args: eventArgs,
    extensions: listOf('limit'),
    resolve: (wallet, args, { lists }) => lists.events.load({ ...readEventQuery(args), wallet }),
  }),
  score: t.field({
    type: WalletScoreObject,
    description: 'The reputation, with its dimensions and how it was computed.',
    resolve: (wallet, _, { loaders }) => loaders.walletScore.load(wallet.id),
  }),
  firstFunder: t.field({
    type: WalletObject,
    nullable: true,
    description:
      'The wallet that sent the first native coin or token to this wallet, less than a dollar of a priced token left out; null if it is not known.',
    resolve: ({ firstFunderId }, _, { loaders }) =>
      firstFunderId === null ? null : loaders.walletById.load(firstFunderId),
  }),
}))

builder.objectType(PnlObject, {
  extensions: PART,
  description: 'Profit and loss of a wallet at average cost. Tokens that were received by transfer have no cost.',
  fields: (t) => ({
    estimateUsd: t.exposeFloat('pnlEstimateUsd', { description: 'Realised and open profit together, in USD.' }),
    realisedUsd: t.exposeFloat('realisedUsd', {
      description: 'Realised profit: proceeds of sales with a known cost, minus that cost, in USD.',
    }),
    openUsd: t.exposeFloat('openUsd', {
      description:
        'Unrealised profit: value of holdings with a known cost, minus that cost, in USD. A holding without a price is worth nothing.',
    }),
    coverage: t.exposeFloat('coverage', { description: 'The share of the value sold whose cost is known, 0-1.' }),
    pricedShare: t.exposeFloat('pricedShare', { description: 'The share of the holdings that has a price, 0-1.' }),
    confidence: t.expose('pnlConfidence', { type: ConfidenceEnum, description: 'How reliable the estimate is.' }),
    confidenceGaps: t.field({
      type: [ConfidenceGapEnum],
      extensions: listOf(PNL_REASONS),
      description: 'What is missing for a higher confidence.',
      resolve: ({ reasons }) => reasons,
    }),
  }),
})

builder.queryField('wallet', (t) =>
  t.field({
    type: WalletObject,
    nullable: true,
    description: 'One wallet; null if it is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the wallet.' }) },
    resolve: (_, { address }, { loaders }) => loaders.walletByAddress.load(address),
  }),
)
