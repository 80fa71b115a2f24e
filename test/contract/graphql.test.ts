// /graphql behind the same guard as /v1: the same keys, limits, headers and codes.
import { beforeAll, expect, test } from 'vitest'
import type { Asked } from '../support/rest.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed()
})

const TOKENS = 'query T($limit: Int) { tokens(limit: $limit) { items { address } } }'
const post = (body: unknown, headers: Record<string, string> = {}): Promise<Asked> =>
  served.ask(`${served.url}/graphql`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  })

test('a GraphQL query with a key is answered, with its block in the headers', async () => {
  const { status, headers, json } = await post({ query: '{ tokens(limit: 2) { total items { address } } }' })
  expect([status, json.data.tokens.total, json.data.tokens.items.length]).toEqual([200, 28, 2])
  expect(headers.get('assay-block')).toBe('10000')
  expect(headers.get('x-request-id')).toMatch(/\S/)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('a GraphQL query without a valid key gets HTTP 401 with a GraphQL error', async () => {
  for (const authorization of ['', 'Bearer assay_live_x']) {
    const { status, headers, json } = await post({ query: TOKENS }, { authorization })
    expect([status, json.errors[0].extensions.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="assay"/)
  }
  const typed = await post({ query: TOKENS }, { authorization: '', accept: 'application/graphql-response+json' })
  expect(typed.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/)
})

test('every GraphQL error carries the request id', async () => {
  for (const query of ['{', '{ nothing }', '{ tokens(page: 0) { total } }', `{ ${'a '.repeat(3_000)} }`]) {
    const { headers, json } = await post({ query })
    expect(json.errors[0].extensions).toMatchObject({ requestId: headers.get('x-request-id') })
  }
})

test('REST and GraphQL share one rate limit, and /graphql answers 429 with Retry-After beyond it', async () => {
  const { authorization } = await served.knock()
  for (let n = 0; n < 5; n += 1) await served.ask('/tokens', { headers: { authorization } })
  for (let n = 0; n < 5; n += 1) {
    const { status, headers } = await post({ query: TOKENS }, { authorization })
    expect(status).toBe(200)
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"minute";r=${4 - n};t=60`))
  }
  const { status, headers, json } = await post({ query: TOKENS }, { authorization })
  expect([status, json.errors[0].extensions.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '60'])
  expect((await served.ask('/tokens', { headers: { authorization } })).status).toBe(429)
})

test('a GraphQL query costs by the items it asks for, variables included; a refused one costs nothing', async () => {
  const { authorization } = await served.knock()
  const three = '{ a: tokens { total } b: tokens { total } c: tokens { total } }'
  expect((await post({ query: three }, { authorization })).headers.get('ratelimit')).toMatch(/^"minute";r=7;/)
  const nested = 'query N($n: Int) { tokens(limit: $n) { items { holders(limit: $n) { items { address } } } } }'
  const dear = await post({ query: nested, variables: { n: 40 } }, { authorization })
  expect([dear.status, dear.json.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(dear.headers.get('retry-after'))).toBeGreaterThan(0)
  const cheap = await post({ query: nested, variables: { n: 2 } }, { authorization })
  expect(cheap.status).toBe(200)
  expect(cheap.headers.get('ratelimit')).toMatch(/^"minute";r=6;/)
})

test('a GraphQL query that costs more than a whole window gets 403, because waiting would not help', async () => {
  const { authorization } = await served.knock()
  const nested = '{ tokens(limit: 40) { items { holders(limit: 50) { items { address } } } } }'
  const { status, json } = await post({ query: nested }, { authorization })
  expect([status, json.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN'])
})

test('every GraphQL answer reports its cost and what is left, even a refused one', async () => {
  const { authorization } = await served.knock()
  const costOf = async (query: string, headers: Record<string, string> = { authorization }) => {
    const { status, json } = await post({ query }, headers)
    return [status, json.extensions.cost]
  }
  const left = (minuteRemaining: number) => ({ minuteRemaining, dayRemaining: 90 + minuteRemaining })
  const sized = (requests: number, items: number, fields: number, selections: number) => ({
    requests,
    items,
    fields,
    selections,
  })
  const unread = { requests: null, items: null, fields: null, selections: null }
  const two = '{ a: tokens(limit: 200) { items { address } } b: tokens(limit: 4) { items { address } } }'
  expect(await costOf(two)).toEqual([200, { charged: 2, ...sized(2, 204, 208, 6), ...left(8) }])
  expect(await costOf('{ nothing }')).toEqual([200, { charged: 1, ...sized(1, 0, 1, 1), ...left(7) }])
  expect(await costOf('{')).toEqual([200, { charged: 1, ...unread, ...left(6) }])
  const large = '{ tokens(limit: 200) { items { holders(limit: 200) { items { address } } } } }'
  expect(await costOf(large)).toEqual([400, { charged: 1, ...sized(201, 40_200, 40_402, 5), ...left(5) }])
  // The first query costs more than a whole window and is charged its one request; the second costs more than is left
  // and is charged nothing.
  const tenHolders = (limit: number) => `{ tokens(limit: ${limit}) { items { topHolders { address } } } }`
  expect(await costOf(tenHolders(200))).toEqual([403, { charged: 1, ...sized(11, 2_200, 2_202, 4), ...left(4) }])
  const dear = await post({ query: tenHolders(100) }, { authorization })
  expect(dear.status).toBe(429)
  expect(dear.json.errors[0].message).toMatch(
    /^This query counts as 6 requests\. Your plan allows 10 requests per minute/,
  )
  expect(dear.json.extensions.cost).toMatchObject({ charged: 0, requests: 6, items: 1_100, ...left(4) })
  expect((await served.ask('/tokens', { headers: { authorization } })).headers.get('ratelimit')).toMatch(
    /^"minute";r=3;/,
  )
})

test('a GraphQL request refused before its query is read reports no cost', async () => {
  const { authorization } = await served.knock()
  for (let n = 0; n < 10; n += 1) await post({ query: '{ __typename }' }, { authorization })
  const nothing = { requests: null, charged: 0, items: null, fields: null, selections: null }
  const { status, json } = await post({ query: '{ __typename }' }, { authorization })
  expect([status, json.extensions.cost]).toEqual([429, { ...nothing, minuteRemaining: 0, dayRemaining: 90 }])
  const stranger = await post({ query: '{ __typename }' }, { authorization: '' })
  expect([stranger.status, stranger.json.extensions.cost]).toEqual([
    401,
    { ...nothing, minuteRemaining: null, dayRemaining: null },
  ])
})

test('alerts created through GraphQL are visible over REST and count towards the plan', async () => {
  const { authorization } = await served.knock()
  const create = 'mutation { createAlert(input: { name: "x", conditions: {} }) { id } }'
  const made = await post({ query: create }, { authorization })
  const id = made.json.data.createAlert.id
  expect((await served.ask(`/alerts/${id}`, { headers: { authorization } })).json.name).toBe('x')
  await post({ query: create }, { authorization })
  await post({ query: create }, { authorization })
  const fourth = await post({ query: create }, { authorization })
  expect(fourth.json.errors[0].extensions.code).toBe('FORBIDDEN')
})

test('a browser gets GraphiQL without a key, and the page loads nothing from other hosts', async () => {
  const page = await served.ask(`${served.url}/graphql`, {
    headers: { authorization: '', accept: 'text/html,*/*;q=0.8' },
  })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).not.toMatch(/(?:src|href)="https?:/)
  const script = await served.ask(`${served.url}/graphql`, { headers: { authorization: '', accept: '*/*' } })
  expect(script.status).toBe(401)
})

test('large GraphQL answers are compressed', async () => {
  const response = await fetch(`${served.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: (await served.knock()).authorization,
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
    },
    body: JSON.stringify({ query: '{ tokens { items { address name aiSummary launchpad } } }' }),
  })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(response.headers.get('vary')).toMatch(/Accept-Encoding/)
  expect((await response.json()).data.tokens.items).toHaveLength(28)
})

test('/graphql answers a preflight without a key, and refuses a URL above 8 KiB', async () => {
  expect(
    (await served.ask(`${served.url}/graphql`, { method: 'OPTIONS', headers: { authorization: '' } })).status,
  ).toBe(204)
  const long = await served.ask(`${served.url}/graphql?query=${'x'.repeat(8192)}`)
  expect([long.status, long.json.errors[0].extensions.code]).toEqual([414, 'URI_TOO_LONG'])
})

test('a mutation with an Idempotency-Key takes effect once, and its repetition gets the first answer', async () => {
  const { authorization } = await served.knock({ plan: 'pro' })
  const query = 'mutation M($name: String!) { createAlert(input: { name: $name, conditions: {} }) { id name } }'
  const mutate = (name: string, key = 'once') =>
    post({ query, variables: { name } }, { authorization, 'idempotency-key': key })
  const [first, second] = [await mutate('A'), await mutate('A')]
  expect(second.json.data).toEqual(first.json.data)
  expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  const other = await mutate('B')
  expect([other.status, other.json.errors[0].extensions.code]).toEqual([409, 'CONFLICT'])
  expect((await mutate('', 'failed')).json.errors[0].extensions.code).toBe('INVALID_PARAMS')
  // A refused one did nothing, so its key is free again.
  expect((await mutate('C', 'failed')).json.data.createAlert.name).toBe('C')
  expect((await mutate('', 'x y')).json.errors[0].extensions.code).toBe('INVALID_PARAMS')
  const parallel = await Promise.all(Array.from({ length: 5 }, () => mutate('D', 'parallel')))
  const made = parallel.filter(({ json }) => json.data).map(({ json }) => json.data.createAlert.id)
  expect(new Set(made).size).toBe(1)
  const { json } = await served.ask('/alerts', { headers: { authorization } })
  expect(json.data.map(({ name }: { name: string }) => name).sort()).toEqual(['A', 'C', 'D'])
})
