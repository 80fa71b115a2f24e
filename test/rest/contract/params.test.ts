import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Param, QUERIES } from '../../../src/rest/contract/param.ts'
import { readQuery } from '../../../src/rest/contract/params.ts'

const read = (search: string) =>
  readQuery(search, { ...QUERIES.tokens, ...QUERIES.events, status: QUERIES.alerts.status })
const faultOf = (search: string) => read(search).faults.map(({ field, message }) => `${field}: ${message}`)
const ADDRESS = '0xAbCdEf0123456789aBcDeF0123456789abcdef01'

test.each([
  ['page=1', { page: 1 }],
  ['page=9999999999', { page: 9_999_999_999 }],
  ['limit=200', { limit: 200 }],
  ['limit=201', { limit: 200 }],
  ['limit=9999999999', { limit: 200 }],
  ['min_liquidity_usd=0', { minLiquidityUsd: 0 }],
  ['max_market_cap_usd=12.50', { maxMarketCapUsd: 12.5 }],
  ['max_risk_score=100', { maxRiskScore: 100 }],
  ['max_risk_score=0.0', { maxRiskScore: 0 }],
  ['min_holder_growth_1h_pct=-12.5', { minHolderGrowth1hPct: -12.5 }],
  ['max_age_hours=24', { maxAgeHours: 24 }],
  ['min_market_cap_usd=5&max_market_cap_usd=5', { minMarketCapUsd: 5, maxMarketCapUsd: 5 }],
  ['sort=risk_asc', { sort: 'risk_asc' }],
  ['sort=gainers', { sort: 'gainers' }],
  ['exclude_flags=wash_trading', { excludeFlags: ['wash_trading'] }],
  ['exclude_flags=wash_trading,sybil_cluster,wash_trading', { excludeFlags: ['wash_trading', 'sybil_cluster'] }],
  ['exclude_flags=wash_trading%2Csybil_cluster', { excludeFlags: ['wash_trading', 'sybil_cluster'] }],
  ['exclude_flags=wash_trading&exclude_flags=sybil_cluster', { excludeFlags: ['wash_trading', 'sybil_cluster'] }],
  [
    'exclude_flags=wash_trading&type=swap&exclude_flags=sybil_cluster,wash_trading',
    { excludeFlags: ['wash_trading', 'sybil_cluster'], type: 'swap' },
  ],
  ['type=liquidity_remove', { type: 'liquidity_remove' }],
  [`token_address=${ADDRESS}`, { tokenAddress: ADDRESS.toLowerCase() }],
  ['since=2026-01-31', { since: '2026-01-31T00:00:00.000Z' }],
  ['since=2026-01-31T12:00:00', { since: '2026-01-31T12:00:00.000Z' }],
  ['since=2026-01-31T12:00:00.5Z', { since: '2026-01-31T12:00:00.500Z' }],
  ['since=2026-01-31T12:00:00+02:00', { since: '2026-01-31T10:00:00.000Z' }],
  ['since=2026-01-31T12:00:00%2B02:00', { since: '2026-01-31T10:00:00.000Z' }],
  ['since=2026-01-31T12:00:00-02:30', { since: '2026-01-31T14:30:00.000Z' }],
  ['status=paused', { status: 'paused' }],
  ['min_liquidity_usd=6.45e-15', { minLiquidityUsd: 6.45e-15 }],
  ['min_liquidity_usd=1e+21', { minLiquidityUsd: 1e21 }],
  ['min_liquidity_usd=1e%2B21', { minLiquidityUsd: 1e21 }],
  ['', {}],
  ['&&', {}],
])('the query "%s" is accepted', (search, values) => {
  expect(read(search)).toEqual({ values, faults: [] })
})

describe('an invalid value is refused:', () => {
  const counts = ['0', '-1', '1e2', '0x10', '%2B5', '+5', '%205', '5%20', '1.0', '01', 'ten', '%00', '１']
  test.each(counts)('page=%s and limit=%s', (text) => {
    expect(faultOf(`page=${text}&limit=${text}`)).toEqual([
      'page: page must be an integer >= 1',
      'limit: limit must be an integer >= 1',
    ])
  })
  test.each(['10000000000', '99999999999', '9'.repeat(400)])('page=%s and limit=%s, which is too large', (text) => {
    expect(faultOf(`page=${text}&limit=${text}`)).toEqual([
      'page: page must not be above 9999999999',
      'limit: limit must not be above 9999999999',
    ])
  })
  test('a block of eleven digits', () => {
    expect(readQuery('from_block=99999999999', QUERIES.eventStream).faults[0]?.message).toBe(
      'from_block must be the number of a block, 0 to 9999999999',
    )
  })
  const numbers = ['-1', '-0.1', '1e', 'e3', '1e1.5', '0x10', 'NaN', 'Infinity', '1,000', '%00', '--1', '1.2.3']
  test.each(numbers)('min_liquidity_usd=%s', (text) => {
    expect(faultOf(`min_liquidity_usd=${text}`)).toEqual(['min_liquidity_usd: min_liquidity_usd must be a number >= 0'])
  })
  test.each(['007', '00', '-007', '01.5', '.5', '5.', '%205', '%2B5', '+5', '1.e3'])(
    'min_liquidity_usd=%s, which is a number that JSON does not write so',
    (text) => {
      expect(faultOf(`min_liquidity_usd=${text}&max_risk_score=${text}`)).toEqual([
        'min_liquidity_usd: min_liquidity_usd must be written as JSON writes a number, such as 7 or 0.5',
        'max_risk_score: max_risk_score must be written as JSON writes a number, such as 7 or 0.5',
      ])
    },
  )
  test.each(['1e999', '-1e999', '9'.repeat(400)])('min_liquidity_usd=%s, which is too large', (text) => {
    expect(faultOf(`min_liquidity_usd=${text}`)).toEqual([
      'min_liquidity_usd: min_liquidity_usd is too large to be a number',
    ])
  })
  test.each(['-1', '100.1', '101'])('max_risk_score=%s', (text) => {
    expect(faultOf(`max_risk_score=${text}`)).toEqual(['max_risk_score: max_risk_score must be a number from 0 to 100'])
  })
  test.each(['Trending', 'hot', 'trending,newest', '%00'])('sort=%s', (text) => {
    expect(faultOf(`sort=${text}`)).toEqual([
      'sort: sort must be one of trending, newest, liquidity, volume, risk_asc, gainers, losers',
    ])
  })
  test.each(['rug', 'wash_trading,', ',', 'WASH_TRADING', 'wash_trading, sybil_cluster'])(
    'exclude_flags=%s',
    (text) => {
      expect(faultOf(`exclude_flags=${text}`)[0]).toMatch(
        /^exclude_flags: exclude_flags must be a comma-separated list of/,
      )
    },
  )
  test.each(['0x', `${ADDRESS}0`, ADDRESS.slice(2), ADDRESS.replace('0x', '0X'), `%20${ADDRESS}`])(
    'token_address=%s',
    (text) => {
      expect(faultOf(`token_address=${text}`)).toEqual(['token_address: token_address must be 0x and 40 hex digits'])
    },
  )
  test.each(['yesterday', '1738324800', '2026-02-30', '2026-01-31T25:00:00Z', '2026-1-1'])('since=%s', (text) => {
    expect(faultOf(`since=${text}`)[0]).toMatch(/^since: since must be a time in ISO 8601/)
  })
})

test('every fault of a query is reported, in the order of the query', () => {
  expect(faultOf('limit=0&sort=&sort=newest&min_liquidty_usd=5&type=mint&page=%zz')).toEqual([
    'limit: limit must be an integer >= 1',
    'sort: sort must not be empty',
    'sort: sort must be given once',
    'min_liquidty_usd: min_liquidty_usd is not a parameter here: did you mean min_liquidity_usd?',
    'type: type must be one of swap, liquidity_add, liquidity_remove, transfer',
    'page: page is not valid percent-encoding in UTF-8',
  ])
})

test('a parameter that is a list may be repeated, within the bound of the whole list; every other one may not', () => {
  const addresses = Array.from({ length: 100 }, (_, at) => `0x${String(at).padStart(40, '0')}`)
  const search = addresses.map((address) => `addresses=${address}`).join('&')
  expect(read(search)).toEqual({ values: { addresses }, faults: [] })
  expect(faultOf(`${search}&addresses=${ADDRESS}`)).toEqual([
    'addresses: addresses must be 1 to 100 addresses, separated by commas',
  ])
  expect(faultOf('exclude_flags=wash_trading&exclude_flags=')).toEqual([
    'exclude_flags: exclude_flags must not be empty',
  ])
  const queries: Record<string, Param>[] = Object.values(QUERIES)
  const parameters = queries.flatMap((query) => Object.entries(query))
  const lists = new Set(parameters.filter(([, { isList }]) => isList).map(([name]) => name))
  expect([...lists].sort()).toEqual(['addresses', 'classification', 'exclude_flags', 'kind', 'wallet_classification'])
  for (const [name, param] of parameters.filter(([, { isList }]) => !isList)) {
    const { faults } = readQuery(`${name}=1&${name}=1`, { [name]: param })
    expect(faults.map(({ message }) => message)).toContain(`${name} must be given once`)
  }
})

test('a minimum market cap above the maximum is refused', () => {
  expect(faultOf('min_market_cap_usd=6&max_market_cap_usd=5')).toEqual([
    'min_market_cap_usd: min_market_cap_usd must not be above max_market_cap_usd',
  ])
})

test('parameter names are case-sensitive, and an unknown one gets the nearest name as a hint', () => {
  expect(faultOf('Page=1')).toEqual(['Page: Page is not a parameter here: did you mean page?'])
  for (const [given, meant] of [
    ['min_liq', 'min_liquidity_usd'],
    ['liquidity', 'min_liquidity_usd'],
    ['MARKET_CAP_MIN', 'min_market_cap_usd'],
    ['age', 'max_age_hours'],
    ['token', 'token_address'],
    ['risk_score_max', 'max_risk_score'],
  ]) {
    expect(faultOf(`${given}=1`)[0]).toMatch(new RegExp(`did you mean ${meant}\\?$`))
  }
  expect(faultOf('__proto__=1')[0]).toMatch(/is not a parameter here: it takes sort, min_liquidity_usd, /)
  expect(faultOf('include_flags=1')[0]).toMatch(/is not a parameter here: it takes sort, /)
  expect(faultOf('toString=1')[0]).toMatch(/is not a parameter here/)
  expect(readQuery('x=1', {}).faults[0]?.message).toBe('x is not a parameter here: none are taken')
})

test('reading a query never throws, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (search) => {
      const { faults } = read(search)
      for (const { field, message } of faults) expect(message.length + field.length).toBeLessThan(1_000)
    }),
  )
})

test('a refusal names the first twenty of a thousand faulty parameters', () => {
  const faults = faultOf(Array.from({ length: 1_000 }, (_, n) => `k${n}=1`).join('&'))
  expect(faults).toHaveLength(21)
  expect(faults[19]).toMatch(/^k19: k19 is not a parameter here/)
  expect(faults[20]).toBe(': only the first 20 faults are named')
})
