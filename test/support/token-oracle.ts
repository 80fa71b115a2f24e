// Lists of tokens as PostgreSQL makes them: a second implementation of filter and order, which the board has to agree with.

import { CONFIDENCES, POWER_KINDS, type PowerKind } from '../../src/base/vocabulary.ts'
import type { pg } from '../../src/database/client.ts'
import { toSnake } from '../../src/fields/field.ts'
import { foldCase, type TokenOrder, type TokenScreen, toAddressPrefix } from '../../src/fields/screen.ts'
import {
  type BoundMeasure,
  CONDITION_ROWS,
  SCORED_NUMBERS,
  type ScoredNumber,
  STORED_NUMBERS,
  type StoredNumber,
  type TokenMeasure,
} from '../../src/fields/token.ts'
import type { Head } from '../../src/ledger/head.ts'
import { capAtHead, priceAtHead } from '../../src/ledger/present.ts'

/** $1 is the head block's time in milliseconds. */
const MARKS = 'coalesce((SELECT c.marks FROM token_safety c WHERE c.token_id = t.id), 0)'
/** Columns whose SQL is their name. */
const STORED = Object.fromEntries(
  [...STORED_NUMBERS.map(([name]) => name), ...SCORED_NUMBERS].map((name) => [name, `t.${toSnake(name)}`]),
) as Record<StoredNumber | ScoredNumber, string>
const MEASURES: Record<TokenMeasure | BoundMeasure, string> = {
  ...STORED,
  sellTaxPct: `((nullif(${MARKS} >> 14, 0) - 1)::float8 / 100)`,
  trendingScore: 't.trending_score',
  createdAt: 't.created_at',
  volume24hUsd: 't.volume_24h_micro_usd::float8 / 1e6',
  marketCapUsd: capAtHead('t'),
  priceUsd: priceAtHead('t'),
  riskScore: 't.risk_score',
  holderGrowth1hPct:
    'floor(1e6::float8 * (t.funded_holder_count - t.funded_holder_count_1h_ago) / greatest(t.funded_holder_count_1h_ago, 1) + 0.5) / 1e4',
  eventCount: 't.event_count',
  swapCount: 't.swap_count',
  ageHours: `floor(($1::float8 - date_part('epoch', t.created_at) * 1000) / 360 + 0.5) / 1e4`,
}

function whereOf(screen: TokenScreen, values: unknown[]): string {
  const parts: string[] = []
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`
  for (const [name, { is, field }] of CONDITION_ROWS) {
    const bound = screen[name]
    if (typeof bound !== 'number') continue
    const sign = is === 'least' ? '>=' : '<='
    parts.push(`coalesce(${MEASURES[field as BoundMeasure]} ${sign} ${value(bound, 'float8')}, false)`)
  }
  const { excludeFlags, includeFlags, launchpads, minConfidence, addresses, search, and, or, not } = screen
  if (excludeFlags) parts.push(`NOT t.risk_flags && ${value(excludeFlags, 'text[]')}`)
  if (includeFlags) parts.push(`t.risk_flags && ${value(includeFlags, 'text[]')}`)
  parts.push(...contractParts(screen))
  if (launchpads) parts.push(`t.launchpad = ANY (${value(launchpads, 'text[]')})`)
  if (minConfidence) {
    const enough = value(CONFIDENCES.slice(CONFIDENCES.indexOf(minConfidence)), 'text[]')
    parts.push(`coalesce((SELECT s.confidence FROM token_score s WHERE s.token_id = t.id), 'low') = ANY (${enough})`)
  }
  if (addresses) parts.push(`t.address = ANY (${value(addresses, 'text[]')})`)
  if (search !== undefined) {
    const part = value(foldCase(search), 'text')
    const prefix = toAddressPrefix(search)
    const has = (column: string) => `strpos(lower(${column} COLLATE "C"), ${part}) > 0`
    const starts = prefix === null ? [] : [`starts_with(t.address, ${value(prefix, 'text')})`]
    parts.push(`(${[has('t.symbol'), has('t.name'), ...starts].join(' OR ')})`)
  }
  if (and) parts.push(...and.map((part) => `(${whereOf(part, values)})`))
  if (or) parts.push(`(${or.map((part) => `(${whereOf(part, values)})`).join(' OR ') || 'false'})`)
  if (not) parts.push(`NOT (${whereOf(not, values)})`)
  return parts.join(' AND ') || 'true'
}

/**
 * A screen's conditions on the bits: the sale was tried, it went well, it failed, the code was analysed, the owner
 * changed; then powers.
 */
function contractParts({
  contractChecked,
  sellable,
  ownerChanged,
  excludePowers,
  includePowers,
}: TokenScreen): string[] {
  const has = (bits: number) => `(${MARKS} & ${bits} <> 0)`
  const bitsOf = (powers: readonly PowerKind[]) =>
    powers.reduce((bits, power) => bits + 2 ** (5 + POWER_KINDS.indexOf(power)), 0)
  return [
    ...(contractChecked === undefined ? [] : [`${has(1)} = ${contractChecked}`]),
    ...(sellable === undefined ? [] : [has(sellable ? 2 : 4)]),
    ...(ownerChanged === undefined ? [] : [ownerChanged ? has(16) : `${has(8)} AND NOT ${has(16)}`]),
    ...(excludePowers?.length ? [`${has(8)} AND NOT ${has(bitsOf(excludePowers))}`] : []),
    ...(includePowers ? [has(bitsOf(includePowers))] : []),
  ]
}

/** The identifiers of a page of the indexed tokens that pass the screen, and how many pass. */
export async function listBySql(
  pool: Pick<pg.Pool, 'query'>,
  head: Head,
  screen: TokenScreen,
  order: readonly TokenOrder[],
  { offset, limit }: { offset: number; limit: number },
): Promise<{ ids: number[]; total: number }> {
  const values: unknown[] = [head.time.getTime()]
  const from = `FROM token t WHERE t.indexed AND $1::float8 IS NOT NULL AND ${whereOf(screen, values)}`
  const keys = order.map(({ measure, descending }) => `${MEASURES[measure]}${descending ? ' DESC' : ''} NULLS LAST`)
  const { rows } = await pool.query<{ ids: number[]; total: number }>(
    `SELECT ARRAY(SELECT t.id ${from} ORDER BY ${[...keys, 't.address'].join(', ')} LIMIT ${limit} OFFSET ${offset}) AS ids,
      (SELECT count(*)::int ${from}) AS total`,
    values,
  )
  return rows[0] ?? { ids: [], total: 0 }
}
