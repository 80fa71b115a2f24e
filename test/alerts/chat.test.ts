// Alerts that write into chats: what they say, when they say it, and what happens when a service refuses or rests.
import { beforeEach, describe, expect, test } from 'vitest'
import { createChatSender } from '../../src/alerts/chat-sender.ts'
import { createFileMailer } from '../../src/alerts/email.ts'
import { createNotifier } from '../../src/alerts/notifier.ts'
import { createSweep } from '../../src/alerts/sweep.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { CHAT_CHANNELS, type ChatChannel } from '../../src/fields/channels.ts'
import { CHATS, checkChatUrl, maskChatUrl, toChatUrl } from '../../src/fields/chat/chats.ts'
import { createAlertRows } from '../../src/ledger/account/alert.ts'
import { takePace } from '../../src/ledger/alerts/chat-pace.ts'
import { CLAIM_MS, claimNext, ON_THE_WAY } from '../../src/ledger/alerts/claim.ts'
import { readDeliveries } from '../../src/ledger/alerts/delivery.ts'
import { createAlertWorld, START } from '../support/alerts.ts'
import { CHAT_URLS, SERVICES, startChatServices } from '../support/chat-services.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'

const MINUTE_MS = 60_000
const OTHER_SLACK = 'https://hooks.slack.com/services/T00000002/B00000002/slackSecretSlackSecret02'
const PAGE = 'https://assay.example/token/0x0000000000000000000000000000000000000001'

const services = await startChatServices()
const { received } = services
const database = await createTestDatabase()
const world = createAlertWorld(database)
let clock: TestClock

function createWorker(publicUrl: string | null = 'https://assay.example') {
  const toLevel = () => 'high'
  return createNotifier({
    database,
    mailer: createFileMailer({ folder: '/nowhere', from: 'a@b.example' }),
    chats: createChatSender({
      reach: { allowsLoopback: true },
      origins: services.origins,
      withinMs: 2_000,
      publicUrl,
      toLevel,
    }),
    clock,
    publicUrl: 'http://localhost:4000',
    secret: new Uint8Array(32),
    toLevel,
    random: () => 0.5,
  })
}

beforeEach(async () => {
  await world.reset()
  await world.query('TRUNCATE chat_pace')
  services.reset()
  clock = createTestClock()
})

const sweep = () => createSweep({ database, clock, maxLag: 10 }).run()

/** A chat alert about tokens with that liquidity, and what its owner sees. */
async function addAlert(
  channel: ChatChannel,
  { name = 'Deep', url = CHAT_URLS[channel], least = 50, owner = 'a@b.example' } = {},
) {
  const found = await database.pool.query(
    'SELECT a.id AS "accountId", k.id AS "keyId" FROM account a JOIN api_key k ON k.account_id = a.id WHERE a.email = $1',
    [owner],
  )
  const by = found.rows[0] ?? (await world.account(owner))
  const alerts = createAlertRows(database.prisma, clock)
  const alert = await alerts.create(by, { name, conditions: { minLiquidityUsd: least }, chat: { channel, url } }, null)
  const read = async () => {
    const [page] = await readDeliveries(database, [{ alertId: alert.id, offset: 0, limit: 20 }])
    const now = await alerts.find(by.keyId, alert.id)
    return { items: page?.items ?? [], newest: page?.items[0], status: now?.status, disabledAt: now?.webhookDisabledAt }
  }
  return { alert, alerts, owner: by, read }
}

const statuses = async () => (await world.messages()).map(({ status }) => status)

const shown = (note: unknown): string => JSON.stringify(note)

async function addReasons(id: number, ...texts: string[]) {
  const explanation = JSON.stringify([
    1,
    1,
    1,
    0,
    50,
    1,
    40,
    null,
    60,
    [],
    [],
    [],
    [],
    texts.map((text, at) => [0, text, 9 - at, 'capability']),
  ])
  await world.query('DELETE FROM token_score')
  await world.query(
    `INSERT INTO token_score (token_id, block_number, updated_at, risk_score, confidence, early_mover_count, early_mover_net_activity,
       avg_reputation_top10, summary, summary_source, explanation)
     VALUES ($1, 1, now(), 60, 'high', 0, 'neutral', 50, '', 'facts', $2)`,
    [id, explanation],
  )
}

describe.each(CHAT_CHANNELS)('an alert to %s', (channel) => {
  const run = (worker = createWorker()) => worker.run(undefined, channel)

  test('says why it fired, the risk with its three main reasons, and links to the page of the token', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 60, symbol: 'OTTER', name: 'Otter', marketCapUsd: 0 } })
    await addReasons(1, 'The owner can mint', 'Sales are taxed', 'One wallet holds most', 'A fourth reason')
    const { read } = await addAlert(channel)
    await sweep()
    expect(await run()).toBe(1)
    expect(received).toHaveLength(1)
    const text = shown(received[0]?.body).replaceAll('\\\\', '').replaceAll('&#34;', '\\"')
    for (const part of [
      ...['Alert \\"Deep\\": 1 token began to match', 'OTTER (Otter)', '0x0000000000000000000000000000000000000001'],
      ...[
        'The owner can mint; Sales are taxed; One wallet holds most',
        '60 of 100, high',
        'matched when the alert was set',
      ],
      ...[PAGE, 'not known'],
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('A fourth reason')
    expect(text).not.toContain('$0')
    const { newest } = await read()
    expect(newest).toMatchObject({ status: 'sent', attempts: 1, tokenCount: 1 })
    expect(newest?.response).toMatch(new RegExp(`^${CHATS[channel].name} took the message \\(20[04]\\)\\.$`))
  })

  test('goes to the path of its URL only, whose secret is in no record of the delivery', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 60 } })
    const { read } = await addAlert(channel)
    await sweep()
    services.reply = { status: 500, body: CHAT_URLS[channel] }
    await run()
    services.reply = null
    clock.advance(2 * MINUTE_MS)
    await run()
    const path = received[0]?.path ?? expect.unreachable()
    expect(CHAT_URLS[channel]).toContain(path)
    if (channel === 'telegram') expect(received[0]?.body.chat_id).toBe('-1001234567890')
    const { rows } = await world.query('SELECT to_jsonb(m)::text AS row FROM alert_message m')
    const secret = CHAT_URLS[channel].match(/(\w+Secret[\w-]*01)/)?.[1] ?? expect.unreachable()
    expect(path).toContain(secret)
    for (const text of [JSON.stringify(await read()), ...rows.map(({ row }) => row)]) expect(text).not.toContain(secret)
  })

  test('makes no mention, link or format of hostile names, and drops what nobody sees', async () => {
    const hostile = '<!channel> @everyone <b>*x*</b> [y](http://evil.example) <@1> `z` \u202e\u0007||'
    await world.block(1, START, {
      1: { liquidityUsd: 60, symbol: hostile, name: `https://evil.example/${'A'.repeat(500)}` },
    })
    await addAlert(channel, { name: hostile })
    await sweep()
    expect(await run()).toBe(1)
    expect(received).toHaveLength(1)
    const body = received[0]?.body
    const text = shown(body)
    expect(text).not.toMatch(/evil\.example|@everyone|\u202e|\\u0007|A{60}/)
    const links = [...text.matchAll(/https?:\/\/[^\s"\\)>]+/g)].map(([link]) => new URL(link).host)
    expect(new Set(links)).toEqual(new Set(['assay.example']))
    SERVICES[channel].expectLiteral(body ?? expect.unreachable())
  })

  test('lists as many tokens as the service takes, counts the others, and links to the list', async () => {
    const symbol = '<&>*_'.repeat(8)
    const tokens = Array.from({ length: 30 }, (_, at) => [
      at + 1,
      { liquidityUsd: 60 + at, symbol, name: `Name ${symbol}` },
    ])
    await world.block(1, START, Object.fromEntries(tokens))
    await addAlert(channel)
    await sweep()
    await run()
    expect(received).toHaveLength(1)
    const text = shown(received[0]?.body)
    const listed = text.match(/Matched at/g)?.length ?? 0
    expect(listed).toBeGreaterThanOrEqual(2)
    expect(listed).toBeLessThanOrEqual(10)
    expect(text).toContain(`and ${30 - listed} more`)
    expect(text).toContain('https://assay.example/alerts')
  })

  test('has no links where no public address is known', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 60 } })
    await addAlert(channel)
    await sweep()
    await run(createWorker(null))
    expect(received).toHaveLength(1)
    expect(shown(received[0]?.body)).not.toContain('http')
  })

  test('sends one message a minute: what fires meanwhile, also of other alerts and accounts, is in a later one', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 60 } })
    await addAlert(channel)
    await sweep()
    await run()
    for (const name of ['Second', 'Third']) await addAlert(channel, { name })
    const other = await addAlert(channel, { name: 'Of others', owner: 'c@d.example' })
    await sweep()
    expect(await run()).toBe(0)
    clock.advance(MINUTE_MS - 1)
    expect(await run()).toBe(0)
    expect(received).toHaveLength(1)
    clock.advance(1)
    await run()
    expect(received).toHaveLength(2)
    clock.advance(MINUTE_MS)
    await run()
    expect(received).toHaveLength(3)
    const [own, foreign] = received
      .slice(1)
      .map(({ body }) => shown(body))
      .sort((a) => (a.includes('2 alerts') ? -1 : 1))
    for (const part of ['2 alerts: 2 tokens began to match', 'Second', 'Third']) expect(own).toContain(part)
    expect(foreign).toContain('Of others')
    expect((await other.read()).newest?.status).toBe('sent')
    expect(await statuses()).toEqual(Array(4).fill('sent'))
  })

  test('is tried again after an error, and pauses after ten refusals in a row', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 60 } })
    const { read } = await addAlert(channel)
    await sweep()
    services.reply = { status: 502, body: 'bad gateway' }
    for (let n = 0; n < 12; n++) {
      await run()
      clock.advance(61 * MINUTE_MS)
    }
    expect(await read()).toMatchObject({ status: 'active', newest: { status: 'pending', attempts: 12 } })
    expect((await read()).newest?.response).toMatch(/ answered with an error \(502\)\.$/)
    services.reply = { status: 400, body: 'unknown' }
    for (let n = 0; n < 10; n++) {
      await run()
      clock.advance(61 * MINUTE_MS)
    }
    expect(await read()).toMatchObject({ status: 'paused', newest: { status: 'pending' } })
  })
})

const GONE = CHAT_CHANNELS.flatMap((channel) =>
  Object.entries(SERVICES[channel].ends).flatMap(([end, replies]) =>
    replies.map((reply) => [channel, `${reply.status} ${end}`, reply] as const),
  ),
)

test.each(CHAT_CHANNELS)('each end of %s has an answer in test/support/chat-services.ts', (channel) => {
  expect(Object.keys(SERVICES[channel].ends).sort()).toEqual([...new Set(CHATS[channel].ends)].sort())
})

test('each channel locks its claims by a number of its own', () => {
  const locks = CHAT_CHANNELS.map((channel) => CHATS[channel].lock)
  const [OF_MAILS, OF_WEBHOOKS] = [731_001, 731_002]
  const taken = (lock: number, at: number) => [OF_MAILS, OF_WEBHOOKS, ...locks.slice(0, at)].includes(lock)
  expect(CHAT_CHANNELS.filter((_, at) => taken(locks[at] ?? 0, at))).toEqual([])
})

test.each(GONE)('%s that answers %s pauses the alert at once, and its owner sees why', async (channel, word, reply) => {
  await world.block(1, START, { 1: { liquidityUsd: 60 } })
  const { read, alerts, owner, alert } = await addAlert(channel)
  await sweep()
  services.reply = reply
  await createWorker().run(undefined, channel)
  const { status, disabledAt, newest } = await read()
  expect([status, disabledAt, newest?.status]).toEqual(['paused', clock.now(), 'refused'])
  expect(newest?.response).toMatch(new RegExp(`takes no more messages for good \\(${word}\\): the alert is paused\\.$`))
  expect(await alerts.update(owner, alert.id, { status: 'active' }, null)).toMatchObject({ webhookDisabledAt: null })
})

test.each(CHAT_CHANNELS)(
  'the pause that %s asks for is waited for, also by other alerts of the chat',
  async (channel) => {
    await world.block(1, START, { 1: { liquidityUsd: 60 } })
    const { read } = await addAlert(channel)
    await sweep()
    services.reply = SERVICES[channel].busy
    const { run } = createWorker()
    await run(undefined, channel)
    expect(await read()).toMatchObject({ status: 'active', newest: { status: 'pending', attempts: 1 } })
    services.reset()
    await addAlert(channel, { name: 'Another' })
    await sweep()
    clock.advance(599_000)
    expect([await run(undefined, channel), services.headers]).toEqual([0, []])
    clock.advance(1_000)
    expect(await run(undefined, channel)).toBe(1)
    expect(shown(received[0]?.body)).toContain('2 alerts: 2 tokens')
  },
)

test.each([['-5'], ['1e400'], ['soon'], ['999999999']])(
  'a pause of %s seconds neither hurries nor breaks the tries',
  async (pause) => {
    await world.block(1, START, { 1: { liquidityUsd: 60 } })
    const { read } = await addAlert('slack')
    await sweep()
    services.reply = { status: 429, headers: { 'retry-after': pause }, body: 'rate_limited' }
    await createWorker().run(undefined, 'slack')
    const [row] = (await world.query(`SELECT status, next_attempt_at AS at FROM alert_message`)).rows
    expect(row.status === 'dead' || row.at.getTime() >= clock.now().getTime() + 30_000).toBe(true)
    expect(Number.isNaN(row.at.getTime())).toBe(false)
    expect((await read()).newest?.response).toBe('Slack answered with an error (429).')
  },
)

const UNSPEAKABLE = '{"toString":null,"valueOf":null}'

test.each(
  CHAT_CHANNELS.flatMap((channel) =>
    [400, 429].flatMap((status) =>
      [
        `{"description":${UNSPEAKABLE},"retry_after":${UNSPEAKABLE},"parameters":{"retry_after":${UNSPEAKABLE}}}`,
        '{"description":"","code":{},"parameters":[null],"retry_after":[600]}',
        '{"__proto__":{"description":"chat not found"},"retry_after":true}',
        '['.repeat(30_000),
        'null',
      ].map((body) => [channel, status, body] as const),
    ),
  ),
)(
  '%s that answers %d with a body of another shape is tried again like any error (%#)',
  async (channel, status, body) => {
    await world.block(1, START, { 1: { liquidityUsd: 60 } })
    const { read } = await addAlert(channel)
    await sweep()
    services.reply = { status, body }
    expect(await createWorker().run(undefined, channel)).toBe(1)
    expect(await read()).toMatchObject({ status: 'active', newest: { status: 'pending', attempts: 1 } })
    const [row] = (await world.query('SELECT next_attempt_at AS at FROM alert_message')).rows
    expect(row.at).toEqual(new Date(clock.now().getTime() + 30_000))
  },
)

test('a worker that finds a chat taken keeps no other chat locked, so that workers never wait in a circle', async () => {
  const now = clock.now()
  const at = (ms: number) => new Date(now.getTime() + ms)
  await inTransaction(database.pool, (client) => takePace(client, 'over', at(-2), at(-1)))
  await inTransaction(database.pool, (client) => takePace(client, 'taken', now, at(MINUTE_MS)))
  await inTransaction(database.pool, async (client) => {
    expect(await takePace(client, 'taken', now, at(2 * MINUTE_MS))).toEqual(at(MINUTE_MS))
    expect((await world.query('SELECT FROM chat_pace FOR UPDATE NOWAIT')).rowCount).toBe(2)
  })
})

test('a message whose worker died is sent by another after its claim, and no second one goes to the chat before', async () => {
  await world.block(1, START, { 1: { liquidityUsd: 60 } })
  await addAlert('slack')
  await sweep()
  const claim = await claimNext(database, 'slack', clock.now())
  expect(claim?.messageIds).toHaveLength(1)
  await addAlert('slack', { name: 'Second' })
  await sweep()
  clock.advance(CLAIM_MS - 1)
  expect(await createWorker().run(undefined, 'slack')).toBe(0)
  clock.advance(1)
  expect(await createWorker().run(undefined, 'slack')).toBe(1)
  expect(received.map(({ body }) => shown(body).includes('2 alerts'))).toEqual([true])
  expect(await statuses()).toEqual(['sent', 'sent'])
})

test('parallel workers write once a minute to a chat of ten accounts, and forget the paces that are over', async () => {
  await world.block(1, START, { 1: { liquidityUsd: 60 } })
  for (let n = 0; n < 10; n++) await addAlert('slack', { name: `n${n}`, owner: `o${n}@b.example` })
  await sweep()
  for (let minute = 1; minute <= 10; minute++) {
    await Promise.all(Array.from({ length: 6 }, () => createWorker().run(undefined, 'slack')))
    expect(received).toHaveLength(minute)
    clock.advance(MINUTE_MS)
  }
  expect(await statuses()).toEqual(Array(10).fill('sent'))
  await addAlert('slack', { url: OTHER_SLACK })
  await sweep()
  await createWorker().run(undefined, 'slack')
  expect((await world.query('SELECT count(*)::int AS n FROM chat_pace')).rows).toEqual([{ n: 1 }])
})

test('chats of one account that never answer hold two calls, and delay no other account', async () => {
  await world.block(1, START, { 1: { liquidityUsd: 60 } })
  for (let n = 0; n < 6; n++)
    await addAlert('slack', { url: `https://hooks.slack.com/services/T0SILENT/B0${n}/${'s'.repeat(24)}` })
  await addAlert('slack', { owner: 'c@d.example' })
  await sweep()
  services.silent = /T0SILENT/
  const working = Promise.all(Array.from({ length: 4 }, () => createWorker().run(undefined, 'slack')))
  await expect.poll(() => received.length).toBe(1)
  expect(services.waiting.length).toBeLessThanOrEqual(ON_THE_WAY)
  await working
  expect(new Set(services.waiting).size).toBe(6)
  expect((await statuses()).sort()).toEqual([...Array(6).fill('pending'), 'sent'])
})

test('a hundred alerts at most share a message, and the others follow a minute later', async () => {
  await world.block(1, START, { 1: { liquidityUsd: 60 } })
  for (let n = 0; n < 130; n++) await addAlert('discord', { name: `n${n}` })
  await sweep()
  const worker = createWorker()
  await worker.run(undefined, 'discord')
  clock.advance(MINUTE_MS)
  await worker.run(undefined, 'discord')
  expect(received.map(({ body }) => String(body.content).split(':')[0])).toEqual(['100 alerts', '30 alerts'])
  expect(String(received[0]?.body.content)).toMatch(/and 9\d more/)
  expect(new Set(await statuses())).toEqual(new Set(['sent']))
})

test('an alert that got another URL meanwhile writes to that one, and the message of a deleted alert goes nowhere', async () => {
  await world.block(1, START, { 1: { liquidityUsd: 60 } })
  const moved = await addAlert('slack')
  const deleted = await addAlert('slack', { name: 'Deleted' })
  await sweep()
  const url = OTHER_SLACK
  await moved.alerts.update(moved.owner, moved.alert.id, { webhookUrl: url }, null)
  await deleted.alerts.remove(deleted.owner.keyId, deleted.alert.id)
  await createWorker().run(undefined, 'slack')
  expect(received.map(({ path }) => path)).toEqual([new URL(url).pathname])
  expect((await deleted.read()).newest).toMatchObject({
    ...{ status: 'dead', response: 'The alert was deleted before its message was sent.' },
  })
})

describe('the URL of a chat', () => {
  test.each([
    ['discord', (url: string) => url.replace('discord.com/api', 'ptb.discord.com/api/v10')],
    ['discord', (url: string) => url.replace('discord.com', 'canary.discord.com')],
    ['telegram', (url: string) => url.replace(/chat_id=.*/, 'chat_id=@Some_Channel')],
  ] as const)('of %s in another spelling is stored as one form, which shares the pace (%#)', (channel, respell) => {
    const own = channel === 'telegram' ? respell(CHAT_URLS[channel]).toLowerCase() : CHAT_URLS[channel]
    const stored = toChatUrl(channel, respell(CHAT_URLS[channel]))
    expect(stored.toLowerCase()).toBe(own.toLowerCase())
    expect(toChatUrl(channel, stored)).toBe(stored)
    expect(checkChatUrl(channel, stored)).toBeNull()
    if (channel === 'telegram') expect(stored).toContain('chat_id=@some_channel')
  })

  test('has no leading zeros, which would give one chat many URLs', () => {
    for (const [channel, from, to] of [
      ['telegram', 'chat_id=-', 'chat_id=-0'],
      ['telegram', '/bot1', '/bot01'],
      ['discord', 'webhooks/1', 'webhooks/01'],
    ] as const)
      expect(checkChatUrl(channel, CHAT_URLS[channel].replace(from, to))).toMatch(/^must be /)
  })

  test.each(CHAT_CHANNELS)(
    'of %s is recognised in its own form only, and shown by its last four characters',
    (channel) => {
      const url = CHAT_URLS[channel]
      expect(checkChatUrl(channel, url)).toBeNull()
      const masked = maskChatUrl(channel, url)
      expect(masked).toMatch(/^https:\/\/[a-z.]+\/….{2}01(\?chat_id=-1001234567890)?$/)
      const others = CHAT_CHANNELS.filter((other) => other !== channel).map((other) => CHAT_URLS[other])
      for (const wrong of [
        ...others,
        ...['', 'x', url.replace('https', 'http'), url.replace('https://', 'https://evil.example/'), `${url} `],
        ...[
          url.replace(/\.(com|org)\//, '.$1.evil.example/'),
          url.replace('https://', 'https://a:b@'),
          `${url}#x`,
          `${url}&x=1`,
        ],
        ...[url.replace(/\.(com|org)\//, '.$1:8443/'), url.replace(SERVICES[channel].begins, '$&../')],
      ])
        expect([wrong, checkChatUrl(channel, wrong)]).toEqual([wrong, expect.stringMatching(/^must be /)])
    },
  )
})
