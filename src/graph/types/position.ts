// Positions: a wallet's holdings and trades of a token, listed by the wallet or by the token.
import { toGain } from '../../base/amount.ts'
import { builder } from '../schema/builder.ts'
import { PositionObject, TokenObject, WalletObject } from '../schema/refs.ts'
import { NetActivityEnum } from '../schema/vocabulary.ts'
import { netActivityOf } from './activity.ts'
import { HELD } from './held.ts'

// Holding and value.
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
  quantity: t.float(HELD.quantity),
  valueUsd: t.float(HELD.valueUsd),
  sellableUsd: t.float(HELD.sellableUsd),
  rebasing: t.boolean(HELD.rebasing),
}))

// Trades.
builder.prismaObjectFields(PositionObject, (t) => ({
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
      'The unrealised profit in USD: the value minus the cost, of the part with a known cost. Null when the token is not priced.',
    resolve: ({ costQuantity, priceUsd, unitUsd, costUsd }) =>
      priceUsd > 0 ? toGain(costQuantity * unitUsd - costUsd) : null,
  }),
  volumeUsd: t.float({
    description: 'The money spent on it and the proceeds of its sales, together in USD.',
    resolve: ({ boughtUsd, soldUsd }) => boughtUsd + soldUsd,
  }),
  tradeCount: t.exposeInt('swapCount'),
}))

// Times and links.
builder.prismaObjectFields(PositionObject, (t) => ({
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
