// Holders of a token, with their shares.
import { netActivityOf } from './activity.ts'
import { builder } from './builder.ts'
import { implementPage } from './page.ts'
import { HolderObject, HolderPageObject, WalletObject } from './refs.ts'
import { ClassificationEnum, ConfidenceEnum, NetActivityEnum } from './vocabulary.ts'

builder.prismaObjectFields(HolderObject, (t) => ({
  address: t.field({ type: 'Address', description: 'The address of the holder.', resolve: (holder) => holder.address }),
  holdingPct: t.float({ description: 'The share of the supply in percent.', resolve: (holder) => holder.holdingPct }),
  quantity: t.float({ description: 'The amount held, in whole tokens.', resolve: (holder) => holder.quantity }),
  valueUsd: t.float({
    description: 'The value of the holding in USD; 0 if the token has no price.',
    resolve: (holder) => holder.valueUsd,
  }),
  classification: t.field({
    type: ClassificationEnum,
    description: 'How the wallet behaves, or what the address is.',
    resolve: (holder) => holder.classification,
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
    description: 'How the holding changed over the past 7 days.',
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

implementPage(HolderPageObject, HolderObject, 'holders')
