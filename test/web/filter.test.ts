import { expect, test } from 'vitest'
import { underLabels } from '../../web/src/filter.ts'

test('a message about the filter names the labels of the page, not the fields of GraphQL', () => {
  expect(underLabels('filter.maxRiskScore must be a number from 0 to 100')).toBe(
    '“Risk ≤” must be a number from 0 to 100',
  )
  expect(underLabels('filter.minMarketCapUsd must not be above filter.maxMarketCapUsd')).toBe(
    '“Market cap ≥” must not be above “Market cap ≤”',
  )
  expect(underLabels('filter.search must have 1 to 64 characters')).toBe('filter.search must have 1 to 64 characters')
})
