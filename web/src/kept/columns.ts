// The columns that the reader chose for the tokens' table; null: those that suit the screen.
import { PAGE_FIELDS, type PageField } from '../../../src/fields/token.ts'
import { keep } from './keep.ts'

/** Columns with a form of their own. */
const OWN_COLUMNS = [
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
export type ColumnName = (typeof OWN_COLUMNS)[number] | PageField

/** In their order on the page. The token and its risk are always there: a danger stays in sight. */
export const COLUMN_NAMES: readonly ColumnName[] = [...OWN_COLUMNS, ...PAGE_FIELDS.map(({ name }) => name)]

/** Columns that need the trades of windows. */
const OF_TRADES: readonly ColumnName[] = ['window_volume', 'buys', 'sells', 'traders']

export const needTrades = (columns: readonly ColumnName[] | null): boolean =>
  columns?.some((name) => OF_TRADES.includes(name)) ?? false

/** Whether a chosen column needs a number that few columns show. */
export const needNumbers = (columns: readonly ColumnName[] | null): boolean =>
  columns?.some((column) => PAGE_FIELDS.some(({ name }) => name === column)) ?? false

/** Names that are no columns are left out. */
export function readColumns(stored: unknown): ColumnName[] | null {
  if (!Array.isArray(stored)) return null
  const known = COLUMN_NAMES.filter((name) => stored.includes(name))
  return known.length > 0 ? known : null
}

export const columns = keep('assay-columns', readColumns)
