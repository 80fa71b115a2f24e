import { expect, test } from 'vitest'
import { toRiskLevel } from '../../src/base/risk-level.ts'
import { BOUNDS, showBound, underLabels } from '../../web/src/filter.ts'

test('a message about the filter names the labels of the page, not the fields of GraphQL', () => {
  expect(underLabels('filter.maxRiskScore must be a number from 0 to 100')).toBe(
    '“Risk ≤” must be a number from 0 to 100',
  )
  expect(underLabels('filter.minMarketCapUsd must not be above filter.maxMarketCapUsd')).toBe(
    '“Market cap ≥” must not be above “Market cap ≤”',
  )
  expect(underLabels('filter.search must have 1 to 64 characters')).toBe('filter.search must have 1 to 64 characters')
})

test('each risk that the filter offers is an end of a level, and has the name of that level', () => {
  const kinds = BOUNDS.filter(({ field }) => field === 'maxRiskScore' || field === 'minRiskScore')
  expect(kinds.map(({ sign }) => sign)).toEqual(['≤', '≥'])
  for (const kind of kinds)
    for (const preset of kind.presets) {
      const beyond = kind.sign === '≤' ? preset + 0.01 : preset
      expect(toRiskLevel(beyond)).not.toBe(toRiskLevel(beyond - 0.01))
      expect(showBound(kind, preset)).toBe(toRiskLevel(preset))
    }
  expect(kinds.map((kind) => kind.presets.map((preset) => showBound(kind, preset)))).toEqual([
    ['low', 'medium', 'high'],
    ['medium', 'high', 'critical'],
  ])
})
