// The fields of an event.
import { formatEventId } from '../../base/event-id.ts'
import { SHOWN_EVENT } from '../../fields/event.ts'
import { priceUsdOf } from '../../ledger/read/event.ts'
import { builder } from '../schema/builder.ts'
import { EventObject, PoolObject, TokenObject, WalletObject } from '../schema/refs.ts'
import { shownFields } from '../schema/shown-fields.ts'
import { FinalityEnum } from '../schema/vocabulary.ts'

// Values, shown as they are read.
builder.prismaObjectFields(EventObject, (t) => shownFields(SHOWN_EVENT, (field) => t.field(field)))

builder.prismaObjectFields(EventObject, (t) => ({
  id: t.id({
    description:
      'The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0.',
    resolve: (event) => formatEventId(event),
  }),
  isMev: t.boolean({
    nullable: true,
    description:
      'Whether the swap is one side of a round trip, as sandwiches and arbitrage are. Its wallet bought and sold the token in the same pool within one block, or blocks of one second. Null for every other type. Victims of sandwiches and legs by two wallets are not marked.',
    resolve: async (event, _, { loaders }) =>
      event.type === 'swap' ? (await loaders.roundTrip.load(event.n)).isRoundTrip : null,
  }),
  priceUsd: t.float({
    nullable: true,
    description:
      'The price of a whole token in this swap in USD: its value over its amount. Null for every other type, for a value under a cent, and for unknown decimals.',
    resolve: (event) => priceUsdOf(event),
  }),
}))

builder.prismaObjectFields(EventObject, (t) => ({
  finality: t.field({
    type: FinalityEnum,
    description: 'Whether its block can still be rolled back.',
    resolve: async ({ blockNumber }, _, { loaders }) =>
      blockNumber <= ((await loaders.chain.load(0))?.finalized ?? -1) ? 'final' : 'provisional',
  }),
  pool: t.field({
    type: PoolObject,
    nullable: true,
    description: 'The pool of a swap or a change of liquidity; null for a transfer.',
    resolve: ({ poolId }, _, { loaders }) => (poolId === null ? null : loaders.poolById.load(poolId)),
  }),
}))

// Links.
builder.prismaObjectFields(EventObject, (t) => ({
  token: t.field({
    type: TokenObject,
    nullable: true,
    description: 'The token of the event; null if it is not indexed.',
    resolve: (event, _, { loaders }) => loaders.tokenById.load(event.tokenId),
  }),
  wallet: t.field({
    type: WalletObject,
    description: 'The wallet of the event.',
    resolve: (event, _, { loaders }) => loaders.walletById.load(event.walletId),
  }),
  counterparty: t.field({
    type: WalletObject,
    nullable: true,
    description: 'The recipient of a transfer; null for every other type.',
    resolve: (event, _, { loaders }) =>
      event.counterpartyId === null ? null : loaders.walletById.load(event.counterpartyId),
  }),
}))
