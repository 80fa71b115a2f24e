import { beforeEach, expect, test } from 'vitest'
import { createRescore } from '../../src/indexing/rescore.ts'
import { unpackExplanation } from '../../src/ledger/explanation-pack.ts'
import { toFactsBlock } from '../../src/ledger/facts/facts.ts'
import { createMemory } from '../../src/ledger/facts/memory.ts'
import { loadTokenFacts } from '../../src/ledger/facts/token.ts'
import { loadWalletFacts } from '../../src/ledger/facts/wallet.ts'
import { requeueScores, restoreImages } from '../../src/ledger/undo.ts'
import { recomputeScore } from '../../src/scoring/composite.ts'
import { FACT_RULES } from '../../src/scoring/weights.ts'
import { createTestDatabase } from '../support/database.ts'
import { DAY, NOW } from '../support/facts.ts'

const database = await createTestDatabase()
const rescore = createRescore({ database, preset: { sectors: {} } })

const at = (seconds: number) => `to_timestamp(${seconds})`
const run = (text: string) => database.pool.query(text)
const one = async (text: string) => (await run(text)).rows[0]

/** Token 1 has a pool against token 2, with LP shares of token 3. Wallet 1 is the deployer, wallet 6 the pool. */
async function fill(): Promise<void> {
  await run(`TRUNCATE chain, block, token, pool, wallet, position, event, token_hour, pool_day, wallet_week, link,
    token_score, wallet_score, wallet_outcome, score_due, score_point, wash_mark, undo`)
  await run(`INSERT INTO chain VALUES (1, 1, 'test', 0, 1000, 900, now())`)
  await addBlock(1_000, NOW + 120)
  const tokens = [
    `(1, '0x01', 'erc20', true, 'Plain', 'PLN', 18, 1e24, 0, ${at(NOW - 20 * DAY)}, 1, 1, 'uniswap_v2', false, 1, 0.1, 1e5, 20000, 40000, ${at(NOW - 20 * DAY)}, 1, 2, 3, 3, 1e6, 6, 4, 1, 0, 1, 1000)`,
    `(2, '0x02', 'erc20', false, 'Wrapped', 'WETH', 18, 1e26, 0, ${at(NOW - 20 * DAY)}, 1, NULL, 'unknown', false, NULL, 3000, 0, 0, 0, NULL, NULL, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1)`,
    `(3, '0x03', 'lp', false, 'LP', 'LP', 18, 1e20, 0, ${at(NOW - 20 * DAY)}, 1, NULL, 'unknown', false, NULL, 0, 0, 0, 0, NULL, NULL, 0, 2, 2, 0, 0, 0, 0, 0, 0, 1)`,
  ]
  await run(`INSERT INTO token VALUES ${tokens.join(', ')}`)
  await run('UPDATE token SET price_hops = 1, depth_2pct_usd = 100 WHERE price_usd > 0')
  await run(
    `INSERT INTO pool VALUES (1, '0xp1', 'v2', '0xf1', 'uniswap_v2', 1, 2, 3000, 1, 2, 3, 6, 1e23, 4e18, NULL, 0.00003, 20000, 40000, ${at(NOW - 20 * DAY)}, 1, 1000)`,
  )
  for (const id of [1, 2, 3, 4, 5, 6]) {
    const counts = id === 2 ? '4, 4, 0, 0, 0, 100, 120, 120, 20, 2, 2' : '0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0'
    await run(`INSERT INTO wallet VALUES (${id}, '0x0${id}', true, '${id === 6 ? 'pool' : id === 5 ? 'locker' : 'account'}',
      ${at(NOW - 30 * DAY)}, 1, ${id === 3 || id === 4 ? 2 : 'NULL'}, ${counts}, 20, 0, 1, 1, 0, 0, ${id === 1 ? 1 : 0}, ${at(NOW - DAY)}, 1000)`)
  }
  await run('UPDATE wallet SET exit_count = closed_count, exit_win_count = win_count')
  const hold = (tokenId: number, walletId: number, balance: string, more = `NULL, NULL, '{}', '{}'`) =>
    `(${tokenId}, ${walletId}, ${balance}, 0, 0, 0, 0, 0, 0, ${more}, 1, 1, 0, 0, 0, ${at(NOW - 20 * DAY)}, ${at(NOW - DAY)})`
  const opened = `1, ${at(NOW - 19 * DAY)}, '{${Math.floor(NOW / DAY) - 3}}', '{125000}'`
  await run(
    `INSERT INTO position VALUES ${[
      hold(1, 6, '5e23'),
      hold(1, 2, '2.5e23', opened),
      hold(1, 1, '2.5e23'),
      hold(1, 3, '0'),
      hold(3, 1, '6e19'),
      hold(3, 5, '4e19'),
    ].join(', ')}`,
  )
  const swaps = [
    [10, 1],
    [5, 1],
    [2, 2],
    [1, 2],
  ].map(([daysAgo, side], index) => {
    const n = index + 1
    return `(${n}, ${n}, ${100 + n}, 0, 1, ${n}, ${n}, 2, ${n}, ${n}, 1, NULL, 1, ${side}, 1000, 100, ${at(NOW - Number(daysAgo) * DAY)}, '\\x0${n}')`
  })
  await run(`INSERT INTO event VALUES ${swaps.join(', ')}`)
  await run(`INSERT INTO token_hour SELECT 1, h, 0.1, 0.1, 0.1, CASE WHEN h < ${NOW / 3_600 - 9 * 24} THEN 0.2 ELSE 0.05 END, 1, 1, 1, 20000, 3
    FROM generate_series(${NOW / 3_600 - 9 * 24 - 10}, ${NOW / 3_600 - 9 * 24 + 9}) h`)
  await run(
    `INSERT INTO pool_day VALUES (1, ${Math.floor(NOW / DAY) - 2}, 8, 4, 0.9, 1, 8), (1, ${Math.floor(NOW / DAY) - 40}, 8, 4, 0.9, 1, 8)`,
  )
  await run(`INSERT INTO link VALUES (2, 1, 1, 5), (1, 4, 1, 5), (2, 4, 1, 6), (1, 3, 2, 5), (2, 3, 2, 6)`)
  await run(`INSERT INTO wallet_week VALUES (2, 2900, 10), (2, 2901, -5), (2, 2902, 0)`)
  await run(
    `INSERT INTO score_due SELECT 2, i, ${at(NOW)} FROM generate_series(1, 6) i UNION ALL SELECT 1, i, ${at(NOW)} FROM generate_series(1, 3) i`,
  )
}

const addBlock = (number: number, time: number) =>
  run(`INSERT INTO block VALUES (${number}, '0x', '0x', ${at(time)}, 0, 0, 0, 0, 0, 1, 6, 3, 6, 1)`)

beforeEach(fill)

test('the facts of a token contain its pools, providers, days, holders, swaps and links', async () => {
  const [facts, ...none] = await loadTokenFacts(
    database.pool,
    [1, 2, 3, 99],
    toFactsBlock(1_000, NOW),
    createMemory(FACT_RULES),
  )
  expect(none).toEqual([])
  expect(facts).toMatchObject({ circulating: 1e6, priceUsd: 0.1, swapCount: 4, holderCount: 3, burnedShare: 0 })
  expect(facts?.pools).toHaveLength(1)
  expect(facts?.pools[0]).toMatchObject({ quoteReserve: 4, liquidityUsd: 20_000, providerCount: 2 })
  expect(facts?.pools[0]?.providers?.map(({ id, kind, share }) => [id, kind, share])).toEqual([
    [1, 'account', 0.6],
    [5, 'locker', 0.4],
  ])
  expect(facts?.pools[0]?.days.map((day) => day.day)).toEqual([Math.floor(NOW / DAY) - 2])
  expect(facts?.holders?.map(({ id, kind, share, weekAgo }) => [id, kind, share, weekAgo])).toEqual([
    [6, 'pool', 0.5, 500_000],
    [1, 'account', 0.25, 250_000],
    [2, 'account', 0.25, 125_000],
  ])
  expect(facts?.swaps.map((swap) => [swap.direction, swap.time])).toEqual([
    ['buy', NOW - 5 * DAY],
    ['sell', NOW - 2 * DAY],
    ['sell', NOW - DAY],
  ])
  expect(facts?.links).toEqual([
    { fromId: 2, toId: 1, kind: 'native' },
    { fromId: 1, toId: 4, kind: 'sharedTarget' },
    { fromId: 2, toId: 4, kind: 'sharedTarget' },
  ])
})

test("the facts of a pool contain its opening and the fate of its opener's pools for other tokens", async () => {
  const read = async () =>
    [...(await loadTokenFacts(database.pool, [1], toFactsBlock(1_000, NOW), createMemory(FACT_RULES)))][0]?.pools[0]
  expect(await read()).toMatchObject({ openingQuote: null, opener: null })
  await run('UPDATE pool SET opener_id = 1, opening_quote = 2.5 WHERE id = 1')
  expect(await read()).toMatchObject({ openingQuote: 2.5, opener: { poolCount: 0, emptiedCount: 0 } })
  const other = (id: number, baseId: number, opener: number, liquidityUsd: number) =>
    run(`INSERT INTO pool SELECT ${id}, '0xp${id}', kind, factory, launchpad, token0_id, token1_id, fee, ${baseId}, quote_id,
      lp_token_id, wallet_id, reserve0, reserve1, NULL, price, ${liquidityUsd}, 1000, created_at, 1, 1000, ${opener}, 1 FROM pool WHERE id = 1`)
  await other(2, 12, 1, 1_000)
  await other(3, 13, 1, 99)
  await other(4, 14, 2, 0)
  await other(5, 1, 1, 0)
  expect(await read()).toMatchObject({ opener: { poolCount: 2, emptiedCount: 1 } })
  for (let id = 100; id < 160; id += 1) await other(id, id, 1, 500)
  expect(await read()).toMatchObject({ opener: { poolCount: 50, emptiedCount: 0 } })
})

test('services, airdrops and treasuries link no wallets', async () => {
  const read = async () =>
    [...(await loadTokenFacts(database.pool, [1], toFactsBlock(1_000, NOW), createMemory(FACT_RULES)))][0]?.links
  const direct = [{ fromId: 2, toId: 1, kind: 'token' }]
  await run('TRUNCATE link')
  await run('INSERT INTO link VALUES (2, 1, 2, 5)')
  expect(await read()).toEqual(direct)
  await run('INSERT INTO link SELECT 2, i, 2, 5 FROM generate_series(100, 118) i')
  expect(await read()).toEqual(direct)
  await run('INSERT INTO link SELECT 2, i, 2, 5 FROM generate_series(119, 120) i')
  expect(await read()).toEqual([])
  await run('TRUNCATE link')
  await run('INSERT INTO link SELECT i, 1, 2, 5 FROM generate_series(100, 120) i UNION ALL SELECT 2, 1, 2, 5')
  expect(await read()).toEqual([])
  await run('INSERT INTO link VALUES (2, 1, 1, 5)')
  expect(await read()).toEqual([{ fromId: 2, toId: 1, kind: 'native' }])
  await run(`UPDATE wallet SET kind = 'exchange' WHERE id = 1`)
  expect(await read()).toEqual([])
})

test('the facts of a wallet contain its sums, weeks, holdings and trades, with the outcome of older buys', async () => {
  const block = toFactsBlock(1_000, NOW)
  const facts = [
    ...(await loadWalletFacts(database.pool, [2, 3], { block, sectors: { '0x01': 'defi' } }, createMemory(FACT_RULES))),
  ]
  expect(facts.map((it) => it.id)).toEqual([2, 3])
  expect(facts[0]).toMatchObject({ kind: 'account', closedCount: 2, weekCount: 2, profitableWeekCount: 1 })
  // Worth 25,000 at the price; the pool's quote side could pay 10,000.
  expect(facts[0]?.holdingsUsd).toBeCloseTo(10_000)
  expect(facts[0]?.largestShare).toBeNull()
  expect(facts[0]?.swaps.map((swap) => [swap.direction, swap.sector, swap.aboveShare3d])).toEqual([
    ['buy', 'defi', 0.5],
    ['buy', 'defi', null],
    ['sell', 'defi', null],
    ['sell', 'defi', null],
  ])
})

test('the outcome of a buy is stored after three days, and equals a new computation', async () => {
  const outcomes = () => run('SELECT * FROM wallet_outcome').then(({ rows }) => rows)
  const read = () =>
    loadWalletFacts(
      database.pool,
      [2],
      { block: toFactsBlock(1_001, NOW + 3 * DAY), sectors: {} },
      createMemory(FACT_RULES),
    )
  const kept = { wallet_id: 2, known_n: 2, shares: [0.5, Number.NaN] }
  await rescore.run()
  expect(await outcomes()).toEqual([kept])
  await run(`INSERT INTO event SELECT n, n, 100 + n, 0, 1, n, n, 2, n, n, 1, NULL, 1, 1 + n % 3 / 2, 1000, 100,
    ${at(NOW)} - (60 - n) * interval '1 hour', '\\x01' FROM generate_series(5, 51) n`)
  await run('UPDATE wallet SET swap_count = 51 WHERE id = 2')
  const [later] = await read()
  expect(later?.swaps.map((swap) => swap.aboveShare3d).filter((share) => share !== null)).toEqual([])
  await run('UPDATE wallet_outcome SET shares = $${0.5,0.25}$$')
  const [again] = await read()
  expect(again?.swaps.map((swap) => swap.aboveShare3d).filter((share) => share !== null)).toEqual([0.25])
})

test('a run scores all due wallets and tokens, and each stored score can be recomputed', async () => {
  expect(await rescore.run()).toEqual({ tokens: 3, wallets: 6, isLeft: false })
  const token = await one('SELECT s.*, t.risk_score AS listed FROM token_score s JOIN token t ON t.id = token_id')
  expect(token).toMatchObject({ token_id: 1, block_number: 1_000, summary_source: 'facts', listed: token.risk_score })
  expect(recomputeScore(unpackExplanation(JSON.parse(token.explanation)))).toBe(token.risk_score)
  expect(token.summary).toContain('Plain (PLN)')
  const { rows: wallets } = await run('SELECT * FROM wallet_score ORDER BY wallet_id')
  expect(wallets.map((it) => it.classification)).toEqual([
    'developer',
    'retail',
    'unknown',
    'unknown',
    'locker',
    'pool',
  ])
  for (const it of wallets)
    expect(recomputeScore(unpackExplanation(JSON.parse(it.explanation)))).toBe(it.reputation_score)
})

test('a scored row is no longer due, or due again at the hour or day at which time changes its score', async () => {
  await rescore.run()
  const { rows } = await run(`SELECT kind, id, date_part('epoch', due_at) AS due FROM score_due`)
  expect(rows).toEqual([{ kind: 1, id: 1, due: NOW + 3_600 }])
  expect(await rescore.run()).toEqual({ tokens: 0, wallets: 0, isLeft: false })
})

test('the budget limits a run, and the rest stays due', async () => {
  expect(await rescore.run({ budget: 7 })).toEqual({ tokens: 1, wallets: 6, isLeft: false })
  expect(await rescore.run()).toEqual({ tokens: 2, wallets: 0, isLeft: false })
})

test('a run whose time is over scores the longest due of each kind, and says that the rest is left', async () => {
  await run(`INSERT INTO score_due SELECT 2, i, ${at(NOW - 60)} FROM generate_series(1000, 1172) i
    UNION ALL SELECT 1, i, ${at(NOW - 60)} FROM generate_series(1000, 1048) i`)
  const due = 'SELECT kind, id FROM score_due WHERE id < 1000 ORDER BY kind, id'
  const before = (await run(due)).rows
  expect(await rescore.run({ mostMs: 0.001 })).toEqual({ tokens: 32, wallets: 128, isLeft: true })
  expect((await run(due)).rows).toEqual(before)
  expect(await rescore.run({ mostMs: 0.001 })).toEqual({ tokens: 20, wallets: 51, isLeft: false })
  expect(await rescore.run()).toMatchObject({ isLeft: false })
})

test('scores of a block that may be rolled back save the previous rows, once', async () => {
  await rescore.run()
  const before = await one('SELECT risk_score FROM token WHERE id = 1')
  await run('DELETE FROM undo')
  await addBlock(1_001, NOW + 3_700)
  await run(`UPDATE token SET liquidity_usd = 1 WHERE id = 1`)
  await rescore.run()
  await run(`UPDATE score_due SET due_at = ${at(NOW)}`)
  await rescore.run()
  const { rows } = await run(`SELECT * FROM undo WHERE entity <> 'score_point' ORDER BY entity`)
  expect(rows.map((row) => [row.block_number, row.entity, row.key1, row.key2])).toEqual([
    [1_001, 'token', 1, 0],
    [1_001, 'token_score', 1, 0],
  ])
  expect(rows[0].before.risk_score).toBe(before.risk_score)
  expect(rows[1].before).toMatchObject({ block_number: 1_000, risk_score: before.risk_score })
})

test('a rollback restores scores, clusters, points and lists, and makes its rows due again', async () => {
  await run('UPDATE chain SET finalized = 1000')
  await rescore.run()
  await run(`UPDATE token_score SET cluster_wallet_ids = '{2,3}'`)
  const before = await one(
    'SELECT to_jsonb(s) AS score, t.risk_score FROM token_score s JOIN token t ON t.id = token_id',
  )
  await addBlock(1_001, NOW + 3_700)
  await run('UPDATE token SET liquidity_usd = 1 WHERE id = 1')
  await run('UPDATE score_point SET level = $$other$$')
  await rescore.run()
  expect((await run('SELECT * FROM score_point WHERE block_number = 1001')).rowCount).toBe(1)
  expect((await one('SELECT cluster_wallet_ids FROM token_score')).cluster_wallet_ids).toEqual([])
  const client = await database.pool.connect()
  await restoreImages(client, 1_000)
  await requeueScores(client, 1_000, NOW)
  client.release()
  const after = await one(
    'SELECT to_jsonb(s) AS score, t.risk_score FROM token_score s JOIN token t ON t.id = token_id',
  )
  expect(after).toEqual(before)
  expect((await run('SELECT * FROM score_point WHERE block_number = 1001')).rowCount).toBe(0)
  expect((await run('SELECT kind, id FROM score_due')).rows).toEqual([{ kind: 1, id: 1 }])
})

test('who washes a token is marked and scored anew in the same run, and a rollback takes the mark back', async () => {
  await run('UPDATE chain SET finalized = 1000')
  await rescore.run()
  const reputation = async () =>
    (await one('SELECT reputation_score FROM wallet_score WHERE wallet_id = 2')).reputation_score
  const before = await reputation()
  await addBlock(1_001, NOW + 3_700)
  // Wallet 2 buys and sells 77 tokens twelve times, four minutes apart.
  const trades = Array.from({ length: 24 }, (_, nth) => {
    const [n, own] = [11 + nth, 5 + nth]
    return `(${n}, ${n}, ${970 + nth}, 0, 1, ${own}, ${own}, 2, ${own}, ${own}, 1, NULL, 1, ${1 + (nth % 2)}, 77, 1000, ${at(NOW - 6_000 + nth * 250)}, '\\x${n}')`
  })
  await run(`INSERT INTO event VALUES ${trades.join(', ')}`)
  await run('UPDATE token SET swap_count = 28, event_count = 28 WHERE id = 1')
  await run('UPDATE wallet SET swap_count = 28, event_count = 28 WHERE id = 2')
  await run(
    `INSERT INTO score_due VALUES (1, 1, ${at(NOW)}) ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at`,
  )
  expect(await rescore.run()).toEqual({ tokens: 1, wallets: 1, isLeft: false })
  expect((await run('SELECT * FROM wash_mark')).rows).toEqual([{ wallet_id: 2, token_id: 1 }])
  expect(await reputation()).toBeLessThan(Math.min(before, 35))
  const client = await database.pool.connect()
  await restoreImages(client, 1_000)
  client.release()
  expect((await run('SELECT * FROM wash_mark')).rows).toEqual([])
  expect(await reputation()).toBe(before)
})

test('scores of a final block save no undo rows', async () => {
  await run('UPDATE chain SET finalized = 1000')
  await rescore.run()
  expect((await one('SELECT count(*)::int AS n FROM undo')).n).toBe(0)
})

test('the history has one point per change of level or flags, and otherwise one per day', async () => {
  const points = async () =>
    (await run('SELECT block_number FROM score_point WHERE kind = 1 ORDER BY 1')).rows.map((it) => it.block_number)
  const next = async (number: number, time: number) => {
    await addBlock(number, time)
    await run(
      `INSERT INTO score_due VALUES (1, 1, ${at(NOW)}) ON CONFLICT (kind, id) DO UPDATE SET due_at = ${at(NOW)}`,
    )
    await rescore.run()
    return points()
  }
  await rescore.run()
  expect(await points()).toEqual([1_000])
  await run('UPDATE score_point SET score = score + 0.1')
  expect(await next(1_001, NOW + 200)).toEqual([1_000])
  expect(await next(1_002, NOW + DAY)).toEqual([1_000, 1_002])
  await run('UPDATE score_point SET score = score + 0.1')
  expect(await next(1_003, NOW + DAY + 60)).toEqual([1_000, 1_002])
  await run(`UPDATE score_point SET level = 'other'`)
  expect(await next(1_004, NOW + DAY + 90)).toEqual([1_000, 1_002, 1_004])
  const { flags } = await one('SELECT risk_flags AS flags FROM token WHERE id = 1')
  expect((await run('SELECT flags FROM score_point WHERE kind = 1')).rows).toEqual([{ flags }, { flags }, { flags }])
  await run(`UPDATE score_point SET flags = ARRAY['sybil_cluster', 'wash_trading']`)
  expect(await next(1_005, NOW + DAY + 120)).toEqual([1_000, 1_002, 1_004, 1_005])
})

test('a run notifies the API processes, but only when a score changed', async () => {
  const client = await database.pool.connect()
  const heard: (string | undefined)[] = []
  client.on('notification', (message) => heard.push(message.payload))
  await client.query('LISTEN assay_head')
  await rescore.run()
  await rescore.run()
  await client.query('SELECT 1')
  client.release(true)
  expect(heard).toEqual(['1000'])
})

test('nothing is scored before the first block', async () => {
  await run('TRUNCATE block')
  expect(await rescore.run()).toEqual({ tokens: 0, wallets: 0, isLeft: false })
})
