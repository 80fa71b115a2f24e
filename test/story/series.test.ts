// Time series of the demo chain, indexed with stops and a rollback in its middle. The shown values are compared with
// their events and rows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { WINDOW_SECONDS, WINDOWS } from '../../src/base/interval.ts'
import { createBoardFeed } from '../../src/board/feed.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { createHead } from '../../src/ledger/head.ts'
import type { TestDatabase } from '../support/database.ts'
import { createStoppedDemo } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

const demo = loadPreset(DEMO_CHAIN_ID)

interface Swap {
  token: string
  /** Of the pool, if it has another token. */
  quote: string | null
  wallet: number
  time: number
  usd: number
  direction: number
}
interface Candle {
  start: string
  openUsd: number | null
  highUsd: number | null
  lowUsd: number | null
  closeUsd: number | null
  openQuote: number | null
  closeQuote: number | null
  quoteSymbol: string | null
  volumeUsd: number
  buyVolumeUsd: number
  sellVolumeUsd: number
  buyCount: number
  sellCount: number
  liquidityUsd: number
  holderCount: number
  circulatingSupply: number | null
  marketCapUsd: number | null
}

let database: TestDatabase
let graph: Awaited<ReturnType<typeof openGraph>>
let swaps: Swap[]
let now: number
beforeAll(async () => {
  database = await createStoppedDemo()
  graph = await openGraph(database)
  now = graph.head.current().time.getTime() / 1000
  const { rows } = await database.pool.query<Swap>(
    `SELECT t.address AS token, q.address AS quote, e.wallet_id AS wallet, date_part('epoch', time) AS time, amount_usd AS usd, direction
     FROM event e JOIN token t ON t.id = e.token_id JOIN pool p ON p.id = e.pool_id
       -- A swap against a hub is an event of the hub too.
       LEFT JOIN token q ON q.id = p.quote_id AND q.id <> e.token_id AND q.address = ANY($1) WHERE type = 1 ORDER BY e.n`,
    [[demo.wrappedNative, ...demo.stablecoins]],
  )
  swaps = rows
})
afterAll(() => graph.head.stop())

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
const ask = async (query: string): Promise<any> => {
  const { data, errors } = (await graph.execute(query, {}, SOMEBODY)) as { data: unknown; errors?: readonly Error[] }
  expect(errors?.map(({ message }) => message)).toBeUndefined()
  return data
}
const refusal = (query: string) =>
  graph.execute(query, {}, SOMEBODY).then(
    () => null,
    (error: Error) => error.message,
  )
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
/** Of a token's own swaps, and of those in which it is the quote, from a time on and before another. */
const volumeOf = (address: string, from: number, to: number) =>
  sum(
    swaps
      .filter(({ token, quote, time }) => (token === address || quote === address) && time >= from && time < to)
      .map(({ usd }) => usd),
  )
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const seconds = (time: string) => Date.parse(time) / 1000
const CANDLE = `start openUsd highUsd lowUsd closeUsd openQuote closeQuote quoteSymbol volumeUsd buyVolumeUsd sellVolumeUsd buyCount sellCount
  liquidityUsd holderCount circulatingSupply marketCapUsd`

/** Candles of a longer interval, made of shorter ones. */
function join(candles: readonly Candle[], length: number): Candle[] {
  const groups = new Map<number, Candle[]>()
  for (const candle of candles) {
    const key = Math.floor(seconds(candle.start) / length)
    groups.set(key, [...(groups.get(key) ?? []), candle])
  }
  return [...groups].map(([key, group]) => {
    const [first, last] = [group[0] as Candle, group.at(-1) as Candle]
    const prices = (of: 'openUsd' | 'highUsd' | 'lowUsd') => group.flatMap((candle) => candle[of] ?? [])
    return {
      ...last,
      start: iso(key * length),
      openUsd: prices('openUsd')[0] ?? null,
      highUsd: prices('highUsd').length > 0 ? Math.max(...prices('highUsd')) : null,
      lowUsd: prices('lowUsd').length > 0 ? Math.min(...prices('lowUsd')) : null,
      openQuote: group.flatMap(({ openQuote }) => openQuote ?? [])[0] ?? first.openQuote,
      volumeUsd: sum(group.map(({ volumeUsd }) => volumeUsd)),
      buyVolumeUsd: sum(group.map(({ buyVolumeUsd }) => buyVolumeUsd)),
      sellVolumeUsd: sum(group.map(({ sellVolumeUsd }) => sellVolumeUsd)),
      buyCount: sum(group.map(({ buyCount }) => buyCount)),
      sellCount: sum(group.map(({ sellCount }) => sellCount)),
    }
  })
}

/** Dollars to the millionth, since sums are made in another order. */
const rounded = (candles: readonly Candle[]) =>
  candles.map((candle) => ({
    ...candle,
    ...Object.fromEntries(
      (['volumeUsd', 'buyVolumeUsd', 'sellVolumeUsd'] as const).map((name) => [name, Number(candle[name].toFixed(6))]),
    ),
  }))

describe('candles of the demo chain', () => {
  test('candles of longer intervals are the sums of shorter ones', async () => {
    const day = 86_400 * Math.floor(now / 86_400) - 2 * 86_400
    const { tokens } = await ask(`{ tokens(orderBy: [{ field: volume_24h_usd }], first: 8) { nodes { address
      m1: candles(interval: m1, from: "${iso(now - 15 * 3_600)}", limit: 1000) { ${CANDLE} }
      m5: candles(interval: m5, from: "${iso(day)}", limit: 1000) { ${CANDLE} }
      m15: candles(interval: m15, from: "${iso(day)}", limit: 1000) { ${CANDLE} }
      h1: candles(interval: h1, from: "${iso(day)}") { ${CANDLE} }
      h4: candles(interval: h4, from: "${iso(day)}") { ${CANDLE} }
      d1: candles(interval: d1, from: "${iso(day)}") { ${CANDLE} } } } }`)
    expect(sum(tokens.nodes.map(({ m5 }: { m5: Candle[] }) => m5.length))).toBeGreaterThan(50)
    expect(sum(tokens.nodes.map(({ m1 }: { m1: Candle[] }) => m1.length))).toBeGreaterThan(20)
    // Whole hours of minutes.
    const from = 3_600 * Math.ceil((now - 15 * 3_600) / 3_600)
    const since = (candles: Candle[]) => candles.filter(({ start }) => seconds(start) >= from)
    for (const { m1, m5, m15, h1, h4, d1 } of tokens.nodes) {
      expect(rounded(since(m5))).toEqual(rounded(join(since(m1), 300)))
      expect(rounded(m15)).toEqual(rounded(join(m5, 900)))
      expect(rounded(h1)).toEqual(rounded(join(m5, 3_600)))
      expect(rounded(h4)).toEqual(rounded(join(h1, 14_400)))
      expect(rounded(d1)).toEqual(rounded(join(h1, 86_400)))
    }
  })

  test('candles count the swaps of their interval, in the order of time', async () => {
    const { tokens } = await ask(
      `{ tokens(first: 60) { nodes { address candles(interval: d1, limit: 40) { ${CANDLE} } } } }`,
    )
    let counted = 0
    for (const { address, candles } of tokens.nodes) {
      const own = swaps.filter(({ token }) => token === address)
      const times = candles.map(({ start }: Candle) => start)
      expect(times).toEqual([...times].sort())
      for (const candle of candles as Candle[]) {
        const { start, volumeUsd, buyVolumeUsd, sellVolumeUsd, buyCount, sellCount } = candle
        const inside = own.filter(({ time }) => time >= seconds(start) && time < seconds(start) + 86_400)
        expect([buyCount, sellCount]).toEqual([1, 2].map((way) => inside.filter((s) => s.direction === way).length))
        const usdOf = (way: number) => sum(inside.filter((s) => s.direction === way).map(({ usd }) => usd))
        expect(buyVolumeUsd).toBeCloseTo(usdOf(1), 4)
        expect(sellVolumeUsd).toBeCloseTo(usdOf(2), 4)
        expect(volumeUsd).toBeCloseTo(volumeOf(address, seconds(start), seconds(start) + 86_400), 4)
        counted += inside.length
      }
    }
    expect(counted).toBe(swaps.length)
  })

  test('candles in the quote are those in dollars at the price of the quote', async () => {
    const query = (orderBy: string) => `{ tokens(orderBy: ${orderBy}, first: 30) { nodes { symbol priceUsd
      candles(interval: d1, limit: 2) { closeUsd closeQuote quoteSymbol } } } }`
    const { tokens } = await ask(query('{ field: liquidity_usd }'))
    const weth = tokens.nodes.find(({ symbol }: { symbol: string }) => symbol === 'WETH')
    let compared = 0
    for (const { candles } of tokens.nodes) {
      const last = (candles as Candle[]).at(-1)
      if (last?.quoteSymbol === 'USDC' && last.closeQuote) expect(last.closeUsd).toBeCloseTo(last.closeQuote, 9)
      if (last?.quoteSymbol !== 'WETH' || !last.closeQuote || !last.closeUsd) continue
      // The dollars are of the token's last change, since when the quote may have moved.
      const ratio = last.closeUsd / last.closeQuote / weth.priceUsd
      expect(Math.abs(Math.log(ratio))).toBeLessThan(0.2)
      compared += 1
    }
    expect(compared).toBeGreaterThan(5)
  })

  test('have the supply and the market cap of their time: that of RUGD falls at its pull, and its newest is that of today', async () => {
    const { tokens } = await ask(`{ tokens(first: 60) { nodes { symbol circulatingSupply marketCapUsd lastPriceUsd
      removed: events(filter: { types: [liquidity_remove] }, first: 1) { nodes { timestamp } }
      candles(interval: h1, limit: 1000) { start closeUsd circulatingSupply marketCapUsd } } } }`)
    for (const { symbol, circulatingSupply, lastPriceUsd, candles } of tokens.nodes) {
      const newest: Candle = candles.at(-1)
      expect([symbol, newest.circulatingSupply]).toEqual([symbol, circulatingSupply])
      expect([symbol, newest.marketCapUsd === null]).toEqual([symbol, lastPriceUsd === null])
      for (const { closeUsd, circulatingSupply: then, marketCapUsd: cap } of candles as Candle[])
        if (closeUsd && then !== null && cap !== null) expect(cap / (closeUsd * then)).toBeLessThan(1.000001)
    }
    const rugd = tokens.nodes.find(({ symbol }: { symbol: string }) => symbol === 'RUGD')
    const pulled = seconds(rugd.removed.nodes[0].timestamp)
    const before: Candle = rugd.candles.findLast(({ start }: Candle) => seconds(start) + 3_600 <= pulled)
    const after: Candle = rugd.candles.find(({ start }: Candle) => seconds(start) + 3_600 > pulled)
    expect(before.marketCapUsd).toBeCloseTo((before.closeUsd ?? 0) * (before.circulatingSupply ?? 0), -1)
    expect((before.marketCapUsd ?? 0) / (after.marketCapUsd ?? 0)).toBeGreaterThan(60)
    expect(after.closeUsd).toBe(before.closeUsd)
    // Since the last change of its pool the quote moved by less than this.
    expect(rugd.candles.at(-1).marketCapUsd / rugd.marketCapUsd).toBeCloseTo(1, 1)
  })

  test('candles fill gaps with the last close on request, from the first price on', async () => {
    const { tokens } = await ask(`{ tokens(orderBy: [{ field: created_at }], first: 10) { nodes { createdAt
      some: candles(interval: h1, limit: 1000) { ${CANDLE} }
      all: candles(interval: h1, limit: 1000, fill: true) { ${CANDLE} } } } }`)
    let filled = 0
    for (const { some, all } of tokens.nodes as { some: Candle[]; all: Candle[] }[]) {
      const known = new Map(some.map((candle) => [seconds(candle.start), candle]))
      const expected: Candle[] = []
      for (let start = seconds(some[0]?.start ?? iso(now)); start <= now; start += 3_600) {
        const { closeUsd, closeQuote, ...close } = expected.at(-1) ?? (some[0] as Candle)
        const usd = { openUsd: closeUsd, highUsd: closeUsd, lowUsd: closeUsd, closeUsd }
        const none = { volumeUsd: 0, buyVolumeUsd: 0, sellVolumeUsd: 0, buyCount: 0, sellCount: 0 }
        const quiet = { ...close, ...usd, ...none, openQuote: closeQuote, closeQuote }
        expected.push(known.get(start) ?? { ...quiet, start: iso(start) })
      }
      expect(all).toEqual(expected)
      filled += all.length - some.length
    }
    expect(filled).toBeGreaterThan(500)
  })

  test('candles fill a range that begins in a gap with the values before it', async () => {
    const { candles } = (
      await ask(`{ tokens(orderBy: [{ field: volume_24h_usd }], first: 1) { nodes { address
      candles(interval: m5, limit: 1000) { start closeUsd holderCount } } } }`)
    ).tokens.nodes[0]
    const at = candles.findLastIndex(
      (candle: Candle, n: number) => seconds(candles[n + 1]?.start ?? candle.start) - seconds(candle.start) > 600,
    )
    const [first, second] = candles.slice(at, at + 2)
    const gap = seconds(first.start) + 300
    const range = `from: "${iso(gap)}", to: "${iso(seconds(second.start) - 300)}", interval: m5, limit: 1000`
    const { tokens } = await ask(`{ tokens(orderBy: [{ field: volume_24h_usd }], first: 1) { nodes {
      plain: candles(${range}) { start } filled: candles(${range}, fill: true) { start closeUsd holderCount } } } }`)
    const { plain, filled } = tokens.nodes[0]
    expect(plain).toEqual([])
    expect(filled.length).toBe((seconds(second.start) - gap) / 300)
    for (const candle of filled)
      expect(candle).toMatchObject({ closeUsd: first.closeUsd, holderCount: first.holderCount })
  })

  test('candles of five minutes are kept for 14 days before the newest final block', async () => {
    const { rows } = await database.pool.query<{ oldest: number; kept: number; hours: number }>(
      `SELECT min(slot) * 300 AS oldest, count(*)::int AS kept, (SELECT min(hour) * 3600 FROM token_hour) AS hours FROM token_five_minutes`,
    )
    const { oldest = 0, kept, hours } = rows[0] ?? {}
    expect(kept).toBeGreaterThan(1_000)
    expect(hours).toBeLessThan(now - 29 * 86_400)
    // The newest final block is 30 blocks, some hours, before the head.
    expect(oldest).toBeGreaterThan(now - 14 * 86_400 - 12 * 3_600)
  })

  test('candles of a minute are kept for 2 days before the newest final block', async () => {
    const { rows } = await database.pool.query<{ oldest: number; kept: number }>(
      'SELECT min(minute) * 60 AS oldest, count(*)::int AS kept FROM token_minute',
    )
    const { oldest = 0, kept = 0 } = rows[0] ?? {}
    expect(kept).toBeGreaterThan(100)
    expect(oldest).toBeGreaterThan(now - 2 * 86_400 - 12 * 3_600)
  })

  test.each([
    ['from: "2025-11-02", to: "2025-11-01"', 'from must not be later than to'],
    [
      'from: "2025-11-01", limit: 20',
      'from: 177 intervals of h1 lie between from and to, and limit allows 20: take a later from, an earlier to, a longer interval, or a limit up to 1000',
    ],
    [
      'interval: m5, from: "2025-11-01", to: "2025-11-08", limit: 5000',
      'from: 2017 intervals of m5 lie between from and to, and limit allows 1000: take a later from, an earlier to, a longer interval',
    ],
    [
      'interval: m5, from: "2025-10-20", to: "2025-10-21", limit: 1000',
      'from: candles of m5 are kept for 14 days, so from must be 2025-10-25T08:53:20.000Z or later, or interval h1 or longer',
    ],
    [
      'interval: m1, from: "2025-11-05", to: "2025-11-05T01:00:00Z"',
      'from: candles of m1 are kept for 2 days, so from must be 2025-11-06T08:53:20.000Z or later, or interval m5 or longer',
    ],
    ['limit: 0', 'limit must be an integer >= 1'],
  ])('refuse (%s), with the accepted values', async (args, message) => {
    expect(await refusal(`{ tokens(first: 1) { nodes { candles(${args}) { start } } } }`)).toBe(message)
  })

  test('a range after the block has no candles', async () => {
    const { tokens } = await ask('{ tokens(first: 1) { nodes { candles(from: "2030-01-01") { start } } } }')
    expect(tokens.nodes[0].candles).toEqual([])
  })
})

describe('windows that end at the block', () => {
  test('count exactly the swaps since their beginning, their dollars and their wallets', async () => {
    const window = '{ buyCount sellCount volumeUsd traderCount }'
    const { tokens } = await ask(`{ tokens(first: 60) { nodes { address volume24hUsd
      windows { ${WINDOWS.map((name) => `${name} ${window}`).join(' ')} } } } }`)
    const seen = new Set<string>()
    for (const { address, windows, volume24hUsd } of tokens.nodes) {
      const own = swaps.filter(({ token }) => token === address)
      for (const name of WINDOWS) {
        const inside = own.filter(({ time }) => time > now - WINDOW_SECONDS[name])
        const { volumeUsd, ...counts } = windows[name]
        expect([address, name, counts]).toEqual([
          address,
          name,
          {
            buyCount: inside.filter(({ direction }) => direction === 1).length,
            sellCount: inside.filter(({ direction }) => direction === 2).length,
            traderCount: new Set(inside.map(({ wallet }) => wallet)).size,
          },
        ])
        expect(volumeUsd).toBeCloseTo(volumeOf(address, now - WINDOW_SECONDS[name] + 1, now + 1), 4)
        if (inside.length > 0) seen.add(name)
        if (name === 'd7' && address === demo.wrappedNative) expect(volumeUsd).toBeCloseTo(2_632_320.53, 2)
      }
      expect(windows.h24.volumeUsd).toBeCloseTo(volume24hUsd, 4)
    }
    expect(seen.size).toBeGreaterThan(3)
  })

  test('change the price from the last close of five minutes before them', async () => {
    const { tokens } = await ask(`{ tokens(first: 60) { nodes { lastPriceUsd priceChange { ${WINDOWS.join(' ')} }
      candles(interval: m5, limit: 1000) { start closeUsd } hours(limit: 720) { start closeUsd } } } }`)
    let known = 0
    for (const { lastPriceUsd, priceChange, candles, hours } of tokens.nodes) {
      for (const name of WINDOWS) {
        const start = now - WINDOW_SECONDS[name]
        const slots = candles.filter((c: Candle) => seconds(c.start) + 300 <= start)
        const past = hours.filter((c: Candle) => seconds(c.start) + 3_600 <= start)
        // A thousand five minutes are half a week.
        const exact = slots.at(-1)?.closeUsd
        const then = exact ?? (name === 'd7' ? undefined : past[0]?.closeUsd || null)
        if (then === undefined) continue
        const expected = then && lastPriceUsd > 0 ? 100 * (lastPriceUsd / then - 1) : null
        if (expected === null) expect(priceChange[name]).toBeNull()
        // The closes that it is worked out from have nine digits.
        else expect(priceChange[name]).toBeCloseTo(expected, 5)
        if (expected !== null) known += 1
      }
    }
    expect(known).toBeGreaterThan(60)
  })
})

test('tokens are listed by the change of their price over a window, those that were traded within a day', async () => {
  const head = await createHead(database, systemClock)
  const board = createBoardFeed({ database, head, clock: systemClock, log: { debug: () => {}, warn: () => {} } })
  await board.settle()
  const withBoard = await openGraph(database, head, undefined, board)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
  const list = async (args: string): Promise<any> => {
    const query = `{ tokens(${args}) { total nodes { address volume24hUsd riskScore priceChange { ${WINDOWS.join(' ')} } } } }`
    return (await withBoard.execute(query, {}, SOMEBODY)).data?.tokens
  }
  const faultsOf = (query: string) =>
    withBoard.execute(query, {}, SOMEBODY).then(
      () => [],
      (error: { faults: { field: string; message: string }[] }) => error.faults.map(({ message }) => message),
    )
  try {
    const all = (await list('first: 200')).nodes
    for (const window of WINDOWS) {
      const field = `price_change_${window}`
      const changeOf = ({ priceChange }: { priceChange: Record<string, number> }) => priceChange[window] as number
      const traded = all.filter(
        (token: never) => (token as { volume24hUsd: number }).volume24hUsd > 0 && changeOf(token) !== null,
      )
      const falling = traded.map(changeOf).sort((a: number, b: number) => b - a)
      const page = await list(`orderBy: { field: ${field} }, first: 200`)
      expect(page.nodes.map(changeOf)).toEqual(falling)
      expect(page.total).toBe(falling.length)
      const rising = await list(`orderBy: { field: ${field}, direction: asc }, first: 3, offset: 3`)
      expect([rising.nodes.map(changeOf), rising.total]).toEqual([falling.toReversed().slice(3, 6), falling.length])
      const safe = await list(`orderBy: { field: ${field} }, filter: { maxRiskScore: 50 }, first: 200`)
      expect(safe.nodes).toEqual(page.nodes.filter(({ riskScore }: { riskScore: number }) => riskScore <= 50))
    }
    const movers = await list('orderBy: { field: price_change_h24 }')
    expect(movers.total).toBeGreaterThan(5)
    expect(
      await faultsOf(
        '{ tokens(orderBy: [{ field: price_change_h24, direction: asc }], asOf: { block: 5 }) { total } }',
      ),
    ).toEqual(['orderBy can have a change of price only at the newest block, without asOf'])
    expect(await faultsOf('{ tokens(orderBy: [{ field: price_change_h1 }, { field: price_usd }]) { total } }')).toEqual(
      ['orderBy must have no other key beside price_change_h1'],
    )
  } finally {
    await board.stop()
    await head.stop()
  }
})

test('the net worth of a wallet is the sum of its holdings, and beside it are their proceeds', async () => {
  const { wallets } = await ask(
    `{ wallets(orderBy: { field: trade_count }, first: 30) { nodes { netWorthUsd sellableUsd portfolio(limit: 200) { valueUsd sellableUsd } } } }`,
  )
  type Held = Record<'valueUsd' | 'sellableUsd', number | null>
  for (const { netWorthUsd, sellableUsd, portfolio } of wallets.nodes) {
    const total = (of: keyof Held) => portfolio.reduce((sum: number, held: Held) => sum + (held[of] ?? 0), 0)
    expect(netWorthUsd).toBeCloseTo(total('valueUsd'), 4)
    expect(sellableUsd).toBeCloseTo(total('sellableUsd'), 4)
    expect(sellableUsd).toBeLessThanOrEqual(netWorthUsd + 1e-4)
  }
  const { tokens } = await ask(`{ tokens(first: 200) { nodes { symbol liquidityUsd marketCapUsd priceConfidence
    deployer { portfolio(limit: 200) { tokenSymbol quantity valueUsd sellableUsd openUsd token { priceUsd } } } } } }`)
  // It pulled the liquidity, and has half of the tokens that cannot be sold any more.
  const { deployer, liquidityUsd, marketCapUsd, priceConfidence } = tokens.nodes.find(
    ({ symbol }: { symbol: string }) => symbol === 'RUGD',
  )
  const held = deployer.portfolio.find(({ tokenSymbol }: { tokenSymbol: string }) => tokenSymbol === 'RUGD')
  expect(held.quantity * held.token.priceUsd).toBeGreaterThan(100_000)
  expect(held.valueUsd).toBeCloseTo(liquidityUsd / 2, 4)
  expect(held.openUsd).toBeLessThanOrEqual(held.valueUsd)
  expect(held.sellableUsd).toBeLessThan(held.valueUsd)
  // The cap keeps the quote's price at the token's last change; its liquidity moves with the quote.
  expect(marketCapUsd / (liquidityUsd / 2)).toBeCloseTo(1, 1)
  expect(priceConfidence).toBe('low')
  expect(wallets.nodes.filter(({ netWorthUsd }: { netWorthUsd: number }) => netWorthUsd > 0).length).toBeGreaterThan(10)
})

test('some wallets and tokens have gaps in their confidence', async () => {
  const { wallets, tokens } =
    await ask(`{ wallets(orderBy: { field: trade_count }, first: 30) { nodes { pnl { confidenceGaps }
    score { explanation { confidenceGaps } } } } tokens(first: 50) { nodes { score { explanation { confidenceGaps } } } } }`)
  interface Told {
    confidenceGaps: string[]
  }
  type Item = { pnl?: Told; score: { explanation: Told | null } }
  const told = [...wallets.nodes, ...tokens.nodes].flatMap(({ pnl, score }: Item) =>
    [pnl ?? [], score.explanation ?? []].flat(),
  )
  expect(told.filter(({ confidenceGaps }) => confidenceGaps.length > 0).length).toBeGreaterThan(3)
})

test('a sparkline has the closes of the hours that had ended at its points, and ends with the last price', async () => {
  const points = 15
  const { tokens } =
    await ask(`{ tokens(first: 60) { nodes { lastPriceUsd sparkline(points: ${points}) one: sparkline(points: 1)
    hours(limit: 720) { start closeUsd } } } }`)
  let priced = 0
  for (const { lastPriceUsd, sparkline, one, hours } of tokens.nodes) {
    const expected = Array.from({ length: points - 1 }, (_, point) => {
      const at = now - 604_800 + (point * 604_800) / (points - 1)
      return hours.find((hour: Candle) => seconds(hour.start) + 3_600 <= at)?.closeUsd || null
    })
    expect(sparkline.slice(0, -1)).toEqual(expected)
    expect(one).toEqual(sparkline.slice(-1))
    // The price has the digits that mean something.
    if (lastPriceUsd > 0) expect(sparkline.at(-1) / lastPriceUsd).toBeCloseTo(1, 6)
    else expect(one).toEqual([null])
    priced += expected.filter((price) => price !== null).length
  }
  expect(priced).toBeGreaterThan(100)
  expect(await refusal('{ tokens(first: 1) { nodes { sparkline(points: 0) } } }')).toBe(
    'points must be an integer >= 1',
  )
})
