import { expect, test } from 'vitest'
import { isOpposite, nearestOf } from '../../src/base/nearest.ts'
import { ALERT_CONDITIONS } from '../../src/fields/filter.ts'

const BODY = ['name', 'conditions', 'notification_channel', 'url']
const CONDITIONS = ALERT_CONDITIONS

test.each([
  ['nmae', 'name'],
  ['condition', 'conditions'],
  ['chanel', undefined],
  ['id', undefined],
  ['zzz', undefined],
])('of the fields of an alert, %s means %s', (given, meant) => {
  expect(nearestOf(given, BODY)).toBe(meant)
})

test.each([
  ['min_liqidity_usd', 'min_liquidity_usd'],
  ['maxRiskScore', 'max_risk_score'],
  ['minRiskScore', 'min_risk_score'],
  ['max_liquidity_usd', undefined],
  ['min_age_hours', undefined],
])('of the conditions of an alert, %s means %s: never its opposite', (given, meant) => {
  expect(nearestOf(given, CONDITIONS)).toBe(meant)
})

test('two names are opposites only where a word of one contradicts a word of the other', () => {
  expect(isOpposite('maxAgeHours', 'minAgeHours')).toBe(true)
  expect(isOpposite('from_block', 'to_block')).toBe(true)
  expect(isOpposite('age', 'max_age_hours')).toBe(false)
  expect(isOpposite('max_age', 'max_age_hours')).toBe(false)
})
