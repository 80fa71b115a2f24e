// Test messages of alerts: what the receiver gets, what its owner is told, and how often one may ask.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, test } from 'vitest'
import type { TestedAlert } from '../../src/alerts/test-message.ts'
import { readConfig } from '../../src/base/config.ts'
import { createAlertTests } from '../../src/roles/alert-tests.ts'
import { createAlertWorld } from '../support/alerts.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'
import { createHookReceiver } from '../support/hook-receiver.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const database = await createTestDatabase()
const world = createAlertWorld(database)
const receiver = await createHookReceiver()
const folder = mkdtempSync(join(tmpdir(), 'assay-'))
let clock: TestClock
let tests: ReturnType<typeof createAlertTests>
let owner: { accountId: number; keyId: number }

beforeEach(async () => {
  await world.reset()
  await world.query('TRUNCATE rate_limit')
  receiver.reset()
  clock = createTestClock()
  owner = await world.account()
  const config = readConfig({ DATA_DIR: folder, WEBHOOK_ALLOW_LOOPBACK: 'true', RPC_URL: 'http://127.0.0.1:1' })
  tests = createAlertTests({ config, database, clock })
})

const ask = (alert: Partial<TestedAlert> = {}) => {
  const made = { id: '5eb5f7f0-7612-408f-bc91-3f34a3c9f0ac', name: 'To my bot', accountId: owner.accountId }
  const webhook = { url: receiver.url, secrets: [SECRET] }
  return tests.send(owner.keyId, { ...made, channel: 'webhook', webhook, ...alert })
}
const answerWith = (status: number) => {
  receiver.answer = (_, response) => response.writeHead(status).end('hostile words')
}
const stored = async () => (await world.query('SELECT id FROM alert_message')).rows.length

test('a webhook gets one signed message that says it is a test, and nothing is stored', async () => {
  expect(await ask()).toEqual({ delivered: true, response: 'The webhook took the message (200).' })
  expect(receiver.received).toHaveLength(1)
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
  const signature = new Webhook(SECRET).sign(String(headers['webhook-id']), clock.now(), body)
  expect(headers['webhook-signature']).toBe(signature)
  expect(JSON.parse(body)).toMatchObject({
    type: 'alert.test',
    data: { alert: { name: 'To my bot' }, total: 0, tokens: [] },
  })
  expect(await stored()).toBe(0)
})

test('the mail of a test says so, with the name of the alert', async () => {
  expect(await ask({ channel: 'email', webhook: null })).toEqual({
    delivered: true,
    response: 'The mail was written to a file.',
  })
  const [file = ''] = readdirSync(join(folder, 'mail'))
  const mail = readFileSync(join(folder, 'mail', file), 'utf8')
  expect(mail).toContain('Subject: To my bot: a test')
  expect(mail).toContain('This is a test of your alert')
})

test('an address that was refused before gets no test, and its owner is told', async () => {
  await world.query('UPDATE account SET mail_refused_at = now() WHERE id = $1', [owner.accountId])
  expect(await ask({ channel: 'email', webhook: null })).toEqual({
    delivered: false,
    response: 'The address was refused before.',
  })
})

test('the failure of a receiver is told without its words and its URL', async () => {
  answerWith(500)
  expect(await ask()).toEqual({ delivered: false, response: 'The webhook answered with an error (500).' })
  answerWith(410)
  expect(await ask()).toEqual({ delivered: false, response: 'The webhook answered with an error (410).' })
  expect(await stored()).toBe(0)
})

test('a private address is refused as for a real message', async () => {
  const webhook = { url: 'https://10.0.0.1/', secrets: [SECRET] }
  expect(await ask({ webhook })).toEqual({
    delivered: false,
    response: 'The webhook leads to an address that is not reached from here.',
  })
})

test('a key sends three tests a minute and thirty a day, whatever its alerts', async () => {
  for (const _ of [1, 2, 3]) expect(await ask()).toMatchObject({ delivered: true })
  await expect(ask({ name: 'Another' })).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 })
  for (let sent = 3; sent < 30; sent += 3) {
    clock.advance(61_000)
    for (const _ of [1, 2, 3]) expect(await ask()).toMatchObject({ delivered: true })
  }
  clock.advance(61_000)
  await expect(ask()).rejects.toThrow('A key sends 30 test messages a day')
  expect(receiver.received).toHaveLength(30)
})
