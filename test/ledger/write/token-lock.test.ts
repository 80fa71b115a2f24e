import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '../../../src/base/address.ts'
import { acquireWriter, type WriterLock } from '../../../src/database/writer-lock.ts'
import {
  addressOf,
  createMarket,
  LOCKER,
  type Market,
  NUMBERED_LOCKER,
  ROUTER,
  USDC,
  WETH,
  wallet,
} from '../../support/blocks.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { appendFinal, startAnew } from '../../support/writing.ts'

const [alice, bob] = [wallet(1), wallet(2)]
const TOKEN = addressOf('token', 1)
const DAY = 86_400
const START = 1_760_000_000
const NOON = Math.floor(START / DAY + 90) * DAY + DAY / 2

let database: TestDatabase
let lock: WriterLock
beforeAll(async () => {
  database = await createTestDatabase()
  lock = await acquireWriter({ database })
})
afterAll(() => lock.release())

/** TOKEN against USDC in a pair; alice has its shares. */
function openPair(): { market: Market; pair: Address; shares: bigint } {
  const market = createMarket({ startTime: START })
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  market.token(TOKEN)
  market.mint(USDC, alice, 10n ** 12n)
  market.mint(TOKEN, alice, 10n ** 24n)
  const pair = market.createPool(alice, TOKEN, USDC)
  const isZero = market.pool(pair).token0 === TOKEN
  market.add(pair, alice, isZero ? 10n ** 22n : 10n ** 10n, isZero ? 10n ** 10n : 10n ** 22n)
  market.mine()
  return { market, pair, shares: market.balance(pair, alice) }
}

const write = async (market: Market) => appendFinal(await startAnew(lock, market.reader), market.blocks)

const readLocks = async () =>
  (
    await database.pool.query(
      `SELECT w.address AS locker, l.number, t.address AS token, o.address AS owner, l.amount,
         date_part('epoch', l.ends_at)::float8 AS ends
       FROM token_lock l JOIN wallet w ON w.id = l.locker_id JOIN token t ON t.id = l.token_id
       LEFT JOIN wallet o ON o.id = l.owner_id ORDER BY l.locker_id, l.number, l.token_id`,
    )
  ).rows

const lockOf = (token: Address, owner: Address | null, amount: bigint, ends: number) => ({
  ...{ locker: LOCKER, number: Math.floor(ends / DAY), token, owner, amount: String(amount), ends },
})
const numbered = (token: Address, number: number, owner: Address, amount: bigint, ends: number) => ({
  ...{ locker: NUMBERED_LOCKER, number, token, owner, amount: String(amount), ends },
})

describe('a locker without numbers', () => {
  test('a locker without numbers has one lock per token and day: the sum, which ends when the first part ends', async () => {
    const { market, pair, shares } = openPair()
    market.lock(pair, alice, shares / 4n, NOON + 60)
    market.lock(pair, alice, shares / 8n, NOON)
    market.mine()
    market.lock(pair, alice, shares / 8n, NOON + DAY)
    market.mine()
    await write(market)
    expect(await readLocks()).toEqual([
      lockOf(pair, alice, shares / 4n + shares / 8n, NOON),
      lockOf(pair, alice, shares / 8n, NOON + DAY),
    ])
  })

  test('the lock of a day on which several wallets locked has no owner', async () => {
    const { market, pair, shares } = openPair()
    market.transfer(pair, alice, bob, shares / 2n)
    market.lock(pair, alice, 1_000n, NOON)
    market.lock(pair, bob, 2_000n, NOON)
    market.mine()
    await write(market)
    expect(await readLocks()).toEqual([lockOf(pair, null, 3_000n, NOON)])
  })

  test('a withdrawal from a locker without numbers comes from the oldest lock that has ended, never from one that has not', async () => {
    const { market, pair } = openPair()
    const soon = START + 3 * DAY
    market.lock(pair, alice, 5_000n, NOON)
    market.lock(pair, alice, 1_000n, soon)
    market.lock(pair, alice, 2_000n, soon - DAY)
    market.mine()
    market.mine(3 * DAY)
    market.unlock(pair, alice, 2_500n)
    market.mine()
    await write(market)
    expect(await readLocks()).toEqual([
      lockOf(pair, alice, 0n, soon - DAY),
      lockOf(pair, alice, 500n, soon),
      lockOf(pair, alice, 5_000n, NOON),
    ])
    market.unlock(pair, alice, 5_000n)
    market.mine()
    await write(market)
    expect((await readLocks()).map((row) => row.amount)).toEqual(['0', '0', '5000'])
  })

  test('a day whose lock is empty starts with a new lock', async () => {
    const { market, pair } = openPair()
    market.transfer(pair, alice, bob, 9_000n)
    market.lock(pair, alice, 1_000n, START)
    market.mine()
    market.unlock(pair, alice, 1_000n)
    market.mine()
    market.lock(pair, bob, 7_000n, START + 60)
    market.mine()
    await write(market)
    expect(await readLocks()).toEqual([lockOf(pair, bob, 7_000n, START + 60)])
  })
})

describe('a locker with numbers', () => {
  test('a numbered lock is set, extended, handed over and emptied', async () => {
    const { market, pair } = openPair()
    market.lock(pair, alice, 1_000n, NOON, 7)
    market.lock(pair, alice, 2_000n, NOON, 8)
    market.mine()
    market.tx(alice, NUMBERED_LOCKER, (emit) => {
      emit(NUMBERED_LOCKER, { kind: 'lock_changed', number: 7, owner: null, amount: null, endsAt: NOON + DAY })
      emit(NUMBERED_LOCKER, { kind: 'lock_changed', number: 8, owner: bob, amount: 1_500n, endsAt: null })
    })
    market.mine()
    market.unlock(pair, bob, 5_000n, 8)
    market.mine()
    await write(market)
    expect(await readLocks()).toEqual([numbered(pair, 7, alice, 1_000n, NOON + DAY), numbered(pair, 8, bob, 0n, NOON)])
  })

  test('logs about a lock that was never made, or a token that never moved, make no lock', async () => {
    const { market } = openPair()
    market.tx(alice, NUMBERED_LOCKER, (emit) => {
      const said = { owner: alice, amount: 5n, endsAt: NOON }
      emit(NUMBERED_LOCKER, { kind: 'lock_changed', number: 1, ...said })
      emit(NUMBERED_LOCKER, { kind: 'lock_reduced', number: 2, amount: 5n })
      emit(NUMBERED_LOCKER, { kind: 'lock_set', number: 3, token: addressOf('token', 99), ...said })
      emit(LOCKER, { kind: 'lock_taken', token: addressOf('token', 99), amount: 5n })
    })
    market.mine()
    await write(market)
    expect(await readLocks()).toEqual([])
  })
})

test('locks are the same block by block, after a restart, and in one batch', async () => {
  const { market, pair, shares } = openPair()
  for (let n = 0; n < 6; n += 1) {
    market.lock(pair, alice, shares / 20n, NOON + n * 20_000, n % 2 ? n : null)
    if (n === 3) market.unlock(pair, alice, 77n, 1)
    market.mine()
  }
  await write(market)
  const together = await readLocks()
  expect(together).toHaveLength(5)
  const writer = await startAnew(lock, market.reader)
  for (const block of market.blocks) await appendFinal(writer, [block])
  expect(await readLocks()).toEqual(together)
})

describe("the score of a pool's token", () => {
  const dueIds = async () =>
    (await database.pool.query('SELECT t.address FROM score_due d JOIN token t ON t.id = d.id WHERE d.kind = 1')).rows
  const expectDue = async (market: Market, act: () => void) => {
    const writer = await startAnew(lock, market.reader)
    await appendFinal(writer, market.blocks)
    await database.pool.query('TRUNCATE score_due')
    act()
    market.mine()
    await appendFinal(writer, market.blocks.slice(-1))
    return expect(await dueIds())
  }

  test("a transfer of pool shares makes the score of the pool's token due", async () => {
    const { market, pair } = openPair()
    ;(await expectDue(market, () => market.transfer(pair, alice, bob, 5n))).toEqual([{ address: TOKEN }])
  })

  test("a lock that changes without a transfer makes the score of the pool's token due", async () => {
    const { market, pair } = openPair()
    market.lock(pair, alice, 1_000n, NOON, 7)
    market.mine()
    const extend = () =>
      market.tx(alice, NUMBERED_LOCKER, (emit) =>
        emit(NUMBERED_LOCKER, { kind: 'lock_changed', number: 7, owner: null, amount: null, endsAt: NOON + DAY }),
      )
    ;(await expectDue(market, extend)).toEqual([{ address: TOKEN }])
  })

  test("a transfer of another token does not make the score of the pool's token due", async () => {
    const { market } = openPair()
    ;(await expectDue(market, () => market.tx(alice, ROUTER, () => {}))).toEqual([])
  })
})
