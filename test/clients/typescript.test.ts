// The TypeScript client against a live server, and against made-up failures of the network.
import { readFileSync } from 'node:fs'
import openapi, { astToString } from 'openapi-typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type ClientOptions,
  createClient,
  ForbiddenError,
  InvalidParamsError,
  NotFoundError,
  RateLimitedError,
  StreamEnded,
  type StreamedEvent,
  UnauthorizedError,
} from '../../clients/typescript/src/index.ts'
import { createOpenApi } from '../../src/describe/openapi.ts'
import { tokenAddress, walletAddress } from '../support/seed.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
let client: ReturnType<typeof createClient>
const connect = (key: string, more: Partial<ClientOptions> = {}) => createClient({ key, baseUrl: served.url, ...more })
beforeAll(async () => {
  served = await createServed()
  // Nobody checks: a request for a check is answered at once.
  await served.database.pool.query(`UPDATE chain SET checks_off = 'checks_off'`)
  const { key } = await served.knock({ plan: 'api' })
  client = connect(key)
})

it('the TypeScript client has the types of the API as it is described', async () => {
  const types = astToString(await openapi(JSON.parse(JSON.stringify(createOpenApi())), { defaultNonNullable: false }))
  const path = new URL('../../clients/typescript/src/openapi.ts', import.meta.url)
  const body = (text: string) => text.slice(text.indexOf('export interface paths'))
  expect(body(readFileSync(path, 'utf8')), 'npm run clients makes them anew').toBe(body(types))
})

describe('a live server', () => {
  it('answers tokens, wallets, scores and events', async () => {
    const [token] = (await client.listTokens({ sort: 'liquidity', exclude_flags: ['liquidity_pulled'], limit: 1 })).data
    expect((await client.getToken(token?.address ?? '')).symbol).toBe(token?.symbol)
    expect((await client.getTokenScore(token?.address ?? '')).risk_score).toBe(token?.risk_score)
    const wallet = walletAddress(5)
    expect((await client.getWallet(wallet)).address).toBe(wallet)
    expect((await client.getWalletScore(wallet)).address).toBe(wallet)
    expect((await client.listWalletEvents(wallet, { type: 'swap' })).data.every(({ type }) => type === 'swap')).toBe(
      true,
    )
  })

  it('gives every item of every page once by for await', async () => {
    const ids: string[] = []
    for await (const event of client.listEvents({ limit: 150 })) ids.push(event.id)
    expect(ids.length).toBe((await client.listEvents()).total)
    expect(new Set(ids).size).toBe(ids.length)
    const oldest: string[] = []
    for await (const event of client.listEvents({ limit: 150, order: 'asc' })) oldest.push(event.id)
    expect(oldest).toEqual(ids.toReversed())
  })

  it('answers the lists of a token and of a wallet, as items and as CSV', async () => {
    const [token] = (await client.listTokens({ sort: 'liquidity', limit: 1 })).data
    const [address, wallet] = [token?.address ?? '', walletAddress(5)]
    expect((await client.search({ query: token?.symbol ?? '' })).tokens.map((found) => found.address)).toContain(
      address,
    )
    expect((await client.getTokenSafety(address)).symbol).toBe(token?.symbol)
    expect((await client.askGate({ token: address, amount_usd: 5 })).token).toBe(address)
    expect((await client.checkToken(address)).symbol).toBe(token?.symbol)
    expect((await client.listTokens({ addresses: [address] })).data.map((found) => found.address)).toEqual([address])
    expect((await client.listTokenHolders(address, { limit: 2 })).limit).toBe(2)
    expect((await client.listTokenPools(address)).data.length).toBeGreaterThan(0)
    expect((await client.listTokenCandles(address, { interval: 'd1', fill: false }).csv()).slice(0, 15)).toBe(
      'start,open_usd,',
    )
    expect((await client.listTokenTraders(address, { limit: 3 })).data.length).toBeLessThanOrEqual(3)
    const held: string[] = []
    for await (const position of client.listWalletPositions(wallet, { status: 'all' }))
      held.push(position.token_address)
    expect(held.length).toBeGreaterThan(0)
    expect(await client.listWalletLiquidity(wallet).csv()).toMatch(/^pool_address,/)
    expect((await client.listWallets({ sort: 'trade_count', limit: 1 })).data).toHaveLength(1)
    expect((await client.getMe()).plan).toBe('api')
  })

  it('makes, changes and deletes an alert', async () => {
    const made = await client.createAlert({ name: 'From a client', conditions: { max_risk_score: 30 } })
    expect((await client.updateAlert(made.id, { status: 'paused' })).status).toBe('paused')
    expect((await client.listAlerts({ status: 'paused' })).data.map(({ id }) => id)).toEqual([made.id])
    await client.deleteAlert(made.id)
    await expect(client.getAlert(made.id)).rejects.toBeInstanceOf(NotFoundError)
  })

  it('saves policies of the gate, changes them, and tests them in the past', async () => {
    const made = await client.createGatePolicy({ name: 'ts', rules: 'wash_trading:block' })
    expect(await client.getGatePolicy('ts')).toEqual(made)
    expect((await client.updateGatePolicy('ts', { bounds: 'strict' })).bounds).toBe('strict')
    expect((await client.listGatePolicies()).data.map(({ name }) => name)).toContain('ts')
    expect((await client.backtestGate({ policy: 'ts', age_hours: 2 })).summary).toContain('Nothing is known')
    await client.deleteGatePolicy('ts')
    await expect(client.getGatePolicy('ts')).rejects.toBeInstanceOf(NotFoundError)
  })

  it('asks for a backtest of an alert', async () => {
    const { match_count, kept_since, matches } = await client.backtestAlert({ conditions: { max_risk_score: 30 } })
    expect([match_count, kept_since, matches]).toEqual([0, null, []])
  })

  it('answers errors as classes, with every fault', async () => {
    await expect(connect('assay_live_x').listTokens()).rejects.toBeInstanceOf(UnauthorizedError)
    await expect(client.getToken(tokenAddress(9999))).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
    const refused = await client.listTokens({ limit: 0, max_risk_score: 300 }).then(null, (error: unknown) => error)
    expect(refused).toBeInstanceOf(InvalidParamsError)
    expect((refused as InvalidParamsError).details.map(({ field }) => field).sort()).toEqual([
      'limit',
      'max_risk_score',
    ])
    const { key } = await served.knock()
    const free = connect(key)
    for (const name of ['a', 'b', 'c']) await free.createAlert({ name, conditions: {} })
    await expect(free.createAlert({ name: 'd', conditions: {} })).rejects.toBeInstanceOf(ForbiddenError)
  })

  it('waits as long as Retry-After demands and is served then, or throws when that is too long', async () => {
    const { key } = await served.knock({ plan: 'api', requestsPerMinute: 1 })
    const waits: number[] = []
    const sleep: NonNullable<ClientOptions['sleep']> = async (ms) => {
      waits.push(ms)
      served.clock.advance(ms)
    }
    const patient = connect(key, { sleep })
    await patient.listTokens()
    await patient.listTokens()
    expect(waits).toEqual([60_000])
    await expect(connect(key, { sleep, maxWaitSeconds: 10 }).listTokens()).rejects.toBeInstanceOf(RateLimitedError)
    expect(waits).toHaveLength(1)
  })
})

describe('a network that fails', () => {
  /** Answers each request with the next of the answers; an error is a lost connection. */
  const play = (answers: (Response | Error)[], more: Partial<ClientOptions> = {}) => {
    const asked: string[] = []
    const waits: number[] = []
    const fetch = async (url: string | URL | Request) => {
      asked.push(String(url))
      const answer = answers.shift() ?? new Error('nothing more')
      if (answer instanceof Error) throw answer
      return answer
    }
    const sleep = async (ms: number) => void waits.push(ms)
    return { asked, waits, client: createClient({ key: 'k', fetch: fetch as typeof globalThis.fetch, sleep, ...more }) }
  }
  const page = () => Response.json({ data: [], total: 0, page: 1, limit: 50 })
  const lost = () => new TypeError('fetch failed')

  it('is asked again with growing pauses, and given up after some', async () => {
    const { client: again, waits } = play([lost(), new Response('', { status: 502 }), page()])
    expect((await again.listTokens()).total).toBe(0)
    expect(waits).toEqual([250, 500])
    const { client: never, asked } = play([lost(), lost(), lost(), lost(), page()])
    await expect(never.listTokens()).rejects.toThrow('fetch failed')
    expect(asked).toHaveLength(4)
  })

  it('is sent the same Idempotency-Key again, so that an alert is made once', async () => {
    const keys: (string | undefined)[] = []
    const fetch = async (_: unknown, init?: RequestInit) => {
      keys.push(new Headers(init?.headers).get('idempotency-key') ?? undefined)
      if (keys.length === 1) throw lost()
      return Response.json({ id: 'x' }, { status: 201 })
    }
    const { client: poster } = play([], { fetch: fetch as typeof globalThis.fetch })
    await poster.createAlert({ name: 'x', conditions: {} })
    expect(keys[0]).toMatch(/./)
    expect(keys[1]).toBe(keys[0])
  })

  it.each([
    ['listAlerts', (n: number) => ({ id: `alert ${n}` })],
    ['listTokens', (n: number) => ({ address: `0x${n}` })],
  ] as const)('gives each item of %s once though more than a page come in between two pages', async (list, toItem) => {
    const items = Array.from({ length: 15 }, (_, n) => toItem(100 - n))
    let next = 101
    const fetch = async (url: string | URL | Request) => {
      const asked = new URL(String(url)).searchParams
      const [page, limit] = [Number(asked.get('page') ?? 1), Number(asked.get('limit'))]
      const data = items.slice((page - 1) * limit, page * limit)
      const link = `</v1/list?limit=${limit}&page=${page + 1}>; rel="next"`
      const headers = page * limit < items.length ? { link } : undefined
      const answer = Response.json({ data, total: items.length, page, limit }, headers && { headers })
      if (page < 5) for (let come = 0; come < 5; come += 1) items.unshift(toItem(next++))
      return answer
    }
    const { client: reader } = play([], { fetch: fetch as typeof globalThis.fetch })
    const got: string[] = []
    for await (const item of reader[list]({ limit: 3 })) got.push(JSON.stringify(item))
    expect(new Set(got).size).toBe(got.length)
    const first = Array.from({ length: 15 }, (_, n) => JSON.stringify(toItem(100 - n)))
    expect(got.filter((item) => first.includes(item))).toEqual(first)
  })

  it('notices a silent stream, and continues from the last id', async () => {
    const silent = (text: string) =>
      new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) }))
    const { client: reader, asked } = play(
      [
        silent(message('2-0-0')),
        stream(message('3-0-0'), 'event: end\ndata: {"reason":"done","message":"done","resume":null}\n\n'),
      ],
      { silenceMs: 20 },
    )
    const got: string[] = []
    for await (const { id } of reader.streamEvents()) got.push(id)
    expect(got).toEqual(['2-0-0', '3-0-0'])
    expect(new URL(asked[1] ?? '').searchParams.get('after')).toBe('2-0-0.0')
  })

  it('gives up a stream whose headers do not come in time, and asks again', async () => {
    let asked = 0
    const fetch = (_: unknown, init?: RequestInit) => {
      asked += 1
      if (asked > 1)
        return Promise.resolve(stream('event: end\ndata: {"reason":"done","message":"","resume":null}\n\n'))
      return new Promise<Response>((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    }
    const { client: reader } = play([], { fetch: fetch as typeof globalThis.fetch, timeoutMs: 20 })
    for await (const event of reader.streamEvents()) expect(event).toBeUndefined()
    expect(asked).toBe(2)
  })

  it('ends a stream that has nothing left to send', async () => {
    const { client: reader, asked } = play([new Response(null, { status: 204 })])
    for await (const event of reader.streamEvents({ to_block: 5 })) expect(event).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  const stream = (...texts: string[]) => new Response(new Blob(texts).stream())
  const message = (id: string, more = '') => `id: ${id}.0\ndata: {"id":"${id}","retracted":false}\n${more}\n`

  it('continues the stream from the last id, and returns retractions', async () => {
    const { client: reader, asked } = play([
      stream('retry: 3000\nid: 1-0-0.0\n: welcome\n\n', message('2-0-0'), ': heartbeat\n\n'),
      lost(),
      stream(message('3-0-0'), 'id: 3-0-0.1\ndata: {"id":"3-0-0","retracted":true}\n\n'),
      stream('event: end\ndata: {"reason":"leaving","message":"bye","resume":"4-0-0.1"}\n\n'),
      stream('event: end\ndata: {"reason":"replaced","message":"another took over"}\n\n'),
    ])
    const got: Pick<StreamedEvent, 'id' | 'retracted'>[] = []
    const read = async () => {
      for await (const event of reader.streamEvents({ type: 'swap' })) got.push(event)
    }
    await expect(read()).rejects.toBeInstanceOf(StreamEnded)
    expect(got).toEqual([
      { id: '2-0-0', retracted: false },
      { id: '3-0-0', retracted: false },
      { id: '3-0-0', retracted: true },
    ])
    const after = asked.map((url) => new URL(url).searchParams.get('after'))
    expect(after).toEqual([null, '2-0-0.0', '2-0-0.0', '3-0-0.1', '4-0-0.1'])
  })
})
