// Subscriptions over server-sent events, on real sockets, by the protocol that graphql-sse calls distinct connections.
import { expect, test } from 'vitest'
import { createSweep } from '../../../src/alerts/sweep.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { createAlertRows } from '../../../src/ledger/account/alert.ts'
import { addressOf, USDC, WETH, wallet } from '../../support/blocks.ts'
import { createLiveLedger } from '../../support/live-ledger.ts'
import { readSse, type SseReader } from '../../support/sse.ts'

const { database, market, desk, other, append, rollBack, newest, serve } = await createLiveLedger()
const server = await serve()

const knock = async () => (await server.knock({ plan: 'pro' })).authorization

async function subscribe(query: string, variables: object = {}, authorization?: string): Promise<SseReader> {
  return readSse(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: authorization ?? (await knock()), 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
}

const dataOf = ({ messages }: SseReader, field: string) =>
  messages.filter(({ event }) => event === 'next').map(({ data }) => data.data?.[field])

const EVENTS = `subscription E($filter: EventStreamFilter, $after: ID) { events(filter: $filter, after: $after) {
  id cursor retracted finality event { type amountUsd tokenAddress token { symbol } wallet { address } } } }`

test('events come as they happen, with their tokens and wallets, and a reorganisation retracts them', async () => {
  const filter = { types: ['swap'], tokens: [desk.token], minAmountUsd: 2 }
  const reader = await subscribe(EVENTS, { filter })
  expect([reader.status, reader.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  await expect.poll(reader.lastId).not.toBe('')
  const fork = newest()
  desk.buy(10, 10)
  desk.buy(1, 1)
  other.buy(10, 10)
  await append()
  await expect.poll(() => dataOf(reader, 'events').length).toBe(1)
  const [bought] = dataOf(reader, 'events')
  expect(bought).toMatchObject({
    retracted: false,
    finality: 'provisional',
    event: {
      type: 'swap',
      tokenAddress: desk.token,
      token: { symbol: expect.any(String) },
      wallet: { address: desk.who },
    },
  })
  expect(reader.messages[0]?.event).toBe('next')
  await rollBack(fork)
  desk.sell(5, 5)
  await append()
  await expect.poll(() => dataOf(reader, 'events').length).toBe(3)
  expect(dataOf(reader, 'events')[1]).toMatchObject({ id: bought.id, retracted: true })
  const again = await subscribe(EVENTS, { filter, after: bought.cursor })
  // The wallet of the retracted event came back with the new chain: only the event itself is the same.
  const told = (of: SseReader) => dataOf(of, 'events').map(({ id, cursor, retracted }) => [id, cursor, retracted])
  await expect.poll(() => told(again)).toEqual(told(reader).slice(1))
})

test('a subscription of a class of wallets begins with a block, and is complete once its last block is final', async () => {
  const from = newest() + 1
  desk.buy(10, 10)
  other.buy(20, 20)
  await append()
  const to = newest()
  const filter = { types: ['swap'], walletClassifications: ['unknown'], fromBlock: from, toBlock: to }
  const reader = await subscribe(EVENTS, { filter })
  await expect.poll(() => dataOf(reader, 'events').length).toBe(2)
  const none = await subscribe(EVENTS, { filter: { ...filter, walletClassifications: ['whale'] } })
  desk.buy(1, 1)
  await append(to)
  for (const { closed } of [reader, none]) await closed
  expect(dataOf(none, 'events')).toEqual([])
  expect(reader.messages.map(({ event }) => event)).toEqual(['next', 'next', 'complete'])
  expect(reader.text()).not.toContain('errors')
})

test('a token and a wallet come as they are, and again whenever they change', async () => {
  other.buy(1, 1)
  await append()
  const token = await subscribe('subscription ($a: Address!) { token(address: $a) { address eventCount } }', {
    a: desk.token,
  })
  const wallet = await subscribe('subscription ($a: Address!) { wallet(address: $a) { address tradeCount } }', {
    a: other.who,
  })
  const none = await subscribe('subscription ($a: Address!) { wallet(address: $a) { address } }', {
    a: `0x${'9'.repeat(40)}`,
  })
  await expect.poll(() => dataOf(token, 'token').length).toBe(1)
  await expect.poll(() => dataOf(wallet, 'wallet').length).toBe(1)
  await expect.poll(() => dataOf(none, 'wallet')).toEqual([null])
  const [before] = dataOf(token, 'token')
  desk.buy(3, 3)
  await append()
  await expect.poll(() => dataOf(token, 'token').at(-1).eventCount).toBeGreaterThan(before.eventCount)
  other.buy(3, 3)
  await append()
  const trades = dataOf(wallet, 'wallet')[0].tradeCount
  await expect.poll(() => dataOf(wallet, 'wallet').at(-1).tradeCount).toBe(trades + 1)
})

test('a list has the tokens that begin to match, change, and cease to, also through a reorganisation', async () => {
  const query = `subscription L($filter: TokenFilter) { tokens(filter: $filter) { change tokenAddress token { liquidityUsd } } }`
  const seen = async (reader: SseReader) =>
    dataOf(reader, 'tokens')
      .filter(({ tokenAddress }) => tokenAddress === desk.token)
      .map(({ change }) => change)
  desk.price(1)
  await append()
  const { rows } = await database.pool.query('SELECT liquidity_usd FROM token WHERE address = $1', [desk.token])
  const bound = rows[0].liquidity_usd * 1.5
  const reader = await subscribe(query, { filter: { minLiquidityUsd: bound } })
  // The same list, as a list of GraphQL may ask for it.
  const nested = await subscribe(query, {
    filter: { or: [{ minLiquidityUsd: bound }, { launchpads: ['none'] }], not: { minHolders: 1_000_000 } },
  })
  const all = await subscribe(query)
  // The list is read when somebody follows it: a change afterwards is seen.
  await expect
    .poll(async () => {
      desk.price(1 + Math.random() / 100)
      await append()
      return (await seen(all)).length
    })
    .toBeGreaterThan(0)
  expect(await seen(reader)).toEqual([])
  const fork = newest()
  desk.price(4)
  await append()
  await expect.poll(() => seen(reader)).toEqual(['enters'])
  desk.price(5)
  await append()
  await expect.poll(() => seen(reader)).toEqual(['enters', 'changes'])
  await rollBack(fork)
  await expect.poll(() => seen(reader)).toEqual(['enters', 'changes', 'leaves'])
  await expect.poll(() => seen(nested)).toEqual(['enters', 'changes', 'leaves'])
  expect(new Set(await seen(all))).toEqual(new Set(['changes']))
})

test('a token passes a bound of the market cap when the native coin moves, also when it does not trade itself', async () => {
  const [token, maker] = [addressOf('token', 77), wallet(77)]
  market.token(token)
  market.mint(token, maker, 10n ** 24n)
  market.wrap(maker, 10n ** 21n)
  market.mint(USDC, maker, 10n ** 15n)
  const [pair] = market.pools()
  const pool = market.createPool(maker, token, WETH)
  const isZero = market.pool(pool).token0 === token
  const [base, paid] = [5n * 10n ** 23n, 10n ** 20n]
  market.add(pool, maker, isZero ? base : paid, isZero ? paid : base)
  market.mine()
  await append()
  const { rows } = await database.pool.query('SELECT market_cap_usd FROM token WHERE address = $1', [token])
  const query = `subscription L($filter: TokenFilter) { tokens(filter: $filter) { change tokenAddress token { marketCapUsd } } }`
  const bound = rows[0].market_cap_usd * 1.1
  const reader = await subscribe(query, { filter: { and: [{ or: [{ minMarketCapUsd: bound }] }] } })
  const seen = () => dataOf(reader, 'tokens').filter(({ tokenAddress }) => tokenAddress === token)
  const all = await subscribe(query)
  await expect
    .poll(async () => {
      desk.price(1 + Math.random() / 100)
      await append()
      return dataOf(all, 'tokens').length
    })
    .toBeGreaterThan(0)
  expect(seen()).toEqual([])
  if (pair) market.swap(pair, maker, USDC, 2n * 10n ** 13n)
  market.mine()
  await append()
  await expect.poll(seen).toMatchObject([{ change: 'enters' }])
  expect(seen()[0].token.marketCapUsd).toBeGreaterThan(bound)
})

test('a subscription that is refused is no stream: its HTTP status and code say why', async () => {
  const refused = async (query: string, headers: Record<string, string> = {}, variables = {}) => {
    const { status, json } = await server.ask(`${server.url}/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query, variables }),
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...headers },
    })
    return [status, json.errors[0].extensions.code, json.errors[0].message]
  }
  const EVENT = 'subscription { events { id } }'
  expect(await refused(EVENT, { authorization: '' })).toEqual([401, 'UNAUTHORIZED', expect.any(String)])
  expect(await refused(EVENT, { accept: 'application/json' })).toEqual([
    ...[400, 'INVALID_PARAMS'],
    expect.stringMatching(/Accept: text\/event-stream/),
  ])
  for (const query of [
    'subscription { x }',
    'subscription { events { id } token(address: "0x1") { symbol } }',
    'subscription { events(after: "x") { id } }',
    'subscription { events(after: "1-2-3.99") { id } }',
    'subscription { events(filter: { minAmountUsd: -1 }) { id } }',
    'subscription { events(filter: { fromBlock: 5, toBlock: 4 }) { id } }',
    'subscription { tokens(filter: { maxRiskScore: 101 }) { change } }',
    'subscription { tokens(filter: { or: [{ search: "x" }] }) { change } }',
    'subscription { events { event { token { holders(limit: 200) { nodes { wallet { portfolio { tokenAddress } } } } } } } }',
  ]) {
    expect([query, ...(await refused(query)).slice(0, 2)]).toEqual([query, 400, 'INVALID_PARAMS'])
  }
  expect(server.traffic.streams).toBeLessThan(8)
})

test('a query is answered as JSON to whoever reads streams too', async () => {
  const { status, json } = await server.ask(`${server.url}/graphql`, {
    method: 'POST',
    body: JSON.stringify({ query: '{ chain { name } }' }),
    headers: { accept: 'text/event-stream, application/json', 'content-type': 'application/json' },
  })
  expect([status, json.data.chain.name]).toEqual([200, 'market'])
})

test('alerts come as they fire, to the key that made them, and continue after a delivery', async () => {
  const { authorization, id: keyId } = await server.knock({ plan: 'pro' })
  const { rows } = await database.pool.query<{ id: number }>('SELECT account_id AS id FROM api_key WHERE id = $1', [
    keyId,
  ])
  const owner = { keyId, accountId: rows[0]!.id }
  const query =
    'subscription ($a: ID) { alertFired(after: $a) { deliveryId alert { name } delivery { tokenCount tokens { tokenAddress } } } }'
  const mine = await subscribe(query, {}, authorization)
  const others = await subscribe(query)
  const alerts = createAlertRows(database.prisma, systemClock)
  const sweep = createSweep({ database, clock: systemClock, maxLag: 1_000 })
  await expect.poll(() => server.traffic.streams).toBeGreaterThan(1)
  await alerts.create(owner, { name: 'Any', conditions: {} }, null)
  await sweep.run()
  await expect.poll(() => dataOf(mine, 'alertFired').length).toBe(1)
  const [fired] = dataOf(mine, 'alertFired')
  expect(fired.alert).toEqual({ name: 'Any' })
  expect(fired.delivery.tokenCount).toBeGreaterThan(0)
  mine.close()
  await alerts.create(owner, { name: 'More', conditions: {} }, null)
  await sweep.run()
  const again = await subscribe(query, { a: fired.deliveryId }, authorization)
  await expect.poll(() => dataOf(again, 'alertFired').map(({ alert }) => alert.name)).toEqual(['More'])
  expect(dataOf(others, 'alertFired')).toEqual([])
  const refused = await subscribe(query, { a: '00000000-0000-4000-8000-000000000000' }, authorization)
  expect(refused.status).toBe(400)
})

test('an alert that fired comes again as retracted when a reorganisation takes its match back, sent or not', async () => {
  const { authorization, id: keyId } = await server.knock({ plan: 'pro' })
  const { rows } = await database.pool.query<{ id: number }>('SELECT account_id AS id FROM api_key WHERE id = $1', [
    keyId,
  ])
  const owner = { keyId, accountId: rows[0]!.id }
  const query = 'subscription ($a: ID) { alertFired(after: $a) { deliveryId cursor retracted delivery { status } } }'
  desk.price(1)
  await append()
  const found = await database.pool.query('SELECT liquidity_usd FROM token WHERE address = $1', [desk.token])
  const conditions = { minLiquidityUsd: found.rows[0].liquidity_usd * 1.5 }
  const alerts = createAlertRows(database.prisma, systemClock)
  const sweep = createSweep({ database, clock: systemClock, maxLag: 1_000 })
  // Matches of other tests' alerts are ignored.
  await database.pool.query("UPDATE alert SET status = 'paused'")
  const [sent, waiting] = [
    await alerts.create(owner, { name: 'Sent', conditions }, null),
    await alerts.create(owner, { name: 'Waiting', conditions }, null),
  ]
  await sweep.run()
  // Other tokens matched from the start: the next messages need not wait for the cool-down.
  await database.pool.query('UPDATE alert SET last_message_at = NULL')
  const reader = await subscribe(query, {}, authorization)
  await expect.poll(() => server.traffic.streams).toBeGreaterThan(0)
  const fork = newest()
  desk.price(4)
  await append()
  await sweep.run()
  await expect.poll(() => dataOf(reader, 'alertFired').length).toBe(2)
  const fired = dataOf(reader, 'alertFired')
  expect(fired.map(({ retracted }) => retracted)).toEqual([false, false])
  await database.pool.query("UPDATE alert_message SET status = 'sent' WHERE alert_id = $1", [sent.id])
  await rollBack(fork)
  await sweep.run()
  await expect.poll(() => dataOf(reader, 'alertFired').length).toBe(4)
  const told = dataOf(reader, 'alertFired').slice(2)
  expect(new Set(told.map(({ deliveryId }) => deliveryId))).toEqual(new Set(fired.map(({ deliveryId }) => deliveryId)))
  expect(told.map(({ retracted }) => retracted)).toEqual([true, true])
  expect(new Set(told.map(({ delivery }) => delivery.status))).toEqual(new Set(['sent', 'cancelled']))
  const again = await subscribe(query, { a: fired[1].cursor }, authorization)
  await expect.poll(() => dataOf(again, 'alertFired')).toEqual(told)
  const rest = await subscribe(query, { a: told[0].cursor }, authorization)
  await expect.poll(() => dataOf(rest, 'alertFired')).toEqual(told.slice(1))
  for (const { id } of [sent, waiting]) await alerts.remove(keyId, id)
})
