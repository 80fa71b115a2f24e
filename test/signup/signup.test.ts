// Signing up over HTTP, with mails through a real SMTP server: who gets a mail, and what its link gives. Neither answers nor
// logs tell who has an account.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSmtpMailer } from '../../src/alerts/email.ts'
import { createAlertRows } from '../../src/ledger/account/alert.ts'
import {
  CALM_REQUESTS,
  CONFIRMATIONS_PER_NETWORK,
  createSignupBounds,
  MAILS_PER_MAILBOX,
  REQUESTS_OF_OWNER,
  REQUESTS_PER_MINUTE,
  REQUESTS_PER_NETWORK,
} from '../../src/signup/bounds.ts'
import { createInvites } from '../../src/signup/invites.ts'
import { createMailing } from '../../src/signup/mailing.ts'
import type { SignupMode } from '../../src/signup/signup.ts'
import { faultsOf } from '../support/conforms.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createTestServer, expectError, type TestServer } from '../support/rest.ts'
import { startSmtp } from '../support/smtp.ts'

const smtp = await startSmtp()
const mailer = createSmtpMailer({ url: smtp.url, from: 'Assay <alerts@assay.example>', timeoutMs: 500 })
afterAll(async () => {
  mailer.close()
  await smtp.close()
})

const HOUR_MS = 3_600_000
/** Behind a proxy, so that each request has a network and an area of its own. */
let networks = 0
const nextNetwork = () => `${20 + Math.floor(++networks / 250)}.${networks % 250}.0.1`

let database: TestDatabase
let servers: Record<SignupMode | 'off', TestServer>
const warnings: [object, string][] = []
beforeAll(async () => {
  database = await createTestDatabase()
  const options = { database, trustProxy: true }
  servers = {
    open: await createTestServer({ ...options, signup: 'open' }),
    invite: await createTestServer({ ...options, signup: 'invite' }),
    off: await createTestServer(options),
  }
})
beforeEach(async () => {
  smtp.mood = 'accepts'
  smtp.received.length = 0
  warnings.length = 0
  await database.pool.query('DELETE FROM signup_request')
  await endMinute()
})

/** Ends the minutes that networks share. */
const endMinute = () =>
  database.pool.query(
    `DELETE FROM rate_limit WHERE key IN ('signup-new:', 'signup-calm:', 'signup-first:', 'signup-more:')`,
  )

type Mode = keyof typeof servers

/** Every answer has to be as /openapi.json describes it. */
async function post(path: string, body: unknown, mode: Mode = 'open', headers: Record<string, string> = {}) {
  const answer = await servers[mode].ask(path, {
    method: 'POST',
    headers: { authorization: '', 'content-type': 'application/json', 'x-forwarded-for': nextNetwork(), ...headers },
    body: JSON.stringify(body),
  })
  expect(faultsOf({ method: 'POST', path: `/v1${path}` }, answer)).toEqual([])
  return answer
}
const ask = (email: string, invite?: string, mode: Mode = 'open', headers = {}) =>
  post('/signup', { email, ...(invite !== undefined && { invite }) }, mode, headers)
const confirm = (token: string, mode: Mode = 'open', headers = {}) => post('/signup/confirm', { token }, mode, headers)

const sendMails = (mode: SignupMode = 'open') =>
  createMailing({
    pool: database.pool,
    mailer,
    clock: servers[mode].clock,
    mode,
    publicUrl: 'https://assay.example/',
    log: { warn: (fields, message) => void warnings.push([fields, message]) },
  }).run()

const LINK = /https:\/\/assay\.example\/signup#token=([\w-]{43})/
const tokenIn = ({ mail }: (typeof smtp.received)[number]) => LINK.exec(mail.text ?? '')?.[1] ?? ''
/** Asks for a link, and reads its token in the mail. */
async function tokenOf(email: string, invite?: string, mode: SignupMode = 'open'): Promise<string> {
  expect((await ask(email, invite, mode)).status).toBe(202)
  await sendMails(mode)
  const mail = smtp.received.at(-1)
  return mail ? tokenIn(mail) : ''
}
const authenticate = (key: string, mode: Mode = 'open') => servers[mode].guard.authenticate(`Bearer ${key}`, '')
const invites = () => createInvites(database.pool, servers.invite.clock)

test('an unknown address gets a mail whose link opens a Free account with a key that works', async () => {
  const token = await tokenOf('  New@Example.com ')
  const [received] = smtp.received
  expect(received?.to).toEqual(['New@example.com'])
  expect(received?.mail.subject).toBe('Your API key')
  expect(received?.mail.html).toContain(`https://assay.example/signup#token=${token}`)
  expect(received?.raw.toString()).not.toMatch(/^List-Unsubscribe/m)
  const { status, json, headers } = await confirm(token)
  expect(status).toBe(201)
  expect(headers.get('cache-control')).toBe('no-store')
  const answer = { email: 'New@Example.com', plan: 'free', expires_at: null }
  expect(json).toEqual({ ...answer, key: expect.any(String), key_id: expect.any(String) })
  expect(await authenticate(json.key)).toMatchObject({ email: 'New@Example.com', plan: 'free' })
})

test('a known address, however it is spelled, gets a sign-in at its own spelling, and keeps its plan', async () => {
  const { id } = await servers.open.knock({ email: 'Owner@known.example', plan: 'pro' })
  const token = await tokenOf('owner@KNOWN.example')
  expect(smtp.received[0]?.to).toEqual(['Owner@known.example'])
  expect(smtp.received[0]?.mail.subject).toBe('Sign in to your account')
  const { json } = await confirm(token)
  const ends = new Date(servers.open.clock.now().getTime() + 24 * HOUR_MS).toISOString()
  expect(json).toMatchObject({ email: 'Owner@known.example', plan: 'pro', expires_at: ends })
  expect(json.key_id).not.toBe(String(id))
  expect((await authenticate(json.key)).plan).toBe('pro')
})

test('the key of a sign-in ends by itself after a day', async () => {
  const server = await createTestServer({ database, signup: 'open', trustProxy: true })
  await server.knock({ email: 'day@known.example' })
  const { json } = await confirm(await tokenOf('day@known.example'))
  server.clock.advance(24 * HOUR_MS - 1)
  expect(await server.guard.authenticate(`Bearer ${json.key}`, '')).toMatchObject({ email: 'day@known.example' })
  server.clock.advance(1)
  await expect(server.guard.authenticate(`Bearer ${json.key}`, '')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('answers and their headers are the same for known, unknown, refused and over-used addresses', async () => {
  await servers.open.knock({ email: 'here@known.example' })
  for (let n = 0; n < MAILS_PER_MAILBOX; n += 1) await ask('full@known.example')
  const seen = []
  for (const email of ['here@known.example', 'nobody@unknown.example', 'full@known.example']) {
    const { status, text, headers } = await ask(email)
    expect(headers.get('ratelimit')).toBeNull()
    const shown = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
    seen.push({ status, text, shown })
  }
  expect(seen[0]?.status).toBe(202)
  expect(seen[1]).toEqual(seen[0])
  expect(seen[2]).toEqual(seen[0])
})

test('a request runs the same statements for a known and an unknown address', async () => {
  await servers.open.knock({ email: 'counted@known.example' })
  await ask('counted@known.example')
  await ask('counted@unknown.example')
  const { rows } = await database.pool.query('SELECT email, attempts FROM signup_request ORDER BY email')
  expect(rows).toEqual([
    { email: 'counted@known.example', attempts: 0 },
    { email: 'counted@unknown.example', attempts: 0 },
  ])
})

test('a link works once: a replay and a made-up token are missing alike', async () => {
  const token = await tokenOf('once@example.com')
  expect((await confirm(token)).status).toBe(201)
  const messages = []
  for (const bad of [token, 'A'.repeat(43), 'short', '']) {
    const refused = await confirm(bad)
    expectError(refused, 404, 'NOT_FOUND')
    messages.push(refused.json.error.message)
  }
  expect(new Set(messages).size).toBe(1)
})

test('of parallel confirmations of one link, one gets a key', async () => {
  const token = await tokenOf('race@example.com')
  const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(token)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404])
})

test('of two links for one new address, one opens the account and the other signs in', async () => {
  const first = await tokenOf('twice@example.com')
  const second = await tokenOf('twice@example.com')
  expect(second).not.toBe(first)
  const answers = await Promise.all([confirm(first), confirm(second)])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(answers.map(({ json }) => json.expires_at === null).sort()).toEqual([false, true])
  const { rows } = await database.pool.query(`SELECT id FROM account WHERE email = 'twice@example.com'`)
  expect(rows).toHaveLength(1)
})

test('a link is refused an hour after its mail', async () => {
  const server = await createTestServer({ database, signup: 'open', trustProxy: true })
  const token = await tokenOf('late@example.com')
  server.clock.advance(HOUR_MS)
  const late = await server.ask('/signup/confirm', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': nextNetwork() },
    body: JSON.stringify({ token }),
  })
  expectError(late, 404, 'NOT_FOUND')
  expect((await confirm(token)).status).toBe(201)
})

test('a mail scanner that opens the link does not use it up', async () => {
  const token = await tokenOf('scanned@example.com')
  for (const path of ['/signup', `/v1/signup/confirm?token=${token}`])
    await fetch(servers.open.url + path, { headers: { accept: 'text/html' } })
  expectError(await servers.open.ask('/signup/confirm', { method: 'GET' }), 405, 'METHOD_NOT_ALLOWED')
  expect((await confirm(token)).status).toBe(201)
})

test('neither the database nor the log has a token, and the log has no address', async () => {
  const token = await tokenOf('silent@example.com')
  const { json } = await confirm(token)
  await ask('silent@example.com')
  const logged = JSON.stringify([servers.open.lines, warnings])
  for (const secret of [token, json.key, 'silent@example.com']) expect(logged).not.toContain(secret)
  for (const table of ['signup_link', 'signup_request', 'api_key_secret', 'rate_limit']) {
    const { rows } = await database.pool.query(`SELECT t::text AS row FROM ${table} t`)
    const stored = JSON.stringify(rows)
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(json.key)
  }
})

describe('the address', () => {
  test.each([
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example,c@d.example',
    'a@b.example;c@d.example',
    '<a@b.example>',
    'A Name <a@b.example>',
    '"a b"@c.example',
    'a b@c.example',
    'a@b@c.example',
    'a\u0000@b.example',
    'mike@g\u0131thub.example',
    'a@\u212aelvin.example',
    '\uff41@b.example',
    'a@b\u200b.example',
    'demo@localhost',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    `${'x'.repeat(65)}@b.example`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(20)}`,
    '',
    '@b.example',
  ])('%j is refused, and nothing is stored', async (email) => {
    const before = await database.pool.query('SELECT count(*) FROM signup_request')
    const refused = await ask(email)
    expectError(refused, 400, 'INVALID_PARAMS')
    expect(refused.json.error.details).toMatchObject([{ location: 'body', field: 'email' }])
    expect((await database.pool.query('SELECT count(*) FROM signup_request')).rows).toEqual(before.rows)
  })

  test('may have a +tag, a hyphen and an international domain in its ASCII form', async () => {
    for (const email of ['a+b@example.com', "o'neil-x@sub.xn--bcher-kva.example"]) {
      const { json } = await confirm(await tokenOf(email))
      expect(json.email).toBe(email)
    }
  })
})

describe.each([
  ['/signup', {}, 'email'],
  ['/signup', { email: 7 }, 'email'],
  ['/signup', { email: 'a@b.example', invite: 7 }, 'invite'],
  ['/signup', { email: 'a@b.example', plan: 'pro' }, 'plan'],
  ['/signup', [], ''],
  ['/signup/confirm', {}, 'token'],
  ['/signup/confirm', { token: null }, 'token'],
])('POST %s with %j', (path, body, field) => {
  test('is 400 and names the field', async () => {
    const refused = await post(path, body)
    expectError(refused, 400, 'INVALID_PARAMS')
    expect(refused.json.error.details[0].field).toBe(field)
  })
})

test('a thousand requests from one network become as many mails as its bound allows', async () => {
  const headers = { 'x-forwarded-for': '2001:db8:1:2::7' }
  const answers = []
  for (let n = 0; n < 1_000; n += 1) answers.push(await ask(`n${n}@flood.example`, undefined, 'open', headers))
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(REQUESTS_PER_NETWORK)
  const refused = answers.at(-1)
  expect(refused?.status).toBe(429)
  expect(refused?.headers.get('retry-after')).toBe('3600')
  // Another address of the same /48 is the same network.
  const sibling = await ask('x@flood.example', undefined, 'open', { 'x-forwarded-for': '2001:db8:1:3::8' })
  expectError(sibling, 429, 'RATE_LIMITED')
})

test('a network that confirmed a mailbox has a bound for that mailbox, and its own after it', async () => {
  const home = { 'x-forwarded-for': '2001:db8:88:1::5' }
  await confirm(await tokenOf('eager@home.example'), 'open', home)
  const answers = []
  for (let n = 0; n < REQUESTS_OF_OWNER + REQUESTS_PER_NETWORK; n += 1)
    answers.push(await ask('eager@home.example', undefined, 'open', home))
  const own = answers.slice(0, REQUESTS_OF_OWNER)
  expect(own.map(({ status }) => status)).toEqual(own.map(() => 202))
  expectError(await ask('eager@home.example', undefined, 'open', home), 429, 'RATE_LIMITED')
})

describe('requests of many networks', () => {
  test('are bounded by the minute', async () => {
    const answers = []
    for (let n = 0; n <= REQUESTS_PER_MINUTE; n += 1) answers.push(await ask(`m${n}@many.example`))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(REQUESTS_PER_MINUTE)
    expectError(answers.at(-1) as never, 429, 'RATE_LIMITED')
  })

  test.each([
    ['an IPv6 allocation', (n: number) => `2001:db9:${n.toString(16)}::1`],
    ['a /16 of IPv4', (n: number) => `198.18.${n}.1`],
  ])('of %s refuse nobody elsewhere', async (_, addressOf) => {
    const taken = []
    for (let n = 0; n < 3 * REQUESTS_PER_MINUTE; n += 1) {
      const answer = await ask(`a${n}@area.example`, undefined, 'open', { 'x-forwarded-for': addressOf(n) })
      if (answer.status === 202) taken.push(n)
      else expectError(answer, 429, 'RATE_LIMITED')
    }
    expect(taken).toHaveLength(CALM_REQUESTS + REQUESTS_PER_MINUTE)
    for (let n = 1; n < REQUESTS_PER_MINUTE; n += 1) expect((await ask(`e${n}@elsewhere.example`)).status).toBe(202)
  })

  test('that asked within the hour yield to networks that did not ask', async () => {
    const few = Array.from({ length: 5 }, () => ({ 'x-forwarded-for': nextNetwork() }))
    const answers = []
    for (let round = 0; round < 9; round += 1)
      for (const headers of few)
        answers.push(await ask(`r${answers.length}@rounds.example`, undefined, 'open', headers))
    const taken = answers.filter(({ status }) => status === 202)
    expect(taken).toHaveLength(few.length + REQUESTS_PER_MINUTE)
    expectError(answers.at(-1) as never, 429, 'RATE_LIMITED')
    expect((await ask('calm@rounds.example')).status).toBe(202)
  })

  test('of thirty areas fill the first rank for one minute, and refuse no calm area once they are busy', async () => {
    const { countRequest } = createSignupBounds(database.pool, servers.open.clock)
    const knock = (address: string) => countRequest({ address, peer: address }, `${address}@flood.example`)
    const neighbour = nextNetwork()
    await knock(neighbour)
    await endMinute()
    const flood = Array.from({ length: REQUESTS_PER_MINUTE }, () => nextNetwork())
    for (const address of flood) await knock(address)
    await expect(knock(nextNetwork())).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    for (let minute = 1; minute < CALM_REQUESTS; minute += 1) {
      await endMinute()
      for (const address of flood) await knock(address)
      await knock(nextNetwork())
    }
    await endMinute()
    for (const address of flood) await knock(address)
    await knock(neighbour.replace(/1$/, '2'))
  })

  test('do not refuse who confirmed a link of the mailbox from the own network before', async () => {
    const home = { 'x-forwarded-for': '2001:db8:77:1::5' }
    await confirm(await tokenOf('resident@home.example'), 'open', home)
    for (let n = 0; n < REQUESTS_PER_MINUTE; n += 1) await ask(`f${n}@flooded.example`)
    expectError(await ask('resident@home.example'), 429, 'RATE_LIMITED')
    expectError(await ask('other@home.example'), 429, 'RATE_LIMITED')
    smtp.received.length = 0
    expect((await ask('Resident+tag@home.example', undefined, 'open', home)).status).toBe(202)
    await sendMails()
    expect(smtp.received.map(({ to }) => to)).toContainEqual(['resident@home.example'])
  })
})

test('requests and confirmations from ever more networks leave a bounded number of rows', async () => {
  await database.pool.query('DELETE FROM rate_limit')
  for (let n = 0; n < REQUESTS_PER_MINUTE + 40; n += 1) {
    await ask(`w${n}@wide.example`)
    await confirm('A'.repeat(43))
  }
  const { rows } = await database.pool.query(
    `SELECT split_part(key, ':', 1) AS of, count(*)::int AS rows FROM rate_limit GROUP BY 1 ORDER BY 1`,
  )
  expect(rows).toEqual([
    { of: 'signup-area', rows: REQUESTS_PER_MINUTE },
    { of: 'signup-mail', rows: REQUESTS_PER_MINUTE },
    { of: 'signup-network', rows: REQUESTS_PER_MINUTE },
    { of: 'signup-new', rows: 1 },
  ])
})

test('a made-up token closes no connection of the database', async () => {
  let [given, closed] = [0, 0]
  // Idle connections close in the meantime. Of those that a request gave back, the pool closes one given with an error.
  const count = (error: unknown) => {
    given += 1
    if (error) closed += 1
  }
  database.pool.on('release', count)
  for (let n = 0; n < 10; n += 1) expect((await confirm('B'.repeat(43))).status).toBe(404)
  database.pool.off('release', count)
  expect(given).toBeGreaterThanOrEqual(10)
  expect(closed).toBe(0)
})

test('confirmations of a network are bounded by the hour, so that nobody guesses on', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  const answers = []
  for (let n = 0; n <= CONFIRMATIONS_PER_NETWORK; n += 1)
    answers.push(await post('/signup/confirm', { token: 'A'.repeat(43) }, 'open', headers))
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(CONFIRMATIONS_PER_NETWORK)
  expectError(answers.at(-1) as never, 429, 'RATE_LIMITED')
})

/** Mails that the open server sends for a request: none, or one. */
async function mailsFor(email: string): Promise<number> {
  smtp.received.length = 0
  expect((await ask(email)).status).toBe(202)
  await sendMails()
  return smtp.received.length
}

describe('a mailbox', () => {
  test('gets a bounded number of mails a day and then one an hour, whatever the case and the +tag', async () => {
    const { clock } = servers.open
    const spellings = ['v@box.example', 'V@box.example', 'v+1@box.example', 'v+2@BOX.example', 'v+3@box.example']
    const sent = []
    for (let n = 0; n < 2 * 60; n += 1) {
      sent.push(await mailsFor(spellings[n % spellings.length] ?? ''))
      clock.advance(60_000)
    }
    clock.advance(-2 * HOUR_MS)
    expect(sent.slice(0, MAILS_PER_MAILBOX)).toEqual(Array(MAILS_PER_MAILBOX).fill(1))
    expect(sent.flatMap((mails, n) => (mails ? [n] : [])).slice(MAILS_PER_MAILBOX)).toEqual([5, 65])
  })

  test('that gets no further mail has one with a link that works', async () => {
    const { clock } = servers.open
    let newest = ''
    let refused = 0
    // Strangers ask for a day.
    for (let n = 0; n < 24 * 4; n += 1) {
      if (await mailsFor('owner@besieged.example')) newest = tokenIn(smtp.received[0] as never)
      else refused += 1
      clock.advance(900_000 - 1)
    }
    expect(refused).toBeGreaterThan(60)
    clock.advance(1 - 900_000)
    expect(await mailsFor('owner@besieged.example')).toBe(0)
    expect((await confirm(newest)).status).toBe(201)
    // The owner has used the link, so the next request brings another one.
    expect(await mailsFor('owner@besieged.example')).toBe(1)
    expect((await confirm(tokenIn(smtp.received[0] as never))).status).toBe(201)
    clock.advance(-24 * 4 * 900_000 + 24 * 4)
  })

  test('has dots at Gmail, which make no further mailboxes, and do elsewhere', async () => {
    const dotted = ['vic@gmail.com', 'v.ic@gmail.com', 'vi.c@Gmail.com', 'v.i.c@googlemail.com', 'V.IC@gmail.com']
    for (const email of dotted) expect(await mailsFor(email)).toBe(1)
    expect(await mailsFor('v.i.c+6@gmail.com')).toBe(1)
    expect(await mailsFor('v.i.c+7@gmail.com')).toBe(0)
    for (const email of ['v.ic@dots.example', 'vi.c@dots.example']) expect(await mailsFor(email)).toBe(1)
  })

  test('has one account for all its spellings, and mails go to the one that opened it', async () => {
    await confirm(await tokenOf('m.x+first@gmail.com'))
    for (const email of ['mx@gmail.com', 'M.X+second@googlemail.com']) {
      smtp.received.length = 0
      const { json } = await confirm(await tokenOf(email))
      expect(smtp.received.map(({ to }) => to)).toEqual([['m.x+first@gmail.com']])
      expect(json.email).toBe('m.x+first@gmail.com')
    }
    const { id } = await servers.open.knock({ email: 'mx@gmail.com' })
    const { rows } = await database.pool.query(
      `SELECT a.email FROM account a JOIN api_key k ON k.account_id = a.id WHERE k.id = $1`,
      [id],
    )
    expect(rows).toEqual([{ email: 'm.x+first@gmail.com' }])
  })

  test('is not opened by a link that was mailed to another spelling of it', async () => {
    const early = await tokenOf('sam+evil@odd.example')
    await confirm(await tokenOf('sam@odd.example'))
    expectError(await confirm(early), 404, 'NOT_FOUND')
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS keys FROM api_key k JOIN account a ON a.id = k.account_id WHERE a.mailbox = 'sam@odd.example'`,
    )
    expect(rows).toEqual([{ keys: 1 }])
  })
})

test('without a sender that keeps up, the requests of the past hour are kept, and no others', async () => {
  const server = await createTestServer({ database, signup: 'open', trustProxy: true })
  for (let n = 0; n < 5; n += 1) await ask(`old${n}@waiting.example`)
  server.clock.advance(HOUR_MS)
  await server.ask('/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': nextNetwork() },
    body: JSON.stringify({ email: 'new@waiting.example' }),
  })
  const { rows } = await database.pool.query('SELECT email FROM signup_request')
  expect(rows).toEqual([{ email: 'new@waiting.example' }])
})

test('the alerts of a sign-in stay active when its key has ended, and the next sign-in has them', async () => {
  const { clock, knock } = servers.open
  await knock({ email: 'alerts@known.example' })
  const rows = createAlertRows(database.prisma, clock)
  const signIn = async () => authenticate((await confirm(await tokenOf('alerts@known.example'))).json.key)
  const first = await signIn()
  const { id } = await rows.create(first, { name: 'Mine', conditions: {} }, null)
  // While the key of the sign-in works, another one has nothing of it.
  expect(await rows.find((await signIn()).keyId, id)).toBeNull()
  clock.advance(24 * HOUR_MS)
  const last = await signIn()
  clock.advance(-24 * HOUR_MS)
  expect(await rows.find(last.keyId, id)).toMatchObject({ status: 'active' })
  expect(await rows.find(first.keyId, id)).toBeNull()
})

describe('with SIGNUP=invite', () => {
  test('a new address gets a mail only with an invite, and the answers are the same', async () => {
    const [without, known] = [
      await ask('stranger@example.com', undefined, 'invite'),
      await ask('new@example.com', undefined, 'invite'),
    ]
    expect([without.status, without.text]).toEqual([202, known.text])
    await sendMails('invite')
    expect(smtp.received.map(({ to }) => to)).toEqual([['New@example.com']])
    const { code } = await invites().create({ days: 7, note: '' })
    const { json } = await confirm(await tokenOf('stranger@example.com', code, 'invite'), 'invite')
    expect(await authenticate(json.key, 'invite')).toMatchObject({ email: 'stranger@example.com', plan: 'free' })
  })

  test('requests without an invite use up no mail of an invited address', async () => {
    for (let n = 0; n < MAILS_PER_MAILBOX + 3; n += 1) await ask('guest@invited.example', undefined, 'invite')
    const { code } = await invites().create({ days: 7, note: '' })
    const token = await tokenOf('guest@invited.example', code, 'invite')
    expect((await confirm(token, 'invite')).status).toBe(201)
  })

  test('a used, ended, expired or made-up invite is refused, and the error names it', async () => {
    const [used, ended, expired] = await Promise.all([7, 7, 1].map((days) => invites().create({ days, note: '' })))
    if (!used || !ended || !expired) throw new Error('no invites')
    await confirm(await tokenOf('first@invited.example', used.code, 'invite'), 'invite')
    await invites().end(ended.id)
    await expect(invites().end(used.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await database.pool.query('UPDATE invite SET expires_at = created_at WHERE id = $1', [expired.id])
    for (const code of [used.code, ended.code, expired.code, 'A'.repeat(43), 'x']) {
      const refused = await ask('second@invited.example', code, 'invite')
      expectError(refused, 400, 'INVALID_PARAMS')
      expect(refused.json.error.details).toMatchObject([{ field: 'invite' }])
    }
  })

  test('an invite opens one account, however many links it got', async () => {
    const { code } = await invites().create({ days: 7, note: '' })
    const tokens = [
      await tokenOf('x@shared.example', code, 'invite'),
      await tokenOf('y@shared.example', code, 'invite'),
    ]
    const answers = await Promise.all(tokens.map((token) => confirm(token, 'invite')))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403])
    const { rows } = await database.pool.query(`SELECT email FROM account WHERE email LIKE '%@shared.example'`)
    expect(rows).toHaveLength(1)
  })

  test('an invite stays usable when its link opened no account', async () => {
    await servers.invite.knock({ email: 'had@known.example' })
    const { code } = await invites().create({ days: 7, note: 'for a friend' })
    await confirm(await tokenOf('had@known.example', code, 'invite'), 'invite')
    expect((await invites().list())[0]).toMatchObject({ note: 'for a friend', usedAt: null })
  })

  test('only the hash of an invite is stored', async () => {
    const { code } = await invites().create({ days: 7, note: '' })
    const { rows } = await database.pool.query('SELECT t::text AS row FROM invite t')
    expect(JSON.stringify(rows)).not.toContain(code)
  })
})

describe('while the mail server', () => {
  test('is down, the mail waits and is sent later, with a fresh link', async () => {
    smtp.mood = 'refuses for now'
    await ask('patient@example.com')
    expect(await sendMails()).toBe(1)
    expect(await sendMails()).toBe(0)
    smtp.mood = 'accepts'
    servers.open.clock.advance(15_000)
    expect(await sendMails()).toBe(1)
    expect((await confirm(tokenIn(smtp.received[0] as never))).status).toBe(201)
    expect(JSON.stringify(warnings)).not.toContain('patient')
    expect(warnings).toHaveLength(1)
  })

  test('stays down, the mail is given up within the hour', async () => {
    smtp.mood = 'refuses for now'
    await ask('forlorn@example.com')
    for (let n = 0; n < 20; n += 1) {
      await sendMails()
      servers.open.clock.advance(600_000)
    }
    expect(warnings.at(-1)?.[1]).toBe('a mail of a sign-up is given up')
    expect((await database.pool.query('SELECT FROM signup_request')).rowCount).toBe(0)
    servers.open.clock.advance(-20 * 600_000)
  })

  test('refuses the address, the mail is not tried again', async () => {
    smtp.mood = 'refuses the recipient'
    await ask('refused@example.com')
    expect(await sendMails()).toBe(1)
    expect((await database.pool.query('SELECT FROM signup_request')).rowCount).toBe(0)
  })

  test('takes a mail and dies, the link in it works', async () => {
    smtp.mood = 'accepts then dies'
    await ask('unsure@example.com')
    await sendMails()
    expect((await confirm(tokenIn(smtp.received[0] as never))).status).toBe(201)
  })
})

test('two senders send each mail once', async () => {
  for (let n = 0; n < 6; n += 1) await ask(`pair${n}@example.com`)
  const handled = await Promise.all([sendMails(), sendMails()])
  expect(handled[0] + handled[1]).toBe(6)
  expect(smtp.received).toHaveLength(6)
})

test('with SIGNUP=off both paths are missing, and the message says so', async () => {
  for (const path of ['/signup', '/signup/confirm']) {
    const missing = await post(path, { email: 'a@b.example' }, 'off')
    expectError(missing, 404, 'NOT_FOUND')
    expect(missing.json.error.message).toMatch(/^Nobody can sign up here/)
  }
})

test.each(['cross-site', 'same-site'])('a page of another site (%s) can send neither request', async (site) => {
  for (const path of ['/signup', '/signup/confirm']) {
    const refused = await post(path, { email: 'a@b.example', token: '' }, 'open', { 'sec-fetch-site': site })
    expectError(refused, 403, 'FORBIDDEN')
  }
  const own = await ask('own@example.com', undefined, 'open', { 'sec-fetch-site': 'same-origin' })
  expect(own.status).toBe(202)
})

test('a page of another origin can send neither request, also from a browser that sends Origin alone', async () => {
  const own = new URL(servers.open.url).origin
  for (const origin of ['https://evil.example', own.replace('http:', 'https:'), `${own}0`, 'null', 'nonsense']) {
    for (const path of ['/signup', '/signup/confirm'])
      expectError(await post(path, { email: 'a@b.example', token: '' }, 'open', { origin }), 403, 'FORBIDDEN')
    expectError(
      await ask('a@b.example', undefined, 'open', { origin, 'sec-fetch-site': 'same-origin' }),
      403,
      'FORBIDDEN',
    )
  }
  expect((await ask('own@example.com', undefined, 'open', { origin: own })).status).toBe(202)
})

test('the page behind a proxy that keeps its name may sign up at PUBLIC_URL', async () => {
  const options = { database, trustProxy: true, signup: 'open', publicUrl: 'https://assay.example/' } as const
  const server = await createTestServer(options)
  const send = (origin: string) =>
    server.ask('/signup', {
      method: 'POST',
      headers: { authorization: '', 'content-type': 'application/json', 'x-forwarded-for': nextNetwork(), origin },
      body: JSON.stringify({ email: 'proxied@example.com' }),
    })
  expect((await send('https://assay.example')).status).toBe(202)
  expectError(await send('https://assay.example.evil'), 403, 'FORBIDDEN')
})

test('other paths below /signup need a key, as every path does', async () => {
  expectError(await post('/signup/', {}), 401, 'UNAUTHORIZED')
  expectError(await post('/signup/other', {}), 401, 'UNAUTHORIZED')
})
