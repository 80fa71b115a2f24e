// Persisted documents by their hash, and answers that did not change.
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { openGraph } from '../support/graph.ts'
import { serveGraph } from '../support/graph-server.ts'
import { seedLedger } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
const { send, post, charge } = await serveGraph(graph)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
})
const QUERY = 'query ($limit: Int) { tokens(limit: $limit) { total } }'

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

  it('costs what it costs as a text', async () => {
    const text = '{ tokens(limit: 200) { items { holders(limit: 20) { items { address } } } } }'
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
    const first = await get('{ tokens(limit: 3) { items { address } } }')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"/)
    const second = await get('{ tokens(limit: 3) { items { address } } }', { 'if-none-match': etag })
    expect([second.status, second.body, second.headers.get('etag')]).toEqual([304, {}, etag])
    expect(second.headers.get('assay-block')).toBe(first.headers.get('assay-block'))
    const other = await get('{ tokens(limit: 2) { items { address } } }', { 'if-none-match': etag })
    expect(other.status).toBe(200)
    expect(other.headers.get('etag')).not.toBe(etag)
  })

  it('has no tag when it failed, belongs to a key, or came by POST', async () => {
    for (const query of [
      '{ tokens(page: 0) { total } }',
      '{ me { plan } }',
      '{ ...F } fragment F on Query { me { plan } }',
    ])
      expect((await get(query)).headers.get('etag')).toBe(null)
    expect((await post({ query: '{ tokens { total } }' })).headers.get('etag')).toBe(null)
  })
})
