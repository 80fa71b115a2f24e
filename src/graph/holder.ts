// Holders: a token's wallets with their shares.
import { netActivityOf } from './activity.ts'
import { builder } from './builder.ts'
import { implementPage } from './page.ts'
import { HolderObject, HolderPageObject, WalletObject } from './refs.ts'
import { ClassificationEnum, ConfidenceEnum, NetActivityEnum } from './vocabulary.ts'

builder.prismaObjectFields(HolderObject, (t) => ({
  address: t.field({ type: 'Address', description: 'The address of the holder.', resolve: (holder) => holder.address }),
  holdingPct: t.float({ description: 'Its share of the supply in percent.', resolve: (holder) => holder.holdingPct }),
  quantity: t.float({ description: 'What it holds, in whole tokens.', resolve: (holder) => holder.quantity }),
  valueUsd: t.float({
    description: 'What that is worth in USD; 0 when the token is not priced.',
    resolve: (holder) => holder.valueUsd,
  }),
  classification: t.field({
    type: ClassificationEnum,
    description: 'What the wallet does, or what the address is.',
    resolve: (holder) => holder.classification,
  }),
  reputationScore: t.float({
    description: 'The reputation of the wallet, 0-100.',
    resolve: (holder) => holder.reputationScore,
  }),
  reputationConfidence: t.field({
    type: ConfidenceEnum,
    description: 'How much evidence stands behind the reputation.',
    resolve: (holder) => holder.reputationConfidence,
  }),
  netActivity: t.field({
    type: NetActivityEnum,
    description: 'What it did with the holding over the past 7 days.',
    resolve: (holder, _, { reading }) => netActivityOf(holder, reading.head),
  }),
  firstAt: t.expose('firstAt', { type: 'DateTime', description: 'The time at which it first met the token.' }),
  lastAt: t.expose('lastAt', { type: 'DateTime', description: 'The time at which its holding last changed.' }),
  wallet: t.field({
    type: WalletObject,
    description: 'The wallet behind the address.',
    resolve: (holder, _, { loaders }) => loaders.walletById.load(holder.walletId),
  }),
}))

implementPage(HolderPageObject, HolderObject, 'holders')
