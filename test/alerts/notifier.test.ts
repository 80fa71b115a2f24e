import { fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createChatSender } from '../../src/alerts/chat-sender.ts'
import { createSmtpMailer, type MailResult } from '../../src/alerts/email.ts'
import { createNotifier, nextAttempt } from '../../src/alerts/notifier.ts'
import { createSweep } from '../../src/alerts/sweep.ts'
import { createAlertRows } from '../../src/ledger/account/alert.ts'
import { CLAIM_MS } from '../../src/ledger/alerts/claim.ts'
import { readDeliveries } from '../../src/ledger/alerts/delivery.ts'
import { deliverNext, enableAddress, listOutbox, retryMessage } from '../../src/ledger/alerts/outbox.ts'
import { createAlertWorld, START } from '../support/alerts.ts'
import { bundleChild } from '../support/build.ts'
import { startChatServices } from '../support/chat-services.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'
import { startSmtp } from '../support/smtp.ts'

const database = await createTestDatabase()
const world = createAlertWorld(database)
const smtp = await startSmtp()
const mailer = createSmtpMailer({ url: smtp.url, from: 'alerts@assay.example' })
const services = await startChatServices()
const rest = {
  publicUrl: 'http://localhost:4000',
  secret: new Uint8Array(32),
  toLevel: () => 'low',
  random: () => 0.5,
}
let clock: TestClock
let notifier: ReturnType<typeof createNotifier>

beforeEach(async () => {
  await world.reset()
  smtp.mood = 'accepts'
  smtp.received.length = 0
  clock = createTestClock()
  notifier = createNotifier({ ...rest, database, mailer, clock })
})
afterAll(async () => {
  mailer.close()
  await smtp.close()
})

/** Creates alerts `a0`, `a1`, … each with one due mail, of one account or of one each. */
async function queueMails(count: number, isOfOne = true): Promise<void> {
  const owner = await world.account()
  await world.block(1, START, { 1: { liquidityUsd: 60 } })
  for (let place = 0; place < count; place++) {
    const own = isOfOne ? owner : await world.account(`owner${place}@example.com`)
    await world.alert(`a${place}`, own, { minLiquidityUsd: 50 })
  }
  await createSweep({ database, clock, maxLag: 10 }).run()
}

const statuses = async () => (await world.messages()).map((message) => message.status)

test('a due mail is sent once, to the address of the account', async () => {
  await queueMails(1)
  expect(await notifier.run()).toBe(1)
  expect(await notifier.run()).toBe(0)
  expect(smtp.received.map((received) => received.to)).toEqual([['owner@example.com']])
  expect(await statuses()).toEqual(['sent'])
})

/** Once a mail is sent, refuses this many connections for transactions. Returns how many were refused. */
function refuseConnections(most: number, onRefusal: (count: number) => void = () => {}): () => number {
  let count = 0
  const connect = database.pool.connect.bind(database.pool)
  const connecting = vi.spyOn(database.pool, 'connect').mockImplementation(async () => {
    if (smtp.received.length === 0 || count === most) return connect()
    count += 1
    onRefusal(count)
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  })
  const query = vi.spyOn(database.pool, 'query').mockImplementation((async (text: string, given: unknown[]) => {
    const client = await connect()
    return client.query(text, given).finally(() => client.release())
  }) as never)
  onTestFinished(() => {
    connecting.mockRestore()
    query.mockRestore()
  })
  return () => count
}

test('a worker that stops does not wait for a database that stays away', async () => {
  await queueMails(1)
  const stopping = new AbortController()
  const refused = refuseConnections(Number.POSITIVE_INFINITY, (count) => count === 2 && stopping.abort())
  await expect(notifier.run(stopping.signal)).rejects.toThrow('connect ECONNREFUSED')
  expect(refused()).toBe(2)
  expect(await statuses()).toEqual(['pending'])
})

test('a mail that was sent while the database went away is not sent again when it is back', async () => {
  await queueMails(1)
  const refused = refuseConnections(3)
  expect(await notifier.run()).toBe(1)
  expect(refused()).toBe(3)
  clock.advance(2 * CLAIM_MS)
  expect(await notifier.run()).toBe(0)
  expect(smtp.received).toHaveLength(1)
  expect(await statuses()).toEqual(['sent'])
})

test('a sent mail whose claim a failover lost counts as sent, unless another worker has claimed it', async () => {
  await queueMails(2)
  const sendAfter = (text: string) =>
    deliverNext(database, 'email', clock, async (messages) => {
      for (const { id } of messages) await database.pool.query(`UPDATE alert_message SET ${text} WHERE id = $1`, [id])
      return messages.map(() => ({ status: 'sent' as const, response: '250 ok' }))
    })
  await sendAfter('claim = NULL, claimed_until = NULL')
  expect((await statuses()).sort()).toEqual(['pending', 'sent'])
  await sendAfter('claim = claim + 1')
  expect((await statuses()).sort()).toEqual(['pending', 'sent'])
})

test('parallel workers send each mail once', async () => {
  await queueMails(30)
  await Promise.all(Array.from({ length: 6 }, () => notifier.run()))
  expect(smtp.received).toHaveLength(30)
  expect(new Set(smtp.received.map((received) => received.mail.messageId)).size).toBe(30)
})

test('a failed mail is retried with the same Message-ID, and its owner can read the result', async () => {
  await queueMails(1)
  smtp.mood = 'accepts then dies'
  await notifier.run()
  expect(await statuses()).toEqual(['pending'])
  smtp.mood = 'refuses for now'
  clock.advance(60_000)
  await notifier.run()
  const pages = await readDeliveries(database, [
    { alertId: 'a0', offset: 0, limit: 10 },
    { alertId: 'a0', offset: 10, limit: 10 },
    { alertId: 'nobody', offset: 0, limit: 10 },
  ])
  const delivery = {
    status: 'pending',
    attempts: 2,
    sentAt: null,
    response: 'The mail server asked for another try (451).',
    tokenCount: 1,
  }
  expect(pages).toMatchObject([
    { total: 1, items: [delivery] },
    { total: 1, items: [] },
    { total: 0, items: [] },
  ])
  smtp.mood = 'accepts'
  expect(await notifier.run()).toBe(0)
  clock.advance(3_600_000)
  expect(await notifier.run()).toBe(1)
  expect(smtp.received[0]?.mail.messageId).toBe(smtp.received[1]?.mail.messageId)
})

test('owners see no server reply and no file path, and operators see them on one line', async () => {
  await queueMails(1)
  const hostile = `550 5.1.1 \u001b[2J${'x'.repeat(600)}\r\n\u0000\u202eroot@10.0.0.7 /var/spool \ud800`
  const read = async () =>
    (await readDeliveries(database, [{ alertId: 'a0', offset: 0, limit: 1 }]))[0]?.items[0]?.response
  const answers: [MailResult, string][] = [
    [{ status: 'failed', response: hostile }, 'The mail server refused the mail (550).'],
    [{ status: 'failed', response: 'not written: EACCES' }, 'The mail could not be written to a file.'],
    [
      { status: 'failed', response: 'ECONNREFUSED: connect 10.0.0.7:25' },
      'The mail server was not reached, or broke off.',
    ],
    [{ status: 'failed', response: '4512345 secret' }, 'The mail server was not reached, or broke off.'],
    [{ status: 'sent', response: 'written to /srv/assay/mail/x.eml' }, 'The mail was written to a file.'],
    [{ status: 'sent', response: '250 queued as F00 on mx7.internal' }, 'The mail server accepted the mail (250).'],
    [{ status: 'refused', response: hostile }, 'The mail server refused the address or the mail for good (550).'],
  ]
  for (const [result, sentence] of answers) {
    await database.pool.query(`UPDATE alert_message SET status = 'pending', next_attempt_at = created_at`)
    expect(
      await deliverNext(database, 'email', clock, async () => [
        result.status === 'failed' ? { ...result, status: 'dead' } : result,
      ]),
    ).toBe(true)
    expect(await read()).toBe(sentence)
  }
  const [row] = await listOutbox(database, ['refused'], 1)
  expect(row?.response).toMatch(/^550 5\.1\.1 {2}?\[2Jx+$/)
  expect(row?.response).toHaveLength(500)
})

test('a mail is given up after 24 hours, listed, and can be queued again', async () => {
  await queueMails(1)
  smtp.mood = 'refuses for now'
  for (let hours = 0; hours < 30; hours++) {
    await notifier.run()
    clock.advance(3_600_000)
  }
  const [dead] = await listOutbox(database, ['dead'], 10)
  expect(dead).toMatchObject({
    alertId: 'a0',
    email: 'owner@example.com',
    status: 'dead',
    response: '451 come back later',
  })
  smtp.mood = 'accepts'
  expect(await retryMessage(database, dead?.id ?? '', clock.now())).toBe(true)
  expect(await notifier.run()).toBe(1)
  expect(await statuses()).toEqual(['sent'])
})

test('pauses between tries double up to an hour, and no try is later than 24 hours after the mail was written', () => {
  const written = new Date('2026-01-01T00:00:00Z')
  const pauses = [0, 1, 2, 6, 7, 20].map((attempts) => {
    const at = nextAttempt(written, attempts, written, 0.5)
    return at && at.getTime() - written.getTime()
  })
  expect(pauses).toEqual([30_000, 60_000, 120_000, 1_920_000, 3_600_000, 3_600_000])
  expect(nextAttempt(written, 20, new Date('2026-01-01T23:30:00Z'), 0.5)).toBeNull()
})

describe('an address that is refused for good', () => {
  test('gets no mail until it is enabled again', async () => {
    await queueMails(2)
    smtp.mood = 'refuses the recipient'
    await notifier.run()
    expect((await statuses()).sort()).toEqual(['refused', 'suppressed'])
    smtp.mood = 'accepts'
    const [refused] = await listOutbox(database, ['refused'], 10)
    expect(await retryMessage(database, refused?.id ?? '', clock.now())).toBe(false)
    expect(await enableAddress(database, 'OWNER@example.com')).toBe(true)
    expect(await enableAddress(database, 'owner@example.com')).toBe(false)
    expect(await retryMessage(database, refused?.id ?? '', clock.now())).toBe(true)
    expect(await notifier.run()).toBe(1)
  })
})

/** Starts 50 workers, three at a time, and kills each after it has begun a message. Returns the number of kills. */
async function killWorkers(serverUrl: string): Promise<number> {
  const script = await bundleChild(new URL('../support/notifier-child.ts', import.meta.url))
  let started = 0
  let kills = 0
  const killed = async () => {
    while (started < 50) {
      started++
      const child = fork(script, [database.url, serverUrl], { execArgv: [] })
      // The sleep waits for nothing: it varies the moment of the kill.
      await once(child, 'message')
      await new Promise((resolve) => setTimeout(resolve, (started * 7) % 30))
      child.kill('SIGKILL')
      await once(child, 'exit')
      kills++
    }
  }
  await Promise.all([killed(), killed(), killed()])
  // The children's claims end by the time of the system.
  clock.advance(Date.now() + CLAIM_MS - clock.now().getTime())
  return kills
}

test('50 kills at random moments lose no mail, and a mail that goes out twice has the same Message-ID', async () => {
  await queueMails(120, false)
  const kills = await killWorkers(smtp.url)
  await expect.poll(() => notifier.run().then(statuses)).toEqual(Array(120).fill('sent'))
  expect(kills).toBe(50)
  const ids = smtp.received.map((received) => received.mail.messageId)
  expect(new Set(ids).size).toBe(120)
  expect(ids.length - 120).toBeLessThanOrEqual(kills)
})

test('50 kills at random moments lose no message of a chat, and no alert goes out twice but for a kill', async () => {
  await world.block(1, START, { 1: { liquidityUsd: 60 } })
  const alerts = createAlertRows(database.prisma, clock)
  for (let n = 0; n < 120; n++) {
    // Two alerts each share a chat.
    const url = `https://hooks.slack.com/services/T000/B000/slackSecretSlackSecret${Math.floor(n / 2)}`
    const owner = await world.account(`chat${n}@example.com`)
    await alerts.create(owner, { name: `chat ${n}`, conditions: {}, chat: { channel: 'slack', url } }, null)
  }
  await createSweep({ database, clock, maxLag: 10 }).run()
  const kills = await killWorkers(services.origin)
  const chats = createChatSender({
    ...{ reach: { allowsLoopback: true }, origins: services.origins, publicUrl: null, toLevel: () => 'low' },
  })
  const last = createNotifier({ ...rest, database, mailer, chats, clock })
  for (let minute = 0; minute < 3; minute++) {
    await last.run(undefined, 'slack')
    clock.advance(60_000)
  }
  expect(await statuses()).toEqual(Array(120).fill('sent'))
  expect(kills).toBe(50)
  const told = services.received.flatMap(({ body }) => JSON.stringify(body).match(/"Alert \\"chat \d+\\"/g) ?? [])
  expect(new Set(told).size).toBe(120)
  expect(told.length / 2 - 120).toBeLessThanOrEqual(kills)
})
