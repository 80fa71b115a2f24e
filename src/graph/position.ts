// Positions: what a wallet holds.
import { netActivityOf } from './activity.ts'
import { builder } from './builder.ts'
import { PositionObject, TokenObject, WalletObject } from './refs.ts'
import { NetActivityEnum } from './vocabulary.ts'

builder.prismaObjectFields(PositionObject, (t) => ({
  tokenAddress: t.field({
    type: 'Address',
    description: 'The address of the token.',
    resolve: (position) => position.tokenAddress,
  }),
  tokenSymbol: t.string({
    description: 'The symbol of the token: never trust it.',
    resolve: (position) => position.tokenSymbol,
  }),
  quantity: t.float({ description: 'What is held, in whole tokens.', resolve: (position) => position.quantity }),
  valueUsd: t.float({
    description: 'What that is worth in USD; 0 when the token is not priced.',
    resolve: (position) => position.valueUsd,
  }),
  costUsd: t.exposeFloat('costUsd', { description: 'What the part with a known cost did cost, in USD.' }),
  realisedUsd: t.exposeFloat('realisedUsd', { description: 'The profit that its sales realised, in USD.' }),
  boughtUsd: t.exposeFloat('boughtUsd', { description: 'What was spent on it in all, in USD.' }),
  soldUsd: t.exposeFloat('soldUsd', { description: 'What its sales brought in all, in USD.' }),
  tradeCount: t.exposeInt('swapCount', { description: 'How many swaps of the token the wallet made.' }),
  firstAt: t.expose('firstAt', {
    type: 'DateTime',
    description: 'The time at which the wallet first met the token.',
  }),
  lastAt: t.expose('lastAt', { type: 'DateTime', description: 'The time at which the holding last changed.' }),
  netActivity: t.field({
    type: NetActivityEnum,
    description: 'What the wallet did with the holding over the past 7 days.',
    resolve: (position, _, { reading }) => netActivityOf(position, reading.head),
  }),
  token: t.field({
    type: TokenObject,
    nullable: true,
    description: 'The token; null when it is not indexed.',
    resolve: (position, _, { loaders }) => loaders.tokenById.load(position.tokenId),
  }),
  wallet: t.field({
    type: WalletObject,
    description: 'The wallet that holds it.',
    resolve: (position, _, { loaders }) => loaders.walletById.load(position.walletId),
  }),
}))
