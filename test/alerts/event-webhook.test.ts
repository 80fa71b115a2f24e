// Webhooks of events, on a ledger that the real writer writes and rolls back: their messages, the order, and the
// bounds.
import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, test } from 'vitest'
import { createDispatch } from '../../src/alerts/dispatch.ts'
import { createFileMailer } from '../../src/alerts/email.ts'
import { createNotifier } from '../../src/alerts/notifier.ts'
import { createWebhookSender } from '../../src/alerts/webhook.ts'
import type { EventFilter } from '../../src/base/event-filter.ts'
import { createAlertRows, createEventWebhookRows, MAX_EVENT_WEBHOOKS } from '../../src/ledger/account/alert.ts'
import { pauseBeyond } from '../../src/ledger/account/pause.ts'
import { readDeliveries } from '../../src/ledger/alerts/delivery.ts'
import { MAX_WAITING, MESSAGE_EVENTS } from '../../src/ledger/alerts/event-webhook.ts'
import { createAlertWorld } from '../support/alerts.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { faultsOfComponent } from '../support/conforms.ts'
import { createHookReceiver } from '../support/hook-receiver.ts'
import { createLiveLedger } from '../support/live-ledger.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const { database, desk, other, append, rollBack, newest } = await createLiveLedger()
const receiver = await createHookReceiver()
const { received, url } = receiver
const { account } = createAlertWorld(database)
let clock: TestClock
let dispatch: ReturnType<typeof createDispatch>
let notifier: ReturnType<typeof createNotifier>
let webhooks: ReturnType<typeof createEventWebhookRows>
let owner: Awaited<ReturnType<typeof account>>
let accounts = 0
let size = 2
const warnings: object[] = []
beforeEach(async () => {
  await database.pool.query('TRUNCATE alert, alert_message CASCADE')
  receiver.reset()
  warnings.length = 0
  clock = createTestClock()
  dispatch = createDispatch({
    database,
    clock,
    log: { warn: (facts: object) => warnings.push(facts) } as never,
    maxLag: 1_000,
  })
  webhooks = createEventWebhookRows(database.prisma, clock)
  notifier = createNotifier({
    database,
    mailer: createFileMailer({ folder: '/nowhere', from: 'a@b.example' }),
    webhooks: createWebhookSender({ clock, reach: { allowsLoopback: true }, withinMs: 2_000 }),
    clock,
    publicUrl: 'http://localhost:4000',
    secret: new Uint8Array(32),
    toLevel: () => 'low',
    random: () => 0.5,
  })
  accounts += 1
  owner = await account(`owner${accounts}@example.com`)
})

const create = (conditions: EventFilter, name = 'Bot') =>
  webhooks.create(owner, { name, conditions, webhook: { url, secret: SECRET } }, null)
const send = () => notifier.run(undefined, 'webhook')
const hand = async () => {
  await dispatch.run()
  return send()
}
const payloads = () => received.map(({ body }) => JSON.parse(body))
const events = () => payloads().flatMap(({ data }) => data.events)

test('matching events are sent as they happen, signed, and retractions are sent again as retracted', async () => {
  desk.buy(9, 9)
  await append()
  const webhook = await create({ types: ['swap'], tokens: [desk.token], minAmountUsd: 2 })
  await hand()
  expect(received).toEqual([])
  const fork = newest()
  desk.buy(10, 10)
  desk.buy(1, 1)
  other.buy(10, 10)
  await append()
  expect(await hand()).toBe(1)
  const [{ headers, body } = { headers: {}, body: '' }] = received
  expect(faultsOfComponent('EventsMessage', JSON.parse(body))).toEqual([])
  expect(headers['webhook-signature']).toBe(new Webhook(SECRET).sign(String(headers['webhook-id']), clock.now(), body))
  const [payload] = payloads()
  expect([payload.type, payload.data.webhook]).toEqual(['events', { id: webhook.id, name: 'Bot' }])
  expect(events()).toMatchObject([{ type: 'swap', token_address: desk.token, direction: 'buy', retracted: false }])
  expect(events().flatMap((event: unknown) => faultsOfComponent('StreamedEvent', event))).toEqual([])
  await rollBack(fork)
  desk.sell(5, 5)
  await append()
  await hand()
  const [sent, takenBack, now] = events()
  expect(takenBack).toEqual({ ...sent, retracted: true })
  expect(now).toMatchObject({ direction: 'sell', retracted: false })
  expect(events()).toHaveLength(3)
  const [page] = await readDeliveries(database, [{ alertId: webhook.id, offset: 0, limit: 5 }])
  const sentAs = page?.items.map(({ status, eventCount, tokenCount }) => [status, eventCount, tokenCount].join(' '))
  expect(sentAs?.sort()).toEqual(['sent 1 0', 'sent 2 0'])
})

/** One swap of a token, handed on but not sent. */
const swapOf = async (swapped = desk) => {
  size += 1
  swapped.buy(size, size)
  await append()
  await dispatch.run()
}
const ofBot = () => payloads().filter(({ data }) => data.webhook.name === 'Bot')

test('the messages of a webhook are sent one after another, and those after one that fails wait for it', async () => {
  await create({ types: ['swap'], tokens: [desk.token] })
  await create({ types: ['swap'], tokens: [other.token] }, 'Other')
  await hand()
  const { answer } = receiver
  receiver.answer = (request, response) => {
    if (JSON.parse(received.at(-1)?.body ?? '{}').data.webhook.name === 'Bot') response.writeHead(503).end()
    else answer(request, response)
  }
  for (let n = 0; n < 3; n += 1) {
    await swapOf()
    await swapOf(other)
    await Promise.all([send(), send(), send(), send()])
  }
  expect([ofBot().length, payloads().length]).toEqual([1, 4])
  receiver.answer = answer
  clock.advance(60_000)
  await Promise.all([send(), send(), send(), send()])
  const order = ofBot().slice(1)
  expect(order[0].data).toEqual(ofBot()[0].data)
  expect(order.map(({ data }) => data.events.length)).toEqual([1, 2])
  const ids = order.flatMap(({ data }) => data.events.map(({ id }: { id: string }) => Number(id.split('-')[0])))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
})

test('a waiting message takes in later events until it is full, and none while a worker sends it', async () => {
  const webhook = await create({ types: ['swap'], tokens: [desk.token] })
  await hand()
  await swapOf()
  await swapOf()
  await database.pool.query('UPDATE alert_message SET event_count = $1', [MESSAGE_EVENTS - 1])
  await swapOf()
  await swapOf()
  await swapOf()
  const counts = async () => {
    const { rows } = await database.pool.query<{ n: number }>(
      'SELECT jsonb_array_length(events) AS n FROM alert_message WHERE alert_id = $1 AND events IS NOT NULL ORDER BY turn',
      [webhook.id],
    )
    return rows.map(({ n }) => n)
  }
  expect(await counts()).toEqual([3, 2])
  const { answer } = receiver
  receiver.answer = async (request, response) => {
    if (received.length === 2) await swapOf()
    answer(request, response)
  }
  await send()
  expect([await counts(), events().length]).toEqual([[], 6])
})

test('a paused webhook does not get the events of the pause', async () => {
  const webhook = await create({ types: ['swap'] })
  await hand()
  await webhooks.update(owner, webhook.id, { status: 'paused' }, null)
  await swapOf()
  await send()
  await webhooks.update(owner, webhook.id, { status: 'active' }, null)
  await hand()
  expect(received).toEqual([])
})

test('events over the bound of waiting messages are dropped, counted and reported, and the webhook stays active', async () => {
  const webhook = await create({ types: ['swap'] })
  const quiet = await create({ types: ['swap'] }, 'Quiet')
  await hand()
  await swapOf()
  await database.pool.query(
    `INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, created_at, next_attempt_at, channel, turn, events, event_count)
     SELECT gen_random_uuid(), alert_id, key_id, account_id, alert_name, 'pending', created_at, next_attempt_at, channel, nextval('alert_turn'), '[]', $3
     FROM alert_message, generate_series(2, $1) WHERE alert_id = $2`,
    [MAX_WAITING, webhook.id, MESSAGE_EVENTS],
  )
  const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM alert_message WHERE alert_id = $1', [
    webhook.id,
  ])
  expect(rows[0].n).toBe(MAX_WAITING)
  await swapOf()
  await swapOf()
  const dropping = await webhooks.find(owner.keyId, webhook.id)
  expect(dropping).toMatchObject({ status: 'active', webhookDropped: 2, webhookDroppedAt: clock.now() })
  expect(await webhooks.find(owner.keyId, quiet.id)).toMatchObject({ webhookDropped: 0, webhookDroppedAt: null })
  expect(warnings).toEqual([{ webhook: webhook.id, events: 1 }])
  await database.pool.query(`UPDATE alert_message SET status = 'sent', events = NULL WHERE event_count = $1`, [
    MESSAGE_EVENTS,
  ])
  await swapOf()
  await swapOf()
  await send()
  const told = ofBot().map(({ data }) => [data.dropped, data.events.length])
  expect(told).toEqual([
    [0, 1],
    [2, 2],
  ])
  const [page] = await readDeliveries(database, [{ alertId: webhook.id, offset: 0, limit: MAX_WAITING + 1 }])
  expect(page?.items).toContainEqual(expect.objectContaining({ dropped: 2, eventCount: 2 }))
  expect((await webhooks.find(owner.keyId, webhook.id))?.webhookDropped).toBe(2)
})

test('alerts and webhooks of events do not see each other, an account has so many, and a plan without webhooks pauses them', async () => {
  const alerts = createAlertRows(database.prisma, clock)
  const webhook = await create({})
  const alert = await alerts.create(owner, { name: 'A', conditions: {} }, 1)
  const page = { offset: 0, limit: 10 }
  expect((await alerts.list(owner.keyId, null, page)).items.map(({ id }) => id)).toEqual([alert.id])
  expect((await webhooks.list(owner.keyId, null, page)).items.map(({ id }) => id)).toEqual([webhook.id])
  expect([await alerts.find(owner.keyId, webhook.id), await webhooks.find(owner.keyId, alert.id)]).toEqual([null, null])
  expect([await alerts.remove(owner.keyId, webhook.id), await webhooks.remove(owner.keyId, alert.id)]).toEqual([
    false,
    false,
  ])
  await database.pool.query(
    `INSERT INTO alert (id, key_id, account_id, name, status, conditions, notification_channel, created_at, updated_at, subject)
     SELECT gen_random_uuid()::text, $1, $2, 'more', 'active', '{}', 'webhook', now(), now(), 'events' FROM generate_series(2, $3)`,
    [owner.keyId, owner.accountId, MAX_EVENT_WEBHOOKS],
  )
  await expect(create({})).rejects.toThrow(/An account keeps 100 webhooks of events at most/)
  const client = await database.pool.connect()
  const paused = await pauseBeyond(client, owner.accountId, { activeAlerts: 3, webhooks: false })
  client.release()
  expect(paused).toHaveLength(MAX_EVENT_WEBHOOKS)
  expect((await alerts.find(owner.keyId, alert.id))?.status).toBe('active')
})

test('far behind its source the index hands nothing on, and old messages are forgotten', async () => {
  await create({ types: ['swap'] })
  await hand()
  desk.buy(3, 3)
  await append()
  await database.pool.query('UPDATE chain SET source_head = source_head + 2000')
  await hand()
  await database.pool.query('UPDATE chain SET source_head = source_head - 2000')
  await hand()
  expect(received).toEqual([])
  desk.buy(4, 4)
  await append()
  await hand()
  expect(received).toHaveLength(1)
  clock.advance(8 * 24 * 3_600_000)
  await dispatch.run()
  const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM alert_message')
  expect(rows[0].n).toBe(0)
})
