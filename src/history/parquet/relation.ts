// Files of an order as a relation in SQL, with the columns of today. Outdated files have all columns in each order.
// In the others, the rows of a token or a wallet lack the values that are there once. Pure.
import { quote } from '../../base/sql-text.ts'
import type { Order } from './orders.ts'

/** The paths of an order's parts: those of today's segments, and of outdated ones. */
export interface Files {
  current: string[]
  outdated: string[]
}

/** What rows of tokens and wallets lack. */
const LACKED =
  'NULL::DOUBLE AS quantity, NULL::DOUBLE AS amount_usd, NULL::INTEGER AS block_number, NULL::TIMESTAMP AS time'
/** Whole micro-dollars where they give exactly the amount. */
const OUTDATED_AMOUNT = 'CASE WHEN amount_usd IS NULL THEN amount_micro / 1e6 ELSE amount_usd END AS amount_usd'

/** What follows FROM: all rows of these files. */
export function fromFiles(order: Order, { current, outdated }: Files): string {
  const all = [
    ...(current.length > 0 ? [order === 'events' ? readParquet(current) : lacking(current)] : []),
    ...(outdated.length > 0 ? [complete(outdated)] : []),
  ]
  return all.length === 1 ? `${all[0]}` : `(${all.map((each) => `FROM ${each}`).join(' UNION ALL BY NAME ')})`
}

const lacking = (paths: readonly string[]) => `(SELECT *, ${LACKED} FROM ${readParquet(paths)})`

/** In an outdated segment each event has a hash of its own. */
const complete = (paths: readonly string[]) =>
  `(SELECT * EXCLUDE (amount_micro) REPLACE (${OUTDATED_AMOUNT}), n AS tx_n FROM ${readParquet(paths)})`

export const pathList = (paths: readonly string[]): string => `[${paths.map(quote).join(', ')}]`

export const readParquet = (paths: readonly string[]): string =>
  `read_parquet(${pathList(paths)}, hive_partitioning = false)`
