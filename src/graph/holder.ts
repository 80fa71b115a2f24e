// Holders: a token's wallets with their shares.
import { netActivityOf } from './activity.ts'
import { builder } from './builder.ts'
import { implementPage } from './page.ts'
import { HolderObject, HolderPageObject, WalletObject } from './refs.ts'
import { ClassificationEnum, ConfidenceEnum, NetActivityEnum } from './vocabulary.ts'

builder.objectType(HolderObject, {
  description: 'An address that holds a token.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'The address of the holder.' }),
    holdingPct: t.exposeFloat('holdingPct', { description: 'Its share of the supply in percent.' }),
    quantity: t.exposeFloat('quantity', { description: 'What it holds, in whole tokens.' }),
    valueUsd: t.exposeFloat('valueUsd', { description: 'What that is worth in USD; 0 when the token is not priced.' }),
    classification: t.expose('classification', {
      type: ClassificationEnum,
      description: 'What the wallet does, or what the address is.',
    }),
    reputationScore: t.exposeFloat('reputationScore', { description: 'The reputation of the wallet, 0-100.' }),
    reputationConfidence: t.expose('reputationConfidence', {
      type: ConfidenceEnum,
      description: 'How much evidence stands behind the reputation.',
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
  }),
})

implementPage(HolderPageObject, HolderObject, 'holders')
