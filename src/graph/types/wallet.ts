// Wallets: profile, portfolio, profit and loss, events.

import { MAX_LIMIT } from '../../base/page.ts'
import { CLASSIFICATIONS } from '../../base/vocabulary.ts'
import { SHOWN_WALLET } from '../../fields/wallet.ts'
import { COUNTED_POSITIONS } from '../../ledger/read/position.ts'
import { toClassifications } from '../../ledger/read/wallet.ts'
import type { GraphContext } from '../context.ts'
import { CONNECTION, listOf, PART } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { MOST_POSITIONS_READ } from '../row-budget.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { EventConnection, PnlObject, PositionObject, WalletObject, WalletScoreObject } from '../schema/refs.ts'
import { shownFields } from '../schema/shown-fields.ts'
import { ClassificationEnum, ConfidenceEnum, ConfidenceGapEnum } from '../schema/vocabulary.ts'
import { eventListArgs, readEventSlice } from './event-list.ts'

/** The most reasons of a confidence in profit and loss. */
const PNL_REASONS = 6

/** Admits all positions of the wallet for the field. Throws INVALID_PARAMS if they are too many. */
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

// Identity.
builder.prismaObjectFields(WalletObject, (t) => ({
  address: t.expose('address', { type: 'Address' }),
  classifications: t.field({
    type: [ClassificationEnum],
    description: 'All classes that apply, such as [whale, smart_money], in order: the first is `classification`.',
    extensions: listOf(CLASSIFICATIONS.length),
    resolve: (wallet) => toClassifications(wallet),
  }),
}))

// Stored values, shown as they are.
builder.prismaObjectFields(WalletObject, (t) => shownFields(SHOWN_WALLET, (field) => t.field(field)))

// Profit and worth.
builder.prismaObjectFields(WalletObject, (t) => ({
  pnlEstimateUsd: t.float({
    description:
      'The estimated profit and loss in USD, realised and open, at average cost. It excludes gas, because no log has its price.',
    resolve: async (wallet, _, context) => (await loadPnl(wallet, context)).pnlEstimateUsd,
  }),
  pnlConfidence: t.field({
    type: ConfidenceEnum,
    description: 'How reliable the estimate is: how many sales have a known cost, and how many holdings a price.',
    resolve: async (wallet, _, context) => (await loadPnl(wallet, context)).pnlConfidence,
  }),
  netWorthUsd: t.float({
    description:
      'The value of its holdings together, in USD: each at the price, and at most the sum that the pools of its token could pay. A holding without a price counts as 0. `sellableUsd` has the proceeds of a sale. Only the wrapped native coin is included.',
    resolve: async (wallet, _, context) => (await loadPnl(wallet, context)).heldUsd,
  }),
  sellableUsd: t.float({
    description:
      'The proceeds of selling each of its holdings at once, in USD and without fees. A holding without a price, or with an unknown depth, counts as 0. It is far below `netWorthUsd` for a wallet with a large part of its pools.',
    resolve: async (wallet, _, context) => (await loadPnl(wallet, context)).sellableUsd,
  }),
  pnl: t.field({
    type: PnlObject,
    description: `The parts of the profit and loss. Refused, like the estimate, if the wallets of a query have more than ${MOST_POSITIONS_READ} positions together.`,
    resolve: (wallet, _, context) => loadPnl(wallet, context),
  }),
}))

// Lists and links.
builder.prismaObjectFields(WalletObject, (t) => ({
  portfolio: t.field({
    type: [PositionObject],
    description: `The holdings of the wallet, the most valuable first. Only the wrapped native coin is included, because payments by contracts write no log. Beyond ${MAX_LIMIT}, \`positions\` has pages. Refused if the wallets of a query have more than ${MOST_POSITIONS_READ} positions together.`,
    args: limitArgs(MAX_LIMIT),
    extensions: listOf('limit'),
    resolve: async (wallet, { limit }, context) => {
      const range = { id: wallet.id, limit: readLimit(limit, MAX_LIMIT) }
      await takePositions(wallet, 'portfolio', context)
      return context.lists.portfolio.load(range)
    },
  }),
  events: t.field({
    type: EventConnection,
    description: 'The events of the wallet, including transfers to it, in the order of the chain.',
    args: eventListArgs,
    extensions: CONNECTION,
    resolve: (wallet, asked, context) => readEventSlice(asked, context, { wallets: [wallet] }),
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
      'The wallet that sent the first native coin or token to this wallet, except less than a dollar of a priced token; null if unknown.',
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
        'Unrealised profit: value of holdings with a known cost, minus that cost, in USD. A holding without a price counts as 0.',
    }),
    coverage: t.exposeFloat('coverage', { description: 'The share of the value sold whose cost is known, 0-1.' }),
    pricedShare: t.exposeFloat('pricedShare', { description: 'The share of the holdings that has a price, 0-1.' }),
    confidence: t.expose('pnlConfidence', { type: ConfidenceEnum, description: 'How reliable the estimate is.' }),
    confidenceGaps: t.expose('reasons', {
      type: [ConfidenceGapEnum],
      extensions: listOf(PNL_REASONS),
      description: 'The gaps in the evidence; closing them raises the confidence.',
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
