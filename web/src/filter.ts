// The filter of the tokens' table. The address of the page holds it under the names of REST, so that a link shows its
// sender's view.
import { decimal, dollars, duration, percent } from './format.ts'

export const FLAG_NAMES = [
  'liquidity_pulled',
  'wash_trading',
  'concentrated_ownership',
  'sybil_cluster',
  'smart_money_exiting',
] as const
export type FlagName = (typeof FLAG_NAMES)[number]

export const POWER_NAMES = [
  'stop_sales',
  'pause',
  'blacklist',
  'fee',
  'limits',
  'mint',
  'take',
  'upgrade',
  'destroy',
] as const
type PowerName = (typeof POWER_NAMES)[number]

/** The bounds of `TokenFilter`. */
export interface Bounds {
  minLiquidityUsd?: number
  minMarketCapUsd?: number
  maxMarketCapUsd?: number
  maxAgeHours?: number
  minHolderGrowth1hPct?: number
  maxRiskScore?: number
  minSellTaxPct?: number
  maxSellTaxPct?: number
}

export const FLAG_FIELDS = [
  ['excludeFlags', 'exclude_flags'],
  ['includeFlags', 'include_flags'],
] as const

export const POWER_FIELDS = [
  ['excludePowers', 'exclude_powers'],
  ['includePowers', 'include_powers'],
] as const

/** The yes-or-no conditions. */
export const SWITCH_FIELDS = [
  ['sellable', 'sellable'],
  ['contractChecked', 'contract_checked'],
  ['ownerChanged', 'owner_changed'],
] as const

export type Filter = Bounds & { [Field in (typeof FLAG_FIELDS)[number][0]]?: FlagName[] } & {
  [Field in (typeof POWER_FIELDS)[number][0]]?: PowerName[]
} & { [Field in (typeof SWITCH_FIELDS)[number][0]]?: boolean }

export interface BoundKind {
  field: keyof Bounds
  /** In the form of the address. */
  name: string
  label: string
  unit: 'usd' | 'hours' | 'percent' | 'points'
  sign: '≥' | '≤'
  presets: readonly number[]
}

export const BOUNDS: readonly BoundKind[] = [
  bound('minLiquidityUsd', 'Liquidity', 'usd', '≥', [1_000, 10_000, 100_000, 1_000_000]),
  bound('maxRiskScore', 'Risk', 'points', '≤', [29.99, 49.99, 64.99]),
  bound('minMarketCapUsd', 'Market cap', 'usd', '≥', [10_000, 100_000, 1_000_000]),
  bound('maxMarketCapUsd', 'Market cap', 'usd', '≤', [100_000, 1_000_000, 10_000_000]),
  bound('maxAgeHours', 'Age', 'hours', '≤', [1, 24, 168, 720]),
  bound('minHolderGrowth1hPct', 'Holders 1 h', 'percent', '≥', [0, 5, 20]),
  bound('maxSellTaxPct', 'Sell tax', 'percent', '≤', [0, 1, 5, 10]),
  bound('minSellTaxPct', 'Sell tax', 'percent', '≥', [5, 10, 50]),
]

function bound(
  field: keyof Bounds,
  label: string,
  unit: BoundKind['unit'],
  sign: BoundKind['sign'],
  presets: number[],
): BoundKind {
  return { field, name: snake(field), label, unit, sign, presets }
}

/** `minHolderGrowth1hPct` as `min_holder_growth_1h_pct`. */
function snake(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d/g, (sign) => `_${sign.toLowerCase()}`)
}

/** A message of the server with the labels on the page: `filter.maxRiskScore` is “Risk ≤”. */
export function underLabels(message: string): string {
  return message.replace(/\b(?:filter|input\.conditions)\.(\w+)/g, (path, field) => {
    const known = BOUNDS.find((one) => one.field === field)
    return known ? `“${known.label} ${known.sign}”` : path
  })
}

/** Invalid numbers, flags, powers and answers in an address are left out. */
export function readFilter(query: Record<string, string>): Filter {
  const filter: Filter = {}
  for (const { field, name } of BOUNDS) {
    const value = query[name]
    if (value !== undefined && value.trim() !== '' && Number.isFinite(Number(value))) filter[field] = Number(value)
  }
  for (const [field, name] of FLAG_FIELDS) {
    const flags = (query[name] ?? '')
      .split(',')
      .filter((flag): flag is FlagName => FLAG_NAMES.includes(flag as FlagName))
    if (flags.length > 0) filter[field] = flags
  }
  for (const [field, name] of POWER_FIELDS) {
    const named = (query[name] ?? '').split(',')
    const powers = POWER_NAMES.filter((power) => named.includes(power))
    if (powers.length > 0) filter[field] = powers
  }
  for (const [field, name] of SWITCH_FIELDS) {
    const value = query[name]
    if (value === 'true' || value === 'false') filter[field] = value === 'true'
  }
  return filter
}

export function writeFilter(filter: Filter): Record<string, string> {
  const query: Record<string, string> = {}
  for (const { field, name } of BOUNDS) {
    const value = filter[field]
    if (value !== undefined) query[name] = String(value)
  }
  for (const [field, name] of [...FLAG_FIELDS, ...POWER_FIELDS]) {
    const words = filter[field]
    if (words?.length) query[name] = words.join(',')
  }
  for (const [field, name] of SWITCH_FIELDS) {
    const value = filter[field]
    if (value !== undefined) query[name] = String(value)
  }
  return query
}

/** The address of the tokens' table with these words in it. */
export function tokensAddress(query: Record<string, string | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') search.set(name, value)
  const text = search.toString().replaceAll('%2C', ',')
  return text ? `/?${text}` : '/'
}

/** The bound's value in its unit. */
export function showBound({ unit }: BoundKind, value: number): string {
  if (unit === 'usd') return dollars(value)
  if (unit === 'hours') return duration(value * 3_600)
  return unit === 'percent' ? percent(value) : decimal(value)
}
