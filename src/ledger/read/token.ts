// Reads tokens by id or address. The statements are hand-written and prepared, for speed.
import type { RiskFlag } from '../../base/vocabulary.ts'
import type { Token } from '../../database/generated/client.ts'
import { toSnake } from '../../fields/field.ts'
import { REST_NUMBERS, type ScoredNumber } from '../../fields/token.ts'
import { capAtHead, priceAtHead } from '../present.ts'
import type { Reading, SelectText } from './consistent-read.ts'

/** The columns that every row of a token has, as of the head block: those that lists often show. */
const STORED = {
  // Those of REST.
  ...Object.fromEntries(REST_NUMBERS.map((name) => [name, `t.${toSnake(name)}`])),
  id: 't.id',
  address: 't.address',
  name: 't.name',
  symbol: 't.symbol',
  createdAt: 't.created_at',
  launchpad: 't.launchpad',
  priceUsd: priceAtHead('t'),
  marketCapUsd: capAtHead('t'),
  liquidityUsd: 't.liquidity_usd',
  holderCount: 't.holder_count',
  riskScore: 't.risk_score',
  riskFlags: 't.risk_flags',
  trendingScore: 't.trending_score',
} as const satisfies Partial<Record<keyof Token, string>>

/** The same columns, for Prisma. */
export const TOKEN_SELECT = Object.fromEntries(Object.keys(STORED).map((name) => [name, true])) as Record<
  keyof typeof STORED,
  true
>

export interface TokenRow extends Pick<Token, keyof typeof STORED>, Partial<Record<ScoredNumber, number | null>> {
  /** In USD, at the last change of its pools; `priceUsd` and the market cap use the current price of its quote. */
  lastPriceUsd: number
  volume24hUsd: number
  riskFlags: RiskFlag[]
  aiSummary: string
  /** At the time of the head block. */
  ageHours: number
  /** Percent over the past hour. */
  holderGrowth1hPct: number
  /** Whole tokens without burned ones; null for unknown decimals. */
  dilutedSupply: number | null
  /** Whole tokens without burned ones and those of known lockers; null for unknown decimals. */
  circulatingSupply: number | null
}

/** $1 of every statement is the head block's time in milliseconds. AGE and GROWTH compute exactly what fields/formulas computes. */
const AGE = `floor(($1::float8 - date_part('epoch', t.created_at) * 1000) / 360 + 0.5) / 1e4`
const GROWTH =
  'floor(1e6::float8 * (t.funded_holder_count - t.funded_holder_count_1h_ago) / greatest(t.funded_holder_count_1h_ago, 1) + 0.5) / 1e4'

/** Raw units as whole tokens: the same decimal digits, shifted, so that nothing is rounded twice. */
const toWhole = (raw: string) => `(greatest(${raw}, 0)::text || 'e-' || t.decimals)::float8`

const COMPUTED = {
  lastPriceUsd: 't.price_usd',
  volume24hUsd: 't.volume_24h_micro_usd::float8 / 1e6',
  aiSummary: "coalesce(s.summary, 'This token has not been scored yet.')",
  ageHours: AGE,
  holderGrowth1hPct: GROWTH,
  dilutedSupply: toWhole('t.supply - t.burned'),
  circulatingSupply: toWhole('t.supply - t.burned - t.locked'),
} as const satisfies Partial<Record<keyof TokenRow, string>>

const COLUMNS = Object.entries({ ...STORED, ...COMPUTED })
  .map(([name, sql]) => `${sql} AS "${name}"`)
  .join(', ')

const FROM = 'FROM token t LEFT JOIN token_score s ON s.token_id = t.id'

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
