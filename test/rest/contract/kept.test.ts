// Answers that are kept are those that would be made anew: for every key, at every block, and after a reorganisation.
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { createBoardFeed } from '../../../src/board/feed.ts'
import { createGraph, type Graph } from '../../../src/graph/http/graph.ts'
import { createHead } from '../../../src/ledger/head.ts'
import { createKeptAnswers } from '../../../src/rest/contract/kept.ts'
import type { Streams } from '../../../src/stream/streams.ts'
import { silentLog } from '../../support/access.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createTestServer } from '../../support/rest.ts'
import { seedLedger, tokenAddress, walletAddress } from '../../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const head = await createHead(database, systemClock)
const board = createBoardFeed({ database, head, clock: systemClock, log: silentLog })
await board.settle()
afterAll(async () => {
  await board.stop()
  await head.stop()
})

let executions = 0
const counting = (streams: Streams): Graph => {
  const { prisma } = database
  const graph = createGraph({ board, database, prisma, head, clock: systemClock, log: silentLog, streams })
  return {
    ...graph,
    execute: (...given) => {
      executions += 1
      return graph.execute(...given)
    },
  }
}
const keeping = await createTestServer({ database, graph: counting, streams: { head } })
/** Makes every answer anew. */
const fresh = await createTestServer({ database, graph: counting })
const [one, two] = await Promise.all([
  keeping.knock({ plan: 'api', requestsPerMinute: 10_000 }),
  keeping.knock({ plan: 'api', requestsPerMinute: 20_000 }),
])

const [token, wallet] = [tokenAddress(3), walletAddress(3)]
const PATHS = [
  '/tokens',
  '/tokens?sort=newest&min_liquidity_usd=10&limit=7',
  `/tokens/${token}`,
  `/wallets/${wallet}`,
  `/wallets/${wallet}/events?limit=9`,
  '/events',
  `/events?token_address=${token}&limit=200`,
  `/scores/wallet/${wallet}`,
  `/scores/token/${token}`,
]

const ask = (path: string, { authorization }: { authorization: string }, headers: Record<string, string> = {}) =>
  keeping.ask(path, { headers: { authorization, ...headers } })

/** Each answer to either key, asked twice, is the one that is made anew. */
async function expectTrue() {
  for (const path of PATHS) {
    const expected = await fresh.ask(path)
    for (const knock of [one, two, one]) {
      const given = await ask(path, knock)
      expect([given.status, given.text], path).toEqual([200, expected.text])
      for (const name of ['etag', 'assay-block', 'assay-block-time'])
        expect(given.headers.get(name), path).toBe(expected.headers.get(name))
    }
  }
}

const hashOf = (fork: number) => `0x${fork.toString(16).padStart(64, '0')}`

/** A block that changes a token and a wallet's score. */
async function mine(fork: number) {
  const number = head.current().number + 1
  await database.pool.query(
    `INSERT INTO block SELECT (jsonb_populate_record(NULL::block, to_jsonb(b) || jsonb_build_object('number', $1::int,
     'hash', $2::text, 'time', b.time + interval '12 seconds'))).* FROM block b ORDER BY b.number DESC LIMIT 1`,
    [number, hashOf(fork)],
  )
  await change(fork)
  await head.refresh()
}

async function change(fork: number) {
  await database.pool.query(
    `INSERT INTO undo SELECT (SELECT max(number) FROM block), e.entity, e.id, 0, 0, '{}'
     FROM (SELECT 'token' AS entity, id FROM token WHERE address = $1 UNION SELECT 'wallet_score', id FROM wallet WHERE address = $2) e
     ON CONFLICT DO NOTHING`,
    [token, wallet],
  )
  await database.pool.query(
    'UPDATE token SET liquidity_usd = $2, updated_block = (SELECT max(number) FROM block) WHERE address = $1',
    [token, 1_000 + fork],
  )
  await database.pool.query(
    'UPDATE wallet_score SET reputation_score = $2 WHERE wallet_id = (SELECT id FROM wallet WHERE address = $1)',
    [wallet, 20 + fork],
  )
}

describe('kept answers', () => {
  it('equal new answers, for every key, while blocks come, scores follow, and the chain is rolled back', async () => {
    await expectTrue()
    for (const fork of [1, 2, 3]) {
      await mine(fork)
      await expectTrue()
    }
    // Scores come within a block.
    await change(4)
    const heard = new Promise((resolve) => head.onChange(resolve))
    await database.pool.query(`SELECT pg_notify('assay_head', 'x')`)
    await heard
    await board.settle()
    await expectTrue()
    // Another block of the same number.
    await database.pool.query('DELETE FROM block WHERE number = $1', [head.current().number])
    await head.refresh()
    await expectTrue()
    await mine(5)
    await expectTrue()
  })

  it('are made once while nothing changes, also when many ask at the same time and spell it differently', async () => {
    await mine(6)
    executions = 0
    const spelled = ['/tokens?sort=volume&limit=3', '/tokens?limit=3&sort=volume', '/tokens?limit=%33&sort=volume']
    const given = await Promise.all([...spelled, ...spelled].map((path, at) => ask(path, at % 2 === 0 ? one : two)))
    expect(new Set(given.map(({ text }) => text)).size).toBe(1)
    const etag = given[0]?.headers.get('etag') ?? ''
    const again = await ask(spelled[1] ?? '', two, { 'if-none-match': etag })
    expect([again.status, again.text, executions]).toEqual([304, '', 1])
  })

  it('have one tag for each coding, and the same content in each', async () => {
    const path = '/tokens?limit=20'
    const given = []
    for (const coding of ['identity', 'gzip', 'br', 'br'])
      given.push(await ask(path, one, { 'accept-encoding': coding }))
    expect(new Set(given.map(({ text }) => text)).size).toBe(1)
    expect(new Set(given.map(({ headers }) => headers.get('etag'))).size).toBe(3)
    expect(given.map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip', 'br', 'br'])
  })

  it('count against the limits of who asks, request by request', async () => {
    const path = '/tokens?limit=4'
    const left = async (knock: { authorization: string }) =>
      Number(/"minute";r=(\d+)/.exec((await ask(path, knock)).headers.get('ratelimit') ?? '')?.[1])
    const before = [await left(one), await left(two)]
    const after = [await left(one), await left(two)]
    expect(after).toEqual(before.map((requests) => requests - 1))
    expect(before[0]).toBeLessThan(10_000)
    expect(before[1]).toBeGreaterThan(10_000)
    expect((await ask(path, { authorization: 'Bearer wrong' })).status).toBe(401)
  })

  it('do not include a caller’s own data, and no refusal', async () => {
    executions = 0
    await keeping.ask('/alerts', { headers: { authorization: one.authorization } })
    await keeping.ask('/alerts', { headers: { authorization: one.authorization } })
    for (const knock of [one, two]) expect((await ask(`/tokens/${walletAddress(999)}`, knock)).status).toBe(404)
    expect(executions).toBe(4)
  })
})

let asked = 0
/** How a query comes: the last way has each time another body, so that no result of it is kept, but its document is known. */
const WAYS = {
  'by GET': (query: string) => ({ search: `?query=${encodeURIComponent(query)}` }),
  'by POST': (query: string) => ({ operation: { query } }),
  'by POST, each body another': (query: string) => ({ operation: { query, extensions: { at: asked++ } } }),
}

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('results of GraphQL %s', (way) => {
  const first = 20 + 10 * Object.keys(WAYS).indexOf(way)
  const LISTS = [
    '{ tokens(orderBy: [{ field: liquidity_usd }], first: 9) { total nodes { address liquidityUsd ageHours holders(first: 2) { nodes { address } } } } }',
    `{ token(address: "${token}") { liquidityUsd } wallet(address: "${wallet}") { reputationScore } }`,
    '{ __typename }',
  ]
  const get = (query: string, { authorization }: { authorization: string }, server = keeping) => {
    const { search = '', operation } = { search: undefined, operation: undefined, ...WAYS[way](query) }
    const body = operation && JSON.stringify(operation)
    return server.ask(`${server.url}/graphql${search}`, {
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body }),
    })
  }

  it('equal new answers, for every key, at every block', async () => {
    for (const fork of [first, first + 1]) {
      await mine(fork)
      for (const query of LISTS) {
        const expected = await get(query, await fresh.knock({ plan: 'api' }), fresh)
        for (const knock of [one, two, one]) {
          const given = await get(query, knock)
          expect(given.status).toBe(200)
          expect(given.json.data).toEqual(expected.json.data)
          expect(given.headers.get('assay-block')).toBe(String(head.current().number))
          expect(given.headers.get('content-type')).toBe(expected.headers.get('content-type'))
        }
      }
    }
  })

  it('show each caller its charge and the rest of its limits, to the request', async () => {
    const query = LISTS[0] ?? ''
    const costs = []
    for (const knock of [one, two, one, two]) costs.push((await get(query, knock)).json.extensions.cost)
    const [a, b, c, d] = costs
    expect(c).toEqual({ ...a, minuteRemaining: a.minuteRemaining - a.charged })
    expect(d).toEqual({ ...b, minuteRemaining: b.minuteRemaining - b.charged })
    expect(a.minuteRemaining).toBeLessThan(10_000)
    expect(b.minuteRemaining).toBeGreaterThan(10_000)
  })

  it('hold until something changes, where they are kept', async () => {
    const query = LISTS[1] ?? ''
    const before = await get(query, one)
    await database.pool.query('UPDATE token SET liquidity_usd = 4321 WHERE address = $1', [token])
    const { token: now } = (await get(query, two)).json.data
    expect(now.liquidityUsd).toBe(way.endsWith('another') ? 4_321 : before.json.data.token.liquidityUsd)
    await mine(first + 2)
    expect((await get(query, two)).json.data.token.liquidityUsd).toBe(1_002 + first)
  })

  it('include no answer with a caller’s data, or with data that changes within a block', async () => {
    for (const query of ['{ me { email } }', '{ alerts { total } me { email } }']) {
      const [first, second, again] = [await get(query, one), await get(query, two), await get(query, one)]
      expect(first.json.data.me.email).not.toBe(second.json.data.me.email)
      expect(again.json.data).toEqual(first.json.data)
    }
    const chain = '{ chain { sourceHead } }'
    await get(chain, one)
    await database.pool.query('UPDATE chain SET source_head = source_head + 5')
    const { rows } = await database.pool.query('SELECT source_head FROM chain')
    expect((await get(chain, two)).json.data.chain.sourceHead).toBe(rows[0]?.source_head)
  })

  it('are refused to whom they cost too much, who is charged nothing', async () => {
    const query = '{ a: tokens(first: 1) { total } b: tokens(first: 1) { total } c: tokens(first: 1) { total } }'
    const cost = (await get(query, one)).json.extensions.cost.requests
    const poor = await keeping.knock({ plan: 'api', requestsPerMinute: cost })
    await get('{ __typename }', poor)
    const refused = await get(query, poor)
    expect([refused.json.errors[0].extensions.code, refused.json.extensions.cost.charged]).toEqual(['RATE_LIMITED', 0])
    expect((await get('{ __typename }', poor)).json.extensions.cost.minuteRemaining).toBe(cost - 2)
  })
})

describe('the store of answers', () => {
  const headAt = (version: () => number) => ({ version })
  const answerOf = (body: string) => async () => ({ status: 200, headers: {}, body })

  it('has no more bytes than its bound, and drops the least recently used entry', async () => {
    const kept = createKeptAnswers(
      headAt(() => 1),
      50_000,
    )
    let made = 0
    const find = (key: number) =>
      kept.find(`${key}`, undefined, () => {
        made += 1
        return answerOf('x'.repeat(10_000))()
      })
    for (let key = 0; key < 20; key += 1) await find(key)
    expect(kept.bytes()).toBeLessThanOrEqual(50_000)
    expect(kept.bytes()).toBeGreaterThan(30_000)
    await find(19)
    expect(made).toBe(20)
    await find(0)
    expect(made).toBe(21)
    const { body } = await find(0)
    const before = kept.bytes()
    const packed = await body.encode('gzip')
    expect(kept.bytes()).toBe(before + packed.length)
  })

  it('keeps no answer that was begun before a change', async () => {
    let version = 1
    const kept = createKeptAnswers(headAt(() => version))
    const old = kept.find('a', undefined, async () => {
      version = 2
      return answerOf('old')()
    })
    await old
    expect((await (await kept.find('a', undefined, answerOf('new'))).body.encode('identity')).toString()).toBe('new')
  })

  it('stops the work when the last one who waits has left, and begins anew for who comes then', async () => {
    const kept = createKeptAnswers(headAt(() => 1))
    const [first, second] = [new AbortController(), new AbortController()]
    let ended = 0
    const wait = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          ended += 1
          reject(new Error('nobody waits'))
        })
      })
    const left = [first, second].map(({ signal }) => Promise.resolve(kept.find('a', signal, wait)).catch(() => 'left'))
    first.abort()
    expect(ended).toBe(0)
    second.abort()
    expect(await Promise.all(left)).toEqual(['left', 'left'])
    expect(ended).toBe(1)
    expect((await kept.find('a', undefined, answerOf('new'))).status).toBe(200)
  })
})
