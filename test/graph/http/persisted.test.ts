// Persisted documents by their hash, answers that did not change, and queries that came before.
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { AssayError } from '../../../src/base/errors.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph } from '../../support/graph.ts'
import { serveGraph } from '../../support/graph-server.ts'
import { seedLedger } from '../../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
const { send, post, charge } = await serveGraph(graph)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
})
const QUERY = 'query ($limit: Int) { tokens(first: $limit) { total } }'

describe('a persisted document', () => {
  it('is asked for once, and then answered by its hash, by POST and GET', async () => {
    const first = await post({ ...persisted(sha256(QUERY)), variables: { limit: 1 } })
    expect([first.status, first.body.errors?.[0]?.message]).toEqual([400, 'PersistedQueryNotFound'])
    const plain = (await post({ query: QUERY, ...persisted(sha256(QUERY)), variables: { limit: 1 } })).body.data
    expect(plain).toEqual({ tokens: { total: 28 } })
    expect((await post({ ...persisted(sha256(QUERY)), variables: { limit: 1 } })).body.data).toEqual(plain)
    const { extensions } = persisted(sha256(QUERY))
    const search = new URLSearchParams({ extensions: JSON.stringify(extensions), variables: '{"limit":1}' })
    expect((await send({}, `?${search}`)).body.data).toEqual(plain)
  })

  it('has the same cost as its text', async () => {
    const text = '{ tokens(first: 200) { nodes { holders(first: 20) { nodes { address } } } } }'
    const before = charge.added.length
    await post({ query: text, ...persisted(sha256(text)) })
    await post(persisted(sha256(text)))
    const [first, second] = charge.added.slice(before)
    expect(first).toBe(20)
    expect(second).toBe(first)
  })

  it.each([
    ['a hash of another text', { query: QUERY, ...persisted(sha256('{ me { email } }')) }, /is not the SHA-256/],
    ['a hash in upper case', persisted('A'.repeat(64)), /must be/],
    ['another version', persisted(sha256(QUERY), 2), /must be/],
    ['no object', { extensions: { persistedQuery: 'x' } }, /must be/],
  ])('is refused with %s', async (_, operation, message) => {
    const { status, body } = await post(operation)
    expect([status, body.errors?.[0]?.extensions.code]).toEqual([400, 'INVALID_PARAMS'])
    expect(body.errors?.[0]?.message).toMatch(message)
  })

  it('is forgotten when many others came after it, and asked for again', async () => {
    const text = '{ tokens { limit } }'
    await post({ query: text, ...persisted(sha256(text)) })
    for (let at = 0; at < 280; at += 1) {
      const long = `# ${String(at).padEnd(15_500, 'x')}\n{ tokens { page } }`
      await post({ query: long, ...persisted(sha256(long)) })
    }
    expect((await post(persisted(sha256(text)))).body.errors?.[0]?.message).toBe('PersistedQueryNotFound')
  })
})

describe('an answer by GET', () => {
  const get = (query: string, headers = {}) => send({ headers }, `?query=${encodeURIComponent(query)}`)

  it('is sent once while it stays the same', async () => {
    const first = await get('{ tokens(first: 3) { nodes { address } } }')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"/)
    const second = await get('{ tokens(first: 3) { nodes { address } } }', { 'if-none-match': etag })
    expect([second.status, second.body, second.headers.get('etag')]).toEqual([304, {}, etag])
    expect(second.headers.get('assay-block')).toBe(first.headers.get('assay-block'))
    const other = await get('{ tokens(first: 2) { nodes { address } } }', { 'if-none-match': etag })
    expect(other.status).toBe(200)
    expect(other.headers.get('etag')).not.toBe(etag)
  })

  it('has no tag when it failed, belongs to a key, or came by POST', async () => {
    for (const query of [
      '{ tokens(offset: -50) { total } }',
      '{ me { plan } }',
      '{ ...F } fragment F on Query { me { plan } }',
    ])
      expect((await get(query)).headers.get('etag')).toBe(null)
    expect((await post({ query: '{ tokens { total } }' })).headers.get('etag')).toBe(null)
  })
})

describe('a query whose document came before', () => {
  const LIST =
    'query A($limit: Int = 2) { tokens(first: $limit) { total nodes { address riskFlags } } } query B { __typename }'
  const FAILING = '{ tokens(filter: { maxRiskScore: 101 }) { total } }'
  const LONG = '{ tokens(first: 200) { nodes { holders(first: 200) { nodes { address } } } } }'
  const OPERATIONS: [name: string, operation: object][] = [
    ['with an operation', { query: LIST, operationName: 'A' }],
    ['with another operation', { query: LIST, operationName: 'B' }],
    ['with no operation named', { query: LIST }],
    ['with an unknown operation', { query: LIST, operationName: 'C' }],
    ['with variables', { query: LIST, operationName: 'A', variables: { limit: 4 } }],
    ['with a wrong variable', { query: LIST, operationName: 'A', variables: { limit: 'x' } }],
    ['with a variable below its least', { query: LIST, operationName: 'A', variables: { limit: 0 } }],
    [
      'with a variable that makes it too large',
      {
        query: 'query ($n: Int) { tokens(first: $n) { nodes { holders(first: 200) { nodes { address } } } } }',
        variables: { n: 200 },
      },
    ],
    ['with variables that are a list', { query: LIST, operationName: 'A', variables: [1] }],
    ['with a parameter that there is not', { query: LIST, operationName: 'A', id: 7 }],
    ['that fails', { query: FAILING }],
    ['that is too large', { query: LONG }],
    ['of what belongs to a key', { query: '{ me { email } alerts { total } }' }],
    ['that writes', { query: 'mutation { alertDelete(id: "x") { deletedId } }' }],
  ]
  const ACCEPTS = [
    '*/*',
    'application/json',
    'application/graphql-response+json',
    'text/event-stream, application/json',
  ]
  const SEEN = ['content-type', 'cache-control', 'vary', 'assay-block', 'etag', 'content-length']

  it.each(OPERATIONS)('is answered as it was the first time, %s', async (_, operation) => {
    for (const accept of ACCEPTS) {
      const answers = []
      // The type of an answer to this header is known from here on.
      await post({ query: '{ __typename }' }, { accept })
      for (let at = 0; at < 3; at += 1) {
        charge.added.splice(0)
        const { status, headers, body } = await post({ ...operation, extensions: { accept, at } }, { accept })
        answers.push({ status, body, headers: SEEN.map((name) => headers.get(name)), charged: [...charge.added] })
      }
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
    }
  })

  it('is refused to a caller whose limits are used up, with the code of the limits and no data', async () => {
    const query = '{ a: tokens { total } b: tokens { total } }'
    await post({ query })
    const { add } = charge
    charge.add = async () => {
      throw new AssayError('RATE_LIMITED', 'Too many requests.')
    }
    const refused = [await post({ query }), await post({ query, extensions: { at: 1 } })]
    charge.add = add
    for (const { status, body } of refused)
      expect([status, body.data, body.errors?.[0]?.extensions.code]).toEqual([429, undefined, 'RATE_LIMITED'])
  })

  it('is not a failure for good when the database was away', async () => {
    const query = '{ chain { name } }'
    const before = await post({ query })
    await database.pool.query('ALTER TABLE chain RENAME TO hidden_chain')
    const failed = await post({ query })
    await database.pool.query('ALTER TABLE hidden_chain RENAME TO chain')
    expect([failed.status, failed.body.errors?.[0]?.extensions.code]).toEqual([500, 'SERVER_ERROR'])
    expect(JSON.stringify(failed.body)).not.toContain('hidden_chain')
    expect((await post({ query })).body.data).toEqual(before.body.data)
  })
})
