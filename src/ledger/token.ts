// Tokens as they are read: a page of the list, and tokens by identifier or address. Statements are flat and prepared.
import { ageHours, holderGrowthPct, type TokenFilter } from '../base/filter.ts'
import { offsetOf, type Page, type Paged } from '../base/page.ts'
import type { RiskFlag, TokenSort } from '../base/vocabulary.ts'
import type { Token } from './generated/client.ts'
import type { Head } from './head.ts'
import { AT, type Reading } from './reading.ts'

/** A token as of the head block: what lists show of it. */
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
    | 'holderCount1hAgo'
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

const COLUMNS = `t.id, t.address, t.name, t.symbol, t.created_at AS "createdAt", t.launchpad, t.price_usd AS "priceUsd",
  t.market_cap_usd AS "marketCapUsd", t.liquidity_usd AS "liquidityUsd", t.holder_count AS "holderCount",
  t.holder_count_1h_ago AS "holderCount1hAgo", t.risk_score AS "riskScore", t.risk_flags AS "riskFlags",
  t.trending_score AS "trendingScore", t.volume_24h_micro_usd::float8 / 1e6 AS "volume24hUsd",
  coalesce(s.summary, 'This token has not been scored yet.') AS "aiSummary", ${AT}`

const FROM = 'FROM token t LEFT JOIN token_score s ON s.token_id = t.id'

/** Every order ends in the address, which is unique; each is an index of its own. */
const ORDERS: Record<TokenSort, string> = {
  trending: 't.trending_score DESC, t.address',
  newest: 't.created_at DESC, t.address',
  liquidity: 't.liquidity_usd DESC, t.address',
  volume: 't.volume_24h_micro_usd DESC, t.address',
  risk_asc: 't.risk_score, t.liquidity_usd DESC, t.address',
}

/** Each field of the filter as SQL, in the same arithmetic as `matches`; `$now` is the head block's time in milliseconds. */
const CONDITIONS: Record<keyof TokenFilter, (value: string) => string> = {
  minLiquidityUsd: (value) => `t.liquidity_usd >= ${value}::float8`,
  maxMarketCapUsd: (value) => `t.market_cap_usd <= ${value}::float8`,
  minMarketCapUsd: (value) => `t.market_cap_usd >= ${value}::float8`,
  maxRiskScore: (value) => `t.risk_score <= ${value}::float8`,
  excludeFlags: (value) => `NOT t.risk_flags && ${value}::text[]`,
  minHolderGrowth1hPct: (value) =>
    `100::float8 * (t.holder_count - t.holder_count_1h_ago) / greatest(t.holder_count_1h_ago, 1) >= ${value}::float8`,
  maxAgeHours: (value) =>
    `($1::float8 - (extract(epoch FROM t.created_at) * 1000)::float8) / 3600000 <= ${value}::float8`,
}

/** The filter as a condition on `token t`. Value 1 is always the time; `name` tells filters with other fields apart in few letters, since PostgreSQL cuts a statement's name at 63. */
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

/** The page of indexed tokens that pass the filter, with how many there are; past the end nothing is read but that. */
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
  const rows = await reading.query<TokenRow>({
    name: `tokens ${sort} ${name}`,
    text: `SELECT ${COLUMNS} ${FROM} WHERE ${where} ORDER BY ${ORDERS[sort]} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    values: [...values, page.limit, offset],
  })
  return { ...page, total, items: complete(rows, reading.head) }
}

/** How many indexed tokens pass the filter. */
export async function countTokens(reading: Reading, filter: TokenFilter): Promise<number> {
  const { name, where, values } = whereOf(filter, reading.head)
  const [row] = await reading.query<{ total: number }>({
    name: `tokens count ${name}`,
    text: `SELECT count(*) AS total, ${AT} FROM token t WHERE ${where}`,
    values,
  })
  return row?.total ?? 0
}

/** The indexed ones among tokens with these identifiers, in any order. */
export async function readTokensById(reading: Reading, ids: readonly number[]): Promise<TokenRow[]> {
  const text = `SELECT ${COLUMNS} ${FROM} WHERE t.indexed AND t.id = ANY ($1::int[])`
  return complete(await reading.query<TokenRow>({ name: 'tokens by id', text, values: [ids] }), reading.head)
}

/** The indexed ones among tokens with these addresses, in any order. */
export async function readTokensByAddress(reading: Reading, addresses: readonly string[]): Promise<TokenRow[]> {
  const text = `SELECT ${COLUMNS} ${FROM} WHERE t.indexed AND t.address = ANY ($1::text[])`
  return complete(await reading.query<TokenRow>({ name: 'tokens by address', text, values: [addresses] }), reading.head)
}

/** Adds what depends on the head block's time. */
function complete(rows: TokenRow[], head: Head): TokenRow[] {
  const nowMs = head.time.getTime()
  for (const row of rows) {
    row.ageHours = ageHours(row.createdAt.getTime(), nowMs)
    row.holderGrowth1hPct = holderGrowthPct(row.holderCount, row.holderCount1hAgo)
  }
  return rows
}
