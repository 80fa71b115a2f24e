// From a locker's log to the score: a lock counts until thirty days before its end, and then the score changes without
// an event.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Address } from '../../src/base/address.ts'
import { acquireWriter, type WriterLock } from '../../src/database/writer-lock.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { type PackedExplanation, unpackExplanation } from '../../src/ledger/explanation-pack.ts'
import { toFactsBlock } from '../../src/ledger/facts/facts.ts'
import { createMemory } from '../../src/ledger/facts/memory.ts'
import { loadTokenFacts } from '../../src/ledger/facts/token.ts'
import type { Writer } from '../../src/ledger/write/writer.ts'
import { FACT_RULES } from '../../src/scoring/weights.ts'
import { addressOf, createMarket, type Market, NUMBERED_LOCKER, USDC, WETH, wallet } from '../support/blocks.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { startAnew } from '../support/writing.ts'

const [alice, bob] = [wallet(1), wallet(2)]
const TOKEN = addressOf('token', 1)
const DAY = 86_400
const START = Math.floor(1_760_000_000 / DAY) * DAY

let database: TestDatabase
let lock: WriterLock
let market: Market
let pair: Address
let writer: Writer
let rescore: ReturnType<typeof createRescore>

beforeAll(async () => {
  database = await createTestDatabase()
  lock = await acquireWriter({ database })
  rescore = createRescore({ database, preset: { sectors: {} } })
})
afterAll(() => lock.release())

/** TOKEN has a pair worth 20,000 dollars, and alice holds all its shares. */
beforeEach(async () => {
  market = createMarket({ startTime: START })
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  market.token(TOKEN)
  market.mint(USDC, alice, 10n ** 12n)
  market.mint(TOKEN, alice, 10n ** 24n)
  pair = market.createPool(alice, TOKEN, USDC)
  const isZero = market.pool(pair).token0 === TOKEN
  market.add(pair, alice, isZero ? 10n ** 22n : 10n ** 10n, isZero ? 10n ** 10n : 10n ** 22n)
  market.mine()
  writer = await startAnew(lock, market.reader)
  await follow()
})

/** Appends the new blocks (the last eight can be rolled back) and rescores. */
async function follow(): Promise<void> {
  const head = market.blocks.length - 1
  await writer.append({ blocks: market.blocks, head, finalized: head - 8 })
  await rescore.run()
}

const mineAt = (time: number) => market.mine(time - (market.blocks.at(-1)?.time ?? 0))

async function readScore() {
  const { rows } = await database.pool.query<{ explanation: PackedExplanation; summary: string; due: number | null }>(
    `SELECT s.explanation::json AS explanation, s.summary, date_part('epoch', d.due_at)::float8 AS due FROM token t
     JOIN token_score s ON s.token_id = t.id LEFT JOIN score_due d ON d.kind = 1 AND d.id = t.id WHERE t.address = $1`,
    [TOKEN],
  )
  const [row] = rows
  if (!row) throw new Error('not scored')
  const { dimensions, block } = unpackExplanation(row.explanation)
  const exitShare = dimensions.flatMap(({ inputs }) => inputs).find(({ name }) => name === 'exitShare')?.value
  return { block, exitShare, due: row.due, summary: row.summary }
}

const readLocks = async () => {
  const { rows } = await database.pool.query('SELECT id FROM token WHERE address = $1', [TOKEN])
  const [facts] = await loadTokenFacts(
    database.pool,
    [rows[0].id],
    toFactsBlock(market.blocks.length - 1, market.blocks.at(-1)?.time ?? 0),
    createMemory(FACT_RULES),
  )
  return (facts?.pools[0]?.providers ?? []).filter(({ kind }) => kind === 'locker')
}

const ENDS = START + 100 * DAY + 1_800
const COUNTS_UNTIL = START + 70 * DAY + 3_600

test('a lock counts until thirty days before its end, and the token is rescored then and at the end', async () => {
  market.lock(pair, alice, market.balance(pair, alice), ENDS)
  market.mine()
  await follow()
  expect(await readScore()).toMatchObject({ block: 1, exitShare: 0 })
  expect((await readScore()).summary).toContain('100 % locked until')
  mineAt(START + 40 * DAY)
  await follow()
  expect(await readScore()).toMatchObject({ block: 2, exitShare: 0, due: COUNTS_UNTIL })
  mineAt(COUNTS_UNTIL - 1)
  await follow()
  expect(await readScore()).toMatchObject({ block: 2 })
  mineAt(COUNTS_UNTIL)
  await follow()
  const { exitShare, due, summary, block } = await readScore()
  expect([block, due]).toEqual([4, START + 100 * DAY + 3_600])
  expect(exitShare).toBeGreaterThan(0.99)
  expect(summary).not.toContain('locked until')
  mineAt(START + 100 * DAY + 3_600)
  await follow()
  expect(await readScore()).toMatchObject({ block: 5, due: null })
})

test('who can withdraw the liquidity is of the score, moves with the shares, and is null where it is locked or all gone', async () => {
  const graph = await openGraph(database)
  interface Told {
    withdrawablePct: number | null
    withdrawableBy: { address: Address } | null
  }
  const ask = async () => {
    await graph.head.refresh()
    const query = `{ token(address: "${TOKEN}") { withdrawablePct withdrawableBy { address } } }`
    const { withdrawablePct: pct, withdrawableBy: by } = (await graph.execute(query, {}, SOMEBODY)).data.token as Told
    return [pct === null ? null : Math.round(pct), by?.address ?? null]
  }
  expect(await ask()).toEqual([100, alice])
  market.transfer(pair, alice, bob, (market.balance(pair, alice) * 3n) / 5n)
  market.mine()
  await follow()
  expect(await ask()).toEqual([60, bob])
  for (const owner of [alice, bob]) market.lock(pair, owner, market.balance(pair, owner), ENDS)
  market.mine()
  await follow()
  expect(await ask()).toEqual([0, null])
  await database.pool.query('UPDATE token SET liquidity_usd = 0.5 WHERE address = $1', [TOKEN])
  expect(await ask()).toEqual([null, null])
})

test('rolling back an extension of a lock restores the score and its due time', async () => {
  market.lock(pair, alice, market.balance(pair, alice), ENDS, 7)
  market.mine()
  mineAt(START + 40 * DAY)
  await follow()
  const before = await readScore()
  expect(before.due).toBe(COUNTS_UNTIL)
  market.tx(alice, NUMBERED_LOCKER, (emit) =>
    emit(NUMBERED_LOCKER, { kind: 'lock_changed', number: 7, owner: null, amount: null, endsAt: ENDS + 400 * DAY }),
  )
  market.mine()
  await follow()
  expect((await readScore()).due).toBe(COUNTS_UNTIL + 400 * DAY)
  market.goBack(2)
  await writer.rollback({ number: 2, hash: market.blocks[2]?.hash ?? '0x' })
  await rescore.run()
  expect(await readScore()).toEqual(before)
})

test('locks count up to the locker’s balance, soonest end first, and the rest has an unknown end', async () => {
  const supply = Number(market.supply(pair))
  market.lock(pair, alice, 1_000_000n, ENDS, 1)
  market.transfer(pair, alice, NUMBERED_LOCKER, 500_000n)
  market.mine()
  await follow()
  expect((await readLocks())[0]).toMatchObject({ share: 1_500_000 / supply, locks: [{ endsAt: ENDS }] })
  market.tx(alice, NUMBERED_LOCKER, (emit) => {
    const said = { token: pair, owner: bob, amount: 10n ** 30n }
    emit(NUMBERED_LOCKER, { kind: 'lock_set', number: 2, ...said, endsAt: ENDS + DAY })
    emit(NUMBERED_LOCKER, { kind: 'lock_set', number: 3, ...said, endsAt: ENDS + 2 * DAY })
  })
  market.mine()
  await follow()
  expect((await readLocks())[0]?.locks).toEqual([
    { share: 1_000_000 / supply, endsAt: ENDS },
    { share: 500_000 / supply, endsAt: ENDS + DAY },
  ])
})

test('the first fifty locks of a share are read, and the rest counts as free', async () => {
  const part = market.balance(pair, alice) / 100n
  for (let n = 0; n < 60; n += 1) market.lock(pair, alice, part + BigInt(60 - n), ENDS, n)
  market.mine()
  await follow()
  const [locker] = await readLocks()
  expect(locker?.locks).toHaveLength(51)
  expect(locker?.locks[0]).toMatchObject({ endsAt: 0 })
  expect(locker?.locks[0]?.share).toBeCloseTo(0.1, 6)
})
