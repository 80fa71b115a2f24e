// Tokens: one token, and all fields of a token.

import { toRiskLevel } from '../../base/risk-level.ts'
import { RISK_FLAGS } from '../../base/vocabulary.ts'
import { isNullable, SHOWN_NUMBERS } from '../../fields/token.ts'
import { MAIN_FINDINGS, pickMain } from '../../verdict/settle.ts'
import { CONNECTION, listOf, seriesOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { connectionArgs, readPlaced } from '../schema/connection.ts'
import { limitArgs } from '../schema/length.ts'
import {
  EventConnection,
  HolderConnection,
  HolderObject,
  HourObject,
  PoolConnection,
  ReasonObject,
  TokenObject,
  TokenScoreObject,
  WalletObject,
} from '../schema/refs.ts'
import { RiskFlagEnum, RiskLevelEnum } from '../schema/vocabulary.ts'
import { eventListArgs, readEventSlice } from './event-list.ts'

/** How many holders a profile shows. */
const TOP_HOLDERS = 10
/** One month. */
const MAX_HOURS = 720

// Identity and age.
builder.prismaObjectFields(TokenObject, (t) => ({
  address: t.expose('address', { type: 'Address' }),
  name: t.exposeString('name'),
  symbol: t.exposeString('symbol'),
  decimals: t.exposeInt('decimals', { nullable: true }),
  launchpad: t.exposeString('launchpad', {
    description:
      'The launch venue, or "unknown". Text, because the set is open: the chain\'s configuration names its venues.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime' }),
  listedAt: t.expose('listedAt', { type: 'DateTime', nullable: true }),
  createdBlock: t.exposeInt('createdBlock'),
  ageHours: t.float({
    description:
      'Hours from the first log of the token to the block. An old contract may get its first pool long after its first log.',
    resolve: (token) => token.ageHours,
  }),
  partial: t.boolean({
    description:
      'Whether part of its supply was made before the first indexed block, or without a log, so that part of its history is unknown: `unloggedSupply` has it.',
    select: { partial: true, unlogged: true },
    resolve: ({ partial, unlogged }) => partial || (unlogged !== null && !unlogged.isZero()),
  }),
}))

// Stored numbers, shown as they are.
builder.prismaObjectFields(TokenObject, (t) =>
  Object.fromEntries(
    SHOWN_NUMBERS.map(([name, { type, text: description }]) => {
      const options = { description, nullable: isNullable(name) }
      // One name stands for all of its type.
      return [
        name,
        type === 'Int' ? t.exposeInt(name as 'holderCount', options) : t.exposeFloat(name as 'liquidityUsd', options),
      ]
    }),
  ),
)

// Market.
builder.prismaObjectFields(TokenObject, (t) => ({
  marketCapUsd: t.float({
    nullable: true,
    description:
      'The price times the supply in circulation (without burned tokens and those of known lockers), in USD. The price is at the block of the answer. Null when it is not priced. `fdvUsd` includes locked tokens.',
    resolve: ({ priceUsd, marketCapUsd }) => (priceUsd > 0 ? marketCapUsd : null),
  }),
  volume24hUsd: t.float({
    description: 'The volume of the trailing 24 hours in USD.',
    resolve: (token) => token.volume24hUsd,
  }),
  organicVolume24hUsd: t.float({
    nullable: true,
    description:
      "The real part of `volume24hUsd`, in USD. It leaves out matched wash trades, and a wallet's purchase and sale in one pool within one block, or blocks of one second (sandwiches, arbitrage). From the newest score. Null for money of the chain, for a token with more than 2,000 swaps in the window, and before the first score.",
    resolve: async (token, _, { loaders }) => {
      const { organicVolume24hUsd } = await loaders.tokenScore.load(token.id)
      return organicVolume24hUsd === null ? null : Math.min(organicVolume24hUsd, token.volume24hUsd)
    },
  }),
}))

// Holders.
builder.prismaObjectFields(TokenObject, (t) => ({
  fundedHolderCount: t.int({
    nullable: true,
    description:
      'How many accounts, without contracts, held at least $1 of it when their balance last changed, at the price of that time. Growth and trending count these. Null when it is not priced.',
    select: { fundedHolderCount: true },
    resolve: ({ priceUsd, fundedHolderCount }) => (priceUsd > 0 ? fundedHolderCount : null),
  }),
  holderGrowth1hPct: t.float({
    nullable: true,
    description:
      'The growth of `fundedHolderCount`, the holders with a dollar, over the past hour in percent; negative when it shrank. Null when it is not priced.',
    resolve: ({ priceUsd, holderGrowth1hPct }) => (priceUsd > 0 ? holderGrowth1hPct : null),
  }),
}))

// Risk.
builder.prismaObjectFields(TokenObject, (t) => ({
  riskLevel: t.field({
    type: RiskLevelEnum,
    description: 'The band of the risk score.',
    resolve: (token) => toRiskLevel(token.riskScore),
  }),
  riskFlags: t.expose('riskFlags', { type: [RiskFlagEnum], extensions: listOf(RISK_FLAGS.length) }),
  aiSummary: t.string({
    description: 'A generated summary of at most 400 characters.',
    resolve: (token) => token.aiSummary,
  }),
  score: t.field({
    type: TokenScoreObject,
    description: 'The risk score, with its dimensions and how it was computed.',
    resolve: (token, _, { loaders }) => loaders.tokenScore.load(token.id),
  }),
  reasons: t.field({
    type: [ReasonObject],
    extensions: listOf(MAIN_FINDINGS),
    description:
      'The three main reasons for the risk score: dangers first, then the largest points; empty before the first score. `score { explanation { reasons } }` has all.',
    resolve: async (token, _, { loaders }) => pickMain((await loaders.verdict.load(token.id)).verdict?.findings ?? []),
  }),
}))

// Lists and links.
builder.prismaObjectFields(TokenObject, (t) => ({
  topHolders: t.field({
    type: [HolderObject],
    description: 'The ten largest holders by share, including pools and burn addresses.',
    extensions: listOf(TOP_HOLDERS),
    resolve: (token, _, { lists }) => lists.holders.load({ tokenId: token.id, offset: 0, limit: TOP_HOLDERS }),
  }),
  holders: t.field({
    type: HolderConnection,
    description:
      'All holders, the largest first. Equal ones are ordered by address up to 5,000, and beyond by their first log.',
    args: connectionArgs,
    extensions: CONNECTION,
    resolve: ({ id, holderCount }, asked, { lists }) =>
      readPlaced(asked, async (page) => ({
        items: page.offset < holderCount ? await lists.holders.load({ tokenId: id, ...page }) : [],
        total: holderCount,
      })),
  }),
  events: t.field({
    type: EventConnection,
    description: 'The events of the token, in the order of the chain.',
    args: eventListArgs,
    extensions: CONNECTION,
    resolve: (token, asked, context) => readEventSlice(asked, context, { tokens: [token] }),
  }),
  pools: t.field({
    type: PoolConnection,
    description: 'The pools in which the token trades, the deepest first.',
    args: connectionArgs,
    extensions: CONNECTION,
    resolve: ({ id }, asked, { lists }) => readPlaced(asked, (page) => lists.pools.load({ tokenId: id, ...page })),
  }),
  hours: t.field({
    type: [HourObject],
    description: 'The newest hours in which the token traded, newest first.',
    args: limitArgs(24, MAX_HOURS),
    extensions: seriesOf('limit', MAX_HOURS),
    resolve: (token, { limit }, { lists }) =>
      lists.hours.load({ id: token.id, limit: readLimit(limit, 24, MAX_HOURS) }),
  }),
  deployer: t.field({
    type: WalletObject,
    nullable: true,
    description:
      'The wallet that deployed the token; null if unknown. It may have no event and no holding, and then `wallet` does not find it.',
    select: { deployerId: true },
    resolve: ({ deployerId }, _, { loaders }) => (deployerId === null ? null : loaders.walletById.load(deployerId)),
  }),
}))

builder.queryField('token', (t) =>
  t.field({
    type: TokenObject,
    nullable: true,
    description: 'One token; null if it is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the token contract.' }) },
    resolve: async (_, { address }, { loaders, checks }) => {
      const token = await loaders.tokenByAddress.load(address)
      if (token) checks?.look(token.id)
      return token
    },
  }),
)
