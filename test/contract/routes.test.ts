// Every route of the specification over a small test index: the fields, their types, and the limits of each parameter.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  CLASSIFICATIONS,
  CONFIDENCES,
  EVENT_TYPES,
  NET_ACTIVITIES,
  RISK_FLAGS,
  RISK_LEVELS,
} from '../../src/base/vocabulary.ts'
import { toSnake } from '../../src/fields/field.ts'
import { isNullable, REST_NUMBERS } from '../../src/fields/token.ts'
import { expectError } from '../support/rest.ts'
import { HEAD_NUMBER, HEAD_TIME, type SeededEvent, tokenAddress, walletAddress } from '../support/seed.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed()
})

const ADDRESS = expect.stringMatching(/^0x[0-9a-f]{40}$/)
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const NUMBER = expect.toSatisfy((value: unknown) => typeof value === 'number' && Number.isFinite(value))
const INTEGER = expect.toSatisfy(Number.isInteger)
const SCORE = expect.toSatisfy((value: number) => value >= 0 && value <= 100)
const TEXT = expect.any(String)
const oneOf = (words: readonly string[]) => expect.toBeOneOf([...words])
const flags = expect.toSatisfy((value: string[]) =>
  value.every((flag) => (RISK_FLAGS as readonly string[]).includes(flag)),
)

const TOKEN = {
  address: ADDRESS,
  name: TEXT,
  symbol: TEXT,
  market_cap_usd: NUMBER,
  volume_24h_usd: NUMBER,
  liquidity_usd: NUMBER,
  holder_count: INTEGER,
  age_hours: NUMBER,
  risk_score: SCORE,
  risk_flags: flags,
  ai_summary: expect.stringMatching(/^.{1,400}$/s),
  launchpad: TEXT,
}
const MAYBE = expect.toSatisfy((value: unknown) => value === null || Number.isFinite(value))
const orNull = (wanted: object) => expect.toBeOneOf([wanted, null])
/** Beside the specification's fields. */
const MORE_OF_TOKEN = {
  price_usd: MAYBE,
  price_change_24h_pct: MAYBE,
  fdv_usd: MAYBE,
  confidence: oneOf(CONFIDENCES),
  ...Object.fromEntries(REST_NUMBERS.map((name) => [toSnake(name), isNullable(name) ? MAYBE : expect.any(Number)])),
  reasons: expect.toSatisfy((reasons: object[]) =>
    reasons.every((reason) => Object.keys(reason).join() === 'kind,text,points'),
  ),
  sell_check: {
    status: oneOf(['checked', 'not_checked']),
    sellable: expect.toBeOneOf([true, false, null]),
    sell_tax_pct: MAYBE,
    checked_at: expect.toBeOneOf([TIME, null]),
    reason: expect.toBeOneOf([TEXT, null]),
  },
  verdict: orNull({
    level: oneOf(RISK_LEVELS),
    headline: expect.stringMatching(/^.{1,90}$/),
    findings: expect.toSatisfy((findings: object[]) =>
      findings.every((one) => Object.keys(one).join() === 'kind,topic,severity,text,points,since,block'),
    ),
    unknown: expect.toSatisfy((unknown: object[]) => unknown.every((one) => Object.keys(one).join() === 'topic,text')),
    confidence: oneOf(CONFIDENCES),
    checked_at: expect.toBeOneOf([TIME, null]),
    alike: orNull({
      text: TEXT,
      token_count: INTEGER,
      pulled_count: INTEGER,
      pulled_share: NUMBER,
      least_share: NUMBER,
      most_share: NUMBER,
      proven: expect.toBeOneOf([true, false]),
      age_hours: NUMBER,
    }),
  }),
}
const UNKNOWN = { unknown: expect.toSatisfy((names: string[]) => names.every((name) => name !== '')) }
const HOLDER = {
  address: ADDRESS,
  holding_pct: SCORE,
  classification: oneOf(CLASSIFICATIONS),
  reputation_score: SCORE,
  net_activity: oneOf(NET_ACTIVITIES),
}
const EVENT = {
  id: expect.stringMatching(/^\d+-\d+-\d+$/),
  type: oneOf(EVENT_TYPES),
  token_address: ADDRESS,
  token_symbol: TEXT,
  amount_usd: NUMBER,
  direction: expect.toBeOneOf(['buy', 'sell', null]),
  timestamp: TIME,
  tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
}
const MORE_OF_EVENT = {
  quantity: MAYBE,
  price_usd: MAYBE,
  pool: expect.toBeOneOf([ADDRESS, null]),
  counterparty: expect.toBeOneOf([ADDRESS, null]),
}
const CONTRIBUTIONS = expect.toSatisfy(
  (given: object[] | null) =>
    given === null || given.every((one) => Object.keys(one).join() === 'name,value,weight,contribution'),
)
const RESULT = expect.toSatisfy(
  (given: object | null) =>
    given === null || Object.keys(given).join() === 'realised_usd,closed_position_count,won_position_count,win_rate',
)
const WALLET = {
  address: ADDRESS,
  classification: oneOf(CLASSIFICATIONS),
  reputation_score: SCORE,
  reputation_confidence: oneOf(CONFIDENCES),
  portfolio: expect.any(Array),
  pnl_estimate_usd: NUMBER,
  pnl_confidence: oneOf(CONFIDENCES),
  sector_preference: TEXT,
  trade_count: INTEGER,
  first_seen: TIME,
  results: { d7: RESULT, d30: RESULT },
}
const WALLET_SCORE = {
  address: ADDRESS,
  reputation_score: SCORE,
  confidence: oneOf(CONFIDENCES),
  classification: oneOf(CLASSIFICATIONS),
  dimensions: {
    win_rate: expect.toSatisfy((value: number) => value >= 0 && value <= 1),
    entry_timing_score: SCORE,
    consistency_score: SCORE,
    risk_drawdown_score: SCORE,
  },
  trade_count: INTEGER,
  updated_at: TIME,
  contributions: CONTRIBUTIONS,
  ...UNKNOWN,
}
const TOKEN_SCORE = {
  address: ADDRESS,
  risk_score: SCORE,
  risk_level: oneOf(RISK_LEVELS),
  flags,
  dimensions: {
    holder_concentration_score: SCORE,
    liquidity_stability_score: SCORE,
    wash_trade_score: SCORE,
    smart_money_flow_score: SCORE,
  },
  top_holder_summary: {
    early_mover_count: INTEGER,
    early_mover_net_activity: oneOf(NET_ACTIVITIES),
    avg_reputation_top10: SCORE,
  },
  updated_at: TIME,
  confidence: oneOf(CONFIDENCES),
  base: MAYBE,
  reasons: expect.toSatisfy((reasons: unknown) => reasons === null || Array.isArray(reasons)),
  contributions: CONTRIBUTIONS,
  ...UNKNOWN,
}

/** Asks for a path and expects a success as of the seeded block. */
const get = async (path: string) => {
  const { status, headers, json } = await served.ask(path)
  expect([path, status]).toEqual([path, 200])
  expect(headers.get('assay-block')).toBe(String(HEAD_NUMBER))
  expect(headers.get('assay-block-time')).toBe(new Date(HEAD_TIME * 1000).toISOString())
  return json
}
const idOf = ({ block, logIndex, part }: SeededEvent) => `${block}-${logIndex}-${part}`
const addressesOf = (page: { data: { address: string }[] }) => page.data.map(({ address }) => address)

describe('GET /tokens', () => {
  test('lists every indexed token with the fields of the specification first, in its order', async () => {
    const page = await get('/tokens')
    expect(Object.keys(page)).toEqual(['data', 'total', 'page', 'limit'])
    expect(page).toMatchObject({ total: 28, page: 1, limit: 50 })
    expect(page.data).toHaveLength(28)
    for (const token of page.data) {
      const wanted = { ...TOKEN, ...MORE_OF_TOKEN, ...UNKNOWN }
      expect(token).toEqual(wanted)
      expect(Object.keys(token)).toEqual(Object.keys(wanted))
      expect(token.unknown.includes('market_cap_usd')).toBe(token.price_usd === null)
    }
  })

  test.each([
    ['newest', (token: Record<string, number>) => -token.age_hours!],
    ['liquidity', (token: Record<string, number>) => token.liquidity_usd!],
    ['volume', (token: Record<string, number>) => token.volume_24h_usd!],
    ['risk_asc', (token: Record<string, number>) => -token.risk_score! * 1e9 + token.liquidity_usd!],
  ])('sorts by %s, and its pages have no gaps', async (sort, rank) => {
    const page = await get(`/tokens?sort=${sort}&limit=200`)
    const ranks = page.data.map(rank)
    expect(ranks).toEqual([...ranks].sort((a: number, b: number) => b - a))
    const cut = await Promise.all([1, 2, 3, 4].map((number) => get(`/tokens?sort=${sort}&limit=9&page=${number}`)))
    expect(cut.flatMap(addressesOf)).toEqual(addressesOf(page))
    expect(cut.map(({ total, limit }) => [total, limit])).toEqual(Array(4).fill([28, 9]))
  })

  test('sorts by trending by default', async () => {
    expect(addressesOf(await get('/tokens'))).toEqual(addressesOf(await get('/tokens?sort=trending')))
  })

  test('filters by every condition, with inclusive bounds', async () => {
    const { data } = await get('/tokens?limit=200')
    const middle = data[14]
    const cases: [string, (token: typeof middle) => boolean][] = [
      [`min_liquidity_usd=${middle.liquidity_usd}`, (token) => token.liquidity_usd >= middle.liquidity_usd],
      [`max_market_cap_usd=${middle.market_cap_usd}`, (token) => token.market_cap_usd <= middle.market_cap_usd],
      [`min_market_cap_usd=${middle.market_cap_usd}`, (token) => token.market_cap_usd >= middle.market_cap_usd],
      [`max_risk_score=${middle.risk_score}`, (token) => token.risk_score <= middle.risk_score],
      [`max_age_hours=${middle.age_hours}`, (token) => token.age_hours <= middle.age_hours],
      [
        'exclude_flags=wash_trading,sybil_cluster',
        (token) => !token.risk_flags.includes('wash_trading') && !token.risk_flags.includes('sybil_cluster'),
      ],
      [
        'min_liquidity_usd=100000&max_risk_score=50',
        (token) => token.liquidity_usd >= 100_000 && token.risk_score <= 50,
      ],
      ['max_market_cap_usd=0', (token) => token.market_cap_usd <= 0],
    ]
    for (const [query, wanted] of cases) {
      const page = await get(`/tokens?limit=200&${query}`)
      const expected = addressesOf({ data: data.filter(wanted) })
      expect([query, addressesOf(page)]).toEqual([query, expected])
      expect(page.total).toBe(expected.length)
    }
    const growing = await get('/tokens?min_holder_growth_1h_pct=50')
    const shrinking = await get('/tokens?min_holder_growth_1h_pct=-99999')
    expect(growing.total).toBeLessThan(28)
    expect(shrinking.total).toBe(28)
  })
})

describe.each(['/tokens', '/events', `/wallets/${walletAddress(5)}/events`, '/alerts'])('the pages of %s', (path) => {
  const ask = async (query: string) => (await served.ask(`${path}?${query}`)).json

  test('clamp a limit above 200 to 200 and report 200', async () => {
    for (const limit of ['201', '1000', '9999999999']) expect((await ask(`limit=${limit}`)).limit).toBe(200)
    expect((await ask('limit=200')).limit).toBe(200)
    expect((await ask('limit=1')).limit).toBe(1)
  })

  test('are empty past the end, with the true total and the page as requested', async () => {
    const { total } = await ask('limit=1')
    for (const page of [total + 1, 1_000_000, 2_147_483_647, 2_147_483_648, 9_999_999_999]) {
      expect(await ask(`page=${page}&limit=1`)).toEqual({ data: [], total, page, limit: 1 })
    }
  })

  test('refuse a page or limit that is not a positive whole number', async () => {
    for (const text of ['0', '-1', '1e2', '0x10', '+5', ' 5', '', '1.5', '10000000000']) {
      const refused = await served.ask(`${path}?limit=${encodeURIComponent(text)}&page=${encodeURIComponent(text)}`)
      expectError(refused, 400, 'INVALID_PARAMS')
      expect(refused.json.error.details.map(({ field }: { field: string }) => field)).toEqual(['limit', 'page'])
    }
  })
})

describe('GET /tokens/{address}', () => {
  test('answers the token as in the list, with its ten largest holders and its creation time', async () => {
    const { data } = await get('/tokens?limit=200')
    for (const token of data.slice(0, 5)) {
      const profile = await get(`/tokens/${token.address}`)
      const { top_holders, created_at, ...rest } = profile
      expect(rest).toEqual(token)
      expect(Object.keys(profile)).toEqual([
        ...[...Object.keys(TOKEN), 'top_holders', 'created_at'],
        ...Object.keys({ ...MORE_OF_TOKEN, ...UNKNOWN }),
      ])
      expect(created_at).toEqual(TIME)
      expect(Date.parse(created_at)).toBe(HEAD_TIME * 1000 - token.age_hours * 3_600_000)
      expect(top_holders.length).toBe(Math.min(10, token.holder_count))
      for (const holder of top_holders) {
        expect(holder).toEqual(HOLDER)
        expect(Object.keys(holder)).toEqual(Object.keys(HOLDER))
      }
      const shares = top_holders.map(({ holding_pct }: { holding_pct: number }) => holding_pct)
      expect(shares).toEqual([...shares].sort((a: number, b: number) => b - a))
    }
  })
})

describe('GET /wallets/{address}', () => {
  test('answers a profile with a portfolio sorted by value', async () => {
    const wallet = await get(`/wallets/${walletAddress(5)}`)
    expect(wallet).toEqual(WALLET)
    expect(Object.keys(wallet)).toEqual(Object.keys(WALLET))
    for (const holding of wallet.portfolio) {
      expect(holding).toEqual({ token_address: ADDRESS, token_symbol: TEXT, quantity: NUMBER, value_usd: NUMBER })
    }
    const values = wallet.portfolio.map(({ value_usd }: { value_usd: number }) => value_usd)
    expect(values).toEqual([...values].sort((a: number, b: number) => b - a))
    expect(wallet.trade_count).toBe(served.seeded.wallets[4]?.swap_count)
  })
})

describe('events:', () => {
  const isOf = (id: number) => (event: SeededEvent) => event.walletId === id || event.counterpartyId === id
  const mine = (id: number) => served.seeded.events.filter(isOf(id)).reverse()

  test('GET /events lists all events, newest first', async () => {
    const page = await get('/events?limit=200')
    expect(page).toMatchObject({ total: 600, page: 1, limit: 200 })
    const more = Object.keys(MORE_OF_EVENT)
    const wanted = ['id', 'type', 'wallet_address', ...Object.keys(EVENT).slice(2), ...more]
    for (const event of page.data) {
      expect(event).toEqual({ ...EVENT, wallet_address: ADDRESS, ...MORE_OF_EVENT })
      expect([event.counterparty === null, event.pool === null]).toEqual([
        event.type !== 'transfer',
        event.type === 'transfer',
      ])
      expect(Object.keys(event)).toEqual(wanted)
      expect(event.direction === null).toBe(event.type !== 'swap')
    }
    const times = page.data.map(({ timestamp }: { timestamp: string }) => timestamp)
    expect(times).toEqual([...times].sort().reverse())
  })

  test('GET /wallets/{address}/events lists the events of one wallet, without its address', async () => {
    const page = await get(`/wallets/${walletAddress(5)}/events?limit=200`)
    expect(page.total).toBe(mine(5).length)
    const wanted = { ...EVENT, ...MORE_OF_EVENT, transfer_direction: expect.toBeOneOf(['in', 'out', null]) }
    for (const event of page.data) {
      expect(event).toEqual(wanted)
      expect(Object.keys(event)).toEqual(Object.keys(wanted))
    }
    const transfers = mine(5).filter(({ type }) => type === 'transfer')
    expect(transfers.length).toBeGreaterThan(3)
    expect(
      page.data.flatMap((event: Record<string, string | null>) =>
        event.type === 'transfer' ? [[event.transfer_direction, event.counterparty]] : [],
      ),
    ).toEqual(
      transfers.map(({ walletId, counterpartyId }) =>
        walletId === 5 ? ['out', walletAddress(counterpartyId ?? 0)] : ['in', walletAddress(walletId)],
      ),
    )
    expect(page.data.map(({ type }: { type: string }) => type)).toEqual(mine(5).map(({ type }) => type))
  })

  test.each(EVENT_TYPES)('the type %s filters both lists', async (type) => {
    const all = served.seeded.events.filter((event) => event.type === type)
    const page = await get(`/events?type=${type}&limit=200`)
    expect(page.total).toBe(all.length)
    expect(page.data.every((event: { type: string }) => event.type === type)).toBe(true)
    const own = await get(`/wallets/${walletAddress(5)}/events?type=${type}`)
    expect(own.total).toBe(mine(5).filter((event) => event.type === type).length)
  })

  test('GET /events filters by token, by wallet, by both, and by an exclusive start time', async () => {
    const { events } = served.seeded
    const event = events[400]!
    const since = new Date(event.time * 1000).toISOString()
    const address = `token_address=${tokenAddress(event.tokenId).toUpperCase().replace('0X', '0x')}`
    const wallet = `wallet_address=${walletAddress(event.walletId)}`
    const cases: [string, (other: typeof event) => boolean][] = [
      [address, ({ tokenId }) => tokenId === event.tokenId],
      [wallet, isOf(event.walletId)],
      [`${address}&${wallet}`, (other) => other.tokenId === event.tokenId && isOf(event.walletId)(other)],
      [`since=${since}`, ({ time }) => time > event.time],
      [`since=${since}&type=swap`, ({ time, type }) => time > event.time && type === 'swap'],
      [`since=${since}&${address}`, ({ time, tokenId }) => time > event.time && tokenId === event.tokenId],
      [`after=${idOf(event)}`, ({ n }) => n > event.n],
      [`after=${idOf(event)}&${wallet}`, (other) => other.n > event.n && isOf(event.walletId)(other)],
      [`until=${since}`, ({ time }) => time <= event.time],
      [
        `since=${new Date((event.time - 7_200) * 1000).toISOString()}&until=${since}&${wallet}`,
        (other) => other.time > event.time - 7_200 && other.time <= event.time && isOf(event.walletId)(other),
      ],
      [
        `before=${idOf(event)}&${address}&${wallet}`,
        (other) => other.n < event.n && other.tokenId === event.tokenId && isOf(event.walletId)(other),
      ],
      ['since=2030-01-01', () => false],
      ['since=1970-01-01', () => true],
    ]
    for (const [query, wanted] of cases) {
      const page = await get(`/events?limit=200&${query}`)
      expect([query, page.total]).toEqual([query, events.filter(wanted).length])
      expect(page.data).toHaveLength(Math.min(page.total, 200))
    }
  })
})

describe('an event:', () => {
  test('has an id that no other has, the same in every list', async () => {
    const ids: string[] = []
    for (const page of [1, 2, 3]) {
      const { data } = await get(`/events?limit=200&page=${page}`)
      ids.push(...data.map(({ id }: { id: string }) => id))
    }
    expect(ids).toEqual(served.seeded.events.map(idOf).reverse())
    expect(new Set(ids).size).toBe(600)
    const own = await get(`/wallets/${walletAddress(5)}/events?limit=200`)
    for (const { id } of own.data) expect(ids).toContain(id)
  })

  test.each(['/events', `/wallets/${walletAddress(5)}/events`])(
    'is met once by whoever follows %s by id, however the stream is cut',
    async (path) => {
      const { data, total } = await get(`${path}?limit=200`)
      const ids: string[] = data.map(({ id }: { id: string }) => id)
      expect(ids.length).toBeGreaterThan(25)
      for (const at of [1, 7, 20, ids.length - 1]) {
        const later = await get(`${path}?limit=200&after=${ids[at]}`)
        expect(later.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, at))
        expect(later.total).toBe(at)
      }
      expect((await get(`${path}?after=0-0-0`)).total).toBe(total)
      for (const id of ['', '5', '1-2', 'a-b-c', '1-2-3-4', '-1-0-0', '01-0-0', '99999999999-0-0'])
        expectError(await served.ask(`${path}?after=${id}`), 400, 'INVALID_PARAMS')
    },
  )
})

describe('scores:', () => {
  test('GET /scores/wallet/{address} answers the score with its dimensions', async () => {
    const score = await get(`/scores/wallet/${walletAddress(5)}`)
    expect(score).toEqual(WALLET_SCORE)
    expect(Object.keys(score)).toEqual(Object.keys(WALLET_SCORE))
  })

  test('GET /scores/token/{address} answers the score with its dimensions and a summary of the holders', async () => {
    const score = await get(`/scores/token/${tokenAddress(1)}`)
    expect(score).toEqual(TOKEN_SCORE)
    expect(Object.keys(score)).toEqual(Object.keys(TOKEN_SCORE))
  })

  test('a token or wallet that is indexed but not yet scored has a score of low confidence', async () => {
    const { tokens, wallets } = served.seeded
    const token = await get(`/scores/token/${tokens[tokens.length - 3]?.address}`)
    expect(token).toEqual(TOKEN_SCORE)
    const wallet = await get(`/scores/wallet/${wallets[wallets.length - 2]?.address}`)
    expect(wallet).toEqual({ ...WALLET_SCORE, confidence: 'low' })
    expect(await get(`/tokens/${tokens[tokens.length - 3]?.address}`)).toMatchObject(TOKEN)
    expect(await get(`/wallets/${wallets[wallets.length - 2]?.address}`)).toEqual(WALLET)
  })
})

describe('an address in the path', () => {
  const paths = ['/tokens/X', '/wallets/X', '/wallets/X/events', '/scores/wallet/X', '/scores/token/X']
  const known = (path: string) => (path.includes('token') ? tokenAddress(1) : walletAddress(5))

  test.each(paths)('%s is accepted in upper and lower case, and answered in lower case', async (path) => {
    const upper = `0x${known(path).slice(2).toUpperCase()}`
    expect(await get(path.replace('X', upper))).toEqual(await get(path.replace('X', known(path))))
  })

  test.each(paths)('%s answers 404 if it is not indexed', async (path) => {
    const { tokens, wallets } = served.seeded
    const hidden = path.includes('token') ? tokens.at(-1) : wallets.at(-1)
    for (const address of [`0x${'9'.repeat(40)}`, hidden?.address]) {
      const missing = await served.ask(path.replace('X', String(address)))
      expectError(missing, 404, 'NOT_FOUND')
      expect(missing.headers.get('assay-block')).toBe(String(HEAD_NUMBER))
    }
  })

  test.each(paths)('%s answers 400, not 404, if it is malformed', async (path) => {
    for (const text of [
      '0x',
      '0xabc',
      'vitalik.eth',
      `0X${'9'.repeat(40)}`,
      `0x${'g'.repeat(40)}`,
      '%00',
      `0x${'9'.repeat(41)}`,
    ]) {
      expectError(await served.ask(path.replace('X', text)), 400, 'INVALID_PARAMS')
    }
  })

  test('that is not indexed makes GET /events answer an empty list when used as a filter', async () => {
    for (const name of ['token_address', 'wallet_address']) {
      const page = await get(`/events?${name}=0x${'9'.repeat(40)}&page=3&limit=7`)
      expect(page).toEqual({ data: [], total: 0, page: 3, limit: 7 })
    }
  })
})

test('the same request at the same block gets the same answer', async () => {
  const ask = (path: string) => served.ask(path)
  for (const path of ['/tokens', `/tokens/${tokenAddress(2)}`, `/wallets/${walletAddress(7)}`, '/events?limit=200']) {
    const [first, second] = [await ask(path), await ask(path)]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(first.text).not.toMatch(/NaN|Infinity/)
  }
})
