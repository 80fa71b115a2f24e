import fc from 'fast-check'
import { coerceInputValue, type GraphQLInputType } from 'graphql'
import { expect, test } from 'vitest'
import { ALERT_STATUSES, RISK_FLAGS } from '../../../src/base/vocabulary.ts'
import { NOTIFICATION_CHANNELS } from '../../../src/fields/channels.ts'
import { schema } from '../../../src/graph/run/schema.ts'
import { readAlert } from '../../../src/rest/contract/alert-body.ts'

const faultsOf = (body: unknown, kind: 'create' | 'update' = 'create') =>
  readAlert(body, kind).faults.map(({ field, message }) => [field, message])

test('a valid alert body becomes the input of the mutation', () => {
  const conditions = {
    min_liquidity_usd: 1,
    max_market_cap_usd: 3.5,
    min_market_cap_usd: 2,
    max_risk_score: 100,
    exclude_flags: ['wash_trading', 'sybil_cluster', 'wash_trading'],
    include_flags: ['liquidity_pulled', 'liquidity_pulled'],
    min_holder_growth_1h_pct: -5,
    max_age_hours: 0,
  }
  expect(readAlert({ name: '  Big one ', conditions, notification_channel: 'email' }, 'create')).toEqual({
    faults: [],
    values: {
      input: {
        name: 'Big one',
        conditions: {
          minLiquidityUsd: 1,
          maxMarketCapUsd: 3.5,
          minMarketCapUsd: 2,
          maxRiskScore: 100,
          excludeFlags: ['wash_trading', 'sybil_cluster'],
          includeFlags: ['liquidity_pulled'],
          minHolderGrowth1hPct: -5,
          maxAgeHours: 0,
        },
        notificationChannel: 'email',
      },
    },
  })
  expect(readAlert({ name: 'é'.repeat(100), conditions: {} }, 'create').faults).toEqual([])
  expect(readAlert({ status: 'paused' }, 'update')).toEqual({ values: { input: { status: 'paused' } }, faults: [] })
  expect(readAlert({}, 'update')).toEqual({ values: { input: {} }, faults: [] })
})

test.each([null, [], 'x', 5, true])('%j is refused as an alert body', (body) => {
  expect(faultsOf(body)).toEqual([['', 'the body must be a JSON object']])
})

test('every fault of an alert body is reported', () => {
  const conditions = {
    min_liquidity_usd: '5',
    max_risk_score: 101,
    sort: 'newest',
    exclude_flags: 'rug',
    max_age_hours: -1,
  }
  expect(faultsOf({ nmae: 'x', conditions, notification_channel: 'sms' })).toEqual([
    ['nmae', 'nmae is not a field here: did you mean name?'],
    ['name', 'name is required'],
    ['conditions.sort', expect.stringMatching(/^conditions.sort is not a field here: it takes min_liquidity_usd, /)],
    ['conditions.min_liquidity_usd', 'conditions.min_liquidity_usd must be a JSON number'],
    ['conditions.exclude_flags', expect.stringMatching(/^conditions.exclude_flags must be an array of wash_trading/)],
    ['conditions.max_risk_score', 'conditions.max_risk_score must be a number from 0 to 100'],
    ['conditions.max_age_hours', 'conditions.max_age_hours must be a number >= 0'],
    ['notification_channel', `notification_channel must be ${NOTIFICATION_CHANNELS.join(' or ')}`],
  ])
})

test('a field that is far from all others gets their names, and none of them as a guess', () => {
  expect(faultsOf({ name: 'x', conditions: { wanted_labels: [] }, id: 'x' })).toEqual([
    ['id', 'id is not a field here: it takes name, conditions, notification_channel, url'],
    ['conditions.wanted_labels', expect.stringMatching(/^conditions.wanted_labels is not a field here: it takes /)],
  ])
})

test.each(['', '   ', 'x'.repeat(101), 'a\r\nBcc: b@c', 'a\u0000', 'a\u2028b', 'a\ud800', 5, null, ['x']])(
  'the alert name %j is refused',
  (name) => {
    expect(faultsOf({ name, conditions: {} }).map(([field]) => field)).toEqual(['name'])
    expect(faultsOf({ name }, 'update').map(([field]) => field)).toEqual(['name'])
  },
)

test.each([
  [{ page: 1 }, 'conditions.page'],
  [{ limit: 1 }, 'conditions.limit'],
  [{ max_risk_score: null }, 'conditions.max_risk_score'],
  [JSON.parse('{"max_age_hours":1e999}'), 'conditions.max_age_hours'],
  [JSON.parse('{"__proto__":1}'), 'conditions.__proto__'],
  [{ exclude_flags: ['rug'] }, 'conditions.exclude_flags'],
  [{ exclude_flags: [1] }, 'conditions.exclude_flags'],
  [{ include_flags: 'rug' }, 'conditions.include_flags'],
  [{ include_flags: [] }, 'conditions.include_flags'],
  [{ min_market_cap_usd: 2, max_market_cap_usd: 1 }, 'conditions.min_market_cap_usd'],
  [undefined, 'conditions'],
  [null, 'conditions'],
  [[], 'conditions'],
])('the alert conditions %j are refused', (conditions, field) => {
  expect(faultsOf({ name: 'x', conditions }).map(([name]) => name)).toEqual([field])
})

test('creating an alert refuses fields that only updating takes, and the reverse', () => {
  expect(faultsOf({ name: 'x', conditions: {}, status: 'paused' }).map(([field]) => field)).toEqual(['status'])
  expect(faultsOf({ notification_channel: 'email' }, 'update').map(([field]) => field)).toEqual([
    'notification_channel',
  ])
  expect(faultsOf({ status: 'deleted' }, 'update')).toEqual([['status', 'status must be active or paused']])
})

/** Alert bodies: many are valid, many have a few faults, and some are any JSON. */
const anyOr = <T>(valid: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: valid }, { weight: 1, arbitrary: fc.jsonValue() })
const conditionsArbitrary = fc.record(
  {
    min_liquidity_usd: anyOr(fc.integer({ min: 0 })),
    max_risk_score: anyOr(fc.integer({ min: 0, max: 100 })),
    exclude_flags: anyOr(fc.subarray([...RISK_FLAGS])),
    max_age_hours: anyOr(fc.double({ min: 0, max: 1e6, noNaN: true })),
  },
  { requiredKeys: [] },
)
const bodies = anyOr(
  fc.record(
    {
      name: anyOr(fc.constantFrom('Deep', ' Clean ', 'a'.repeat(100))),
      conditions: anyOr(conditionsArbitrary),
      status: anyOr(fc.constantFrom(...ALERT_STATUSES)),
      notification_channel: anyOr(fc.constantFrom(...NOTIFICATION_CHANNELS)),
    },
    { requiredKeys: [] },
  ),
)

test('any JSON is an input that the mutation accepts, or has faults that name fields of the body', () => {
  const types = { create: schema.getType('CreateAlertInput'), update: schema.getType('UpdateAlertInput') }
  let accepted = 0
  fc.assert(
    fc.property(bodies, fc.constantFrom('create' as const, 'update' as const), (body, kind) => {
      const { values, faults } = readAlert(body, kind)
      for (const { location, field, message } of faults) {
        expect(location).toBe('body')
        expect(message.startsWith(field)).toBe(true)
      }
      if (faults.length > 0) return
      accepted += 1
      const mistakes: string[] = []
      coerceInputValue(values.input, types[kind] as GraphQLInputType, (_, __, { message }) => mistakes.push(message))
      expect(mistakes).toEqual([])
    }),
    // Tried in every run, so that no draw is without a valid body.
    { examples: [[{ name: 'Deep', conditions: { min_liquidity_usd: 5 }, notification_channel: 'email' }, 'create']] },
  )
  expect(accepted).toBeGreaterThan(0)
})

test('a refusal names the first twenty of a thousand unknown fields', () => {
  const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, 1]))
  const [last, ...faults] = faultsOf({ name: 'x', conditions: {}, ...fields }).reverse()
  expect(faults).toHaveLength(20)
  expect(last).toEqual(['', 'the body has 980 more fields that are not fields here'])
  const inner = faultsOf({ name: 'x', conditions: fields })
  expect(inner).toHaveLength(21)
  expect(inner.at(-1)).toEqual(['conditions', 'conditions has 980 more fields that are not fields here'])
})
