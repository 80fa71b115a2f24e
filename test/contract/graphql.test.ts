// /graphql behind the same guard as /v1: the same keys, limits, headers and codes.
import { beforeAll, describe, expect, test } from 'vitest'
import { MAX_EVENT_WEBHOOKS } from '../../src/ledger/account/alert.ts'
import type { Asked } from '../support/rest.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed()
})

const TOKENS = 'query T($limit: Int) { tokens(first: $limit) { nodes { address } } }'
const post = (body: unknown, headers: Record<string, string> = {}): Promise<Asked> =>
  served.ask(`${served.url}/graphql`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  })

test('a GraphQL query with a key is answered, with its block in the headers', async () => {
  const { status, headers, json } = await post({ query: '{ tokens(first: 2) { total nodes { address } } }' })
  expect([status, json.data.tokens.total, json.data.tokens.nodes.length]).toEqual([200, 28, 2])
  expect(headers.get('assay-block')).toBe('10000')
  expect(headers.get('x-request-id')).toMatch(/\S/)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('a GraphQL query without a valid key gets HTTP 401 with a GraphQL error', async () => {
  for (const authorization of ['', 'Bearer assay_live_x']) {
    const { status, headers, json } = await post({ query: TOKENS }, { authorization })
    expect([status, json.errors[0].extensions.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="assay"/)
  }
  const typed = await post({ query: TOKENS }, { authorization: '', accept: 'application/graphql-response+json' })
  expect(typed.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/)
})

test('a GraphQL body that is no plain UTF-8 is refused, as in REST', async () => {
  const coded = [
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/json;\tcharset="utf-16le"' },
    { 'content-type': 'application/json; charset=utf-8; charset=latin1' },
    { 'content-encoding': 'gzip' },
  ]
  for (const headers of coded) {
    const { status, json } = await post({ query: '{ chain { name } }' }, headers as Record<string, string>)
    expect([status, json.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  }
  expect(
    (await post({ query: '{ chain { name } }' }, { 'content-type': 'application/json;charset="UTF-8"' })).status,
  ).toBe(200)
  const broken = await served.ask(`${served.url}/graphql`, {
    method: 'POST',
    body: Buffer.from('{"query":"{ chain { name } }#\xff"}', 'latin1'),
    headers: { 'content-type': 'application/json' },
  })
  expect([broken.status, broken.json.errors[0].extensions.code]).toEqual([400, 'INVALID_PARAMS'])
})

test('every GraphQL error carries the request id', async () => {
  for (const query of ['{', '{ nothing }', '{ tokens(offset: -50) { total } }', `{ ${'a '.repeat(3_000)} }`]) {
    const { headers, json } = await post({ query })
    expect(json.errors[0].extensions).toMatchObject({ requestId: headers.get('x-request-id') })
  }
})

test('REST and GraphQL share one rate limit, and /graphql answers 429 with Retry-After beyond it', async () => {
  const { authorization } = await served.knock()
  for (let n = 0; n < 5; n += 1) await served.ask('/tokens', { headers: { authorization } })
  for (let n = 0; n < 5; n += 1) {
    const { status, headers } = await post({ query: TOKENS }, { authorization })
    expect(status).toBe(200)
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"minute";r=${4 - n};t=60`))
  }
  const { status, headers, json } = await post({ query: TOKENS }, { authorization })
  expect([status, json.errors[0].extensions.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '60'])
  expect((await served.ask('/tokens', { headers: { authorization } })).status).toBe(429)
})

test('a GraphQL query costs by the items it asks for, variables included; a refused one costs nothing', async () => {
  const { authorization } = await served.knock()
  const three = '{ a: tokens { total } b: tokens { total } c: tokens { total } }'
  expect((await post({ query: three }, { authorization })).headers.get('ratelimit')).toMatch(/^"minute";r=7;/)
  const nested = 'query N($n: Int) { tokens(first: $n) { nodes { holders(first: $n) { nodes { address } } } } }'
  const dear = await post({ query: nested, variables: { n: 40 } }, { authorization })
  expect([dear.status, dear.json.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(dear.headers.get('retry-after'))).toBeGreaterThan(0)
  const cheap = await post({ query: nested, variables: { n: 2 } }, { authorization })
  expect(cheap.status).toBe(200)
  expect(cheap.headers.get('ratelimit')).toMatch(/^"minute";r=6;/)
})

test('a GraphQL query that costs more than a whole window gets 403, because waiting would not help', async () => {
  const { authorization } = await served.knock()
  const nested = '{ tokens(first: 40) { nodes { holders(first: 50) { nodes { address } } } } }'
  const { status, json } = await post({ query: nested }, { authorization })
  expect([status, json.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN'])
})

test('every GraphQL answer reports its cost and the rest of the limits, even a refused one', async () => {
  const { authorization } = await served.knock()
  const costOf = async (query: string, headers: Record<string, string> = { authorization }) => {
    const { status, json } = await post({ query }, headers)
    return [status, json.extensions.cost]
  }
  const left = (minuteRemaining: number) => ({ minuteRemaining, dayRemaining: 90 + minuteRemaining })
  const sized = (requests: number, items: number, fields: number, selections: number) => ({
    requests,
    items,
    fields,
    selections,
  })
  const unread = { requests: null, items: null, fields: null, selections: null }
  const two = '{ a: tokens(first: 200) { nodes { address } } b: tokens(first: 4) { nodes { address } } }'
  expect(await costOf(two)).toEqual([200, { charged: 2, ...sized(2, 204, 208, 6), ...left(8) }])
  expect(await costOf('{ nothing }')).toEqual([200, { charged: 1, ...sized(1, 0, 1, 1), ...left(7) }])
  expect(await costOf('{')).toEqual([200, { charged: 1, ...unread, ...left(6) }])
  const large = '{ tokens(first: 200) { nodes { holders(first: 200) { nodes { address } } } } }'
  expect(await costOf(large)).toEqual([400, { charged: 1, ...sized(201, 40_200, 40_402, 5), ...left(5) }])
  // The first query costs more than a whole window, the second more than is left: neither is charged.
  const tenHolders = (limit: number) => `{ tokens(first: ${limit}) { nodes { topHolders { address } } } }`
  expect(await costOf(tenHolders(200))).toEqual([403, { charged: 0, ...sized(11, 2_200, 2_202, 4), ...left(5) }])
  const dear = await post({ query: tenHolders(100) }, { authorization })
  expect(dear.status).toBe(429)
  expect(dear.json.errors[0].message).toMatch(
    /^This query counts as 6 requests\. Your plan allows 10 requests per minute/,
  )
  expect(dear.json.extensions.cost).toMatchObject({ charged: 0, requests: 6, items: 1_100, ...left(5) })
  expect((await served.ask('/tokens', { headers: { authorization } })).headers.get('ratelimit')).toMatch(
    /^"minute";r=4;/,
  )
})

test('a GraphQL request refused before its query is read reports no cost', async () => {
  const { authorization } = await served.knock()
  for (let n = 0; n < 10; n += 1) await post({ query: '{ __typename }' }, { authorization })
  const nothing = { requests: null, charged: 0, items: null, fields: null, selections: null }
  const { status, json } = await post({ query: '{ __typename }' }, { authorization })
  expect([status, json.extensions.cost]).toEqual([429, { ...nothing, minuteRemaining: 0, dayRemaining: 90 }])
  const stranger = await post({ query: '{ __typename }' }, { authorization: '' })
  expect([stranger.status, stranger.json.extensions.cost]).toEqual([
    401,
    { ...nothing, minuteRemaining: null, dayRemaining: null },
  ])
})

test('alerts created through GraphQL are visible over REST and count towards the plan', async () => {
  const { authorization } = await served.knock()
  const create = 'mutation { alertCreate(input: { name: "x", conditions: {} }) { alert { id } secret } }'
  const made = await post({ query: create }, { authorization })
  const { alert, secret } = made.json.data.alertCreate
  const { id } = alert
  expect(secret).toBeNull()
  expect((await served.ask(`/alerts/${id}`, { headers: { authorization } })).json.name).toBe('x')
  await post({ query: create }, { authorization })
  await post({ query: create }, { authorization })
  const fourth = await post({ query: create }, { authorization })
  expect(fourth.json.errors[0].extensions.code).toBe('FORBIDDEN')
})

test('a mutation answers an object of its own', async () => {
  const { authorization } = await served.knock({ plan: 'pro' })
  const ask = async (query: string) => (await post({ query }, { authorization })).json.data
  const { made } =
    await ask(`mutation { made: alertCreate(input: { name: "x", conditions: {}, notificationChannel: webhook,
    url: "https://example.com/x" }) { alert { id secret } secret } }`)
  expect(made.secret).toMatch(/^whsec_/)
  expect(made.alert.secret).toBe(made.secret)
  const { id } = made.alert
  const named = `id: "${id}"`
  const { changed } = await ask(
    `mutation { changed: alertUpdate(${named}, input: { name: "y" }) { alert { id name secret } } }`,
  )
  expect(changed).toEqual({ alert: { id, name: 'y', secret: null } })
  const { turned } = await ask(`mutation { turned: alertSecretRotate(${named}) { alert { name } secret } }`)
  expect(turned).toEqual({ alert: { name: 'y' }, secret: expect.stringMatching(/^whsec_/) })
  expect(turned.secret).not.toBe(made.secret)
  expect(await ask(`mutation { gone: alertDelete(${named}) { deletedId } }`)).toEqual({ gone: { deletedId: id } })
  expect(await ask(`{ alert(${named}) { id } }`)).toEqual({ alert: null })
})

test('a swap has its price; other events and worthless swaps have none', async () => {
  const { data } = (
    await post({
      query: `{ events(first: 40) { nodes { type amountUsd quantity priceUsd } } }`,
    })
  ).json
  const { nodes: items } = data.events
  for (const { type, amountUsd, quantity, priceUsd } of items) {
    const isPriced = type === 'swap' && quantity > 0 && amountUsd >= 0.01
    // All three are rounded when they are printed.
    if (isPriced) expect((priceUsd * quantity) / amountUsd).toBeCloseTo(1, 4)
    else expect(priceUsd).toBe(null)
  }
  expect(items.filter(({ priceUsd }: { priceUsd: number | null }) => priceUsd !== null).length).toBeGreaterThan(3)
})

test('a browser gets GraphiQL without a key, and the page loads nothing from other hosts', async () => {
  const page = await served.ask(`${served.url}/graphql`, {
    headers: { authorization: '', accept: 'text/html,*/*;q=0.8' },
  })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).not.toMatch(/(?:src|href)="https?:/)
  const script = await served.ask(`${served.url}/graphql`, { headers: { authorization: '', accept: '*/*' } })
  expect(script.status).toBe(401)
})

test('large GraphQL answers are compressed', async () => {
  const response = await fetch(`${served.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: (await served.knock()).authorization,
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
    },
    body: JSON.stringify({ query: '{ tokens { nodes { address name aiSummary launchpad } } }' }),
  })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(response.headers.get('vary')).toMatch(/Accept-Encoding/)
  expect((await response.json()).data.tokens.nodes).toHaveLength(28)
})

test('/graphql answers a preflight without a key, and refuses a URL above 8 KiB', async () => {
  expect(
    (await served.ask(`${served.url}/graphql`, { method: 'OPTIONS', headers: { authorization: '' } })).status,
  ).toBe(204)
  const long = await served.ask(`${served.url}/graphql?query=${'x'.repeat(8192)}`)
  expect([long.status, long.json.errors[0].extensions.code]).toEqual([414, 'URI_TOO_LONG'])
})

test('a mutation with an Idempotency-Key takes effect once, and its repetition gets the first answer', async () => {
  const { authorization } = await served.knock({ plan: 'pro' })
  const query =
    'mutation M($name: String!) { alertCreate(input: { name: $name, conditions: {} }) { alert { id name } } }'
  const mutate = (name: string, key = 'once') =>
    post({ query, variables: { name } }, { authorization, 'idempotency-key': key })
  const [first, second] = [await mutate('A'), await mutate('A')]
  expect(second.json.data).toEqual(first.json.data)
  expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  const other = await mutate('B')
  expect([other.status, other.json.errors[0].extensions.code]).toEqual([409, 'CONFLICT'])
  expect((await mutate('', 'failed')).json.errors[0].extensions.code).toBe('INVALID_PARAMS')
  // A refused one did nothing, so its key is free again.
  expect((await mutate('C', 'failed')).json.data.alertCreate.alert.name).toBe('C')
  expect((await mutate('', 'x y')).json.errors[0].extensions.code).toBe('INVALID_PARAMS')
  const parallel = await Promise.all(Array.from({ length: 5 }, () => mutate('D', 'parallel')))
  const made = parallel.filter(({ json }) => json.data).map(({ json }) => json.data.alertCreate.alert.id)
  expect(new Set(made).size).toBe(1)
  const { json } = await served.ask('/alerts', { headers: { authorization } })
  expect(json.data.map(({ name }: { name: string }) => name).sort()).toEqual(['A', 'C', 'D'])
})

test('statements that Prisma sends for a query are gone from the database when its client is, before their time limit', async () => {
  const { pool } = served.database
  const { authorization } = await served.knock({ plan: 'api' })
  const countWaiting = async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND (query LIKE 'SELECT %"${served.database.schema ?? 'public'}".%' OR query LIKE '%active_alerts%')
         AND pid <> pg_backend_pid()`,
    )
    return rowCount
  }
  const locker = await pool.connect()
  try {
    await locker.query('BEGIN')
    await locker.query('LOCK TABLE alert IN ACCESS EXCLUSIVE MODE')
    const leaving = new AbortController()
    const answers = ['{ me { activeAlertCount } }', '{ alerts { total } }'].map((query) =>
      fetch(`${served.url}/graphql`, {
        method: 'POST',
        body: JSON.stringify({ query }),
        headers: { 'content-type': 'application/json', authorization },
        signal: leaving.signal,
      }).catch(() => 'left'),
    )
    await expect.poll(countWaiting).toBe(2)
    leaving.abort()
    expect(await Promise.all(answers)).toEqual(['left', 'left'])
    // PostgreSQL itself would end them later than a test waits, and the lock is still held.
    await expect.poll(countWaiting).toBe(0)
  } finally {
    await locker.query('ROLLBACK')
    locker.release()
  }
  const { status, json } = await post({ query: '{ me { activeAlertCount } alerts { total } }' }, { authorization })
  expect([status, json.data.alerts.total]).toEqual([200, 0])
})

describe('webhooks of events', () => {
  const FIELDS =
    'id name status url secret createdAt updatedAt filter { types tokens wallets walletClassifications minAmountUsd }'
  const CREATE = `mutation ($input: CreateEventWebhookInput!) { made: eventWebhookCreate(input: $input) { eventWebhook { ${FIELDS} } } }`
  const UPDATE = `mutation ($id: ID!, $input: UpdateEventWebhookInput!) { made: eventWebhookUpdate(id: $id, input: $input) { eventWebhook { ${FIELDS} } } }`
  const ROTATE = 'mutation ($id: ID!) { made: eventWebhookSecretRotate(id: $id) { eventWebhook { id url secret } } }'
  const DELETE = 'mutation ($id: ID!) { gone: eventWebhookDelete(id: $id) { deletedId } }'
  const FIND = `query ($id: ID!) { eventWebhook(id: $id) { ${FIELDS} } }`
  const LIST = `query ($status: AlertStatus, $limit: Int) { eventWebhooks(status: $status, first: $limit) { total nodes { id secret } } }`
  const INPUT = { name: 'Whales', filter: { types: ['swap'], minAmountUsd: 1000 }, url: 'https://example.com/hook' }

  /** A caller with its own key: `ask` returns the data, `refused` the code and the faults. */
  const owner = async (terms: Parameters<Served['knock']>[0] = { plan: 'pro' }) => {
    const { authorization, id: keyId } = await served.knock(terms)
    const send = (query: string, variables = {}) => post({ query, variables }, { authorization })
    return {
      keyId,
      ask: async (query: string, variables = {}) => {
        const { data } = (await send(query, variables)).json
        return data?.made ? { ...data, made: data.made.eventWebhook } : data
      },
      refused: async (query: string, variables = {}) => {
        const { extensions, message } = (await send(query, variables)).json.errors[0]
        return [extensions.code, extensions.details?.map(({ field }: { field: string }) => field) ?? message]
      },
    }
  }

  test('a webhook of events shows its secret once, and is found and listed by its key, newest first', async () => {
    const { ask } = await owner()
    const { made } = await ask(CREATE, { input: { ...INPUT, name: ' Whales ' } })
    const nothing = { tokens: null, wallets: null, walletClassifications: null }
    expect(made).toMatchObject({ ...INPUT, status: 'active', filter: { ...INPUT.filter, ...nothing } })
    expect(made.secret).toMatch(/^whsec_[\w+/]{40,}=*$/)
    expect((await ask(FIND, { id: made.id })).eventWebhook).toEqual({ ...made, secret: null })
    // The clock of this server stands still.
    await served.database.pool.query(`UPDATE alert SET created_at = created_at - interval '1 second' WHERE id = $1`, [
      made.id,
    ])
    const { made: second } = await ask(CREATE, { input: { ...INPUT, filter: {} } })
    const items = [second, made].map(({ id }) => ({ id, secret: null }))
    expect((await ask(LIST)).eventWebhooks).toEqual({ total: 2, nodes: items })
    expect((await ask(LIST, { limit: 1 })).eventWebhooks).toEqual({ total: 2, nodes: items.slice(0, 1) })
    // They are no alerts, which have another list.
    expect((await ask('{ alerts { total } }')).alerts.total).toBe(0)
  })

  test('an update changes only the fields that it names; a paused webhook is listed as such, a deleted one no more', async () => {
    const { ask, refused } = await owner()
    const { made } = await ask(CREATE, { input: INPUT })
    const { id } = made
    const paused = (await ask(UPDATE, { id, input: { status: 'paused' } })).made
    expect(paused).toEqual({ ...made, secret: null, status: 'paused', updatedAt: expect.any(String) })
    expect((await ask(LIST, { status: 'active' })).eventWebhooks.total).toBe(0)
    expect((await ask(LIST, { status: 'paused' })).eventWebhooks.total).toBe(1)
    const change = { name: 'Pulls', url: 'https://example.com/other', filter: { types: ['liquidity_remove'] } }
    const changed = (await ask(UPDATE, { id, input: change })).made
    expect(changed).toMatchObject({ ...change, status: 'paused', filter: { ...change.filter, minAmountUsd: null } })
    expect((await ask(DELETE, { id })).gone).toEqual({ deletedId: id })
    expect(await refused(DELETE, { id })).toEqual(['NOT_FOUND', 'There is no such webhook.'])
    expect((await ask(LIST)).eventWebhooks.total).toBe(0)
  })

  test('a rotated secret of a webhook of events is shown once, and the old one signs beside it for 24 hours', async () => {
    const { ask } = await owner()
    const { made } = await ask(CREATE, { input: INPUT })
    const { id, secret } = made
    const rotated = (await ask(ROTATE, { id })).made
    expect(rotated).toEqual({ id, url: INPUT.url, secret: expect.stringMatching(/^whsec_/) })
    expect(rotated.secret).not.toBe(secret)
    expect((await ask(FIND, { id })).eventWebhook.secret).toBeNull()
    const { rows } = await served.database.pool.query(
      'SELECT webhook_secret AS secret, webhook_old_secret AS old, webhook_old_until AS until FROM alert WHERE id = $1',
      [id],
    )
    expect(rows).toEqual([{ secret: rotated.secret, old: secret, until: expect.any(Date) }])
    expect(rows[0].until.getTime() - Date.parse(made.createdAt)).toBe(24 * 3_600_000)
  })

  test('a webhook of events is made, changed and deleted by mutations that answer an object of their own', async () => {
    const { ask } = await owner()
    const { created } = await ask(
      `mutation ($input: CreateEventWebhookInput!) { created: eventWebhookCreate(input: $input) { eventWebhook { id name } secret } }`,
      { input: INPUT },
    )
    expect(created).toEqual({
      eventWebhook: { id: expect.any(String), name: 'Whales' },
      secret: expect.stringMatching(/^whsec_/),
    })
    const named = `id: "${created.eventWebhook.id}"`
    const change = `mutation { changed: eventWebhookUpdate(${named}, input: { status: paused }) { eventWebhook { status } } }`
    expect(await ask(change)).toEqual({ changed: { eventWebhook: { status: 'paused' } } })
    const turn = `mutation { turned: eventWebhookSecretRotate(${named}) { secret } }`
    expect((await ask(turn)).turned.secret).not.toBe(created.secret)
    const end = `mutation { gone: eventWebhookDelete(${named}) { deletedId } }`
    expect(await ask(end)).toEqual({ gone: { deletedId: created.eventWebhook.id } })
    expect((await ask(LIST)).eventWebhooks.total).toBe(0)
  })

  test('every wrong field of a webhook of events is named at once, and nothing is stored', async () => {
    const { ask, refused } = await owner()
    const wrong = {
      name: ' ',
      url: 'http://10.0.0.1/',
      filter: { types: [], wallets: Array(101).fill(`0x${'1'.repeat(40)}`), minAmountUsd: -1 },
    }
    const fields = [
      'input.name',
      'input.url',
      'input.filter.types',
      'input.filter.wallets',
      'input.filter.minAmountUsd',
    ]
    expect(await refused(CREATE, { input: wrong })).toEqual(['INVALID_PARAMS', fields])
    expect((await ask(LIST)).eventWebhooks.total).toBe(0)
    const { made } = await ask(CREATE, { input: INPUT })
    expect(await refused(UPDATE, { id: made.id, input: wrong })).toEqual(['INVALID_PARAMS', fields])
    expect((await ask(FIND, { id: made.id })).eventWebhook).toEqual({ ...made, secret: null })
  })

  test("another key's webhook of events is answered as if it did not exist, even to a key of the same account", async () => {
    const email = 'two-keys@webhooks.example'
    const [mine, sibling] = [await owner({ plan: 'pro', email }), await owner({ plan: 'pro', email })]
    const { made } = await mine.ask(CREATE, { input: INPUT })
    const alert = (await mine.ask('mutation { alertCreate(input: { name: "x", conditions: {} }) { alert { id } } }'))
      .alertCreate.alert
    for (const [by, id] of [
      [sibling, made.id],
      [await owner(), made.id],
      [mine, alert.id],
      [mine, 'x'],
    ] as const) {
      expect((await by.ask(FIND, { id })).eventWebhook).toBeNull()
      const none = ['NOT_FOUND', 'There is no such webhook.']
      expect(await by.refused(UPDATE, { id, input: { name: 'mine' } })).toEqual(none)
      expect(await by.refused(ROTATE, { id })).toEqual(none)
      expect(await by.refused(DELETE, { id })).toEqual(none)
    }
    expect((await mine.ask(FIND, { id: made.id })).eventWebhook).toEqual({ ...made, secret: null })
  })

  test('a plan without webhooks has none of events, and an account keeps 100 over all keys, paused ones included', async () => {
    const free = await owner({ plan: 'free' })
    expect(await free.refused(CREATE, { input: INPUT })).toEqual(['FORBIDDEN', expect.stringMatching(/as a stream/)])
    const email = 'many@webhooks.example'
    const [one, two] = [await owner({ plan: 'pro', email }), await owner({ plan: 'pro', email })]
    const { made } = await one.ask(CREATE, { input: INPUT })
    await one.ask(UPDATE, { id: made.id, input: { status: 'paused' } })
    const { rowCount } = await served.database.pool.query(
      `INSERT INTO alert (id, key_id, account_id, name, status, conditions, notification_channel, created_at, updated_at,
         webhook_url, webhook_secret, subject)
       SELECT gen_random_uuid(), key_id, account_id, name, status, conditions, notification_channel, created_at, updated_at,
         webhook_url, webhook_secret, subject FROM alert, generate_series(3, $2) WHERE id = $1`,
      [made.id, MAX_EVENT_WEBHOOKS],
    )
    expect(rowCount).toBe(MAX_EVENT_WEBHOOKS - 2)
    const answers = await Promise.all([one, two, one, two].map((by) => by.ask(CREATE, { input: INPUT })))
    expect(answers.filter((data) => data?.made).length).toBe(1)
    expect(await two.refused(CREATE, { input: INPUT })).toEqual([
      'FORBIDDEN',
      'An account keeps 100 webhooks of events at most, including paused ones: delete one.',
    ])
    expect((await one.ask(LIST)).eventWebhooks.total + (await two.ask(LIST)).eventWebhooks.total).toBe(100)
  })
})
