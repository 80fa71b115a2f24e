import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import type { ChainBlock } from '../../../src/chain/event.ts'
import { acquireWriter, type WriterLock } from '../../../src/database/writer-lock.ts'
import {
  addressOf,
  createMarket,
  DEAD,
  LOCKER,
  type Market,
  NUMBERED_LOCKER,
  USDC,
  WETH,
  wallet,
} from '../../support/blocks.ts'
import { createTestClock } from '../../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { dumpTables, startAnew } from '../../support/writing.ts'

let straight: TestDatabase
let crooked: TestDatabase
let locks: WriterLock[] = []
beforeAll(async () => {
  straight = await createTestDatabase()
  crooked = await createTestDatabase()
  locks = await Promise.all([straight, crooked].map((database) => acquireWriter({ database })))
})
afterAll(() => Promise.all(locks.map((lock) => lock.release())))

/** One action. Its numbers choose who acts, on what, and how much. */
type Deed = readonly [what: number, who: number, which: number, size: number]
/** A block of actions after some seconds, or a reorg some blocks deep. */
type Turn = { deeds: Deed[]; seconds: number } | { back: number }

const deed: fc.Arbitrary<Deed> = fc.tuple(fc.nat(16), fc.nat(5), fc.nat(3), fc.integer({ min: 1, max: 90 }))
const block = fc.record({
  deeds: fc.array(deed, { maxLength: 6, size: 'max' }),
  seconds: fc.constantFrom(1, 12, 12, 12, 1_800, 40_000),
})
const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: block },
    { weight: 1, arbitrary: fc.record({ back: fc.integer({ min: 1, max: 6 }) }) },
  ),
  { minLength: 8, maxLength: 40, size: 'max' },
)

const at = <Item>(items: readonly Item[], n: number): Item => items[n % items.length] as Item

/** Starts with funded wallets, tokens of several kinds, and a price for wrapped native. */
function openMarket(): Market {
  const market = createMarket()
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  for (let n = 0; n < 6; n += 1) {
    market.mint(USDC, wallet(n), 10n ** 13n)
    market.wrap(wallet(n), 10n ** 21n)
  }
  ;[18, 6, 0, null].forEach((decimals, n) => {
    const token = market.token(addressOf('token', n), { decimals, feePct: n === 1 ? 3 : 0 })
    for (let who = 0; who < 6; who += 2) market.mint(token, wallet(who), 10n ** 24n, wallet(0))
  })
  const pair = market.createPool(wallet(0), WETH, USDC)
  const isZero = market.pool(pair).token0 === WETH
  const [native, dollars] = [10n ** 20n, 2n * 10n ** 11n]
  market.add(pair, wallet(0), isZero ? native : dollars, isZero ? dollars : native)
  market.mine()
  return market
}

function act(market: Market, [what, n, which, size]: Deed): void {
  const who = wallet(n)
  const token = addressOf('token', which)
  const part = (of: Address, by = who) => (market.balance(of, by) * BigInt(size)) / 1_000n
  const pool = at(market.pools(), n + size)
  const { token0, token1, reserve0, reserve1 } = market.pool(pool)
  // Numbers repeat, as when a lock is edited. Ends are in the past, within the script's days, or far away.
  const lockNumber = n % 2 === 0 ? null : which
  const endsAt = (market.blocks.at(-1)?.time ?? 0) + at([-1, 3_600, 40_000, 9e7], size)
  const locked = at([pool, token], size)
  const isFull = reserve0 > 10n ** 6n && reserve1 > 10n ** 6n
  const deeds: (() => void)[] = [
    () => market.transfer(token, who, wallet(size), part(token)),
    () => market.transfer(USDC, who, at([DEAD, ZERO_ADDRESS, wallet(40), pool], size), part(USDC)),
    () => market.native(who, wallet(size), BigInt(size)),
    () => market.unwrap(who, part(WETH)),
    () =>
      void (
        market.pools().length < 9 &&
        market.createPool(who, token, at([USDC, WETH, addressOf('token', 2)], size), at(['v2', 'v3'], n))
      ),
    () =>
      void (part(token0) > 10n ** 7n && part(token1) > 10n ** 7n && market.add(pool, who, part(token0), part(token1))),
    () => market.remove(pool, who, BigInt(size)),
    () => void (part(locked) > 0n && market.lock(locked, who, part(locked), endsAt, lockNumber)),
    () =>
      void (
        part(locked, lockNumber === null ? LOCKER : NUMBERED_LOCKER) > 0n &&
        market.unlock(locked, who, part(locked, lockNumber === null ? LOCKER : NUMBERED_LOCKER), lockNumber)
      ),
  ]
  const swap = () => {
    const side = at([token0, token1], size)
    if (isFull && part(side) > 0n) market.swap(pool, who, side, part(side), size % 7 === 0 ? wallet(size) : who)
  }
  if (what === 4 && token === at([USDC, WETH, addressOf('token', 2)], size)) return
  ;(deeds[what] ?? swap)()
}

/** Plays the turns, and passes each block and each reorg to `tell` as it happens. */
async function play(
  market: Market,
  script: readonly Turn[],
  first: number,
  tell: (step: ChainBlock | { to: number }) => Promise<void>,
) {
  let finalized = first
  for (const turn of script) {
    const head = market.blocks.length - 1
    if ('back' in turn) {
      const to = Math.max(finalized, head - turn.back)
      market.goBack(to)
      await tell({ to })
    } else {
      for (const one of turn.deeds) act(market, one)
      await tell(market.mine(turn.seconds))
      finalized = Math.max(finalized, market.blocks.length - 1 - FINALITY)
    }
  }
}

const FINALITY = 8

test('any script of blocks and reorgs ends in exactly the rows of a run without reorgs, whatever is batched or prefetched', async () => {
  const [straightLock, crookedLock] = locks as [WriterLock, WriterLock]
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.integer({ min: 1, max: 20 }),
      fc.nat(6),
      fc.integer({ min: 0, max: 1_200 }),
      fc.nat(3),
      async (script, batch, start, pauseMs, ahead) => {
        const market = openMarket()
        while (market.blocks.length <= start) {
          act(market, [9, market.blocks.length, 1, 40])
          act(market, [4, 2, 1, market.blocks.length])
          act(market, [5, 2, 1, 50 + market.blocks.length])
          market.mine()
        }
        const first = Math.min(start, market.blocks.length - 1)
        const follower = await startAnew(crookedLock, market.reader, { startBlock: first })
        let finalized = 0
        const append = (blocks: readonly ChainBlock[]) => {
          const head = market.blocks.length - 1
          finalized = Math.max(finalized, head - FINALITY)
          return follower.append({ blocks, head, finalized })
        }
        await append(market.blocks.slice(first))
        await play(market, script, first, async (step) => {
          if ('to' in step) await follower.rollback({ number: step.to, hash: market.blocks[step.to]?.hash ?? '0x' })
          else {
            await append([step])
            if (step.number % 3 === 0) await follower.finalise(finalized, step.number)
          }
        })
        // Some appends are gathered, others are being written while the next ones are applied.
        const clock = createTestClock()
        const runner = await startAnew(straightLock, market.reader, { startBlock: first, clock })
        const head = market.blocks.length - 1
        const batches: ChainBlock[][] = []
        for (let n = first; n <= head; n += batch) batches.push(market.blocks.slice(n, n + batch))
        for (const blocks of batches.slice(0, ahead)) runner.prefetch(blocks)
        for (const [i, blocks] of batches.entries()) {
          const appended = runner.append({ blocks, head, finalized: head })
          await setImmediate()
          if (ahead > 0) runner.prefetch(batches[i + ahead] ?? [])
          await appended
          clock.advance(pauseMs)
        }
        await Promise.all([follower.settle(), runner.settle()])
        expect(await dumpTables(crooked.pool)).toEqual(await dumpTables(straight.pool))
      },
    ),
    // A script that fails is made shorter for as long, and then told with its seed.
    { numRuns: RUNS, interruptAfterTimeLimit: 300_000, markInterruptAsFailure: true, ...(SEED ? { seed: SEED } : {}) },
  )
})

/** How many scripts run; the storm runs more. */
const RUNS = Number(process.env.REORG_RUNS ?? 15)
const SEED = Number(process.env.REORG_SEED ?? 0)
