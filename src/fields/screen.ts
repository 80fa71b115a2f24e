// The filter of a list of tokens, which joins conditions by and, or, not, and a list's orders.
import type { TokenSort } from '../base/vocabulary.ts'
import type { TokenConditions } from './filter.ts'
import type { TokenMeasure } from './token.ts'

export interface TokenScreen extends TokenConditions {
  /** Part of the symbol or name, in which A-Z count as a-z, or the start of the address. */
  search?: string
  /** Addresses in lower case. */
  addresses?: readonly string[]
  and?: readonly TokenScreen[]
  or?: readonly TokenScreen[]
  not?: TokenScreen
}

/** A key of an order of tokens. */
export interface TokenOrder {
  measure: TokenMeasure
  descending: boolean
}

/** The named orders by the change of the price in a day. They are made for each list. */
export type MoverSort = Extract<TokenSort, 'gainers' | 'losers'>
export const isMoverSort = (sort: TokenSort): sort is MoverSort => sort === 'gainers' || sort === 'losers'

/** The named orders of the board; the address follows in each, which makes it unique. */
export const SORT_ORDERS: Record<Exclude<TokenSort, MoverSort>, readonly TokenOrder[]> = {
  trending: [
    { measure: 'trendingScore', descending: true },
    { measure: 'liquidityUsd', descending: true },
  ],
  newest: [{ measure: 'createdAt', descending: true }],
  liquidity: [{ measure: 'liquidityUsd', descending: true }],
  volume: [{ measure: 'volume24hUsd', descending: true }],
  risk_asc: [
    { measure: 'riskScore', descending: false },
    { measure: 'liquidityUsd', descending: true },
  ],
}

/** Whether every token passes the screen. An empty list that excludes lets all pass; an empty list that includes lets none. */
export const isOpen = (screen: TokenScreen): boolean =>
  Object.entries(screen).every(
    ([field, value]) =>
      value === undefined ||
      ((field === 'excludeFlags' || field === 'excludePowers' || field === 'and') &&
        Array.isArray(value) &&
        value.length === 0),
  )

/**
 * A text in the form that `search` compares: only A-Z become a-z, because PostgreSQL and JavaScript agree on no other
 * letters.
 */
export const foldCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** The address prefix that a search can mean. */
export const toAddressPrefix = (text: string): string | null =>
  /^0x[0-9a-f]{0,40}$/.test(foldCase(text)) ? foldCase(text) : null
