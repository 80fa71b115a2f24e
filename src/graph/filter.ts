// The token filter as an input: of a list of tokens, and of an alert's conditions.

import { invalid } from '../base/errors.ts'
import { checkFilter, type TokenFilter } from '../base/filter.ts'
import { builder } from './builder.ts'
import { RiskFlagEnum } from './vocabulary.ts'

export const TokenFilterInput = builder.inputType('TokenFilter', {
  description: 'What tokens must satisfy. A field that is left out or null asks for nothing; all bounds are inclusive.',
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

/** The filter without the fields that ask for nothing; throws INVALID_PARAMS naming every fault. */
export function readFilter(
  given: { [F in keyof TokenFilter]?: TokenFilter[F] | null | undefined },
  argument: string,
): TokenFilter {
  const asked = Object.entries(given).filter(([, value]) => value !== undefined && value !== null)
  const filter: TokenFilter = Object.fromEntries(asked)
  const faults = checkFilter(filter)
  if (faults.length > 0) {
    throw invalid(
      faults.map(({ field, message }) => ({
        location: 'argument' as const,
        field: `${argument}.${field}`,
        message: `${argument}.${field} ${message}`,
      })),
    )
  }
  return filter
}
