// Webhooks of events, on a ledger that the real writer writes and rolls back: what is sent, in which order, and what holds them.
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
import { MAX_WAITING } from '../../src/ledger/alerts/event-webhook.ts'
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
beforeEach(async () => {
  await database.pool.query('TRUNCATE alert, alert_message CASCADE')
  receiver.reset()
  clock = createTestClock()
  dispatch = createDispatch({ database, clock, maxLag: 1_000 })
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

test('what passes the filter is sent as it happens, signed, and what a reorganisation takes back is sent again as retracted', async () => {
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
  const [page] = await readDeliveries(database, [{ alertId: webhook.id, page: 1, limit: 5 }])
  expect(page?.items.map(({ status, eventCount, tokenCount }) => [status, eventCount, tokenCount])).toEqual(
    page?.items.map(() => ['sent', 1, 0]),
  )
})

test('the messages of a webhook are sent one after another, and those after one that fails wait for it', async () => {
  await create({ types: ['swap'], tokens: [desk.token] })
  await create({ types: ['swap'], tokens: [other.token] }, 'Other')
  await hand()
  for (let n = 0; n < 3; n += 1) {
    desk.buy(2 + n, 2 + n)
    other.buy(2 + n, 2 + n)
    await append()
    await dispatch.run()
  }
  const { answer } = receiver
  receiver.answer = (request, response) => {
    if (JSON.parse(received.at(-1)?.body ?? '{}').data.webhook.name === 'Bot') response.writeHead(503).end()
    else answer(request, response)
  }
  const ofBot = () => payloads().filter(({ data }) => data.webhook.name === 'Bot')
  await Promise.all([send(), send(), send(), send()])
  expect([ofBot().length, payloads().length]).toEqual([1, 4])
  receiver.answer = answer
  clock.advance(60_000)
  await Promise.all([send(), send(), send(), send()])
  const order = ofBot().slice(1)
  expect(order[0].data.delivery_id).toBe(ofBot()[0].data.delivery_id)
  const ids = order.flatMap(({ data }) => data.events.map(({ id }: { id: string }) => Number(id.split('-')[0])))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  expect(order).toHaveLength(3)
})

test('a paused webhook is not sent what happened meanwhile, and a long queue pauses only the webhook of a slow receiver', async () => {
  const webhook = await create({ types: ['swap'] })
  await hand()
  await webhooks.update(owner, webhook.id, { status: 'paused' }, null)
  desk.buy(3, 3)
  await append()
  await hand()
  await webhooks.update(owner, webhook.id, { status: 'active' }, null)
  await hand()
  expect(received).toEqual([])
  desk.buy(4, 4)
  await append()
  await dispatch.run()
  await database.pool.query(
    `INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, created_at, next_attempt_at, channel, turn, events)
     SELECT gen_random_uuid(), alert_id, key_id, account_id, alert_name, 'pending', created_at, next_attempt_at, channel, nextval('alert_turn'), '[]'
     FROM alert_message, generate_series(2, $1)`,
    [MAX_WAITING],
  )
  const go = async () => {
    desk.buy(5, 5)
    await append()
    await dispatch.run()
  }
  await go()
  expect((await webhooks.find(owner.keyId, webhook.id))?.status).toBe('active')
  await database.pool.query('UPDATE alert SET webhook_slow = true')
  await go()
  const slow = await webhooks.find(owner.keyId, webhook.id)
  expect([slow?.status, slow?.webhookDisabledAt]).toEqual(['paused', expect.any(Date)])
  const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM alert_message')
  expect(rows[0].n).toBe(MAX_WAITING + 1)
})

test('a receiver that fails counts as slow until it answers quickly again', async () => {
  const webhook = await create({ types: ['swap'] })
  await hand()
  const isSlow = async () => (await webhooks.find(owner.keyId, webhook.id))?.webhookSlow
  const { answer } = receiver
  receiver.answer = (_, response) => response.writeHead(503).end()
  desk.buy(3, 3)
  await append()
  await hand()
  expect(await isSlow()).toBe(true)
  receiver.answer = (_, response) => {
    clock.advance(10_000)
    response.end()
  }
  clock.advance(60_000)
  await hand()
  expect([await isSlow(), received.length]).toEqual([true, 2])
  receiver.answer = answer
  desk.buy(4, 4)
  await append()
  await hand()
  expect([await isSlow(), received.length]).toEqual([false, 3])
})

test('alerts and webhooks of events do not see each other, an account has so many, and a plan without webhooks pauses them', async () => {
  const alerts = createAlertRows(database.prisma, clock)
  const webhook = await create({})
  const alert = await alerts.create(owner, { name: 'A', conditions: {} }, 1)
  const page = { page: 1, limit: 10 }
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
