// Events: all of them, or those of a token, of a wallet, or between both.
import type { Address } from '../../base/address.ts'
import { invalid } from '../../base/errors.ts'
import { type EventId, formatEventId, parseEventId } from '../../base/event-id.ts'
import type { EventType } from '../../base/vocabulary.ts'
import { priceUsdOf } from '../../ledger/read/event.ts'
import { listOf } from '../cost/list-size.ts'
import { readPage } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { implementPage, pageArgs } from '../schema/page.ts'
import { EventObject, EventPageObject, PoolObject, TokenObject, WalletObject } from '../schema/refs.ts'
import { AttributionEnum, DirectionEnum, EventTypeEnum, FinalityEnum } from '../schema/vocabulary.ts'
import { SortDirectionEnum } from './screen.ts'

/** The arguments of a page of events. */
export const eventArgs = builder.args((t) => ({
  type: t.field({ type: EventTypeEnum, description: 'Only events of this type; all types if left out.' }),
  since: t.field({ type: 'DateTime', description: 'Only events after this time (exclusive).' }),
  until: t.field({ type: 'DateTime', description: 'Only events up to this time (inclusive).' }),
  after: t.id({ description: 'Only events after the one with this `id` in the order of the chain.' }),
  before: t.id({ description: 'Only events before the one with this `id` in the order of the chain.' }),
  order: t.field({
    type: SortDirectionEnum,
    defaultValue: 'desc',
    description: 'The order of the list: `desc` is newest first, `asc` oldest first.',
  }),
  ...pageArgs(),
}))

/** Reads the arguments of a page of events. */
export function readEventQuery(args: {
  type?: EventType | null | undefined
  since?: Date | null | undefined
  until?: Date | null | undefined
  after?: string | null | undefined
  before?: string | null | undefined
  order?: 'asc' | 'desc' | null | undefined
  page?: number | null | undefined
  limit?: number | null | undefined
}) {
  const { type = null, since = null, until = null } = args
  const [after, before] = [readPlace('after', args.after), readPlace('before', args.before)]
  return { ...readPage(args), type, since, until, after, before, oldestFirst: args.order === 'asc' }
}

function readPlace(field: string, text: string | null = null): EventId | null {
  const id = text === null ? null : parseEventId(text)
  if (text === null || id) return id
  const message = `${field} must be the id of an event, such as 5661-12-0`
  throw invalid([{ location: 'argument', field, message }])
}

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
      'Whether the swap is one side of a round trip, as sandwiches and arbitrage are. Its wallet bought and sold the token in the same pool within the same block. Null for every other type. Victims of sandwiches and legs by two wallets are not marked.',
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

implementPage(EventPageObject, EventObject, 'events')

builder.queryField('events', (t) =>
  t.field({
    type: EventPageObject,
    description: 'The events of all indexed tokens and wallets, in the order of the chain.',
    args: {
      ...eventArgs,
      tokenAddress: t.arg({ type: 'Address', description: 'Only events of this token; empty if it is not indexed.' }),
      walletAddress: t.arg({
        type: 'Address',
        description: 'Only events of this wallet, including transfers to it; empty if it is not indexed.',
      }),
    },
    extensions: listOf('limit'),
    resolve: async (_, { tokenAddress, walletAddress, ...args }, { loaders, lists }) => {
      const query = readEventQuery(args)
      const [token, wallet] = await Promise.all([
        tokenAddress ? loaders.tokenByAddress.load(tokenAddress) : undefined,
        walletAddress ? loaders.walletByAddress.load(walletAddress) : undefined,
      ])
      if (token === null || wallet === null) return { items: [], total: 0, page: query.page, limit: query.limit }
      return lists.events.load({ ...query, tokenId: token?.id, wallet })
    },
  }),
)
