// The token filter, shared by the query parameters of GET /tokens and the conditions of an alert. This file has its
// fields; `screen-match.ts` has the predicate, and the ledger turns the same fields into a WHERE clause.
import type { PowerKind, RiskFlag } from './vocabulary.ts'

export interface TokenFilter {
  minLiquidityUsd?: number
  maxMarketCapUsd?: number
  minMarketCapUsd?: number
  maxRiskScore?: number
  excludeFlags?: readonly RiskFlag[]
  /** At least one of them. */
  includeFlags?: readonly RiskFlag[]
  minHolderGrowth1hPct?: number
  maxAgeHours?: number
  /** Whether a sale of it was tried. */
  contractChecked?: boolean
  /** The newest check of a sale; a token without one passes neither condition. */
  sellable?: boolean
  minSellTaxPct?: number
  maxSellTaxPct?: number
  /** Only tokens whose code was looked into, and without any of these. */
  excludePowers?: readonly PowerKind[]
  /** At least one of them. */
  includePowers?: readonly PowerKind[]
  /** Whether the owner changed in the day before the newest check. */
  ownerChanged?: boolean
}

export interface FieldForm {
  wire: string
  type: 'number' | 'flags' | 'powers' | 'boolean'
  min?: number
  max?: number
  /** Of alerts and GraphQL only: the list of REST has no such parameter. */
  isMore?: true
}

/** Each field's name in the contract and its bounds. */
export const FILTER_FIELDS = {
  minLiquidityUsd: { wire: 'min_liquidity_usd', type: 'number', min: 0 },
  maxMarketCapUsd: { wire: 'max_market_cap_usd', type: 'number', min: 0 },
  minMarketCapUsd: { wire: 'min_market_cap_usd', type: 'number', min: 0 },
  maxRiskScore: { wire: 'max_risk_score', type: 'number', min: 0, max: 100 },
  excludeFlags: { wire: 'exclude_flags', type: 'flags' },
  includeFlags: { wire: 'include_flags', type: 'flags', isMore: true },
  minHolderGrowth1hPct: { wire: 'min_holder_growth_1h_pct', type: 'number' },
  maxAgeHours: { wire: 'max_age_hours', type: 'number', min: 0 },
  contractChecked: { wire: 'contract_checked', type: 'boolean', isMore: true },
  sellable: { wire: 'sellable', type: 'boolean', isMore: true },
  minSellTaxPct: { wire: 'min_sell_tax_pct', type: 'number', min: 0, max: 100, isMore: true },
  maxSellTaxPct: { wire: 'max_sell_tax_pct', type: 'number', min: 0, max: 100, isMore: true },
  excludePowers: { wire: 'exclude_powers', type: 'powers', isMore: true },
  includePowers: { wire: 'include_powers', type: 'powers', isMore: true },
  ownerChanged: { wire: 'owner_changed', type: 'boolean', isMore: true },
} as const satisfies Record<keyof TokenFilter, FieldForm>

/** The conditions of an alert by their REST names. */
export const ALERT_CONDITIONS = Object.values(FILTER_FIELDS).map(({ wire }) => wire)

/**
 * Growth of the number of holders with a dollar in the past hour, in percent; with 0 before, each new one counts as 100
 * %. Rounded to four decimals, as it is printed, so that a token passes a bound equal to its printed growth.
 */
export const holderGrowthPct = (now: number, hourAgo: number): number =>
  Math.floor((1e6 * (now - hourAgo)) / Math.max(hourAgo, 1) + 0.5) / 1e4

/** The age in hours with four decimals, as it is printed: each second has its own number. */
export const ageHours = (createdAtMs: number, nowMs: number): number =>
  Math.floor((nowMs - createdAtMs) / 360 + 0.5) / 1e4

/** The invalid values of a filter. Each `fault` follows the field's name from `nameOf`. */
export function checkFilter(
  filter: TokenFilter,
  nameOf: (field: keyof TokenFilter) => string,
): { field: string; fault: string }[] {
  const faults: { field: string; fault: string }[] = []
  const addFault = (field: keyof TokenFilter, fault: string) => faults.push({ field: nameOf(field), fault })
  for (const [name, bounds] of Object.entries(FILTER_FIELDS) as [keyof TokenFilter, FieldForm][]) {
    const value = filter[name]
    if (typeof value !== 'number') continue
    const { min = -Infinity, max = Infinity } = bounds
    if (Number.isFinite(value) && value >= min && value <= max) continue
    addFault(name, `must be a number${max < Infinity ? ` from ${min} to ${max}` : min > -Infinity ? ` >= ${min}` : ''}`)
  }
  if (filter.includeFlags?.length === 0) addFault('includeFlags', 'must name a flag, or be left out')
  if (filter.includePowers?.length === 0) addFault('includePowers', 'must name a power, or be left out')
  const { minMarketCapUsd = 0, maxMarketCapUsd = Infinity, minSellTaxPct = 0, maxSellTaxPct = 100 } = filter
  if (minMarketCapUsd > maxMarketCapUsd) addFault('minMarketCapUsd', `must not be above ${nameOf('maxMarketCapUsd')}`)
  if (minSellTaxPct > maxSellTaxPct) addFault('minSellTaxPct', `must not be above ${nameOf('maxSellTaxPct')}`)
  return faults
}
