// Reads tokens: a page of the list, or tokens by id or address. The statements are hand-written and prepared, for speed.
import {
  BOUND_FIELDS,
  beyondFilter,
  foldCase,
  isOpen,
  TOKEN_BOUNDS,
  type TokenMeasure,
  type TokenOrder,
  type TokenScreen,
  toAddressPrefix,
} from '../../base/screen.ts'
import { CONFIDENCES, type RiskFlag } from '../../base/vocabulary.ts'
import type { Token } from '../../database/generated/client.ts'
import type { Head } from '../head.ts'
import { capAtHead, priceAtHead } from '../present.ts'
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
  /** In USD, when its pools last changed; `priceUsd` and the market cap are at the price that its quote has now. */
  lastPriceUsd: number
  volume24hUsd: number
  riskFlags: RiskFlag[]
  aiSummary: string
  /** At the time of the head block. */
  ageHours: number
  /** Percent over the past hour. */
  holderGrowth1hPct: number
}

/** $1 of every statement is the head block's time in milliseconds. AGE and GROWTH compute exactly what base/filter computes. */
const AGE = `floor(($1::float8 - date_part('epoch', t.created_at) * 1000) / 360 + 0.5) / 1e4`
const GROWTH =
  'floor(1e6::float8 * (t.funded_holder_count - t.funded_holder_count_1h_ago) / greatest(t.funded_holder_count_1h_ago, 1) + 0.5) / 1e4'

const COLUMNS = `t.id, t.address, t.name, t.symbol, t.created_at AS "createdAt", t.launchpad, t.price_usd AS "lastPriceUsd",
  ${priceAtHead('t')} AS "priceUsd", ${capAtHead('t')} AS "marketCapUsd", t.liquidity_usd AS "liquidityUsd", t.holder_count AS "holderCount",
  t.risk_score AS "riskScore", t.risk_flags AS "riskFlags",
  t.trending_score AS "trendingScore", t.volume_24h_micro_usd::float8 / 1e6 AS "volume24hUsd",
  coalesce(s.summary, 'This token has not been scored yet.') AS "aiSummary", ${AGE} AS "ageHours",
  ${GROWTH} AS "holderGrowth1hPct"`

const FROM = 'FROM token t LEFT JOIN token_score s ON s.token_id = t.id'

/** Fields of a screen; their places name statements. */
const FIELDS: readonly (keyof TokenScreen)[] = [
  ...BOUND_FIELDS,
  'excludeFlags',
  'includeFlags',
  'launchpads',
  'minConfidence',
  'search',
  'addresses',
  'and',
  'or',
  'not',
]

/** What a filter bounds and an order goes by, in the same arithmetic as `base/filter`. */
const MEASURES: Record<TokenMeasure | 'ageHours', string> = {
  trendingScore: 't.trending_score',
  createdAt: 't.created_at',
  liquidityUsd: 't.liquidity_usd',
  peakLiquidityUsd: 't.peak_liquidity_usd',
  volume24hUsd: 't.volume_24h_micro_usd',
  marketCapUsd: capAtHead('t'),
  priceUsd: priceAtHead('t'),
  riskScore: 't.risk_score',
  holderCount: 't.holder_count',
  fundedHolderCount: 't.funded_holder_count',
  holderGrowth1hPct: GROWTH,
  buyerCount: 't.buyer_count',
  eventCount: 't.event_count',
  swapCount: 't.swap_count',
  ageHours: AGE,
}

/** Every order ends in the address, which is unique; the named orders are an index each. */
const orderOf = (order: readonly TokenOrder[]): string =>
  [...order.map(({ measure, descending }) => `${MEASURES[measure]}${descending ? ' DESC' : ''}`), 't.address'].join(
    ', ',
  )

/** Which tokens: the condition on `token t`, its values, and how to tell conditions on other fields apart. */
interface Condition {
  name: string
  where: string
  values: unknown[]
}

/** The screen as a condition. Value 1 is always the time; the name is short, since PostgreSQL cuts a statement's name at 63. */
function whereOf(screen: TokenScreen, head: Head): Condition {
  const values: unknown[] = [head.time.getTime()]
  const { name, where } = screenOf(screen, values)
  return { name, where: `t.indexed AND $1::float8 IS NOT NULL AND ${where}`, values }
}

function screenOf(screen: TokenScreen, values: unknown[]): { name: string; where: string } {
  const parts: string[] = []
  const names: string[] = []
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`
  const ask = (field: keyof TokenScreen, text: string) => {
    names.push(String.fromCharCode(97 + FIELDS.indexOf(field)))
    parts.push(text)
  }
  for (const field of BOUND_FIELDS) {
    const bound = screen[field]
    if (bound === undefined) continue
    const { measure, least } = TOKEN_BOUNDS[field]
    const number = measure === 'volume24hUsd' ? 't.volume_24h_micro_usd::float8 / 1e6' : MEASURES[measure]
    ask(field, `${number} ${least ? '>=' : '<='} ${value(bound, 'float8')}`)
  }
  const { excludeFlags, includeFlags, launchpads, minConfidence } = screen
  if (excludeFlags) ask('excludeFlags', `NOT t.risk_flags && ${value(excludeFlags, 'text[]')}`)
  if (includeFlags) ask('includeFlags', `t.risk_flags && ${value(includeFlags, 'text[]')}`)
  if (launchpads) ask('launchpads', `t.launchpad = ANY (${value(launchpads, 'text[]')})`)
  if (minConfidence) {
    const enough = CONFIDENCES.slice(CONFIDENCES.indexOf(minConfidence))
    ask(
      'minConfidence',
      `coalesce((SELECT s.confidence FROM token_score s WHERE s.token_id = t.id), 'low') = ANY (${value(enough, 'text[]')})`,
    )
  }
  if (screen.addresses) ask('addresses', `t.address = ANY (${value(screen.addresses, 'text[]')})`)
  if (screen.search !== undefined) {
    const part = value(foldCase(screen.search), 'text')
    const prefix = toAddressPrefix(screen.search)
    const has = (column: string) => `strpos(lower(${column} COLLATE "C"), ${part}) > 0`
    const starts = prefix === null ? [] : [`starts_with(t.address, ${value(prefix, 'text')})`]
    ask('search', `(${[has('t.symbol'), has('t.name'), ...starts].join(' OR ')})`)
  }
  const nested = (all: readonly TokenScreen[]) =>
    all.map((part) => {
      const { name, where } = screenOf(part, values)
      names.push(`(${name})`)
      return `(${where})`
    })
  if (screen.and) ask('and', nested(screen.and).join(' AND ') || 'true')
  if (screen.or) ask('or', `(${nested(screen.or).join(' OR ') || 'false'})`)
  if (screen.not) ask('not', `NOT ${nested([screen.not]).join('')}`)
  return { name: names.join(''), where: parts.join(' AND ') || 'true' }
}

/** A page of the indexed tokens that pass the screen, with their total. Past the end only the total is read. */
export async function listTokens(
  reading: Reading,
  screen: TokenScreen,
  order: readonly TokenOrder[],
  { offset, limit }: { offset: number; limit: number },
): Promise<{ items: TokenRow[]; total: number }> {
  const { where, values } = whereOf(screen, reading.head)
  const total = isOpen(screen) ? reading.head.tokenCount : await countTokens(reading, screen)
  if (offset >= total) return { total, items: [] }
  // Unnamed, with LIMIT and OFFSET in the text, so that PostgreSQL plans for these numbers: the best plan depends on them.
  const rows = await reading.query<TokenRow>({
    text: `SELECT ${COLUMNS} ${FROM} WHERE ${where} ORDER BY ${orderOf(order)} LIMIT ${limit} OFFSET ${offset}`,
    values,
  })
  return { total, items: rows }
}

/** How many indexed tokens pass the screen. */
export async function countTokens(reading: Reading, screen: TokenScreen): Promise<number> {
  const { name, where, values } = whereOf(screen, reading.head)
  const [row] = await reading.query<{ total: number }>({
    // The filters of REST are few enough to keep a prepared statement for each.
    ...(beyondFilter(screen).length === 0 ? { name: `tokens count ${name}` } : {}),
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
