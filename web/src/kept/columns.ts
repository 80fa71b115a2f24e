// The columns that the reader chose for the tokens' table; null: those that suit the screen.
import { keep } from './keep.ts'

/** In their order on the page. The token and its risk are always there: a danger stays in sight. */
export const COLUMN_NAMES = [
  'price',
  'change',
  'sparkline',
  'market_cap',
  'liquidity',
  'depth',
  'volume',
  'organic_volume',
  'window_volume',
  'buys',
  'sells',
  'traders',
  'holders',
  'holder_growth',
  'age',
] as const
export type ColumnName = (typeof COLUMN_NAMES)[number]

/** Columns that need the trades of windows. */
const OF_TRADES: readonly ColumnName[] = ['window_volume', 'buys', 'sells', 'traders']

export const needTrades = (columns: readonly ColumnName[] | null): boolean =>
  columns?.some((name) => OF_TRADES.includes(name)) ?? false

/** Names that are no columns are left out. */
export function readColumns(stored: unknown): ColumnName[] | null {
  if (!Array.isArray(stored)) return null
  const known = COLUMN_NAMES.filter((name) => stored.includes(name))
  return known.length > 0 ? known : null
}

export const columns = keep('assay-columns', readColumns)
