import { auditServer } from 'graphql-http'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph } from '../../support/graph.ts'
import { serveGraph } from '../../support/graph-server.ts'
import { HEAD_NUMBER, HEAD_TIME, seedLedger, tokenAddress } from '../../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
const { url, send, post, charge } = await serveGraph(graph)
beforeEach(() => void charge.added.splice(0))

describe('/graphql', () => {
  it('/graphql passes all 61 public audits of GraphQL over HTTP', async () => {
    const results = await auditServer({ url })
    expect(results.filter((result) => result.status !== 'ok').map(({ id, name }) => `${id} ${name}`)).toEqual([])
    expect(results).toHaveLength(61)
  })

  it('an answer of /graphql names the block that it reflects', async () => {
    const { status, headers } = await post({ query: '{ tokens { total } }' })
    expect(status).toBe(200)
    expect(headers.get('assay-block')).toBe(String(HEAD_NUMBER))
    expect(headers.get('assay-block-time')).toBe(new Date(HEAD_TIME * 1000).toISOString())
    expect(headers.get('cache-control')).toBe('no-store')
  })

  const nest = (depth: number): string => (depth === 0 ? 'address' : `firstFunder { ${nest(depth - 1)} }`)
  const WALLET = (fields: string) => `{ wallet(address: "0x${'0'.repeat(35)}b0007") { ${fields} } }`
  const REFUSED: [name: string, query: string][] = [
    ['too many levels', WALLET(nest(20))],
    ['too many aliases', `{ ${Array.from({ length: 61 }, (_, n) => `a${n}: chain { name }`).join(' ')} }`],
    ['too many directives', `{ chain { name ${'@include(if: true) '.repeat(31)} } }`],
    ['too many tokens', `{ chain { ${'name '.repeat(2_100)} } }`],
    ['too many items', '{ tokens(first: 200) { nodes { holders(first: 200) { nodes { address } } } } }'],
    [
      'fragments that multiply',
      `{ ...a } ${Array.from({ length: 12 }, (_, n) => `fragment ${String.fromCharCode(97 + n)} on Query { ${n < 11 ? `...${String.fromCharCode(98 + n)} `.repeat(9) : 'chain { name }'} }`).join(' ')}`,
    ],
  ]
  it.each(REFUSED)('a query with %s is refused with HTTP 400 before anything is charged or run', async (_, query) => {
    let answer: Awaited<ReturnType<typeof post>> | undefined
    const statements = await graph.count(async () => {
      answer = await post({ query }, { accept: 'application/json' })
    })
    expect(answer?.status).toBe(400)
    expect(answer?.body.errors?.[0]?.extensions).toEqual({ code: 'INVALID_PARAMS' })
    expect([statements, charge.added]).toEqual([0, []])
  })

  it('a word that an enum does not have is answered with its words, a name that other APIs use with what there is here', async () => {
    const told = async (query: string) => (await post({ query })).body.errors?.[0]?.message
    expect(await told('{ wallets(orderBy: { field: PNL_30D }) { nodes { address } } }')).toMatch(
      /^Value "PNL_30D" does not exist in "WalletOrderField" enum\. It has reputation_score, .*trade_count\.$/,
    )
    expect(await told('{ events(limit: 5) { nodes { id } } }')).toBe(
      'Unknown argument "limit" on field "Query.events". Did you mean "first"?',
    )
    expect(await told('{ tokens { totalCount } }')).toBe(
      'Cannot query field "totalCount" on type "TokenConnection". Did you mean "total"?',
    )
  })

  it.each([
    [
      '{ events(filter: { token: "0x1" }) { total } }',
      'Field "token" is not defined by type "EventFilter". Did you mean "tokens"?',
    ],
    ['{ events { id } }', 'Cannot query field "id" on type "EventConnection". Did you mean nodes { id }?'],
    [
      `{ token(address: "0x${'0'.repeat(40)}") { candles { open } } }`,
      'Cannot query field "open" on type "Candle". Did you mean "openUsd" or "openQuote"?',
    ],
    [
      '{ tokens(filter: { minLiq: 5 }) { total } }',
      'Field "minLiq" is not defined by type "TokenFilter". Did you mean "minLiquidityUsd"?',
    ],
    [
      '{ tokens(filter: { maxVolume24hUsd: 5 }) { total } }',
      'Field "maxVolume24hUsd" is not defined by type "TokenFilter".',
    ],
    ['{ me { zzz } }', 'Cannot query field "zzz" on type "Me".'],
  ])(
    '%s is answered with the name that begins like it, has its words, or is one level below',
    async (query, message) => {
      expect((await post({ query })).body.errors?.[0]?.message).toBe(message)
    },
  )

  const COSTS: [query: string, variables: Record<string, unknown>, requests: number][] = [
    ['{ tokens { total } }', {}, 1],
    ['{ tokens(first: 200) { nodes { address } } }', {}, 1],
    ['query ($n: Int) { tokens(first: $n) { nodes { topHolders { address } } } }', { n: 100 }, 6],
    ['query ($n: Int = 100) { tokens(first: $n) { nodes { topHolders { address } } } }', {}, 6],
    ['query ($n: Int) { events(first: $n) { nodes { token { symbol } wallet { address } } } }', { n: 5_000 }, 3],
    ['{ a: chain { name } b: me { plan } ...c } fragment c on Query { d: chain { name } }', {}, 1],
    [
      `query ($x: Boolean!) { tokens(first: 200) { nodes { address topHolders @include(if: $x) { address } } } }`,
      { x: false },
      1,
    ],
    ['{ __schema { types { name fields { name } } } }', {}, 1],
    ['{ tokens(first: 50) { nodes { symbol priceUsd sparkline } } }', {}, 1],
    [
      `{ chain { block { number } } tokens(first: 50) { total nodes { symbol priceUsd riskScore sparkline priceChange { h24 d7 } } }
        events(first: 50) { nodes { type amountUsd } } wallets(first: 50) { nodes { address realisedUsd } } me { plan }
        token(address: "${tokenAddress(1)}") { candles(interval: h1) { start closeUsd } riskSeries(interval: h4) { time score } } }`,
      {},
      4,
    ],
  ]
  it.each(COSTS)('%s with variables %j is charged as %i requests', async (query, variables, requests) => {
    expect((await post({ query, variables })).status).toBe(200)
    expect(charge.added).toEqual(requests > 1 ? [requests - 1] : [])
  })

  it('a subscription is refused with HTTP 400 when it does not fit the schema, or its sender does not read streams', async () => {
    for (const accept of ['application/json', 'application/graphql-response+json', '*/*', 'text/event-stream']) {
      const { status, body } = await post({ query: 'subscription { x }' }, { accept })
      expect([status, body.errors?.[0]?.message]).toEqual([400, 'Cannot query field "x" on type "Subscription".'])
      const whole = await post({ query: 'subscription { events { id } }' }, { accept })
      expect([whole.status, whole.body.errors?.[0]?.message]).toEqual([400, expect.stringMatching(/is a stream/)])
    }
  })

  it('fragments that double a thousand times are refused within a moment, before anything expands them', async () => {
    const fragments = Array.from({ length: 60 }, (_, n) => `fragment F${n} on __Type { ...F${n + 1} ...F${n + 1} }`)
    const query = `{ __schema { types { ...F0 } } } ${fragments.join(' ')} fragment F60 on __Type { name }`
    const { status, body } = await post({ query }, { accept: 'application/json' })
    expect([status, body.errors?.[0]?.extensions.code]).toEqual([400, 'INVALID_PARAMS'])
  })

  it('an answer names at most ten mistakes of a document', async () => {
    const query = `{ ${Array.from({ length: 900 }, (_, n) => `toekns${n}`).join(' ')} }`
    const { body } = await post({ query }, { accept: 'application/graphql-response+json' })
    const messages = body.errors?.map(({ message }: { message: string }) => message) ?? []
    expect(messages).toHaveLength(11)
    expect(messages[0]).toBe('Cannot query field "toekns0" on type "Query". Did you mean "tokens" or "token"?')
    expect(messages[10]).toMatch(/^Too many validation errors/)
  })

  it('a query that is no GraphQL, or does not fit the schema, gets a code of the contract', async () => {
    for (const query of ['{', '{ nothing }', 'query ($x: Int!) { tokens(first: $x) { total } }']) {
      const { status, body } = await post({ query }, { accept: 'application/graphql-response+json' })
      expect([status, body.errors?.[0]?.extensions]).toEqual([400, { code: 'INVALID_PARAMS' }])
    }
  })

  it('a query that does not fit the schema is HTTP 400, but 200 for clients that accept application/json, as the audits want', async () => {
    for (const query of ['{', '{ nothing }', '{ token(address: "0x1") { name } }']) {
      const { status, headers } = await post({ query }, { accept: '*/*' })
      expect([status, headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8'])
      expect((await post({ query }, { accept: 'application/json' })).status).toBe(200)
    }
  })

  it('a client that accepts neither media type of GraphQL gets JSON, as in REST', async () => {
    for (const accept of ['text/plain', 'multipart/mixed', 'text/event-stream']) {
      const { status, headers, body } = await post({ query: '{ __typename }' }, { accept })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      expect(body).toMatchObject({ data: { __typename: 'Query' } })
      expect(body.errors).toBeUndefined()
    }
  })

  it.each(['variables', 'extensions'])(
    '%s in the URL that are no JSON object are a mistake of the caller',
    async (name) => {
      for (const text of ['{', '[]', '5', '"x"', '{"a":1}}']) {
        const { status, body } = await send({}, `?query={__typename}&${name}=${encodeURIComponent(text)}`)
        expect([text, status, body.errors?.[0]?.extensions.code]).toEqual([text, 400, 'INVALID_PARAMS'])
        expect(body.errors?.[0]?.message).toContain(name)
      }
    },
  )

  it('batches, forms and large bodies are refused', async () => {
    expect((await post([{ query: '{ __typename }' }])).status).toBe(400)
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/plain',
      'application/graphql',
    ]) {
      const { status, body } = await post('{ __typename }', { 'content-type': type })
      expect([status, body.errors?.[0]?.extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
    const { status, body } = await post({ query: `{ __typename } #${'x'.repeat(17_000)}` })
    expect([status, body.errors?.[0]?.extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('HEAD is answered like GET, without the body', async () => {
    const query = `?query=${encodeURIComponent('{ chain { name } }')}`
    const [head, got] = [await fetch(url + query, { method: 'HEAD' }), await fetch(url + query)]
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
    expect(head.headers.get('assay-block')).toBe(got.headers.get('assay-block'))
  })

  it('a mutation by GET is refused', async () => {
    const query = 'mutation { alertDelete(id: "x") { deletedId } }'
    const { status, body } = await send({}, `?query=${encodeURIComponent(query)}`)
    expect([status, body.errors?.[0]?.extensions.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
  })

  it('every fault of the arguments is named, with HTTP 400', async () => {
    const query = '{ tokens(offset: -1, first: 0) { total } }'
    const { status, body } = await post({ query })
    expect(status).toBe(400)
    expect(body.errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_PARAMS',
      details: [{ field: 'first' }, { field: 'offset' }],
    })
    const filtered = await post({ query: '{ tokens(filter: { maxRiskScore: 101, minLiquidityUsd: -1 }) { total } }' })
    expect(filtered.body.errors?.[0]?.extensions.details).toMatchObject([
      { field: 'filter.minLiquidityUsd', message: 'filter.minLiquidityUsd must be a number >= 0' },
      { field: 'filter.maxRiskScore', message: 'filter.maxRiskScore must be a number from 0 to 100' },
    ])
  })

  it('every fault of an alert is named, of its name and of its conditions', async () => {
    const input = '{ name: " ", conditions: { maxRiskScore: 101, minMarketCapUsd: 2, maxMarketCapUsd: 1 } }'
    for (const mutation of [`alertCreate(input: ${input})`, `alertUpdate(id: "x", input: ${input})`]) {
      const { status, body } = await post({ query: `mutation { ${mutation} { alert { id } } }` })
      expect(status).toBe(400)
      expect(body.errors?.[0]?.extensions.details).toMatchObject([
        { field: 'input.name' },
        { field: 'input.conditions.maxRiskScore' },
        { message: 'input.conditions.minMarketCapUsd must not be above input.conditions.maxMarketCapUsd' },
      ])
    }
  })

  it('an identifier that no alert can have finds no alert', async () => {
    for (const id of ['x', '', '\\u0000', '9'.repeat(500)]) {
      const found = await post({ query: `{ alert(id: "${id}") { id } }` })
      expect(found.body.data).toEqual({ alert: null })
      expect(found.body.errors).toBeUndefined()
      for (const mutation of [
        `alertDelete(id: "${id}") { deletedId }`,
        `alertUpdate(id: "${id}", input: {}) { alert { id } }`,
      ]) {
        const { status, body } = await post({ query: `mutation { ${mutation} }` })
        expect([status, body.errors?.[0]?.extensions.code]).toEqual([404, 'NOT_FOUND'])
      }
    }
  })

  it('invalid addresses and times are refused, also as variables', async () => {
    for (const operation of [
      { query: '{ token(address: "0x1") { name } }' },
      { query: 'query ($a: Address!) { token(address: $a) { name } }', variables: { a: 7 } },
      { query: '{ events(filter: { from: "yesterday" }) { total } }' },
    ]) {
      const { status, body } = await post(operation, { accept: 'application/graphql-response+json' })
      expect([status, body.errors?.[0]?.extensions.code]).toEqual([400, 'INVALID_PARAMS'])
      expect(body.errors?.[0]?.message).toMatch(/must be/)
    }
  })

  it('an internal error does not reach the answer', async () => {
    const broken = await createTestDatabase()
    const other = await openGraph(broken)
    await broken.pool.query('ALTER TABLE chain RENAME TO secret_chain')
    const server = await serveGraph(other)
    const { status, body } = await server.post({ query: '{ chain { name } }' })
    await other.head.stop()
    expect(status).toBe(500)
    expect(body.errors?.[0]?.extensions.code).toBe('SERVER_ERROR')
    expect(JSON.stringify(body)).not.toMatch(/secret|chain"? does not|relation/)
  })
})
