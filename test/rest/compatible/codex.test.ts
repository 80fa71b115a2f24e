// Calls of Codex, answered from a seeded ledger, as its own client sends them.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { readSelections } from '../../../src/graph/run/selection.ts'
import { CODEX_CALLS } from '../../../src/rest/compatible/codex-calls.ts'
import { createServed, type Served } from '../../support/served.ts'

const NETWORK = 31337

let served: Served
let address = ''
beforeAll(async () => {
  served = await createServed()
  const priced = await served.ask(`${served.url}/v1/tokens?limit=50`)
  address = priced.json.data.find(({ price_usd }: { price_usd: number | null }) => price_usd !== null).address
})

const post = (query: string, variables: object = {}) =>
  served.ask(`${served.url}/codex/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })

const PRICES = 'query P($inputs: [GetPriceInput]) { getTokenPrices(inputs: $inputs) { address networkId priceUsd } }'

test('prices are answered in the order of the inputs, and null for a token that has none here', async () => {
  const absent = `0x${'99'.repeat(20)}`
  const inputs = [absent, address.toUpperCase().replace('0X', '0x')].map((each) => ({
    address: each,
    networkId: NETWORK,
  }))
  const { status, json } = await post(PRICES, { inputs })
  expect([status, json.errors]).toEqual([200, undefined])
  expect(json.data.getTokenPrices).toEqual([null, { address, networkId: NETWORK, priceUsd: expect.any(Number) }])
})

test('a field without an equal is null, at any depth and by any alias or fragment', async () => {
  const { json } = await post(
    `fragment Own on EnhancedToken { symbol socialLinks { twitter } }
     query T($input: TokenInput!) { one: token(input: $input) { ...Own ... on EnhancedToken { name: id info { circulatingSupply cmcId } } } }`,
    { input: { address, networkId: NETWORK } },
  )
  expect(json.data.one).toEqual({
    symbol: expect.any(String),
    socialLinks: null,
    name: `${address}:${NETWORK}`,
    info: { circulatingSupply: '1000000', cmcId: null },
  })
})

test('bars are columns of one length, in dollars or in the quote, and a range is shortened by countback', async () => {
  const call = (args: string) =>
    post(
      `{ getTokenBars(symbol: "${address}:${NETWORK}", from: 0, to: 4000000000, ${args}) { s t o h l c volume buys sells liquidity } }`,
    )
  const { json } = await call('resolution: "60", countback: 1000')
  const { s, ...columns } = json.data.getTokenBars as { s: string; t: number[] }
  expect(s).toMatch(/^(ok|no_data)$/)
  for (const column of Object.values(columns)) expect(column).toHaveLength(columns.t.length)
  expect((await call('resolution: "60"')).json.errors[0].message).toMatch(/^from must be at most 1000 bars before to/)
  for (const other of ['7D', 'constructor', '__proto__'])
    expect((await call(`resolution: "${other}", countback: 5`)).json.errors[0].message).toBe(
      'resolution must be one of 1, 5, 15, 60, 240, 1D',
    )
})

interface Row {
  token: { address: string; networkId: number }
  liquidity: string
  holders: number
}

const FILTER = `query F($filters: TokenFilters, $rankings: [TokenRanking], $tokens: [String], $limit: Int, $offset: Int, $phrase: String) {
  filterTokens(filters: $filters, rankings: $rankings, tokens: $tokens, limit: $limit, offset: $offset, phrase: $phrase) {
    count page results { token { address networkId } liquidity holders change24 txnCount1 isScam }
  }
}`
const filter = async (variables: object): Promise<{ count: number; page: number; results: Row[] }> => {
  const { json } = await post(FILTER, variables)
  expect(json.errors).toBeUndefined()
  return json.data.filterTokens
}

test('a filtered list has the tokens of GET /v1/tokens in its order, by page, and bounds exclude where theirs do', async () => {
  const rankings = [{ attribute: 'liquidity', direction: 'DESC' }]
  const listed = await served.ask(`${served.url}/v1/tokens?sort=liquidity&limit=50`)
  const addresses = listed.json.data.map((token: { address: string }) => token.address)
  const all = await filter({ rankings, limit: 50 })
  expect(all.results.map(({ token }) => token.address)).toEqual(addresses)
  expect(all.results[0]?.token.networkId).toBe(NETWORK)
  const second = await filter({ rankings, limit: 2, offset: 1 })
  expect([second.count, second.page]).toEqual([2, 1])
  expect(second.results.map(({ token }) => token.address)).toEqual(addresses.slice(1, 3))
  const [{ liquidity, holders } = { liquidity: '', holders: 0 }] = all.results
  const countOf = async (filters: object) => (await filter({ filters, limit: 200 })).results.length
  const [every, most] = [await countOf({}), Number(liquidity)]
  expect(await countOf({ liquidity: { gte: most } })).toBeGreaterThan(0)
  expect(await countOf({ liquidity: { gt: most } })).toBe(0)
  expect((await countOf({ liquidity: { lt: most } })) + (await countOf({ liquidity: { gte: most } }))).toBe(every)
  expect((await countOf({ holders: { lte: holders } })) + (await countOf({ holders: { gt: holders } }))).toBe(every)
  expect(await countOf({ totalLiquidityUsd: { gt: most }, liquidity: { gte: 0 } })).toBe(0)
  const named = await filter({ tokens: [`${address}:${NETWORK}`] })
  expect(named.results.map(({ token }) => token.address)).toEqual([address])
})

test.each([
  ['filters.marketCap has no equal here; liquidity,', { filters: { marketCap: { gte: 1 } } }],
  ['filters.constructor has no equal here', { filters: { constructor: { gte: 1 } } }],
  ['filters.potentialScam has no equal here', { filters: { potentialScam: false } }],
  ['filters.liquidity must have numbers as gt, gte, lt or lte', { filters: { liquidity: { gte: '1' } } }],
  ['filters.volume24 takes gt and gte only', { filters: { volume24: { lt: 1 } } }],
  ['rankings by sniperCount have no equal here; trendingScore,', { rankings: [{ attribute: 'sniperCount' }] }],
  ['limit must be a whole number from 1 to 200', { limit: 201 }],
  ['phrase must be left out: GET /v1/search', { phrase: 'otter' }],
  ['networkId 56 is not indexed here', { filters: { network: [NETWORK, 56] } }],
  ['networkId 1 is not indexed here', { tokens: [`0x${'11'.repeat(20)}:1`] }],
  ['tokens must be 0x and 40 hex digits', { tokens: ['otter:31337'] }],
])('a filtered list that would be another one is refused: %s', async (message, variables) => {
  const { json } = await post(FILTER, variables)
  expect(json.errors[0].message.startsWith(message)).toBe(true)
})

test('other calls, networks, addresses, past prices and texts that are no query are refused in words', async () => {
  const refusal = async (query: string, variables = {}) => (await post(query, variables)).json.errors[0].message
  const input = (more: object) => ({ inputs: [{ address, networkId: NETWORK, ...more }] })
  expect(await refusal('{ holders { count } }')).toMatch(/^query: holders is not answered here; getTokenPrices/)
  expect(await refusal('{ __schema { types { name } } }')).toMatch(/^query: __schema is not answered here/)
  expect(await refusal(PRICES, input({ networkId: 56 }))).toBe(`networkId 56 is not indexed here; ${NETWORK} is`)
  expect(await refusal(PRICES, input({ address: '0x12' }))).toBe('address must be 0x and 40 hex digits')
  expect(await refusal(PRICES, input({ timestamp: 1 }))).toMatch(/^inputs must have no timestamp/)
  expect(await refusal(PRICES, { inputs: [] })).toBe('inputs must be 1 to 25 tokens')
  expect(await refusal('mutation { createWebhooks { id } }')).toBe('query: send exactly one query')
  expect(await refusal('{ token(')).toMatch(/^query: Syntax Error/)
  expect(await refusal(`{ token(input: { address: "0x${'99'.repeat(20)}", networkId: ${NETWORK} }) { id } }`)).toBe(
    'This token is not indexed.',
  )
  const six = Array.from({ length: 6 }, (_, at) => `a${at}: token(input: {}) { id }`).join(' ')
  expect(await refusal(`{ ${six} }`)).toBe('query: it may have up to 5 calls')
})

test('fragments within fragments, and one that holds itself, end with a refusal', () => {
  const twice = Array.from({ length: 30 }, (_, at) => `fragment F${at} on T { ...F${at + 1} ...F${at + 1} }`).join(' ')
  const run = (text: string) => readSelections(text, {})[0]?.select({ a: 1 })
  expect(() => run(`${twice} fragment F30 on T { a } { token { ...F0 } }`)).toThrow(/more than 200000 fields/)
  expect(() => run('fragment F on T { ...F } { token { ...F } }')).toThrow(/more than 200000 fields/)
  expect(() => run('{ token { ...Absent } }')).toThrow(/a fragment that it does not define/)
  expect(() => run(`{ token ${'{ a '.repeat(30_000)}${'}'.repeat(30_000)} }`)).toThrow(/^query: /)
})

test('a key is asked for, and another method is refused', async () => {
  const path = `${served.url}/codex/graphql`
  const nobody = await served.ask(path, { method: 'POST', headers: { authorization: '' } })
  const get = await served.ask(path)
  expect([nobody.status, get.status, get.headers.get('allow')]).toEqual([401, 405, 'POST, OPTIONS'])
})

test('docs/coming-from/codex.md names each call', () => {
  const page = readFileSync(new URL('../../../docs/coming-from/codex.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## The same calls')
  expect(Object.keys(CODEX_CALLS).filter((name) => !section.includes(`\`${name}\``))).toEqual([])
})

const packages = new URL('../../../.ci/api/package.json', import.meta.url)
const isInstalled = existsSync(new URL('node_modules/@codex-data', packages))

test.skipIf(!isInstalled)(
  'the public client reads prices, a token and bars, without a change (skipped until .ci/api/run installed it)',
  async () => {
    const { Codex } = createRequire(fileURLToPath(packages))('@codex-data/sdk')
    const { authorization } = await served.knock({ plan: 'api' })
    const codex = new Codex(authorization.replace('Bearer ', ''), { apiUrl: `${served.url}/codex/graphql` })
    const input = { address, networkId: NETWORK }
    const prices = await codex.queries.getTokenPrices({ inputs: [input] })
    expect(prices.getTokenPrices[0]).toMatchObject({ ...input, priceUsd: expect.any(Number) })
    const { token } = await codex.queries.token({ input })
    expect(token).toMatchObject({ id: `${address}:${NETWORK}`, symbol: expect.any(String), cmcId: null })
    const range = { symbol: `${address}:${NETWORK}`, from: 0, to: 4_000_000_000, resolution: '1D', countback: 1_000 }
    expect((await codex.queries.getTokenBars(range)).getTokenBars.token.address).toBe(address)
    expect((await codex.queries.getBars(range)).getBars).toMatchObject({ t: expect.any(Array), pair: null })
    const { filterTokens } = await codex.queries.filterTokens({
      filters: { network: [NETWORK], liquidity: { gte: 1 } },
      rankings: [{ attribute: 'volume24', direction: 'DESC' }],
      limit: 2,
    })
    expect(filterTokens).toMatchObject({
      count: 2,
      page: 0,
      results: [{ liquidity: expect.any(String), token: { symbol: expect.any(String) } }, { isScam: null }],
    })
  },
)
