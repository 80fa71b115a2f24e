// What answers say while old events are given up: before a boundary is drawn, once it is, and when the events are gone.
import { expect, test } from 'vitest'
import { notifyHead } from '../../src/ledger/head.ts'
import { forgetEvents, moveEventsSince } from '../../src/ledger/write/retention.ts'
import { HEAD_TIME, type SeededEvent, tokenAddress, walletAddress } from '../support/seed.ts'
import { createServed } from '../support/served.ts'

const { database, seeded, url, knock } = await createServed()
const { authorization } = await knock({ plan: 'api' })

interface Listed {
  total: number
  ids: string[]
}

const ask = async (path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { authorization } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** All pages of a list of REST. */
async function readAll(path: string): Promise<Listed> {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await ask(`${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`)
    const { data, total } = body as unknown as { data: { id: string }[]; total: number }
    ids.push(...data.map(({ id }) => id))
    if (data.length === 0) return { total, ids }
  }
}

async function graphql<Data>(query: string): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
  expect(errors).toBeUndefined()
  return data
}

const DAY = 86_400
/** The boundary that a day before the seeded head gives: rounded down to a day. */
const SINCE = (Math.floor(HEAD_TIME / DAY) - 1) * DAY
const idOf = ({ block, logIndex, part }: SeededEvent) => `${block}-${logIndex}-${part}`
const from = (since: number, wanted: (event: SeededEvent) => boolean): Listed => {
  const kept = seeded.events.filter((event) => event.time >= since && wanted(event))
  return { total: kept.length, ids: kept.map(idOf).reverse() }
}
const LISTS: [path: string, wanted: (event: SeededEvent) => boolean][] = [
  ['/v1/events', () => true],
  ['/v1/events?type=swap', ({ type }) => type === 'swap'],
  [`/v1/events?token_address=${tokenAddress(1)}`, ({ tokenId }) => tokenId === 1],
  [`/v1/wallets/${walletAddress(5)}/events`, ({ walletId, counterpartyId }) => walletId === 5 || counterpartyId === 5],
  [
    `/v1/events?token_address=${tokenAddress(1)}&wallet_address=${walletAddress(5)}`,
    ({ tokenId, walletId, counterpartyId }) => tokenId === 1 && (walletId === 5 || counterpartyId === 5),
  ],
]

async function expectLists(since: number): Promise<void> {
  for (const [path, wanted] of LISTS) expect([path, await readAll(path)]).toEqual([path, from(since, wanted)])
  const all = from(since, () => true)
  const later = new Date((SINCE + DAY) * 1000).toISOString()
  expect(await readAll(`/v1/events?since=${later}`)).toEqual(from(SINCE + DAY + 1, () => true))
  const after = all.ids.at(-1)
  expect(await readAll(`/v1/events?after=${after}`)).toEqual({ total: all.total - 1, ids: all.ids.slice(0, -1) })
  const { events } = await graphql<{ events: { total: number; edges: unknown[] } }>(
    '{ events(first: 10) { total edges { cursor } } }',
  )
  expect([events.total, events.edges.length]).toEqual([all.total, 10])
}
const readSince = async () =>
  (await graphql<{ chain: { eventsSince: string | null } }>('{ chain { eventsSince } }')).chain

test('nothing is given up, and no boundary is drawn, while the oldest event is young enough', async () => {
  expect(await moveEventsSince(database.pool, 30)).toBe(false)
  expect(await forgetEvents(database.pool)).toBe(0)
  expect(await readSince()).toEqual({ eventsSince: null })
  await expectLists(0)
})

test('once a boundary is drawn, lists neither show nor count older events, also while those are still there and after they are gone', async () => {
  expect(await moveEventsSince(database.pool, 1)).toBe(true)
  expect(await moveEventsSince(database.pool, 1)).toBe(false)
  await notifyHead(database.pool)
  await expect.poll(readSince).toEqual({ eventsSince: new Date(SINCE * 1000).toISOString() })
  await expectLists(SINCE)
  const old = seeded.events.filter(({ time }) => time < SINCE).length
  expect(old).toBeGreaterThan(10)
  expect(await forgetEvents(database.pool, 7)).toBe(7)
  await expectLists(SINCE)
  expect(await forgetEvents(database.pool)).toBe(old - 7)
  expect(await forgetEvents(database.pool)).toBe(0)
  const { rows } = await database.pool.query('SELECT count(*)::int AS left, min(time) AS first FROM event')
  expect(rows).toEqual([
    { left: seeded.events.length - old, first: expect.toSatisfy((first) => first >= new Date(SINCE * 1000)) },
  ])
  await expectLists(SINCE)
})

test('a stream does not go on from a place whose next events are gone, and says so', async () => {
  const [first] = seeded.events
  const { status, body } = await ask(`/v1/stream/events?after=${first && idOf(first)}`)
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('events after it are no longer kept')
})
