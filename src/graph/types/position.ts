// Positions: what a wallet and a token have to do with each other, listed by the wallet or by the token.
import { toGain } from '../../base/amount.ts'
import { sellableUsd } from '../../scoring/sellable.ts'
import { builder } from '../schema/builder.ts'
import { PositionObject, TokenObject, WalletObject } from '../schema/refs.ts'
import { NetActivityEnum } from '../schema/vocabulary.ts'
import { netActivityOf } from './activity.ts'

builder.prismaObjectFields(PositionObject, (t) => ({
  id: t.id({
    description: 'The identifier: "position" with the addresses of token and wallet.',
    resolve: async ({ tokenAddress, walletId }, _, { loaders }) =>
      `position:${tokenAddress}:${(await loaders.walletById.load(walletId)).address}`,
  }),
  tokenAddress: t.field({
    type: 'Address',
    description: 'The address of the token.',
    resolve: (position) => position.tokenAddress,
  }),
  tokenSymbol: t.string({
    description: 'The symbol of the token from its contract: anyone can choose it.',
    resolve: (position) => position.tokenSymbol,
  }),
  quantity: t.float({
    nullable: true,
    description: 'The amount held, in whole tokens; null when the decimals are not known.',
    resolve: (position) => (position.hasDecimals ? position.quantity : null),
  }),
  valueUsd: t.float({
    nullable: true,
    description:
      'The value of the holding in USD, at most what the pools of the token could pay. Null when the token is not priced.',
    resolve: (position) => (position.priceUsd > 0 ? position.valueUsd : null),
  }),
  sellableUsd: t.float({
    nullable: true,
    description:
      'What the whole holding would bring if it were sold at once, in USD and without fees: an estimate that takes the pools that tell the price for one pool of constant product of their depth, so that a tenth of the pool brings less than its value. 0 while the newest check of the contract says that nobody can sell. Null when the token is not priced, or by a launch curve alone.',
    resolve: (position) => sellableUsd(position),
  }),
  costUsd: t.exposeFloat('costUsd'),
  realisedUsd: t.exposeFloat('realisedUsd'),
  boughtUsd: t.exposeFloat('boughtUsd'),
  soldUsd: t.exposeFloat('soldUsd'),
  rawQuantity: t.field({
    type: 'BigInt',
    description: 'The amount held in raw units of the token, exactly.',
    select: { balance: true },
    resolve: ({ balance }) => BigInt(balance.toFixed()),
  }),
  openUsd: t.float({
    nullable: true,
    description:
      'The unrealised profit: the value of the part with a known cost, minus that cost, in USD. Null when the token is not priced.',
    resolve: ({ costQuantity, priceUsd, unitUsd, costUsd }) =>
      priceUsd > 0 ? toGain(costQuantity * unitUsd - costUsd) : null,
  }),
  volumeUsd: t.float({
    description: 'What was spent on it and what its sales brought in, together in USD.',
    resolve: ({ boughtUsd, soldUsd }) => boughtUsd + soldUsd,
  }),
  tradeCount: t.exposeInt('swapCount'),
  firstAt: t.expose('firstAt', { type: 'DateTime' }),
  lastAt: t.expose('lastAt', { type: 'DateTime' }),
  netActivity: t.field({
    type: NetActivityEnum,
    description: 'How the holding changed since the start of the day (UTC) 7 days ago.',
    resolve: (position, _, { reading }) => netActivityOf(position, reading.head),
  }),
  token: t.field({
    type: TokenObject,
    nullable: true,
    description: 'The token that is held; null if it is not indexed.',
    resolve: (position, _, { loaders }) => loaders.tokenById.load(position.tokenId),
  }),
  wallet: t.field({
    type: WalletObject,
    description: 'The wallet that holds it.',
    resolve: (position, _, { loaders }) => loaders.walletById.load(position.walletId),
  }),
}))
