// GET /v1/stream/events over real sockets, on a ledger that the real writer writes and rolls back.
import { expect, test } from 'vitest'
import { wallet } from '../support/blocks.ts'
import { faultsOfComponent } from '../support/conforms.ts'
import { createLiveLedger } from '../support/live-ledger.ts'
import { expectError, type TestServer } from '../support/rest.ts'
import { readSse, type SseReader } from '../support/sse.ts'

const { database, desk, other, append, rollBack, newest, serve } = await createLiveLedger()
const server = await serve()
/** Another process. */
const elsewhere = await serve()

const listen = async (
  query = '',
  headers: Record<string, string> = {},
  of: TestServer = server,
): Promise<SseReader> => {
  const { authorization } = await of.knock({ plan: 'pro' })
  return readSse(`${of.url}/v1/stream/events${query}`, { headers: { authorization, ...headers } })
}

/** Once the stream has begun: where. */
async function begun(reader: SseReader): Promise<string> {
  await expect.poll(reader.lastId).not.toBe('')
  return reader.lastId()
}

const idsOf = ({ messages }: SseReader, retracted: boolean): string[] =>
  messages.filter(({ data }) => data.retracted === retracted).map(({ data }) => data.id)

/** What `GET /events` has after an event, oldest first. */
async function readAfter(place: string, filter = ''): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT e.block_number || '-' || e.log_index || '-' || coalesce(e.part, 0) AS id FROM event e JOIN token t ON t.id = e.token_id
     WHERE (e.block_number, e.log_index, coalesce(e.part, 0)) > ($1::int, $2::int, $3::int) ${filter} ORDER BY e.n`,
    place.split(/[-.]/).slice(0, 3),
  )
  return rows.map(({ id }) => id)
}

test('a stream sends each event once, in the order of the chain, as GET /events shows it', async () => {
  const reader = await listen()
  expect([reader.status, reader.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const start = await begun(reader)
  desk.buy(10, 11)
  other.sell(3, 2)
  await append()
  const expected = await readAfter(start)
  expect(expected.length).toBeGreaterThan(1)
  await expect.poll(() => idsOf(reader, false)).toEqual(expected)
  const { rows } = await database.pool.query<{ symbol: string }>('SELECT symbol FROM token WHERE address = $1', [
    desk.token,
  ])
  const bought = reader.messages.find(({ data }) => data.type === 'swap' && data.token_address === desk.token)
  expect(bought?.data).toMatchObject({ wallet_address: desk.who, token_symbol: rows[0]?.symbol, direction: 'buy' })
  expect(Object.keys(bought?.data)).toEqual([
    ...[
      'id',
      'type',
      'wallet_address',
      'token_address',
      'token_symbol',
      'amount_usd',
      'direction',
      'timestamp',
      'tx_hash',
      'quantity',
      'price_usd',
      'pool',
      'counterparty',
    ],
    'retracted',
  ])
  expect(bought?.id).toBe(`${bought?.data.id}.0`)
  expect(reader.messages.flatMap(({ data }) => faultsOfComponent('StreamedEvent', data))).toEqual([])
})

test('the filters of a stream are those of GET /events', async () => {
  const token = await listen(`?token_address=${desk.token.toUpperCase().replace('0X', '0x')}&type=swap`)
  const received = await listen(`?wallet_address=${wallet(1)}&type=transfer`)
  const start = await begun(token)
  await begun(received)
  desk.buy(5, 6)
  other.buy(5, 6)
  desk.give(2)
  await append()
  await expect.poll(() => token.messages.length).toBe(1)
  expect(token.messages[0]?.data).toMatchObject({ type: 'swap', token_address: desk.token })
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT e.block_number || '-' || e.log_index || '-' || coalesce(e.part, 0) AS id FROM event e
     JOIN wallet w ON w.id = e.wallet_id LEFT JOIN wallet c ON c.id = e.counterparty_id
     WHERE e.type = 4 AND $1 IN (w.address, c.address) AND (e.block_number, e.log_index) > ($2::int, $3::int) ORDER BY e.n`,
    [wallet(1), ...start.split('-').slice(0, 2)],
  )
  expect(rows.length).toBeGreaterThan(0)
  await expect.poll(() => idsOf(received, false)).toEqual(rows.map(({ id }) => id))
})

test('a stream of a class of wallets has the events of those that have the class when it is sent, and every retraction', async () => {
  const classify = (word: string) =>
    database.pool.query(
      `INSERT INTO wallet_score (wallet_id, block_number, updated_at, reputation_score, confidence, classification, sector_preference, explanation)
       SELECT id, 1, now(), 50, 'low', $2, 'unknown', '[]' FROM wallet WHERE address = $1
       ON CONFLICT (wallet_id) DO UPDATE SET classification = excluded.classification`,
      [other.who, word],
    )
  await classify('whale')
  const whales = await listen('?wallet_classification=whale&type=swap')
  const both = await listen('?wallet_classification=whale,unknown&type=swap&min_amount_usd=5')
  await begun(whales)
  await begun(both)
  const fork = newest()
  desk.buy(10, 10)
  other.buy(12, 12)
  other.buy(1, 1)
  await append()
  const whose = ({ messages }: SseReader, retracted = false) =>
    messages.filter(({ data }) => data.retracted === retracted).map(({ data }) => data.wallet_address)
  await expect.poll(() => whose(whales)).toEqual([other.who, other.who])
  await expect.poll(() => whose(both)).toEqual([desk.who, other.who])
  const again = await listen(`?wallet_classification=whale&type=swap&after=${fork}-99999-0`)
  await expect.poll(() => whose(again)).toEqual([other.who, other.who])
  await classify('bot')
  await rollBack(fork)
  await append()
  await expect.poll(() => whose(whales, true)).toEqual([other.who, other.who, desk.who])
  for (const id of idsOf(whales, false)) expect(idsOf(whales, true)).toContain(id)
})

test('a stream begins and ends with the blocks or the times of its filter, and ends once they are final', async () => {
  const first = newest() + 1
  desk.buy(2, 2)
  await append()
  desk.buy(3, 3)
  const last = newest()
  desk.buy(4, 4)
  await append()
  const span = await listen(`?token_address=${desk.token}&type=swap&from_block=${first}&to_block=${last}`)
  const { rows } = await database.pool.query<{ id: string; time: Date }>(
    `SELECT e.block_number || '-' || e.log_index || '-' || coalesce(e.part, 0) AS id, e.time FROM event e JOIN token t ON t.id = e.token_id
     WHERE e.type = 1 AND t.address = $1 AND e.block_number BETWEEN $2 AND $3 ORDER BY e.n`,
    [desk.token, first, last],
  )
  expect(rows.length).toBeGreaterThan(1)
  const ids = rows.map(({ id }) => id)
  await expect.poll(() => idsOf(span, false)).toEqual(ids)
  const [from, to] = [rows[0]?.time.toISOString(), rows.at(-1)?.time.toISOString()]
  const times = await listen(`?token_address=${desk.token}&type=swap&from=${from}&to=${to}`)
  await expect.poll(() => idsOf(times, false)).toEqual(ids)
  desk.buy(1, 1)
  await append(last)
  await span.closed
  expect(span.messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'done' } })
  expect(faultsOfComponent('StreamEnd', span.messages.at(-1)?.data)).toEqual([])
  expect(times.messages.at(-1)?.event).toBe('message')
  desk.buy(1, 1)
  await append(newest())
  await times.closed
  expect(idsOf(times, false)).toEqual(ids)
  const past = await listen(
    `?from_block=${first}&to_block=${last}&type=swap&token_address=${desk.token}`,
    {},
    elsewhere,
  )
  await past.closed
  expect([idsOf(past, false), past.messages.at(-1)?.data.reason]).toEqual([ids, 'done'])
})

test('a reader that comes back after the end of its filter gets 204, and so does one without an event in it', async () => {
  const first = newest() + 1
  desk.buy(2, 2)
  await append()
  const last = newest()
  desk.buy(1, 1)
  await append(newest())
  const query = `?from_block=${first}&to_block=${last}`
  const whole = await listen(query)
  await whole.closed
  expect(whole.messages.at(-1)?.data.reason).toBe('done')
  for (const of of [server, elsewhere]) {
    const again = await listen(query, { 'last-event-id': whole.lastId() }, of)
    await again.closed
    expect([again.status, again.text()]).toEqual([204, ''])
  }
  const [before] = whole.messages.filter(({ data }) => data.id).slice(-2)
  const behind = await listen(query, { 'last-event-id': before?.id ?? '' })
  await behind.closed
  expect([behind.status, idsOf(behind, false)]).toEqual([200, [idsOf(whole, false).at(-1)]])
  const none = await server.ask(`/stream/events${query}&min_amount_usd=1e30`, { headers: {} })
  expect(none.status).toBe(204)
})

test('the data of a message comes before its id, so a message that is cut off has no id', async () => {
  const reader = await listen()
  await begun(reader)
  desk.buy(1, 1)
  await append()
  await expect.poll(() => reader.messages.length).toBeGreaterThan(0)
  expect(reader.text()).toMatch(/^data: \{.*\}\nid: [0-9.-]+$/m)
  expect(reader.text()).not.toMatch(/^id: .*\ndata: /m)
})

test('a reorganisation takes back what each reader was sent, newest first, and sends the new chain', async () => {
  const all = await listen()
  const one = await listen(`?token_address=${other.token}`)
  const start = await begun(all)
  await begun(one)
  const fork = newest()
  desk.buy(1, 1)
  other.buy(2, 2)
  desk.sell(1, 1)
  await append()
  const sent = await readAfter(start)
  await expect.poll(() => idsOf(all, false)).toEqual(sent)
  const late = await listen()
  await begun(late)
  await rollBack(fork)
  other.sell(1, 1)
  await append()
  const now = await readAfter(`${fork}-99999-0`)
  await expect.poll(() => idsOf(all, true)).toEqual([...sent].reverse())
  await expect.poll(() => idsOf(all, false).slice(sent.length)).toEqual(now)
  await expect
    .poll(() => one.messages.length)
    .toBe(one.messages.filter(({ data }) => data.token_address === other.token).length)
  expect(idsOf(one, true).length).toBeGreaterThan(0)
  expect(idsOf(one, true).every((id) => idsOf(one, false).includes(id))).toBe(true)
  // Its chain was longer: events that it was not sent are not retracted for it.
  await expect.poll(() => idsOf(late, false)).toEqual(now)
  expect(idsOf(late, true)).toEqual([])
})

test('a reader that comes back gets the missed events, once, in any process', async () => {
  const reader = await listen()
  const start = await begun(reader)
  desk.buy(4, 4)
  await append()
  const expected = await readAfter(start)
  await expect.poll(() => idsOf(reader, false)).toEqual(expected)
  reader.close()
  const cursor = reader.lastId()
  for (let n = 0; n < 5; n += 1) desk.buy(1, 1)
  await append()
  for (const again of [
    await listen('', { 'last-event-id': cursor }),
    await listen(`?after=${cursor}`, {}, elsewhere),
  ]) {
    await expect.poll(() => idsOf(again, false)).toEqual(await readAfter(cursor))
    again.close()
  }
  const since = await listen(`?since=2001-01-01T00:00:00Z&token_address=${desk.token}`)
  await expect.poll(() => idsOf(since, false)).toEqual(await readAfter('0-0-0', `AND t.address = '${desk.token}'`))
})

test('a reader that comes back after a reorganisation gets the retractions, also in a process that never sent the events', async () => {
  const fork = newest()
  const reader = await listen(`?token_address=${desk.token}`)
  await begun(reader)
  for (let n = 0; n < 4; n += 1) desk.buy(2, 2)
  await append()
  await expect.poll(() => idsOf(reader, false).length).toBeGreaterThan(3)
  const third = reader.messages[2]!
  reader.close()
  await rollBack(fork)
  desk.sell(1, 1)
  await append()
  await rollBack(fork)
  desk.sell(2, 2)
  desk.sell(1, 1)
  await append()
  const now = await readAfter(`${fork}-99999-0`, `AND t.address = '${desk.token}'`)
  for (const after of [third.id, third.data.id]) {
    const again = await listen(`?after=${after}&token_address=${desk.token}`, {}, elsewhere)
    const sent = idsOf(reader, false).slice(0, 3).reverse()
    await expect.poll(() => idsOf(again, true)).toEqual(sent)
    await expect.poll(() => idsOf(again, false)).toEqual(now)
    const middle = again.messages[1]!
    again.close()
    const rest = await listen(`?after=${middle.id}&token_address=${desk.token}`)
    await expect.poll(() => idsOf(rest, true)).toEqual(sent.slice(2))
    await expect.poll(() => idsOf(rest, false)).toEqual(now)
    rest.close()
  }
})

test('a place that a stream cannot go on from is refused, with what to do instead', async () => {
  const { authorization } = await server.knock({ plan: 'pro' })
  const ask = (query: string, headers = {}) =>
    server.ask(`/stream/events${query}`, { headers: { authorization, ...headers } })
  const wrong = ['after=5-5-5.77', 'after=x', 'after=', 'limit=5', 'type=swaps', 'since=never', 'min_amount_usd=-1']
  const contrary = ['from_block=-1', 'from_block=5&to_block=4', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z']
  for (const query of [...wrong, ...contrary, 'wallet_classification=fish'].map((text) => `?${text}`)) {
    expectError(await ask(query), 400, 'INVALID_PARAMS')
  }
  expectError(await ask('', { 'last-event-id': 'x' }), 400, 'INVALID_PARAMS')
  expect((await ask('?after=5-5-5.77')).json.error.message).toMatch(/is not of this server\. Read GET \/v1\/events/)
  const generation = await database.pool.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM reorg')
  for (const place of ['99999-0-0', `${newest() + 50}-0-0`, `99999-0-0.${generation.rows[0]?.id}`]) {
    const { json } = await ask(`?after=${place}`)
    expect(json.error.message).toMatch(/^after \S+ is no place to continue from: it is beyond the newest block/)
    expect(json.error.details).toMatchObject([{ location: 'query', field: 'after' }])
  }
  await database.pool.query("UPDATE reorg SET created_at = now() - interval '8 days'")
  const fork = newest()
  desk.buy(1, 1)
  await append()
  await rollBack(fork)
  expect((await ask('?after=5-5-5.0')).json.error.message).toMatch(/too many reorganisations/)
})

test('without a key, by another method, or as HEAD there is no stream', async () => {
  expectError(await server.ask('/stream/events', { headers: { authorization: '' } }), 401, 'UNAUTHORIZED')
  expectError(await server.ask('/stream/events', { method: 'POST' }), 405, 'METHOD_NOT_ALLOWED')
  const { status, headers } = await server.ask('/stream/events', { method: 'HEAD' })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  await expect.poll(() => server.traffic.streams).toBe(0)
})
