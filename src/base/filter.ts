// The token filter, shared by the query parameters of GET /tokens and the conditions of an alert. This file has its
// fields; `screen-match.ts` has the predicate, and the ledger turns the same fields into a WHERE clause.
import type { RiskFlag } from './vocabulary.ts'

export interface TokenFilter {
  minLiquidityUsd?: number
  maxMarketCapUsd?: number
  minMarketCapUsd?: number
  maxRiskScore?: number
  excludeFlags?: readonly RiskFlag[]
  /** At least one of them. Only of alerts and GraphQL: the list of REST has no such parameter. */
  includeFlags?: readonly RiskFlag[]
  minHolderGrowth1hPct?: number
  maxAgeHours?: number
}

/** Each field's name in the contract and its bounds. */
export const FILTER_FIELDS = {
  minLiquidityUsd: { wire: 'min_liquidity_usd', min: 0 },
  maxMarketCapUsd: { wire: 'max_market_cap_usd', min: 0 },
  minMarketCapUsd: { wire: 'min_market_cap_usd', min: 0 },
  maxRiskScore: { wire: 'max_risk_score', min: 0, max: 100 },
  excludeFlags: { wire: 'exclude_flags' },
  includeFlags: { wire: 'include_flags' },
  minHolderGrowth1hPct: { wire: 'min_holder_growth_1h_pct' },
  maxAgeHours: { wire: 'max_age_hours', min: 0 },
} as const satisfies Record<keyof TokenFilter, { wire: string; min?: number; max?: number }>

/** The conditions of an alert by their REST names. */
export const ALERT_CONDITIONS = Object.values(FILTER_FIELDS).map(({ wire }) => wire)

/**
 * Growth of the number of holders with a dollar in the past hour, in percent; with 0 before, each new one counts as 100 %. Rounded
 * to four decimals, as it is printed, so that a printed growth is a bound that its token passes.
 */
export const holderGrowthPct = (now: number, hourAgo: number): number =>
  Math.floor((1e6 * (now - hourAgo)) / Math.max(hourAgo, 1) + 0.5) / 1e4

/** The age in hours with four decimals, as it is printed: each second has a number of its own. */
export const ageHours = (createdAtMs: number, nowMs: number): number =>
  Math.floor((nowMs - createdAtMs) / 360 + 0.5) / 1e4

/** The invalid values of a filter. Each `fault` follows the field's name, which `nameOf` gives. */
export function checkFilter(
  filter: TokenFilter,
  nameOf: (field: keyof TokenFilter) => string,
): { field: string; fault: string }[] {
  const faults: { field: string; fault: string }[] = []
  const addFault = (field: keyof TokenFilter, fault: string) => faults.push({ field: nameOf(field), fault })
  for (const [name, bounds] of Object.entries(FILTER_FIELDS) as [keyof TokenFilter, { min?: number; max?: number }][]) {
    const value = filter[name]
    if (typeof value !== 'number') continue
    const { min = -Infinity, max = Infinity } = bounds
    if (Number.isFinite(value) && value >= min && value <= max) continue
    addFault(name, `must be a number${max < Infinity ? ` from ${min} to ${max}` : min > -Infinity ? ` >= ${min}` : ''}`)
  }
  if (filter.includeFlags?.length === 0) addFault('includeFlags', 'must name a flag, or be left out')
  const { minMarketCapUsd = 0, maxMarketCapUsd = Infinity } = filter
  if (minMarketCapUsd > maxMarketCapUsd) addFault('minMarketCapUsd', `must not be above ${nameOf('maxMarketCapUsd')}`)
  return faults
}
