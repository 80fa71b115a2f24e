// The fields of an event.
import type { Address } from '../../base/address.ts'
import { formatEventId } from '../../base/event-id.ts'
import { priceUsdOf } from '../../ledger/read/event.ts'
import { builder } from '../schema/builder.ts'
import { EventObject, PoolObject, TokenObject, WalletObject } from '../schema/refs.ts'
import { AttributionEnum, DirectionEnum, EventTypeEnum, FinalityEnum } from '../schema/vocabulary.ts'

// What happened to which token and wallet.
builder.prismaObjectFields(EventObject, (t) => ({
  id: t.id({
    description:
      'The identifier: block number, index of the log in the block, and part of that log, such as 5661-12-0.',
    resolve: (event) => formatEventId(event),
  }),
  type: t.field({ type: EventTypeEnum, description: 'What happened.', resolve: (event) => event.type }),
  direction: t.field({
    type: DirectionEnum,
    nullable: true,
    description: 'The side of a swap; null for every other type.',
    resolve: (event) => event.direction,
  }),
  tokenAddress: t.field({
    type: 'Address',
    description: 'The address of the token.',
    resolve: (event) => event.tokenAddress,
  }),
  tokenSymbol: t.string({
    description: 'The symbol of the token from its contract: anyone can choose it.',
    resolve: (event) => event.tokenSymbol,
  }),
  walletAddress: t.field({
    type: 'Address',
    description: 'The address of the wallet whose event it is (see `attribution`); of a transfer the sender.',
    resolve: (event) => event.walletAddress,
  }),
  isMev: t.boolean({
    nullable: true,
    description:
      'Whether the swap is one side of a round trip, as sandwiches and arbitrage are. Its wallet bought and sold the token in the same pool within one block, or blocks of one second. Null for every other type. Victims of sandwiches and legs by two wallets are not marked.',
    resolve: async (event, _, { loaders }) =>
      event.type === 'swap' ? (await loaders.roundTrip.load(event.n)).isRoundTrip : null,
  }),
  amountUsd: t.exposeFloat('amountUsd'),
  quantity: t.float({
    nullable: true,
    description: 'The amount of the token, in whole tokens; null when the decimals are not known.',
    resolve: (event) => event.quantity,
  }),
  priceUsd: t.float({
    nullable: true,
    description:
      'The price of a whole token in this swap in USD: its value over its amount. Null for every other type, for a value under a cent, and for unknown decimals.',
    resolve: (event) => priceUsdOf(event),
  }),
}))

// Where the log stands, and who signed.
builder.prismaObjectFields(EventObject, (t) => ({
  timestamp: t.field({ type: 'DateTime', description: 'The time of the block.', resolve: (event) => event.timestamp }),
  attribution: t.field({
    type: AttributionEnum,
    description: 'The evidence for the wallet of the event.',
    resolve: (event) => event.attribution,
  }),
  signerAddress: t.field({
    type: 'Address',
    nullable: true,
    description: 'The signer of the transaction; null for a transfer, whose signer is not stored.',
    resolve: (event) => event.txFrom as Address | null,
  }),
  transactionHash: t.field({
    type: 'Hash',
    description: 'The hash of the transaction: 0x and 64 hex digits.',
    resolve: (event) => event.txHash,
  }),
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
  blockNumber: t.exposeInt('blockNumber'),
  logIndex: t.exposeInt('logIndex'),
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
