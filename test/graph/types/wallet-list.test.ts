// Lists of wallets and of positions: the expected values are computed from the seeded rows by hand.
import { afterAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { HEAD_TIME, seedLedger, tokenAddress, walletAddress } from '../../support/seed.ts'

const database = await createTestDatabase()
const seeded = await seedLedger(database.pool)
const WEEK = Math.floor(HEAD_TIME / 604_800)
// Some wallets share a profit, so that their order is by id.
await database.pool.query(
  `INSERT INTO wallet_week SELECT id, $1 - id % 2, 50 - id % 7 FROM wallet WHERE id BETWEEN 5 AND 40`,
  [WEEK],
)
await database.pool.query(`UPDATE position SET swap_count = 1 + (wallet_id % 3), realised_usd = (wallet_id % 9) - 4.5,
  bought_usd = 100 - wallet_id, sold_usd = wallet_id % 4, last_at = last_at + make_interval(secs => token_id * 60)
  WHERE token_id <> 2`)
await database.pool.query(`UPDATE wallet_score SET confidence = (ARRAY['low', 'medium', 'high'])[1 + wallet_id % 3]`)
await database.pool.query(`UPDATE token_score SET cluster_wallet_ids = '{9}' WHERE token_id = 3`)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (query: string): Promise<any> => (await graph.execute(query, {}, SOMEBODY)).data
const faultsOf = (query: string) =>
  ask(query).then(
    () => [],
    (error: { faults: { field: string; message: string }[] }) => error.faults.map(({ field }) => field),
  )
const indexed = seeded.wallets.filter((wallet) => wallet.indexed)
const addresses = (items: { address: string }[]) => items.map(({ address }) => address)
const byNumber =
  (number: (row: { id: number }) => number) =>
  (a: { id: number }, b: { id: number }): number =>
    number(b) - number(a) || a.id - b.id

const NUMBERS: Record<string, (id: number) => number | null> = {
  reputation_score: (id) => (id <= 56 ? 40 + (id % 50) : null),
  reputation_confidence: (id) => (id <= 56 ? (id % 3) * 1000 + 40 + (id % 50) : null),
  realised_usd: (id) => id * 10 - 100,
  trade_count: (id) => Number(seeded.wallets[id - 1]?.swap_count),
  realised_this_week_usd: (id) => (id >= 5 && id <= 40 && id % 2 === 0 ? 50 - (id % 7) : null),
  realised_last_week_usd: (id) => (id >= 5 && id <= 40 && id % 2 === 1 ? 50 - (id % 7) : null),
}

describe('the list of wallets', () => {
  it.each(Object.entries(NUMBERS))(
    'by %s has every wallet that has the number, highest first or lowest first',
    async (field, number) => {
      const listed = indexed.filter(({ id }) => number(id) !== null).sort(byNumber(({ id }) => number(id) ?? 0))
      const answer = await ask(`{
      down: wallets(first: 200, orderBy: { field: ${field} }) { total nodes { address } }
      up: wallets(first: 200, orderBy: { field: ${field}, direction: asc }) { total nodes { address } } }`)
      expect(addresses(answer.down.nodes)).toEqual(addresses(listed))
      expect(addresses(answer.up.nodes)).toEqual(addresses(listed).reverse())
      expect([answer.down.total, answer.up.total]).toEqual([listed.length, listed.length])
    },
  )

  it('shows the numbers that it is ordered by', async () => {
    const { wallets } = await ask(
      `{ wallets(first: 200, orderBy: { field: trade_count }) { nodes { address tradeCount realisedUsd realisedThisWeekUsd realisedLastWeekUsd } } }`,
    )
    for (const { address, ...numbers } of wallets.nodes) {
      const id = indexed.find((wallet) => wallet.address === address)?.id ?? 0
      expect(numbers).toEqual({
        tradeCount: NUMBERS.trade_count?.(id),
        realisedUsd: NUMBERS.realised_usd?.(id),
        realisedThisWeekUsd: NUMBERS.realised_this_week_usd?.(id) ?? 0,
        realisedLastWeekUsd: NUMBERS.realised_last_week_usd?.(id) ?? 0,
      })
    }
  })

  it.each([
    ['classifications: [sybil]', (id: number) => id === 9],
    ['classifications: [retail, pool]', (id: number) => id !== 2 && id !== 9 && id <= 56],
    ['classifications: [unknown]', (id: number) => id > 56],
    ['excludeClassifications: [sybil]', (id: number) => id !== 9],
    ['excludeClassifications: [sybil, unknown]', (id: number) => id !== 9 && id <= 56],
    ['kinds: [pool, burned]', (id: number) => id <= 2],
    ['minReputationScore: 70', (id: number) => (NUMBERS.reputation_score?.(id) ?? 50) >= 70],
    ['minConfidence: medium', (id: number) => id <= 56 && id % 3 !== 0],
    ['minTradeCount: 5', (id: number) => (NUMBERS.trade_count?.(id) ?? 0) >= 5],
    ['minClosedPositionCount: 30, minRealisedUsd: 350', (id: number) => id >= 45],
    ['tradedSince: "2026-01-30T12:00:00Z"', (id: number) => id % 3 !== 0 && id <= 24],
  ])('with the filter %s has the wallets that pass it, and their total', async (filter, passes) => {
    const listed = indexed.filter(({ id }) => passes(id)).sort(byNumber(({ id }) => id))
    const query = `filter: { ${filter} }, orderBy: { field: realised_usd }`
    const { wallets, one } = await ask(
      `{ wallets(first: 200, ${query}) { total nodes { address } } one: wallets(first: 1, ${query}) { total } }`,
    )
    expect(addresses(wallets.nodes)).toEqual(addresses(listed))
    expect(wallets.total).toBe(listed.length)
    expect(one.total).toBe(listed.length)
  })

  it.each(Object.keys(NUMBERS))(
    'by %s is walked by cursors, forwards and backwards, without repeating or skipping a wallet',
    async (field) => {
      for (const direction of ['desc', 'asc']) {
        const order = `orderBy: { field: ${field}, direction: ${direction} }`
        const walked: string[] = []
        let after = ''
        for (let more = true; more; ) {
          const { wallets: page } = await ask(
            `{ wallets(first: 7, ${order}${after}) { edges { cursor node { address } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
          )
          expect(page.pageInfo.hasPreviousPage).toBe(after !== '')
          expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor)
          walked.push(...page.edges.map((edge: { node: { address: string } }) => edge.node.address))
          more = page.pageInfo.hasNextPage
          after = `, after: "${page.pageInfo.endCursor}"`
        }
        const whole = addresses((await ask(`{ wallets(first: 200, ${order}) { nodes { address } } }`)).wallets.nodes)
        expect(walked).toEqual(whole)
        const back: string[] = []
        let before = ''
        for (let more = true; more; ) {
          const { wallets: page } = await ask(
            `{ wallets(last: 7, ${order}${before}) { edges { cursor node { address } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
          )
          expect(page.pageInfo.hasNextPage).toBe(before !== '')
          expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor)
          back.unshift(...page.edges.map((edge: { node: { address: string } }) => edge.node.address))
          more = page.pageInfo.hasPreviousPage
          before = `, before: "${page.pageInfo.startCursor}"`
        }
        expect(back).toEqual(whole)
      }
    },
  )

  it('names every fault, and takes no cursor of another order', async () => {
    const faulty = 'filter: { classifications: [], minTradeCount: -1, minReputationScore: 101 }'
    const faults = await faultsOf(`{ wallets(${faulty}) { total } }`)
    expect(faults.sort()).toEqual(['filter.classifications', 'filter.minReputationScore', 'filter.minTradeCount'])
    const { wallets } = await ask('{ wallets(first: 1) { pageInfo { endCursor } } }')
    const after = `after: "${wallets.pageInfo.endCursor}"`
    expect(await faultsOf(`{ wallets(${after}) { total } }`)).toEqual([])
    expect(await faultsOf(`{ wallets(first: 0, orderBy: { field: realised_usd }, ${after}) { total } }`)).toEqual([
      'first',
      'after',
    ])
    expect(await faultsOf('{ wallets(after: "x") { total } }')).toEqual(['after'])
    expect(await faultsOf('{ wallets(last: 0, offset: -1, before: "x") { total } }')).toEqual([
      'last',
      'offset',
      'offset',
      'before',
    ])
    expect(await faultsOf('{ wallets(last: 1, offset: 1, before: "x") { total } }')).toEqual(['offset', 'before'])
    expect(await faultsOf(`{ wallets(first: 1, last: 1, ${after}) { total } }`)).toEqual(['last', 'after'])
    expect(await faultsOf('{ wallets(before: "x") { total } }')).toEqual(['before', 'before'])
  })

  it('takes as many statements for 200 wallets as for 30', async () => {
    const query = (limit: number) => `{ wallets(first: ${limit}) { total nodes { address realisedThisWeekUsd } } }`
    expect(await graph.count(() => ask(query(200)))).toBe(await graph.count(() => ask(query(30))))
  })
})

describe('the positions of a wallet', () => {
  const prices = new Map(seeded.tokens.map((token) => [token.id, token]))
  const worth = ({ token_id, balance }: (typeof seeded.positions)[number]) =>
    (Number(balance) / 10 ** Number(prices.get(token_id)?.decimals)) * Number(prices.get(token_id)?.price_usd)

  it('are its open ones, its closed ones or both, a page at a time', async () => {
    const own = seeded.positions.filter(
      (position) => position.wallet_id === 7 && prices.get(position.token_id)?.indexed,
    )
    const open = own
      .filter(({ balance }) => balance !== '0')
      .sort((a, b) => worth(b) - worth(a) || a.token_id - b.token_id)
    const { wallet } = await ask(`{ wallet(address: "${walletAddress(7)}") {
      first: positions(first: 2) { total nodes { tokenAddress } } second: positions(offset: 2, first: 2) { nodes { tokenAddress } }
      closed: positions(status: closed) { total nodes { tokenAddress quantity } } all: positions(status: all, orderBy: last_at) { total nodes { tokenAddress } }
      portfolio { tokenAddress } past: positions(offset: 499900) { total nodes { tokenAddress } } } }`)
    const tokens = open.map(({ token_id }) => ({ tokenAddress: tokenAddress(token_id) }))
    expect(wallet.portfolio).toEqual(tokens)
    expect(wallet.first).toEqual({ total: tokens.length, nodes: tokens.slice(0, 2) })
    expect(wallet.second.nodes).toEqual(tokens.slice(2, 4))
    expect(wallet.past).toEqual({ total: tokens.length, nodes: [] })
    expect(wallet.closed.total).toBe(own.length - open.length)
    for (const { quantity } of wallet.closed.nodes) expect(quantity).toBe(0)
    expect(wallet.all.total).toBe(own.length)
    const byLast = own.map(({ token_id }) => token_id).sort((a, b) => Number(a === 2) - Number(b === 2) || b - a)
    expect(wallet.all.nodes.map(({ tokenAddress: address }: { tokenAddress: string }) => address)).toEqual(
      byLast.map(tokenAddress),
    )
  })

  it('tell open profit and volume, and no open profit without a price', async () => {
    const { wallets } = await ask(
      '{ wallets(first: 60) { nodes { positions(status: all) { nodes { openUsd volumeUsd boughtUsd soldUsd token { priceUsd } } } } } }',
    )
    type Item = Record<'openUsd' | 'volumeUsd' | 'boughtUsd' | 'soldUsd', number | null> & {
      token: { priceUsd: number | null }
    }
    const items: Item[] = wallets.nodes.flatMap((wallet: { positions: { nodes: Item[] } }) => wallet.positions.nodes)
    expect(new Set(items.map(({ openUsd }) => openUsd === null))).toEqual(new Set([true, false]))
    for (const { openUsd, volumeUsd, boughtUsd, soldUsd, token } of items) {
      expect(openUsd === null).toBe(token.priceUsd === null)
      expect(volumeUsd).toBe(Number(boughtUsd) + Number(soldUsd))
    }
  })
})

describe('the top traders of a token', () => {
  it.each([
    ['realised_usd', (id: number) => (id % 9) - 4.5],
    ['realised_loss_usd', (id: number) => 4.5 - (id % 9)],
    ['volume_usd', (id: number) => 100 - id + (id % 4)],
  ])('by %s are the wallets with the most of it', async (order, number) => {
    const ids = seeded.positions.filter(({ token_id }) => token_id === 1).map(({ wallet_id }) => ({ id: wallet_id }))
    const sign = order === 'realised_loss_usd' ? -1 : 1
    const expected = ids.sort((a, b) => number(b.id) - number(a.id) || sign * (a.id - b.id)).slice(0, 12)
    const { token } = await ask(
      `{ token(address: "${tokenAddress(1)}") { topTraders(orderBy: ${order}, limit: 12) { wallet { address } } } }`,
    )
    expect(token.topTraders.map((trader: { wallet: { address: string } }) => trader.wallet.address)).toEqual(
      expected.map(({ id }) => walletAddress(id)),
    )
  })

  it('are none of a token that nobody traded', async () => {
    const query = `{ token(address: "${tokenAddress(2)}") { topTraders { wallet { address } } } }`
    await database.pool.query('UPDATE position SET swap_count = 0 WHERE token_id = 2')
    expect((await ask(query)).token.topTraders).toEqual([])
  })
})

// Last, since it adds many rows.
describe('a list that would have to look at more than it may', () => {
  it('is refused by offset with the way out, and goes on by cursor', async () => {
    await database.pool.query(`INSERT INTO wallet SELECT r.* FROM wallet w CROSS JOIN generate_series(1001, 6200) n
      CROSS JOIN jsonb_populate_record(w, jsonb_build_object('id', n, 'address', '0x' || lpad(to_hex(n), 40, '0'), 'realised_usd', 1000 + n)) r
      WHERE w.id = 10`)
    const query = 'filter: { minClosedPositionCount: 58 }, orderBy: { field: realised_usd }'
    await expect(ask('{ wallets(offset: 5000, first: 200) { total } }')).rejects.toThrow(
      /^offset reaches beyond the first 5000/,
    )
    const walked: string[] = []
    let after = ''
    let requests = 0
    for (let more = true; more; requests += 1) {
      const { wallets: page } = await ask(
        `{ wallets(${query}${after}) { total edges { node { address } } pageInfo { hasNextPage endCursor } } }`,
      )
      expect(page.total).toBe(null)
      walked.push(...page.edges.map((edge: { node: { address: string } }) => edge.node.address))
      more = page.pageInfo.hasNextPage
      after = `, after: "${page.pageInfo.endCursor}"`
    }
    expect(walked).toEqual([walletAddress(59), walletAddress(58)])
    expect(requests).toBe(2)
  })

  it('is refused for the positions of a wallet with more than 20,000', async () => {
    await database.pool.query(
      `INSERT INTO position SELECT r.* FROM (SELECT * FROM position WHERE wallet_id = 8 LIMIT 1) p
       CROSS JOIN generate_series(100001, 120001) n
       CROSS JOIN jsonb_populate_record(NULL::"position", to_jsonb(p) || jsonb_build_object('token_id', n)) r`,
    )
    const query = `{ wallet(address: "${walletAddress(8)}") { positions { total } } }`
    await expect(ask(query)).rejects.toThrow(/^positions of a wallet with more than 20000 are not listed/)
  })
})

describe.each([
  ['portfolio', 'portfolio(limit: 1) { tokenAddress }'],
  ['pnl', 'pnlEstimateUsd pnlConfidence pnl { coverage }'],
])('the field %s of wallets', (field, selection) => {
  it('is refused where the wallets of a query have too many positions together; that of one never is', async () => {
    const ids = [30, 31, 32]
    await database.pool.query(
      `INSERT INTO position SELECT r.* FROM (SELECT * FROM position WHERE wallet_id = 9 LIMIT 1) p
       CROSS JOIN generate_series(200001, 202001) n CROSS JOIN unnest($1::int[]) w
       CROSS JOIN jsonb_populate_record(NULL::"position", to_jsonb(p) || jsonb_build_object('token_id', n, 'wallet_id', w)) r`,
      [ids],
    )
    await database.pool.query('UPDATE wallet SET event_count = 150000 WHERE id = ANY ($1)', [ids])
    const query = (some: readonly number[]) =>
      `{ ${some.map((id) => `w${id}: wallet(address: "${walletAddress(id)}") { ${selection} }`).join(' ')} }`
    expect(Object.keys(await ask(query([30])))).toEqual(['w30'])
    expect(Object.keys(await ask(query([30, 31])))).toEqual(['w30', 'w31'])
    expect(await faultsOf(query(ids))).toEqual([field])
    await database.pool.query('DELETE FROM position WHERE token_id > 200000')
    expect(Object.keys(await ask(query(ids)))).toEqual(['w30', 'w31', 'w32'])
  })
})
