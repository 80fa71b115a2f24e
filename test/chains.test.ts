// The whole program with several chains in one database: each answers below its path. One that is behind or without a
// provider takes nothing from the others.
import { expect, onTestFinished, test } from 'vitest'
import { readHead } from '../src/ledger/head.ts'
import { createTwoChains } from './support/two-chains.ts'

const { database, second, open } = await createTwoChains()

test('each chain answers below its path with its own index, and a key counts its requests on all of them together', async () => {
  const { ask, app, lines } = await open()
  await app.ready
  const [own, other] = [await readHead(database.pool), await readHead(second.pool)]
  const first = await ask('/v1/tokens?limit=1')
  const further = await ask('/second/v1/tokens?limit=1')
  expect([first.status, further.status]).toEqual([200, 200])
  expect(Number(first.headers.get('assay-block'))).toBe(own.number)
  expect(Number(further.headers.get('assay-block'))).toBe(other.number)
  expect(further.json.total).toBe(other.tokenCount)
  expect(further.headers.get('link')).toMatch(/^<\/second\/v1\/tokens\?/)
  const left = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  expect(left(further.headers)).toBe(left(first.headers) - 1)
  // The address of the token belongs to one chain alone.
  const [{ address }] = further.json.data
  expect((await ask(`/v1/tokens/${address}`)).status).toBe(404)
  expect((await ask(`/second/v1/tokens/${address}`)).status).toBe(200)
  const body = JSON.stringify({ query: '{ chain { block { number } } me { email activeAlertCount } }' })
  const graph = await ask('/second/graphql', { method: 'POST', body })
  expect(graph.json.data).toEqual({
    chain: { block: { number: other.number } },
    me: { email: 'chains@example.com', activeAlertCount: 0 },
  })
  const wallet = (await ask('/second/v1/wallets?limit=1')).json.data[0].address
  const overview = JSON.stringify({
    query: `{ chains { name path wallet(address: "${wallet}") { tradeCount } tokens(query: "T", limit: 2) { symbol } } }`,
  })
  for (const path of ['/graphql', '/second/graphql']) {
    const { chains } = (await ask(path, { method: 'POST', body: overview })).json.data
    expect(chains).toEqual([
      { name: 'first', path: '', wallet: null, tokens: expect.any(Array) },
      { name: 'second', path: '/second', wallet: { tradeCount: expect.any(Number) }, tokens: expect.any(Array) },
    ])
  }
  const alert = { method: 'POST', body: JSON.stringify({ name: 'x', conditions: {} }) }
  expect((await ask('/second/v1/alerts', alert)).headers.get('location')).toMatch(/^\/second\/v1\/alerts\//)
  expect((await ask('/v1/alerts')).json.total).toBe(0)
  expect((await ask('/second/v1/alerts')).json.total).toBe(1)
  // The provider of the second chain is dead, which the log says without the secret in its URL.
  await expect.poll(() => JSON.stringify(lines)).toContain('this chain cannot be indexed now')
  expect(JSON.stringify(lines)).not.toContain('secret-key')
  const metrics = await (await fetch(app.metricsAddress ?? '')).text()
  expect(metrics).toMatch(
    /assay_http_request_seconds_count\{chain="second",route="\/v1\/tokens\/?[^"]*",status="200"\}/,
  )
  expect(metrics).toMatch(/assay_http_request_seconds_count\{chain="first",/)
})

test('a path of an unknown chain is 404 and names the chains that exist', async () => {
  const { ask } = await open({}, { roles: ['api'] })
  const { status, json } = await ask('/third/v1/tokens')
  expect([status, json.error.code]).toEqual([404, 'NOT_FOUND'])
  expect(json.error.message).toBe('There is no such chain. The chains are at /v1, /second/v1.')
})

test('readiness names the chain that is behind, and the others stay ready', async () => {
  await second.pool.query('UPDATE chain SET source_head = source_head + 1000')
  onTestFinished(async () => void (await second.pool.query('UPDATE chain SET source_head = source_head - 1000')))
  const { ask, app } = await open({}, { roles: ['api'] })
  await app.ready
  const whole = await ask('/readyz')
  expect(whole.status).toBe(200)
  expect(whole.json).toMatchObject({
    status: 'ready',
    chains: {
      second: {
        status: 'not_ready',
        reason: expect.stringMatching(/^The index is 1\d{3} blocks behind its source; 300 s are allowed/),
      },
    },
  })
  expect((await ask('/second/readyz')).status).toBe(503)
})

test('a further chain lists its own doors for programs', async () => {
  const { ask } = await open({}, { roles: ['api'] })
  expect((await ask('/second')).json).toMatchObject({ rest: '/second/v1', readiness: '/second/readyz' })
  expect((await ask('/second/')).json).toMatchObject({ graphql: '/second/graphql' })
})

test('a process of one chain answers at the path that the chain has beside the others', async () => {
  const { ask } = await open({ CHAIN: 'second' }, { roles: ['api'] })
  const other = await readHead(second.pool)
  for (const path of ['/v1/tokens', '/second/v1/tokens'])
    expect(Number((await ask(path)).headers.get('assay-block'))).toBe(other.number)
  const { headers } = await ask('/v1/tokens?limit=1')
  expect(headers.get('link')).toMatch(/^<\/second\/v1\/tokens\?/)
})

const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d+/

test('the descriptions of a chain name its server, and those of the default chain name all', async () => {
  const { ask } = await open({}, { roles: ['api'] })
  // A generated client needs whole URLs; the port differs at each run.
  const urls = async (path: string) =>
    (await ask(`${path}/openapi.json`)).json.servers.map(({ url }: { url: string }) => url.replace(LOOPBACK, ''))
  expect(await urls('')).toEqual(['/v1', '/second/v1'])
  expect(await urls('/second')).toEqual(['/second/v1'])
  const [own] = (await ask('/second/openapi.json')).json.paths['/signup'].servers
  expect(own.url.replace(LOOPBACK, '')).toBe('/v1')
})

test('chains of a process of one chain has the wallets of the others, and says where their tokens are searched', async () => {
  const whole = await open({}, { roles: ['api'] })
  await whole.app.ready
  for (const [own, other, at] of [
    ['second', 'first', ''],
    ['first', 'second', '/second'],
  ] as const) {
    const { ask } = await open({ CHAIN: own }, { roles: ['api'] })
    const [{ address }] = (await whole.ask(`${at}/v1/wallets?limit=1`)).json.data
    const query = `{ chains { name path wallet(address: "${address}") { tradeCount } tokens(query: "T") { symbol } } }`
    const { data, errors } = (await ask('/graphql', { method: 'POST', body: JSON.stringify({ query }) })).json
    expect(data.chains.map(({ name }: { name: string }) => name)).toEqual(['first', 'second'])
    const seen = data.chains.find(({ name }: { name: string }) => name === other)
    expect(seen).toEqual({ name: other, path: at, wallet: { tradeCount: expect.any(Number) }, tokens: null })
    expect(errors.map(({ message }: { message: string }) => message)).toEqual([
      `The tokens of ${other} are in the memory of its own process: ask ${at}/graphql.`,
    ])
  }
})

test('a chain that was never indexed is not taken for the default one', async () => {
  const { ask } = await open({ CHAIN: 'first', CHAINS: 'first=demo,later=http://127.0.0.1:9' }, { roles: ['api'] })
  const { rows } = await database.pool.query<{ address: string }>('SELECT address FROM wallet WHERE indexed LIMIT 1')
  const query = `{ chains { name wallet(address: "${rows[0]?.address}") { tradeCount } } }`
  const { data, errors } = (await ask('/graphql', { method: 'POST', body: JSON.stringify({ query }) })).json
  expect(data.chains[1]).toEqual({ name: 'later', wallet: null })
  expect(errors[0].message).toBe('The chain later has no index yet.')
})
