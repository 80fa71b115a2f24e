// Holders of a token, with their shares.
import { CLASSIFICATIONS } from '../../base/vocabulary.ts'
import { SHOWN_HOLDER } from '../../fields/pool.ts'
import { toClassifications } from '../../ledger/read/wallet.ts'
import { listOf } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { implementConnection } from '../schema/connection.ts'
import { HolderConnection, HolderObject, WalletObject } from '../schema/refs.ts'
import { shownFields } from '../schema/shown-fields.ts'
import { ClassificationEnum, NetActivityEnum } from '../schema/vocabulary.ts'
import { netActivityOf } from './activity.ts'
import { HELD } from './held.ts'

builder.prismaObjectFields(HolderObject, (t) => shownFields(SHOWN_HOLDER, (field) => t.field(field)))

builder.prismaObjectFields(HolderObject, (t) => ({
  quantity: t.float(HELD.quantity),
  valueUsd: t.float(HELD.valueUsd),
  sellableUsd: t.float(HELD.sellableUsd),
  rebasing: t.boolean(HELD.rebasing),
  classifications: t.field({
    type: [ClassificationEnum],
    description: 'All classes that apply, such as [whale, smart_money], in order: the first is `classification`.',
    extensions: listOf(CLASSIFICATIONS.length),
    resolve: (holder) => toClassifications(holder),
  }),
  netActivity: t.field({
    type: NetActivityEnum,
    description: 'How the holding changed since the start of the day (UTC) 7 days ago.',
    resolve: (holder, _, { reading }) => netActivityOf(holder, reading.head),
  }),
  wallet: t.field({
    type: WalletObject,
    description: 'The wallet behind the address.',
    resolve: (holder, _, { loaders }) => loaders.walletById.load(holder.walletId),
  }),
}))

implementConnection(HolderConnection, HolderObject, { one: 'A holder', many: 'holders' })
