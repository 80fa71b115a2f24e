// Reads tokens: a page of the list, or tokens by id or address. The statements are hand-written and prepared, for speed.
import type { TokenFilter } from '../../base/filter.ts'
import { offsetOf, type Page, type Paged } from '../../base/page.ts'
import type { RiskFlag, TokenSort } from '../../base/vocabulary.ts'
import type { Token } from '../../database/generated/client.ts'
import type { Head } from '../head.ts'
import type { Reading, SelectText } from './consistent-read.ts'

/** The columns of a token that lists often show, as of the head block. */
export interface TokenRow
  extends Pick<
    Token,
    | 'id'
    | 'address'
    | 'name'
    | 'symbol'
    | 'createdAt'
    | 'launchpad'
    | 'priceUsd'
    | 'marketCapUsd'
    | 'liquidityUsd'
    | 'holderCount'
    | 'riskScore'
    | 'trendingScore'
  > {
  volume24hUsd: number
  riskFlags: RiskFlag[]
  aiSummary: string
  /** At the time of the head block. */
  ageHours: number
  /** Percent over the past hour. */
  holderGrowth1hPct: number
}

/** $1 of every statement is the head block's time in milliseconds. AGE and GROWTH compute exactly what base/filter computes. */
const AGE = `($1::float8 - date_part('epoch', t.created_at) * 1000) / 3600000`
const GROWTH = '100::float8 * (t.holder_count - t.holder_count_1h_ago) / greatest(t.holder_count_1h_ago, 1)'

const COLUMNS = `t.id, t.address, t.name, t.symbol, t.created_at AS "createdAt", t.launchpad, t.price_usd AS "priceUsd",
  t.market_cap_usd AS "marketCapUsd", t.liquidity_usd AS "liquidityUsd", t.holder_count AS "holderCount",
  t.risk_score AS "riskScore", t.risk_flags AS "riskFlags",
  t.trending_score AS "trendingScore", t.volume_24h_micro_usd::float8 / 1e6 AS "volume24hUsd",
  coalesce(s.summary, 'This token has not been scored yet.') AS "aiSummary", ${AGE} AS "ageHours",
  ${GROWTH} AS "holderGrowth1hPct"`

const FROM = 'FROM token t LEFT JOIN token_score s ON s.token_id = t.id'

/** Every order ends in the address, which is unique, and has an index. */
const ORDERS: Record<TokenSort, string> = {
  trending: 't.trending_score DESC, t.address',
  newest: 't.created_at DESC, t.address',
  liquidity: 't.liquidity_usd DESC, t.address',
  volume: 't.volume_24h_micro_usd DESC, t.address',
  risk_asc: 't.risk_score, t.liquidity_usd DESC, t.address',
}

/** Each field of the filter as SQL. It computes exactly what `matches` in base/filter computes. */
const CONDITIONS: Record<keyof TokenFilter, (value: string) => string> = {
  minLiquidityUsd: (value) => `t.liquidity_usd >= ${value}::float8`,
  maxMarketCapUsd: (value) => `t.market_cap_usd <= ${value}::float8`,
  minMarketCapUsd: (value) => `t.market_cap_usd >= ${value}::float8`,
  maxRiskScore: (value) => `t.risk_score <= ${value}::float8`,
  excludeFlags: (value) => `NOT t.risk_flags && ${value}::text[]`,
  minHolderGrowth1hPct: (value) => `${GROWTH} >= ${value}::float8`,
  maxAgeHours: (value) => `${AGE} <= ${value}::float8`,
}

/** The filter as a condition on `token t`. $1 is always the time. `name` is different for each set of fields, and short, since PostgreSQL cuts a statement's name after 63 characters. */
function whereOf(filter: TokenFilter, head: Head): { name: string; where: string; values: unknown[] } {
  const values: unknown[] = [head.time.getTime()]
  const fields = Object.keys(CONDITIONS) as (keyof TokenFilter)[]
  const asked = fields.filter((field) => filter[field] !== undefined)
  const conditions = asked.map((field) => CONDITIONS[field](`$${values.push(filter[field])}`))
  return {
    name: asked.map((field) => fields.indexOf(field)).join(''),
    where: ['t.indexed', '$1::float8 IS NOT NULL', ...conditions].join(' AND '),
    values,
  }
}

/** A page of the indexed tokens that pass the filter, with their total. Past the end only the total is read. */
export async function listTokens(
  reading: Reading,
  filter: TokenFilter,
  sort: TokenSort,
  page: Page,
): Promise<Paged<TokenRow>> {
  const { name, where, values } = whereOf(filter, reading.head)
  const total = name === '' ? reading.head.tokenCount : await countTokens(reading, filter)
  const offset = offsetOf(page)
  if (offset >= total) return { ...page, total, items: [] }
  // Unnamed, with LIMIT and OFFSET in the text, so that PostgreSQL plans for these numbers: the best plan depends on them.
  const rows = await reading.query<TokenRow>({
    text: `SELECT ${COLUMNS} ${FROM} WHERE ${where} ORDER BY ${ORDERS[sort]} LIMIT ${page.limit} OFFSET ${offset}`,
    values,
  })
  return { ...page, total, items: rows }
}

/** How many indexed tokens pass the filter. */
export async function countTokens(reading: Reading, filter: TokenFilter): Promise<number> {
  const { name, where, values } = whereOf(filter, reading.head)
  const [row] = await reading.query<{ total: number }>({
    name: `tokens count ${name}`,
    text: `SELECT count(*) AS total FROM token t WHERE ${where}`,
    values,
  })
  return row?.total ?? 0
}

/** The tokens with these ids that are indexed, in any order. */
export function readTokensById(reading: Reading, ids: readonly number[]): Promise<TokenRow[]> {
  const text: SelectText = `SELECT ${COLUMNS} ${FROM} WHERE t.indexed AND t.id = ANY ($2::int[])`
  return reading.query({ name: 'tokens by id', text, values: [reading.head.time.getTime(), ids] })
}

/** The tokens with these addresses that are indexed, in any order. */
export function readTokensByAddress(reading: Reading, addresses: readonly string[]): Promise<TokenRow[]> {
  const text: SelectText = `SELECT ${COLUMNS} ${FROM} WHERE t.indexed AND t.address = ANY ($2::text[])`
  return reading.query({ name: 'tokens by address', text, values: [reading.head.time.getTime(), addresses] })
}
