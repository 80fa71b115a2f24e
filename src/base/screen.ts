// The filter of the GraphQL list of tokens, which extends the REST filter and joins filters by and, or, not; and its
// orders. The board and the SQL of the ledger both read these tables, so that a field means the same in both.
import type { TokenFilter } from './filter.ts'
import type { Confidence, TokenSort } from './vocabulary.ts'

export interface TokenScreen extends TokenFilter {
  maxLiquidityUsd?: number
  minVolume24hUsd?: number
  minRiskScore?: number
  minHolders?: number
  maxHolders?: number
  minAgeHours?: number
  launchpads?: readonly string[]
  minConfidence?: Confidence
  /** Part of the symbol or name, in which A-Z count as a-z, or the start of the address. */
  search?: string
  /** Addresses in lower case. */
  addresses?: readonly string[]
  and?: readonly TokenScreen[]
  or?: readonly TokenScreen[]
  not?: TokenScreen
}

/** A number of a token that a filter bounds or an order sorts by. */
export const TOKEN_MEASURES = [
  'trendingScore',
  'createdAt',
  'liquidityUsd',
  'peakLiquidityUsd',
  'volume24hUsd',
  'marketCapUsd',
  'priceUsd',
  'riskScore',
  'holderCount',
  'fundedHolderCount',
  'holderGrowth1hPct',
  'buyerCount',
  'eventCount',
  'swapCount',
  'sellTaxPct',
] as const
export type TokenMeasure = (typeof TOKEN_MEASURES)[number]

type BoundField = {
  [Field in keyof TokenScreen]-?: number extends TokenScreen[Field] ? Field : never
}[keyof TokenScreen]

/** The bounds of the filter, all inclusive: `least` is "at least". */
export const TOKEN_BOUNDS = {
  minLiquidityUsd: { measure: 'liquidityUsd', least: true },
  maxLiquidityUsd: { measure: 'liquidityUsd', least: false },
  minMarketCapUsd: { measure: 'marketCapUsd', least: true },
  maxMarketCapUsd: { measure: 'marketCapUsd', least: false },
  minVolume24hUsd: { measure: 'volume24hUsd', least: true },
  minRiskScore: { measure: 'riskScore', least: true },
  maxRiskScore: { measure: 'riskScore', least: false },
  minHolders: { measure: 'holderCount', least: true },
  maxHolders: { measure: 'holderCount', least: false },
  minHolderGrowth1hPct: { measure: 'holderGrowth1hPct', least: true },
  minAgeHours: { measure: 'ageHours', least: true },
  maxAgeHours: { measure: 'ageHours', least: false },
  minSellTaxPct: { measure: 'sellTaxPct', least: true },
  maxSellTaxPct: { measure: 'sellTaxPct', least: false },
} as const satisfies Record<BoundField, { measure: TokenMeasure | 'ageHours'; least: boolean }>

/** A number that a filter bounds. An unknown `sellTaxPct` passes no bound, and comes last in every order. */
export type BoundMeasure = (typeof TOKEN_BOUNDS)[BoundField]['measure']

export const BOUND_FIELDS = Object.keys(TOKEN_BOUNDS) as BoundField[]

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
