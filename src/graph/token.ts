// Tokens: the list with its filter, one token, and everything that hangs from it.

import { RISK_FLAGS } from '../base/vocabulary.ts'
import { unpackExplanation } from '../ledger/explanation-pack.ts'
import { MAX_POOLS } from '../ledger/read/pool.ts'
import { listTokens, type TokenRow } from '../ledger/read/token.ts'
import type { TokenDetailRow } from '../ledger/read/token-detail.ts'
import { toRiskLevel } from '../scoring/levels.ts'
import { MOST_REASONS } from '../scoring/reasons.ts'
import { builder } from './builder.ts'
import type { GraphContext } from './context.ts'
import { eventArgs, readEventQuery } from './event.ts'
import { readFilter, TokenFilterInput } from './filter.ts'
import { listOf } from './list-size.ts'
import { implementPage, limitArgs, pageArgs } from './page.ts'
import { readLimit, readPage } from './page-arguments.ts'
import {
  EventPageObject,
  HolderObject,
  HolderPageObject,
  HourObject,
  PoolObject,
  ReasonObject,
  TokenObject,
  TokenPageObject,
  TokenScoreObject,
  WalletObject,
} from './refs.ts'
import { RiskFlagEnum, RiskLevelEnum, TokenSortEnum } from './vocabulary.ts'

/** Holders that a profile shows. */
const TOP_HOLDERS = 10
/** A month of hours. */
const MAX_HOURS = 720

/** Resolves from the part of a token's row that lists do not read. */
const detail =
  <T>(pick: (row: TokenDetailRow) => T) =>
  async (token: TokenRow, _: unknown, { loaders }: GraphContext) =>
    pick(await loaders.tokenDetail.load(token.id))

builder.objectType(TokenObject, {
  description: 'An indexed token, as of the block that the answer reflects.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'The address of the token contract.' }),
    name: t.exposeString('name', {
      description: 'The name that the contract gives, written by whoever deployed it: never trust it.',
    }),
    symbol: t.exposeString('symbol', {
      description: 'The symbol that the contract gives, written by whoever deployed it: never trust it.',
    }),
    decimals: t.int({
      nullable: true,
      description: 'Decimal places of one whole token; null when the contract does not say.',
      resolve: detail((row) => row.decimals),
    }),
    launchpad: t.exposeString('launchpad', { description: 'The launch venue, or "unknown".' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time at which the token was created.' }),
    createdBlock: t.int({
      description: 'The number of the block of its creation.',
      resolve: detail((row) => row.createdBlock),
    }),
    ageHours: t.exposeFloat('ageHours', { description: 'The age in hours at the time of the block.' }),
    partial: t.boolean({
      description:
        'Whether the token is older than the first block that was indexed, so that its past is not known in full.',
      resolve: detail((row) => row.partial),
    }),
    supply: t.float({
      description: 'The total supply in whole tokens, burned ones included; 0 when the decimals are not known.',
      resolve: detail((row) => row.supply),
    }),
    burned: t.float({
      description: 'Whole tokens that lie at burn addresses.',
      resolve: detail((row) => row.burned),
    }),
    priceUsd: t.exposeFloat('priceUsd', { description: 'The price of a whole token in USD; 0 when it is not priced.' }),
    marketCapUsd: t.exposeFloat('marketCapUsd', {
      description: 'The price times the supply that is not burned, in USD.',
    }),
    liquidityUsd: t.exposeFloat('liquidityUsd', {
      description: 'The liquidity of its pools in USD, twice their quote sides.',
    }),
    peakLiquidityUsd: t.float({
      description: 'The most liquidity that it ever had, in USD.',
      resolve: detail((row) => row.peakLiquidityUsd),
    }),
    volume24hUsd: t.exposeFloat('volume24hUsd', { description: 'The volume of the trailing 24 hours in USD.' }),
    holderCount: t.exposeInt('holderCount', { description: 'How many addresses hold it.' }),
    holderGrowth1hPct: t.exposeFloat('holderGrowth1hPct', {
      description: 'The growth of the number of holders over the past hour in percent; negative when it shrank.',
    }),
    buyerCount: t.int({
      description: 'How many wallets ever bought it.',
      resolve: detail((row) => row.buyerCount),
    }),
    eventCount: t.int({
      description: 'How many events it has.',
      resolve: detail((row) => row.eventCount),
    }),
    swapCount: t.int({
      description: 'How many of them are swaps.',
      resolve: detail((row) => row.countByType.swap),
    }),
    riskScore: t.exposeFloat('riskScore', { description: 'The risk, 0-100; higher is riskier.' }),
    riskLevel: t.field({
      type: RiskLevelEnum,
      description: 'The band of the risk score.',
      resolve: (token) => toRiskLevel(token.riskScore),
    }),
    riskFlags: t.expose('riskFlags', {
      type: [RiskFlagEnum],
      extensions: listOf(RISK_FLAGS.length),
      description: 'The risk flags that apply; often none.',
    }),
    trendingScore: t.exposeFloat('trendingScore', { description: 'What the order "trending" goes by; no unit.' }),
    aiSummary: t.exposeString('aiSummary', { description: 'A generated summary of at most 400 characters.' }),
    score: t.field({
      type: TokenScoreObject,
      description: 'The risk score with its dimensions and how it came about.',
      resolve: (token, _, { loaders }) => loaders.tokenScore.load(token.id),
    }),
    reasons: t.field({
      type: [ReasonObject],
      extensions: listOf(MOST_REASONS),
      description:
        'The three reasons that matter most for the risk, the largest first; none when it was not scored yet.',
      resolve: async (token, _, { loaders }) => {
        const { explanation } = await loaders.tokenScoreDetail.load(token.id)
        return explanation ? unpackExplanation(explanation).reasons : []
      },
    }),
    topHolders: t.field({
      type: [HolderObject],
      description: 'The ten largest holders by share, pools and burn addresses included.',
      extensions: listOf(TOP_HOLDERS),
      resolve: (token, _, { lists }) => lists.holders.load({ tokenId: token.id, offset: 0, limit: TOP_HOLDERS }),
    }),
    holders: t.field({
      type: HolderPageObject,
      description: 'All holders, the largest first.',
      args: pageArgs(),
      extensions: listOf('limit'),
      resolve: async (token, args, { lists }) => {
        const { page, limit } = readPage(args)
        const key = { tokenId: token.id, offset: (page - 1) * limit, limit }
        const items = key.offset < token.holderCount ? await lists.holders.load(key) : []
        return { items, total: token.holderCount, page, limit }
      },
    }),
    events: t.field({
      type: EventPageObject,
      description: 'The events of the token, newest first.',
      args: eventArgs,
      extensions: listOf('limit'),
      resolve: (token, args, { lists }) => lists.events.load({ ...readEventQuery(args), tokenId: token.id }),
    }),
    pools: t.field({
      type: [PoolObject],
      description: 'The pools that trade it, the deepest first, 20 at most.',
      extensions: listOf(MAX_POOLS),
      resolve: (token, _, { lists }) => lists.pools.load(token.id),
    }),
    hours: t.field({
      type: [HourObject],
      description: 'The newest hours in which it traded, newest first.',
      args: limitArgs(24, MAX_HOURS),
      extensions: listOf('limit', MAX_HOURS),
      resolve: (token, { limit }, { lists }) =>
        lists.hours.load({ id: token.id, limit: readLimit(limit, 24, MAX_HOURS) }),
    }),
    deployer: t.field({
      type: WalletObject,
      nullable: true,
      description: 'The wallet that deployed it; null when it is not known.',
      resolve: async (token, _, { loaders }) => {
        const { deployerId } = await loaders.tokenDetail.load(token.id)
        return deployerId === null ? null : loaders.walletById.load(deployerId)
      },
    }),
  }),
})

implementPage(TokenPageObject, TokenObject, 'tokens')

builder.queryFields((t) => ({
  tokens: t.field({
    type: TokenPageObject,
    description: 'The indexed tokens that pass a filter, in an order.',
    args: {
      filter: t.arg({ type: TokenFilterInput, description: 'What the tokens must satisfy; all bounds are inclusive.' }),
      sort: t.arg({ type: TokenSortEnum, defaultValue: 'trending', description: 'The order of the list.' }),
      ...pageArgs(),
    },
    extensions: listOf('limit'),
    resolve: (_, { filter, sort, ...args }, { reading }) =>
      listTokens(reading, readFilter(filter ?? {}, 'filter'), sort ?? 'trending', readPage(args)),
  }),
  token: t.field({
    type: TokenObject,
    nullable: true,
    description: 'One token; null when it is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the token contract.' }) },
    resolve: (_, { address }, { loaders }) => loaders.tokenByAddress.load(address),
  }),
}))
