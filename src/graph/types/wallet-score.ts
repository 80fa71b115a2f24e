// The reputation of a wallet, with its dimensions, explanation and history.
import { CLASSIFICATIONS } from '../../base/vocabulary.ts'
import { DIMENSION_ROWS } from '../../fields/wallet.ts'
import { toClassifications } from '../../ledger/read/wallet.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { WalletDimensionsObject, WalletObject, WalletScoreObject } from '../schema/refs.ts'
import { shownFields } from '../schema/shown-fields.ts'
import { ClassificationEnum, ConfidenceEnum } from '../schema/vocabulary.ts'
import { explanationOf, historyOf } from './history.ts'

builder.prismaObjectFields(WalletScoreObject, (t) => ({
  address: t.field({ type: 'Address', description: 'The address of the wallet.', resolve: (score) => score.address }),
  reputationScore: t.exposeFloat('reputationScore'),
  confidence: t.field({
    type: ConfidenceEnum,
    description: 'How much evidence the reputation is based on.',
    resolve: (score) => score.reputationConfidence,
  }),
  classification: t.field({
    type: ClassificationEnum,
    description: 'The behaviour of the wallet; for another address, its kind.',
    resolve: (score) => score.classification,
  }),
  classifications: t.field({
    type: [ClassificationEnum],
    description: 'All classes that apply, such as [whale, smart_money], in order: the first is `classification`.',
    extensions: listOf(CLASSIFICATIONS.length),
    resolve: (score) => toClassifications(score),
  }),
  dimensions: t.field({
    type: WalletDimensionsObject,
    description: 'The dimensions of the score.',
    resolve: (score) => score,
  }),
  tradeCount: t.int({ description: 'How many swaps the wallet made.', resolve: (score) => score.tradeCount }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  blockNumber: t.exposeInt('blockNumber'),
  explanation: t.field(
    explanationOf('wallet', (score: { id: number }, loaders) => loaders.walletExplanation.load(score.id)),
  ),
  history: t.field(historyOf('walletHistory')),
  wallet: t.field({
    type: WalletObject,
    description: 'The wallet of the score.',
    resolve: (score, _, { loaders }) => loaders.walletById.load(score.id),
  }),
}))

builder.objectType(WalletDimensionsObject, {
  extensions: PART,
  description: 'The dimensions of a reputation.',
  fields: (t) => shownFields(DIMENSION_ROWS, (field) => t.field(field)),
})

builder.queryField('walletScore', (t) =>
  t.field({
    type: WalletScoreObject,
    nullable: true,
    description: 'The reputation of a wallet; null if the wallet is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the wallet.' }) },
    resolve: (_, { address }, { loaders }) => loaders.walletScoreByAddress.load(address),
  }),
)
