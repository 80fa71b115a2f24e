// The list of tokens and the search as GraphQL has them, over the board in memory.
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createBoardFeed } from '../../src/board/feed.ts'
import type { TokenOrder, TokenScreen } from '../../src/fields/screen.ts'
import { createHead } from '../../src/ledger/head.ts'
import { createTestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { HEAD_NUMBER, seedLedger, tokenAddress, walletAddress } from '../support/seed.ts'
import { listBySql } from '../support/token-oracle.ts'

const database = await createTestDatabase()
const { tokens } = await seedLedger(database.pool, { tokens: 40, wallets: 12, events: 20 })
/** By identifier: symbol, name, liquidity. */
const NAMED: Record<number, [string, string, number]> = {
  10: ['OTTER', 'Otter Finance', 900_000],
  11: ['otter', 'Copy', 500],
  12: ['0TTER', 'Zero', 700],
  13: ['ОТТЕR', 'Cyrillic', 800],
  14: ['OTTERS', 'Many of them', 600],
  15: ['SEA', 'Sea otter', 5_000],
  16: ['POTTERY', 'Clay', 4_000],
  17: ['OTTRE', 'Mistyped', 100],
  18: ['CAT', 'A cat', 300],
}
for (const [id, [symbol, name, liquidity]] of Object.entries(NAMED))
  await database.pool.query('UPDATE token SET symbol = $2, name = $3, liquidity_usd = $4 WHERE id = $1', [
    id,
    symbol,
    name,
    liquidity,
  ])
const head = await createHead(database, systemClock)
const log = { debug: () => {}, warn: () => {} }
const board = createBoardFeed({ database, head, clock: systemClock, log })
await board.settle()
const graph = await openGraph(database, head, undefined, board)
afterAll(async () => {
  await board.stop()
  await head.stop()
})
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (query: string, by = graph): Promise<any> => (await by.execute(query, {}, SOMEBODY)).data
const symbols = (items: { symbol: string }[]) => items.map(({ symbol }) => symbol)
const faultsOf = (query: string) =>
  ask(query).then(
    () => [],
    (error: { faults: { field: string }[] }) => error.faults.map(({ field }) => field),
  )

describe('the list of tokens', () => {
  it('is the list of PostgreSQL, for nested filters and any order', async () => {
    const query = `{ tokens(first: 200, filter: { minLiquidityUsd: 1000, or: [
        { and: [{ minRiskScore: 20 }, { not: { includeFlags: [wash_trading] } }] }, { launchpads: ["uniswap_v3"], minHolders: 2 }
      ] }, orderBy: [{ field: risk_score, direction: asc }, { field: holder_growth_1h_pct }]) { total nodes { address riskScore } } }`
    const answer = await ask(query)
    const screen: TokenScreen = {
      minLiquidityUsd: 1000,
      or: [
        { and: [{ minRiskScore: 20 }, { not: { includeFlags: ['wash_trading'] } }] },
        { launchpads: ['uniswap_v3'], minHolders: 2 },
      ],
    }
    const order: TokenOrder[] = [
      { measure: 'riskScore', descending: false },
      { measure: 'holderGrowth1hPct', descending: true },
    ]
    const expected = await listBySql(database.pool, head.current(), screen, order, { offset: 0, limit: 200 })
    expect(answer.tokens.total).toBe(expected.total)
    expect(answer.tokens.nodes.map(({ address }: { address: string }) => address)).toEqual(
      expected.ids.map((id) => tokens[id - 1]?.address),
    )
    expect(answer.tokens.total).toBeGreaterThan(3)
    expect(answer.tokens.total).toBeLessThan(38)
  })

  it('takes one statement on the board, whatever is asked', async () => {
    const query = `{ tokens(filter: { minLiquidityUsd: 1000 }, orderBy: { field: buyer_count }, offset: 5, first: 5) { total nodes { symbol } } }`
    expect(await graph.count(() => ask(query))).toBe(1)
  })

  it('lists the tokens with given addresses, and leaves out those that are not indexed', async () => {
    const addresses = [tokenAddress(5), tokenAddress(7), tokenAddress(40), walletAddress(1)]
    const { tokens: page } = await ask(
      `{ tokens(addresses: ${JSON.stringify(addresses)}, orderBy: { field: created_at }) { total nodes { address } } }`,
    )
    expect(page).toEqual({ total: 2, nodes: [{ address: tokenAddress(5) }, { address: tokenAddress(7) }] })
    const many = JSON.stringify(Array.from({ length: 101 }, (_, id) => tokenAddress(id)))
    expect(await faultsOf(`{ tokens(addresses: ${many}) { total } }`)).toEqual(['addresses'])
  })

  it('searches within a list by a part of symbol or name in any case', async () => {
    const { tokens: page } = await ask(
      `{ tokens(filter: { search: "Otter" }, orderBy: { field: liquidity_usd }) { nodes { symbol } } }`,
    )
    expect(symbols(page.nodes)).toEqual(['OTTER', 'SEA', 'POTTERY', 'OTTERS', 'otter'])
  })

  it('names every fault of a filter with its place, and refuses filters that are nested too deep or too long', async () => {
    expect(
      await faultsOf(
        '{ tokens(filter: { minHolders: -1, and: [{ search: "x" }, { or: [] }], not: { launchpads: [], minRiskScore: 101 } }) { total } }',
      ),
    ).toEqual([
      'filter.minHolders',
      'filter.and.0.search',
      'filter.and.1.or',
      'filter.not.minRiskScore',
      'filter.not.launchpads',
    ])
    const nest = (depth: number): string => (depth === 1 ? '{}' : `{ not: ${nest(depth - 1)} }`)
    expect(await faultsOf(`{ tokens(filter: ${nest(4)}) { total } }`)).toEqual([])
    expect(await faultsOf(`{ tokens(filter: ${nest(5)}) { total } }`)).toEqual(['filter.not.not.not.not'])
    expect(await faultsOf(`{ tokens(filter: { and: [${'{},'.repeat(31)}] }) { total } }`)).toEqual([])
    expect(await faultsOf(`{ tokens(filter: { and: [${'{},'.repeat(32)}] }) { total } }`)).toEqual(['filter.and.31'])
    expect(await faultsOf('{ tokens(orderBy: []) { total } }')).toEqual(['orderBy'])
    expect(
      await faultsOf('{ tokens(orderBy: [{ field: price_usd }, { field: price_usd, direction: asc }]) { total } }'),
    ).toEqual(['orderBy'])
  })

  it('is that of the block asked for while it is kept, and says so when it is not', async () => {
    const query = (block: number) =>
      `{ tokens(asOf: { block: ${block} }, orderBy: [{ field: liquidity_usd }], first: 3) { nodes { symbol } } }`
    expect(symbols((await ask(query(HEAD_NUMBER))).tokens.nodes)[0]).toBe('OTTER')
    expect(await faultsOf(query(HEAD_NUMBER - 1))).toEqual(['asOf.block'])
  })

  it('an alert refuses the fields that its conditions do not have', async () => {
    const create = (conditions: string) =>
      faultsOf(`mutation { alertCreate(input: { name: "x", conditions: ${conditions} }) { alert { id } } }`)
    expect(await create('{ minHolders: 3, or: [{ maxRiskScore: 3 }] }')).toEqual([
      'input.conditions.minHolders',
      'input.conditions.or',
    ])
  })
})

describe('a connection of tokens', () => {
  const connect = async (args: string) =>
    (
      await ask(`{ tokens(orderBy: { field: liquidity_usd }, ${args}) {
        total pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { address } } } }`)
    ).tokens

  it('walks through the whole list forwards and backwards, the same as its pages', async () => {
    const { tokens: page } = await ask(
      '{ tokens(orderBy: [{ field: liquidity_usd }], first: 200) { nodes { address } } }',
    )
    const seen: unknown[] = []
    let after = ''
    for (;;) {
      const { edges, pageInfo, total } = await connect(`first: 7${after}`)
      expect(total).toBe(38)
      seen.push(...edges.map(({ node }: { node: unknown }) => node))
      if (!pageInfo.hasNextPage) break
      after = `, after: "${pageInfo.endCursor}"`
    }
    expect(seen).toEqual(page.nodes)
    const end = await connect('last: 5')
    expect(end.edges.map(({ node }: { node: unknown }) => node)).toEqual(page.nodes.slice(-5))
    const before = await connect(`last: 200, before: "${end.pageInfo.startCursor}"`)
    expect(before.edges.map(({ node }: { node: unknown }) => node)).toEqual(page.nodes.slice(0, -5))
    expect(before.pageInfo).toMatchObject({ hasPreviousPage: false, hasNextPage: true })
    expect((await connect(`last: 3, before: "${before.pageInfo.startCursor}"`)).edges).toEqual([])
  })

  it('names the faults of its arguments, and a cursor of a block that is not kept', async () => {
    const faults = (args: string) => faultsOf(`{ tokens(${args}) { total } }`)
    expect(await faults('first: 0, last: 0')).toEqual(['first', 'last', 'last'])
    expect(await faults('before: "x"')).toEqual(['before', 'before'])
    expect(await faults('after: "nothing"')).toEqual(['after'])
    const old = Buffer.from(`${HEAD_NUMBER - 3}.4`).toString('base64url')
    expect(await faults(`after: "${old}"`)).toEqual(['asOf.block'])
    expect(await faults(`after: "${old}", asOf: { block: 3 }`)).toEqual(['asOf.block'])
  })

  it('takes no cursor with numbers that the database has no room for', async () => {
    const cursor = (text: string) => Buffer.from(text).toString('base64url')
    for (const text of ['2147483648.0', '9999999999.4', '99999999999.4', `${HEAD_NUMBER}.9999999999`])
      expect([text, await faultsOf(`{ tokens(after: "${cursor(text)}") { total } }`)]).toEqual([text, ['after']])
    for (const text of ['2147483648-0-0', '1-9999999999-0', '1-0-32768'])
      expect([text, await faultsOf(`{ events(after: "${cursor(text)}") { total } }`)]).toEqual([text, ['after']])
    const [{ cursor: first }] = (await ask('{ wallets(first: 1) { edges { cursor } } }')).wallets.edges
    const [order, value] = Buffer.from(first, 'base64url').toString().split(' ')
    for (const text of [`${order} ${value} 9999999999`, `${order} 1e999 1`])
      expect([text, await faultsOf(`{ wallets(after: "${cursor(text)}") { total } }`)]).toEqual([text, ['after']])
    for (const text of [`${order} 1e308 1`, `${order} -5e-324 999999999`])
      expect([text, await faultsOf(`{ wallets(after: "${cursor(text)}") { edges { cursor } } }`)]).toEqual([text, []])
  })
})

it('a token and a wallet are found again by their identifiers, and an unknown identifier is null', async () => {
  const { tokens: page } = await ask('{ tokens(first: 1) { nodes { id address } } }')
  const [{ id, address }] = page.nodes
  const ids = JSON.stringify([id, `wallet:${walletAddress(3)}`, 'token:0x1', 'cat:7', ''])
  const answer = await ask(
    `{ node(id: "${id}") { id ... on Token { address } } nodes(ids: ${ids}) { __typename id ... on Wallet { address } } }`,
  )
  expect(answer.node).toEqual({ id, address })
  expect(answer.nodes).toEqual([
    { __typename: 'Token', id },
    { __typename: 'Wallet', id: `wallet:${walletAddress(3)}`, address: walletAddress(3) },
    null,
    null,
    null,
  ])
  expect(await faultsOf(`{ nodes(ids: ${JSON.stringify(Array(101).fill('x'))}) { id } }`)).toEqual(['ids'])
})

describe('search', () => {
  const search = async (
    query: string,
    limit = 10,
  ): Promise<{ __typename: string; symbol?: string; address: string }[]> => {
    const { search: found } = await ask(`{ search(query: ${JSON.stringify(query)}, limit: ${limit}) {
      tokens { __typename symbol address } wallets { __typename address } } }`)
    expect(found.tokens.length + found.wallets.length).toBeLessThanOrEqual(limit)
    return [...found.tokens, ...found.wallets]
  }

  it('puts whole symbols first, then beginnings, words and parts, then lookalikes, then typos, each by liquidity', async () => {
    const found = (await search('$otter')).map(({ symbol }) => symbol)
    expect(found).toEqual(['OTTER', 'otter', 'OTTERS', 'SEA', 'POTTERY', 'ОТТЕR', '0TTER', 'OTTRE'])
    expect((await search('Otter', 2)).map(({ symbol }) => symbol)).toEqual(['OTTER', 'otter'])
  })

  it('finds the meant token by lookalike letters, the exact one first', async () => {
    expect((await search('ОТТЕR')).map(({ symbol }) => symbol)).toEqual(['ОТТЕR', 'OTTER', '0TTER', 'otter'])
    expect((await search('ＯＴＴＥＲ', 1)).map(({ symbol }) => symbol)).toEqual(['OTTER'])
  })

  it('forgives a mistyped letter, but not in words of three', async () => {
    expect((await search('oter')).map(({ symbol }) => symbol)).toContain('OTTER')
    expect((await search('kat')).map(({ symbol }) => symbol)).not.toContain('CAT')
  })

  it('finds tokens and wallets by the beginning of their address', async () => {
    expect(await search(tokenAddress(10))).toMatchObject([{ symbol: 'OTTER' }])
    expect(await search(walletAddress(5).toUpperCase().replace('0X', '0x'))).toEqual([
      { __typename: 'Wallet', address: walletAddress(5) },
    ])
    const all = await search(walletAddress(1).slice(0, 36), 50)
    expect(new Set(all.map(({ __typename }) => __typename))).toEqual(new Set(['Token', 'Wallet']))
  })

  it('takes hostile text as text, and refuses none, too much, and control characters', async () => {
    for (const text of ['%', "'; DROP TABLE token; --", '\\', '\u202e', '𝕺'.repeat(64), '0x'])
      expect(Array.isArray(await search(text))).toBe(true)
    for (const text of ['', '  ', 'x'.repeat(65), 'a\u0000b'])
      expect(await faultsOf(`{ search(query: ${JSON.stringify(text)}) { __typename } }`)).toEqual(['query'])
    expect(await faultsOf('{ search(query: "x", limit: 0) { __typename } }')).toEqual(['limit'])
  })

  it('says that it is loading where there is no board yet', async () => {
    const stuck: typeof database.pool = Object.assign(Object.create(database.pool), {
      connect: () => new Promise(() => {}),
    })
    const loading = createBoardFeed({ database: { pool: stuck }, head, clock: systemClock, log, waitMs: 20 })
    const early = await openGraph(database, head, undefined, loading)
    for (const query of [
      'search(query: "otter") { __typename }',
      'tokens { total }',
      'tokens(orderBy: { field: price_change_h1 }) { total }',
      'tokens { total }',
    ])
      await expect(ask(`{ ${query} }`, early)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

it('a token whose symbol looks like that of a bigger one names it; the bigger one names none', async () => {
  const { tokens: page } = await ask(
    `{ tokens(addresses: ${JSON.stringify(tokens.slice(9, 18).map(({ address }) => address))}, first: 20) { nodes { symbol lookalikeOf { symbol liquidityUsd } } } }`,
  )
  const lookalikes = Object.fromEntries(
    page.nodes.map((item: { symbol: string; lookalikeOf: unknown }) => [item.symbol, item.lookalikeOf]),
  )
  const otter = { symbol: 'OTTER', liquidityUsd: 900_000 }
  expect(lookalikes).toEqual({
    OTTER: null,
    otter,
    '0TTER': otter,
    ОТТЕR: otter,
    OTTERS: null,
    SEA: null,
    POTTERY: null,
    OTTRE: null,
    CAT: null,
  })
})

describe('the order of trending', () => {
  it('puts tokens that trend alike in the order of their liquidity, the deepest first', async () => {
    type Row = { trendingScore: number; liquidityUsd: number }
    const { nodes: items }: { nodes: Row[] } = (
      await ask('{ tokens(first: 200) { nodes { trendingScore liquidityUsd } } }')
    ).tokens
    expect(items.length).toBe(38)
    const pairs = items.slice(1).map((row, at) => [items[at] as Row, row] as const)
    const alike = pairs.filter(([first, second]) => first.trendingScore === second.trendingScore)
    expect(alike.length).toBeGreaterThan(3)
    for (const [first, second] of pairs) expect(first.trendingScore).toBeGreaterThanOrEqual(second.trendingScore)
    for (const [first, second] of alike) expect(first.liquidityUsd).toBeGreaterThanOrEqual(second.liquidityUsd)
  })
})
