// GET /v1/stream/tokens and the subscription `screen`, on real sockets: readers hold the list that GET /v1/tokens gives.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Board } from '../../src/board/board.ts'
import { createScreens, type ScreenUpdate, stepsBetween } from '../../src/stream/screens.ts'
import { createDesk } from '../support/ledger-desk.ts'
import { createLiveLedger } from '../support/live-ledger.ts'
import { readSse, type SseReader } from '../support/sse.ts'

const { market, append, rollBack, newest, serve } = await createLiveLedger()
const desks = [3, 4, 5, 6, 7, 8].map((n) => createDesk(market, n))
for (const [at, desk] of desks.entries()) desk.price(1, 3_000_000 * (at + 1))
await append()
const server = await serve()
const knock = async () => (await server.knock({ plan: 'api' })).authorization

const FILTER = 'min_liquidity_usd=2500000&max_market_cap_usd=1000000000&sort=liquidity&limit=4'

const listen = async (query = FILTER, headers: Record<string, string> = {}) =>
  readSse(`${server.url}/v1/stream/tokens?${query}`, { headers: { authorization: await knock(), ...headers } })

type Steps = Pick<ScreenUpdate, 'left'> & { reset?: boolean; placed: readonly { place: number; address: string }[] }

/** What docs/streams.md says a reader does with a message. */
function apply(list: readonly string[], { reset, left, placed }: Steps): string[] {
  const gone = new Set([...left, ...placed.map(({ address }) => address)])
  const next = reset ? [] : list.filter((address) => !gone.has(address))
  for (const { place, address } of placed) next.splice(place - 1, 0, address)
  return next
}

interface Data extends Omit<Steps, 'placed'> {
  placed: { place: number; token_address: string; is_new: boolean; token: { address: string } }[]
}
const fromRest = ({ placed, ...data }: Data): Steps => ({
  ...data,
  placed: placed.map(({ place, token_address: address }) => ({ place, address })),
})
const listOf = ({ messages }: Pick<SseReader, 'messages'>, begun: readonly string[] = []) =>
  messages.reduce<readonly string[]>((list, { data }) => apply(list, fromRest(data)), begun)

async function ask(query = FILTER): Promise<string[]> {
  const { json } = await server.ask(`/tokens?${query}`)
  return json.data.map(({ address }: { address: string }) => address)
}

test('the steps from any list to any other lead there, and a list that loses its end is only told what left', () => {
  const lists = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 20 })
  fc.assert(
    fc.property(lists, lists, (had, now) => {
      const { left, placed } = stepsBetween(had, now)
      expect(apply(had, { left, placed })).toEqual(now)
      expect(placed.map(({ place }) => place)).toEqual(placed.map(({ place }) => place).toSorted((a, b) => a - b))
      for (const { address, isNew } of placed) expect(isNew).toBe(!had.includes(address))
    }),
  )
  expect(stepsBetween(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])).toEqual({
    left: [],
    placed: [{ place: 1, isNew: false, address: 'd' }],
  })
  expect(stepsBetween(['a', 'b', 'c'], ['a'])).toEqual({ left: ['b', 'c'], placed: [] })
})

test('a reader who applies the messages has the list of GET /v1/tokens at every block, through reorganisations', async () => {
  const reader = await listen()
  expect([reader.status, reader.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  await expect.poll(() => listOf(reader)).toEqual(await ask())
  const [first] = reader.messages
  expect(first?.data).toMatchObject({ reset: true, retracted: false, left: [] })
  expect(first?.data.placed[0]).toMatchObject({ place: 1, is_new: true, token: { address: desks[5]?.token } })
  const { json } = await server.ask(`/tokens?${FILTER}`)
  expect(Object.keys(first?.data.placed[0].token).sort()).toEqual(Object.keys(json.data[0]).sort())

  const step = fc.record({ desk: fc.nat(5), depth: fc.integer({ min: 500_000, max: 9_000_000 }), back: fc.nat(4) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      const back = steps[0]?.back === 0
      if (back) await rollBack(newest() - 2)
      for (const { desk, depth } of steps) desks[desk]?.price(1, depth)
      await append()
      await expect.poll(() => listOf(reader)).toEqual(await ask())
    }),
    { numRuns: 20, seed: 52 },
  )
  expect(reader.messages.slice(1).every(({ data }) => data.reset === false)).toBe(true)
  expect(reader.messages.some(({ data }) => data.retracted)).toBe(true)
  let list: readonly string[] = []
  let compared = 0
  for (const { data } of reader.messages) {
    list = apply(list, fromRest(data))
    const { hash } = market.blocks.find(({ number }) => number === data.block_number) ?? {}
    // A block that was rolled back since is no longer asked about.
    if (hash !== data.block_hash) continue
    expect(await ask(`${FILTER}&as_of=${data.block_number}`)).toEqual(list)
    compared += 1
  }
  expect(compared).toBeGreaterThan(5)
})

test('a reader who comes back gets what changed since its place, and the whole list after a place that is not known', async () => {
  const reader = await listen()
  await expect.poll(() => listOf(reader)).toEqual(await ask())
  reader.close()
  const had = listOf(reader)
  const last = reader.lastId()
  // Whatever came before, the last token of the list is its first then.
  desks.find(({ token }) => token === had.at(-1))?.price(1, 20_000_000)
  await append()
  // The board takes the block a moment later.
  await expect.poll(() => ask()).not.toEqual(had)
  const now = await ask()
  const again = await listen(`${FILTER}&after=${last}`)
  await expect.poll(() => listOf(again, had)).toEqual(now)
  expect(again.messages[0]?.data).toMatchObject({ reset: false, retracted: false })
  expect(again.messages[0]?.data.placed.length).toBeLessThan(now.length)
  const idle = await listen(FILTER, { 'last-event-id': again.lastId() })
  for (const unknown of ['1.00000000.0000000000000000', last.replace(/^\d+/, '999999')]) {
    const begun = await listen(FILTER, { 'last-event-id': unknown })
    await expect.poll(() => listOf(begun)).toEqual(now)
    expect(begun.messages[0]?.data.reset).toBe(true)
  }
  // Another list has other places: nothing is taken for the same.
  const other = await listen(`sort=newest&limit=2&after=${last}`)
  await expect.poll(() => other.messages[0]?.data.reset).toBe(true)
  expect(idle.messages).toEqual([])
})

test('the block of a place that was rolled back is retracted, and the reader has the new list', async () => {
  const fork = newest()
  desks[1]?.price(1, 30_000_000)
  await append()
  const reader = await listen()
  await expect.poll(() => listOf(reader)[0]).toBe(desks[1]?.token)
  reader.close()
  await rollBack(fork)
  desks[2]?.price(1, 40_000_000)
  await append()
  await expect.poll(async () => (await ask())[0]).toBe(desks[2]?.token)
  const now = await ask()
  const again = await listen(FILTER, { 'last-event-id': reader.lastId() })
  await expect.poll(() => listOf(again, listOf(reader))).toEqual(now)
})

test('a subscription has the same messages, and goes on after a cursor', async () => {
  const query = `subscription ($after: ID) { screen(filter: { minLiquidityUsd: 2500000, maxMarketCapUsd: 1000000000 }, orderBy: liquidity, first: 3, after: $after) {
    blockNumber cursor reset left placed { place isNew tokenAddress token { symbol liquidityUsd } } } }`
  const subscribe = async (variables: object) =>
    readSse(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: await knock(), 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
  const reader = await subscribe({})
  await expect.poll(() => reader.messages.length).toBe(1)
  const { screen } = reader.messages[0]?.data.data ?? {}
  expect(screen).toMatchObject({ reset: true, left: [] })
  expect(screen.placed.map(({ tokenAddress }: { tokenAddress: string }) => tokenAddress)).toEqual(
    await ask('min_liquidity_usd=2500000&max_market_cap_usd=1000000000&sort=liquidity&limit=3'),
  )
  const many = await Promise.all([1, 2, 3].map(() => subscribe({ after: screen.cursor })))
  desks[3]?.price(1, 50_000_000)
  await append()
  for (const one of [reader, ...many])
    await expect.poll(() => one.messages.at(-1)?.data.data.screen.placed[0]?.tokenAddress).toBe(desks[3]?.token)
})

test('equal screens are made once a block, and a list that nobody reads is not made', async () => {
  let [made, block] = [0, { number: 1, hash: '0x01' }]
  const moves = new Set<() => void>()
  const board = {
    block: () => block,
    past: () => [{ number: 1, hash: '0x01' }],
    addressOf: String,
    list: () => ({ ids: [++made], total: 1 }),
  } as unknown as Board
  const screens = createScreens(
    {
      newest: () => board,
      isLoaded: () => true,
      onMove: (listener) => {
        moves.add(listener)
        return () => moves.delete(listener)
      },
    },
    { pass: () => {}, fail: (error) => expect.fail(String(error)) },
  )
  const question = { screen: { minHolders: 5 }, sort: 'newest', limit: 3 } as const
  const leaving = new AbortController()
  const [one, other] = [1, 2].map(() => screens.open({ ...question }, null, leaving.signal))
  expect([screens.count(), made]).toEqual([1, 2])
  await one?.next()
  block = { number: 2, hash: '0x02' }
  for (const move of moves) move()
  const next = await one?.next()
  expect(made).toBe(3)
  expect(next?.value?.update).toMatchObject({ block, left: ['2'], placed: [{ place: 1, isNew: true, address: '3' }] })
  expect((await other?.next())?.value?.update).toMatchObject({ reset: true, placed: [{ address: '3' }] })
  leaving.abort()
  for (const move of moves) move()
  expect([screens.count(), made]).toEqual([0, 3])
  screens.stop()
  expect(moves.size).toBe(0)
})

test('a screen of bad parameters is refused with each field, and takes no place', async () => {
  const { json, status } = await server.ask('/stream/tokens?sort=gainers&limit=0&after=5661-12-0&min_liquidty_usd=1')
  expect(status).toBe(400)
  expect(json.error.details.map(({ field }: { field: string }) => field).toSorted()).toEqual([
    'after',
    'limit',
    'min_liquidty_usd',
    'sort',
  ])
})
