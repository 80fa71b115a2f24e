// The token filter as an input type, for lists of tokens and for the conditions of alerts.

import { type Fault, invalid } from '../base/errors.ts'
import { checkFilter, type TokenFilter } from '../base/filter.ts'
import { builder } from './builder.ts'
import { RiskFlagEnum } from './vocabulary.ts'

export const TokenFilterInput = builder.inputType('TokenFilter', {
  description:
    'What tokens must satisfy. A field that is left out or null sets no condition. All bounds are inclusive.',
  fields: (t) => ({
    minLiquidityUsd: t.float({ description: 'The least liquidity in USD, 0 or more.' }),
    maxMarketCapUsd: t.float({ description: 'The largest market cap in USD, 0 or more.' }),
    minMarketCapUsd: t.float({ description: 'The smallest market cap in USD, 0 or more.' }),
    maxRiskScore: t.float({ description: 'The highest risk score, 0-100.' }),
    excludeFlags: t.field({ type: [RiskFlagEnum], description: 'A token with any of these flags is left out.' }),
    minHolderGrowth1hPct: t.float({
      description: 'The least growth of the number of holders over the past hour in percent; may be negative.',
    }),
    maxAgeHours: t.float({ description: 'The greatest age in hours, 0 or more.' }),
  }),
})

/** A filter as GraphQL passes it to resolvers. */
export type GivenFilter = { [F in keyof TokenFilter]?: TokenFilter[F] | null | undefined }

/** Returns the filter without its null fields, and every fault of its numbers. */
export function parseFilter(given: GivenFilter, argument: string): { filter: TokenFilter; faults: Fault[] } {
  const asked = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  const filter: TokenFilter = Object.fromEntries(asked)
  const faults = checkFilter(filter, (field) => `${argument}.${field}`)
  return {
    filter,
    faults: faults.map(({ field, fault }) => ({ location: 'argument', field, message: `${field} ${fault}` })),
  }
}

/** Returns the filter. Throws INVALID_PARAMS that names every fault. */
export function readFilter(given: GivenFilter, argument: string): TokenFilter {
  const { filter, faults } = parseFilter(given, argument)
  if (faults.length > 0) throw invalid(faults)
  return filter
}
