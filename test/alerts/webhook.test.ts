// Webhooks: their messages and signatures, the reachable addresses, and a failing receiver.
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { type AddressInfo, createServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createFileMailer } from '../../src/alerts/email.ts'
import { createNotifier } from '../../src/alerts/notifier.ts'
import { createResolve, isPublicAddress, pickAddress } from '../../src/alerts/public-address.ts'
import { createSweep } from '../../src/alerts/sweep.ts'
import { createWebhookSender } from '../../src/alerts/webhook.ts'
import { checkWebhookUrl } from '../../src/alerts/webhook-url.ts'
import { createAlertRows } from '../../src/ledger/account/alert.ts'
import { readDeliveries } from '../../src/ledger/alerts/delivery.ts'
import type { OutgoingMessage } from '../../src/ledger/alerts/outbox.ts'
import { createAlertWorld, START } from '../support/alerts.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { faultsOfComponent } from '../support/conforms.ts'
import { createTestDatabase } from '../support/database.ts'
import { createHookReceiver, type ReceivedHook } from '../support/hook-receiver.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const HOUR_MS = 3_600_000

const receiver = await createHookReceiver()
const { received, url } = receiver
const database = await createTestDatabase()
const world = createAlertWorld(database)
let clock: TestClock
let notifier: ReturnType<typeof createNotifier>
beforeEach(async () => {
  await world.reset()
  receiver.reset()
  clock = createTestClock()
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
})

/** An alert with a webhook, and its due message. */
async function queue(target = url) {
  const owner = await world.account()
  await world.block(1, START, { 1: { liquidityUsd: 60, symbol: 'OTTER' } })
  const alerts = createAlertRows(database.prisma, clock)
  const alert = await alerts.create(
    owner,
    { name: 'Deep', conditions: { minLiquidityUsd: 50 }, webhook: { url: target, secret: SECRET } },
    null,
  )
  await createSweep({ database, clock, maxLag: 10 }).run()
  const read = async () => {
    const [page] = await readDeliveries(database, [{ alertId: alert.id, offset: 0, limit: 1 }])
    const found = await alerts.find(owner.keyId, alert.id)
    return { ...page?.items[0], alert: found }
  }
  return { owner, alerts, alert, read }
}

const run = () => notifier.run(undefined, 'webhook')

test('a match is sent to the webhook, signed by its secret, and not by mail', async () => {
  const { alert, read } = await queue()
  expect(await notifier.run()).toBe(0)
  expect(await run()).toBe(1)
  const [{ headers, body } = { headers: {}, body: '' }] = received
  const id = String(headers['webhook-id'])
  expect(headers['content-type']).toBe('application/json')
  // The library refuses a time that is far from now, and the clock of the test stands still.
  const signature = new Webhook(SECRET).sign(id, clock.now(), body)
  expect(headers['webhook-signature']).toBe(signature)
  expect(headers['webhook-timestamp']).toBe(String(clock.now().getTime() / 1000))
  const { type, data } = JSON.parse(body)
  expect(faultsOfComponent('MatchedMessage', JSON.parse(body))).toEqual([])
  const delivery = await read()
  expect([type, data.alert, data.total, data.delivery_id]).toEqual([
    'alert.matched',
    { id: alert.id, name: 'Deep' },
    1,
    delivery.id,
  ])
  expect(data.tokens).toMatchObject([{ symbol: 'OTTER', liquidity_usd: 60, initial: true, risk_flags: [] }])
  expect([delivery.status, delivery.response]).toEqual(['sent', 'The webhook took the message (200).'])
  expect(id).toBe(delivery.id)
})

test('after a rotation both secrets sign for a day, then the new one alone', async () => {
  const { owner, alerts, alert } = await queue()
  await alerts.rotateSecret(owner.keyId, alert.id, OTHER, new Date(clock.now().getTime() + 24 * HOUR_MS))
  const signatures = async () => {
    await database.pool.query(`UPDATE alert_message SET status = 'pending', next_attempt_at = created_at`)
    await run()
    const { headers, body } = received.at(-1) as ReceivedHook
    const id = String(headers['webhook-id'])
    const by = (secret: string) => new Webhook(secret).sign(id, clock.now(), body)
    const given = String(headers['webhook-signature']).split(' ')
    return [given.includes(by(OTHER)), given.includes(by(SECRET)), given.length]
  }
  expect(await signatures()).toEqual([true, true, 2])
  clock.advance(25 * HOUR_MS)
  expect(await signatures()).toEqual([true, false, 1])
})

test('a webhook that fails is tried again with the same id, until it is given up after a day and its alert paused', async () => {
  const { read } = await queue()
  receiver.answer = (_, response) => response.writeHead(500).end()
  for (let n = 0; n < 40; n += 1) {
    await run()
    clock.advance(HOUR_MS)
  }
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(received.length).toBeGreaterThan(20)
  const { status, response, alert } = await read()
  expect([status, response, alert?.status]).toEqual(['dead', 'The webhook answered with an error (500).', 'paused'])
  expect(alert?.webhookDisabledAt).not.toBeNull()
})

test('an alert is paused after ten refusals in a row, or at once when its receiver is gone; made active again it begins anew', async () => {
  const { owner, alerts, alert, read } = await queue()
  receiver.answer = (_, response) => response.writeHead(404).end()
  for (let n = 0; n < 9; n += 1) {
    await run()
    clock.advance(2 * HOUR_MS)
  }
  expect((await read()).alert?.status).toBe('active')
  await run()
  expect((await read()).alert?.status).toBe('paused')
  const changed = await alerts.update(owner, alert.id, { status: 'active' }, null)
  expect([changed?.webhookFailures, changed?.webhookDisabledAt]).toEqual([0, null])
  receiver.answer = (_, response) => response.writeHead(410).end()
  clock.advance(2 * HOUR_MS)
  await run()
  const gone = await read()
  expect([gone.status, gone.response, gone.alert?.status]).toEqual([
    'refused',
    'The webhook is gone for good (410): its alert is paused.',
    'paused',
  ])
})

test('the message of a deleted alert goes nowhere', async () => {
  const { owner, alerts, alert, read } = await queue()
  await alerts.remove(owner.keyId, alert.id)
  await run()
  expect((await read()).response).toBe('The alert was deleted before its message was sent.')
  expect(received).toEqual([])
})

describe('a receiver', () => {
  const message: OutgoingMessage = {
    ...{
      id: 'm',
      alertId: 'a',
      alertName: 'A',
      accountId: 1,
      email: 'a@b.example',
      createdAt: new Date(0),
      attempts: 0,
    },
    ...{ tokens: [], exits: [], total: 0, webhook: null, events: null, dropped: 0 },
  }
  const send = (to: string, options = {}) =>
    createWebhookSender({ clock, reach: { allowsLoopback: true }, withinMs: 500, ...options }).send(message, {
      url: to,
      secrets: [SECRET],
    })

  test('that redirects is not followed', async () => {
    receiver.answer = (_, response) => response.writeHead(302, { location: `${url}/elsewhere` }).end()
    expect(await send(url)).toEqual({ status: 'failed', response: 'webhook 302', isPermanent: true })
    expect(received).toHaveLength(1)
  })

  test('that answers for ever is left after some bytes, one that drips after some time', async () => {
    receiver.answer = (_, response) => {
      const pour = (): void => {
        if (response.destroyed) return
        response.write('x'.repeat(10_000))
        setImmediate(pour)
      }
      pour()
    }
    expect(await send(url)).toMatchObject({ status: 'sent' })
    receiver.answer = (_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    }
    expect((await send(url)).response).toMatch(/^webhook (200|unreached)/)
    receiver.answer = () => {}
    expect(await send(url)).toMatchObject({ status: 'failed', isPermanent: false })
  })

  test('that switches protocols or hangs up is left at once, and one whose name is never found at the deadline', async () => {
    const talk = { text: 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n' }
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => (talk.text === '' ? socket.destroy() : socket.write(talk.text)))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const unhurried = { withinMs: 3_600_000 }
    expect(await send(to, unhurried)).toEqual({ status: 'failed', response: 'webhook 101', isPermanent: true })
    talk.text = ''
    expect(await send(to, unhurried)).toMatchObject({ status: 'failed', isPermanent: false })
    const silent = { resolve: () => new Promise<never>(() => {}), withinMs: 20 }
    expect(await send(to.replace('127.0.0.1', 'localhost'), silent)).toEqual({
      ...{ status: 'failed', response: 'webhook unreached: TimeoutError', isPermanent: false },
    })
  })

  test('whose name servers are silent is given up at the deadline, and holds up no other look-up', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>((bound) => silent.bind(0, '127.0.0.1', bound))
    onTestFinished(() => void silent.close())
    const resolve = createResolve({ servers: [`127.0.0.1:${silent.address().port}`], timeoutMs: 3_600_000 })
    const ending = new AbortController()
    const looking = Array.from({ length: 16 }, () =>
      resolve('silent.example', ending.signal).catch((error) => error.code),
    )
    expect(await lookup('localhost')).toMatchObject({ address: expect.any(String) })
    ending.abort()
    expect(new Set(await Promise.all(looking))).toEqual(new Set(['ECANCELLED']))
    expect(await send(url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 'sent' })
  })

  test('is reached at the address that was checked, however its name is looked up later', async () => {
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    }
    const named = url.replace('127.0.0.1', 'localhost')
    expect(await send(named, { resolve })).toMatchObject({ status: 'sent' })
    expect([asked, received[0]?.headers.host]).toEqual([['localhost'], new URL(named).host])
  })

  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
    ...[
      '255.255.255.255',
      '168.63.129.16',
      '192.0.2.1',
      '198.18.0.1',
      '240.0.0.1',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'ff02::1',
    ],
    ...[
      '::ffff:10.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::a00:1',
      '64:ff9b:1::a00:1',
      '2002:a00:1::',
      '2001::1',
      '2001:db8::1',
    ],
  ])('at %s is not reached, by whatever name', async (address) => {
    expect(isPublicAddress(address)).toBe(false)
    const family = address.includes(':') ? 6 : 4
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address, family },
    ]
    expect(await pickAddress('trap.example', resolve, false, AbortSignal.timeout(1_000))).toBeNull()
    expect(await send('https://trap.example/', { resolve, reach: {} })).toEqual({
      status: 'failed',
      response: 'webhook address: it is not public',
      isPermanent: true,
    })
    expect(checkWebhookUrl(`https://${family === 6 ? `[${address}]` : address}/`, {})).toBe(
      'must lead to the public internet',
    )
  })

  test('of the public internet may be named or numbered', async () => {
    for (const address of ['8.8.8.8', '2606:4700:4700::1111']) expect(isPublicAddress(address)).toBe(true)
    expect(checkWebhookUrl('https://example.com/a?b=c', {})).toBeNull()
    for (const wrong of [
      'http://example.com/',
      'https://a:b@example.com/',
      'https://example.com/#x',
      'ftp://example.com',
      'x',
      'https://0x7f.1/',
      'http://localhost:1/',
      'https://localhost./',
      'https://LOCALHOST./',
      'https://a.localhost/',
      'https://127.0.0.1./',
      'https://db.internal/',
      'https://printer.local./',
      'https://nas.home.arpa/',
    ]) {
      expect([wrong, typeof checkWebhookUrl(wrong, {})]).toEqual([wrong, 'string'])
    }
  })

  test('at a port that the operator does not allow is refused when the URL is given and when it is called', async () => {
    const fault = 'must use port 443, which this server may call'
    expect(checkWebhookUrl('https://example.com:25/', {})).toBe(fault)
    expect(checkWebhookUrl('https://example.com:8443/', { ports: [443, 8443] })).toBeNull()
    expect(checkWebhookUrl('https://example.com/', { ports: [8443] })).toMatch(/^must use port 8443,/)
    expect(checkWebhookUrl('https://localhost:8443/', { allowsLoopback: true })).toBeNull()
    const resolve = async () => expect.unreachable()
    expect(await send('https://example.com:25/', { resolve, reach: { allowsLoopback: true } })).toEqual({
      status: 'failed',
      response: `webhook address: it ${fault}`,
      isPermanent: true,
    })
  })
})
