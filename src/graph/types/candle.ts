// The history of a token in numbers: candles, changes of its price, trades by window, and a line of prices.
import { toMeaning, toTokens } from '../../base/amount.ts'
import { type TrailingWindow, WINDOWS } from '../../base/interval.ts'
import { recordOf } from '../../base/keys-of.ts'
import type { CandleRow } from '../../ledger/read/candle.ts'
import type { TokenWindowsRow, WindowCounts } from '../../ledger/read/token-window.ts'
import { PART, seriesOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject } from '../schema/refs.ts'
import { MAX_POINTS, readSeries, seriesArgs } from './series.ts'

/** A week of hours. */
const CANDLES = { interval: 'h1', limit: 168 } as const
/** A point every four hours, which is the finest step for this number of hours. */
const [SPARKLINE, MAX_SPARKLINE] = [42, 168]

/** The windows in words. */
const OVER: Record<TrailingWindow, string> = {
  m5: 'five minutes',
  h1: 'hour',
  h6: 'six hours',
  h24: '24 hours',
  d7: 'seven days',
}

const CandleObject = builder.objectRef<CandleRow>('Candle')
const toPrice = (price: number | null) => price && toMeaning(price)
const quote = 'in whole tokens of the quote; null without a quote.'

builder.objectType(CandleObject, {
  description:
    'The trading of a token in an interval. Prices in the quote are in the last quote of the interval; after a change of the quote they begin anew.',
  fields: (t) => ({
    start: t.expose('start', { type: 'DateTime', description: 'The first moment of the interval.' }),
    openUsd: t.float({
      nullable: true,
      resolve: (candle) => toPrice(candle.openUsd),
      description: 'The first price in USD; null when it was not priced.',
    }),
    highUsd: t.float({
      nullable: true,
      resolve: (candle) => toPrice(candle.highUsd),
      description: 'The highest price in USD; null when it was not priced.',
    }),
    lowUsd: t.float({
      nullable: true,
      resolve: (candle) => toPrice(candle.lowUsd),
      description: 'The lowest price in USD; null when it was not priced.',
    }),
    closeUsd: t.float({
      nullable: true,
      resolve: (candle) => toPrice(candle.closeUsd),
      description: 'The last price in USD; null when it was not priced at the end.',
    }),
    openQuote: t.float({
      nullable: true,
      description: `The first price ${quote}`,
      resolve: (candle) => toPrice(candle.openQuote),
    }),
    highQuote: t.float({
      nullable: true,
      description: `The highest price ${quote}`,
      resolve: (candle) => toPrice(candle.highQuote),
    }),
    lowQuote: t.float({
      nullable: true,
      description: `The lowest price ${quote}`,
      resolve: (candle) => toPrice(candle.lowQuote),
    }),
    closeQuote: t.float({
      nullable: true,
      description: `The last price ${quote}`,
      resolve: (candle) => toPrice(candle.closeQuote),
    }),
    quoteSymbol: t.exposeString('quoteSymbol', {
      nullable: true,
      description: 'The symbol of the quote; null without a quote.',
    }),
    volumeUsd: t.exposeFloat('volumeUsd', { description: 'The volume in USD.' }),
    buyVolumeUsd: t.exposeFloat('buyVolumeUsd', {
      description: 'The part of the volume that bought it, in USD. Trades that paid with it have neither side.',
    }),
    sellVolumeUsd: t.exposeFloat('sellVolumeUsd', { description: 'The part of the volume that sold it, in USD.' }),
    buyCount: t.exposeInt('buyCount', { description: 'How many swaps bought it.' }),
    sellCount: t.exposeInt('sellCount', { description: 'How many swaps sold it.' }),
  }),
})

// What the token was at the close.
builder.objectFields(CandleObject, (t) => ({
  liquidityUsd: t.exposeFloat('liquidityUsd', { description: 'The liquidity at the close in USD.' }),
  holderCount: t.exposeInt('holderCount', { description: 'The number of holders at the close.' }),
  circulatingSupply: t.float({
    nullable: true,
    description:
      'Whole tokens in circulation at the close, without burned tokens and those of known lockers. Null for unknown decimals, and where an earlier version indexed.',
    resolve: ({ circulatingSupply }) => circulatingSupply && toTokens(circulatingSupply),
  }),
  marketCapUsd: t.exposeFloat('marketCapUsd', {
    nullable: true,
    description:
      'The market cap at the close in USD: the last price times the supply in circulation then, of a pulled token at most what its pools could pay. Null when it was not priced, and where an earlier version indexed.',
  }),
}))

const PriceChangeObject = builder.objectRef<Record<TrailingWindow, number | null>>('PriceChange')

builder.objectType(PriceChangeObject, {
  extensions: PART,
  description:
    'The change of the price in USD over windows that end at the block, in percent. The base is the last five-minute close before the window, so it is up to five minutes older.',
  fields: (t) => ({
    m5: t.exposeFloat('m5', changeOf('m5')),
    h1: t.exposeFloat('h1', changeOf('h1')),
    h6: t.exposeFloat('h6', changeOf('h6')),
    h24: t.exposeFloat('h24', changeOf('h24')),
    d7: t.exposeFloat('d7', changeOf('d7')),
  }),
})

function changeOf(window: TrailingWindow) {
  const description = `Over the past ${OVER[window]} in percent; null if it has no price or had none then.`
  return { nullable: true, description } as const
}

interface TokenWindow extends WindowCounts {
  window: TrailingWindow
  token: TokenWindowsRow
}

const TokenWindowObject = builder.objectRef<TokenWindow>('TokenWindow')
const TokenWindowsObject = builder.objectRef<TokenWindowsRow>('TokenWindows')

builder.objectType(TokenWindowObject, {
  extensions: PART,
  description: 'The trades of a token in a window that ends at the block, exact to the second.',
  fields: (t) => ({
    buyCount: t.exposeInt('buyCount', { description: 'How many swaps bought it.' }),
    sellCount: t.exposeInt('sellCount', { description: 'How many swaps sold it.' }),
    volumeUsd: t.exposeFloat('volumeUsd', { description: 'The volume in USD.' }),
    traderCount: t.int({
      nullable: true,
      description: 'How many wallets bought or sold it; null above 2,000 swaps, which are not counted.',
      resolve: async ({ token, window }, _, { lists }) => (await lists.traders.load(token))[window],
    }),
  }),
})

builder.objectType(TokenWindowsObject, {
  extensions: PART,
  description: 'The trades of a token in windows that end at the block.',
  fields: (t) => {
    const windowOf = (window: TrailingWindow) =>
      t.field({
        type: TokenWindowObject,
        description: `The past ${OVER[window]}.`,
        resolve: (token) => ({ ...token.windows[window], window, token }),
      })
    return recordOf(WINDOWS, windowOf)
  },
})

/** Percent; null without a price at either end. */
const toChange = (now: number, then: number | null): number | null =>
  now > 0 && then !== null && then > 0 ? 100 * (now / then - 1) : null

builder.prismaObjectFields(TokenObject, (t) => ({
  candles: t.field({
    type: [CandleObject],
    description:
      'The candles of intervals, oldest first. Candles of m1 are kept for 2 days, of m5 and m15 for 14 days, longer ones for ever.',
    args: {
      ...seriesArgs(CANDLES.interval, CANDLES.limit),
      fill: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to include intervals without trades, with the last close before them.',
      }),
    },
    extensions: seriesOf('limit', MAX_POINTS),
    resolve: (token, { fill, ...args }, { lists, reading }) =>
      lists.candles.load({ id: token.id, fill: fill ?? false, ...readSeries(args, CANDLES, reading.head) }),
  }),
  priceChange: t.field({
    type: PriceChangeObject,
    description: 'The change of the price in USD over windows that end at the block.',
    resolve: async (token, _, { loaders }) => {
      const before = await loaders.pricesBefore.load(token.id)
      const changes = WINDOWS.map((window) => [window, toChange(token.lastPriceUsd, before[window])])
      return Object.fromEntries(changes) as Record<TrailingWindow, number | null>
    },
  }),
  windows: t.field({
    type: TokenWindowsObject,
    description: 'Buys, sells, traders and volume over windows that end at the block.',
    resolve: (token, _, { loaders }) => loaders.tokenWindows.load(token.id),
  }),
  sparkline: t.floatList({
    nullable: { list: false, items: true },
    description:
      'Prices in USD at even distances over the seven days up to the block, oldest first. The last is `lastPriceUsd`, the others are closes of hours. Null for a time without a price.',
    args: {
      points: t.arg.int({
        defaultValue: SPARKLINE,
        description: `How many prices, from 1; above ${MAX_SPARKLINE} counts as ${MAX_SPARKLINE}.`,
      }),
    },
    extensions: seriesOf('points', MAX_SPARKLINE),
    resolve: async (token, { points }, { lists }) => {
      const count = readLimit(points, SPARKLINE, MAX_SPARKLINE, 'points')
      return [...(await lists.sparklines.load({ id: token.id, points: count })), token.lastPriceUsd || null]
    },
  }),
}))
