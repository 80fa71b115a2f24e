// The columns of the tokens' table between the token and its risk.
import type { ComponentChildren } from 'preact'
import { PAGE_FIELDS, type PageField } from '../../../src/fields/token.ts'
import { count, dollars, duration, price, showNumber } from '../format.ts'
import type { ColumnName } from '../kept/columns.ts'
import { isOrder, type OrderName } from '../order.ts'
import type { ListedToken } from '../pages/tokens-query.ts'
import { WINDOWS, type WindowName } from '../time-windows.ts'
import { Change } from './change.tsx'
import { Dash, Known } from './known.tsx'
import { Sparkline } from './sparkline.tsx'

export interface Column {
  /** With the window that its numbers are of. */
  title: string | ((window: string) => string)
  /** Its name as an order; undefined: it has none. */
  order?: OrderName
  /** The screens that show it unless the reader chose columns; undefined: only a choice shows it. */
  screens?: 'all' | 'mid' | 'broad' | 'far' | 'wide-only'
  isText?: true
  show(token: ListedToken, window: WindowName): ComponentChildren
}

/** Columns of numbers that `src/fields` describes. */
const OF_FIELDS = Object.fromEntries(
  PAGE_FIELDS.map(({ name, title, unit }): [PageField, Column] => [
    name,
    {
      title,
      ...(isOrder(name) && { order: name }),
      show: (token) => <Known text={showNumber(unit, (token as Partial<Record<PageField, number | null>>)[name])} />,
    },
  ]),
) as Record<PageField, Column>

export const COLUMNS: Readonly<Record<ColumnName, Column>> = {
  ...OF_FIELDS,
  price: { title: 'Price', order: 'price', screens: 'all', show: (token) => price(token.lastPriceUsd) },
  change: {
    ...{ title: (window) => window, order: 'change', screens: 'all' },
    show: ({ priceChange }, window) => <Change pct={priceChange[window]} />,
  },
  sparkline: {
    ...{ title: '7 days', screens: 'broad', isText: true },
    show: (token) => <Sparkline values={token.sparkline} />,
  },
  market_cap: {
    ...{ title: 'Market cap', order: 'market_cap', screens: 'broad' },
    show: (token) => (token.lastPriceUsd === null ? <Dash /> : <Known text={dollars(token.marketCapUsd)} />),
  },
  liquidity: {
    ...{ title: 'Liquidity', order: 'liquidity', screens: 'mid' },
    show: (token) => <Known text={dollars(token.liquidityUsd)} />,
  },
  depth: { title: 'Moves it 2 %', show: (token) => <Known text={dollars(token.depth2PctUsd)} /> },
  volume: {
    ...{ title: 'Volume 24 h', order: 'volume', screens: 'broad' },
    show: (token) => <Known text={dollars(token.volume24hUsd)} />,
  },
  organic_volume: { title: 'Organic 24 h', show: (token) => <Known text={dollars(token.organicVolume24hUsd)} /> },
  window_volume: {
    title: (window) => `Volume ${window}`,
    show: ({ windows }, window) => <Known text={dollars(windows?.[window].volumeUsd)} />,
  },
  buys: {
    title: (window) => `Buys ${window}`,
    show: ({ windows }, window) => <Known text={count(windows?.[window].buyCount)} />,
  },
  sells: {
    title: (window) => `Sells ${window}`,
    show: ({ windows }, window) => <Known text={count(windows?.[window].sellCount)} />,
  },
  traders: {
    title: (window) => `Traders ${window}`,
    show: ({ windows }, window) => <Known text={count(windows?.[window].traderCount)} />,
  },
  holders: {
    ...{ title: 'Holders', order: 'holders', screens: 'far' },
    show: (token) => <Known text={count(token.holderCount)} />,
  },
  holder_growth: {
    ...{ title: 'Holders 1 h', order: 'holder_growth', screens: 'wide-only' },
    show: (token) => <Change pct={token.holderGrowth1hPct} />,
  },
  age: {
    ...{ title: 'Age', order: 'age', screens: 'all' },
    show: (token) => duration(token.ageHours * 3_600),
  },
}

export const titleOf = ({ title }: Column, window: WindowName): string =>
  typeof title === 'string' ? title : title(WINDOWS[window])
