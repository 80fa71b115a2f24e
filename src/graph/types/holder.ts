// Holders of a token, with their shares.

import { toMeaning } from '../../base/amount.ts'
import { CLASSIFICATIONS } from '../../base/vocabulary.ts'
import { toClassifications } from '../../ledger/read/wallet.ts'
import { listOf } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { implementConnection } from '../schema/connection.ts'
import { HolderConnection, HolderObject, WalletObject } from '../schema/refs.ts'
import { ClassificationEnum, ConfidenceEnum, NetActivityEnum } from '../schema/vocabulary.ts'
import { netActivityOf } from './activity.ts'
import { HELD } from './held.ts'

builder.prismaObjectFields(HolderObject, (t) => ({
  address: t.field({ type: 'Address', description: 'The address of the holder.', resolve: (holder) => holder.address }),
  holdingPct: t.float({
    description: 'The share of the supply in percent.',
    resolve: (holder) => toMeaning(holder.holdingPct),
  }),
  quantity: t.float(HELD.quantity),
  valueUsd: t.float(HELD.valueUsd),
  sellableUsd: t.float(HELD.sellableUsd),
  rebasing: t.boolean(HELD.rebasing),
  classification: t.field({
    type: ClassificationEnum,
    description: 'The behaviour of the wallet, or the kind of the address.',
    resolve: (holder) => holder.classification,
  }),
  classifications: t.field({
    type: [ClassificationEnum],
    description: 'All classes that apply, such as [whale, smart_money], in order: the first is `classification`.',
    extensions: listOf(CLASSIFICATIONS.length),
    resolve: (holder) => toClassifications(holder),
  }),
  reputationScore: t.float({
    description: 'The reputation of the wallet, 0-100.',
    resolve: (holder) => holder.reputationScore,
  }),
  reputationConfidence: t.field({
    type: ConfidenceEnum,
    description: 'How much evidence the reputation is based on.',
    resolve: (holder) => holder.reputationConfidence,
  }),
  netActivity: t.field({
    type: NetActivityEnum,
    description: 'How the holding changed since the start of the day (UTC) 7 days ago.',
    resolve: (holder, _, { reading }) => netActivityOf(holder, reading.head),
  }),
  firstAt: t.expose('firstAt', { type: 'DateTime', description: 'When the address first received or sent the token.' }),
  lastAt: t.expose('lastAt', { type: 'DateTime', description: 'When the holding last changed.' }),
  wallet: t.field({
    type: WalletObject,
    description: 'The wallet behind the address.',
    resolve: (holder, _, { loaders }) => loaders.walletById.load(holder.walletId),
  }),
}))

implementConnection(HolderConnection, HolderObject, { one: 'A holder', many: 'holders' })
