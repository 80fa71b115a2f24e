// A chain of five blocks a second, with equal times, whose finality is hundreds of blocks behind.
import { expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { dumpLedger, indexToHead, rescoreAll } from '../support/live.ts'
import {
  at,
  buildSmallChain,
  called,
  createSmallNode,
  log,
  PLACES,
  readSmall,
  type SmallChain,
} from '../support/small-chain.ts'

const E18 = 10n ** 18n
const { weth, token, pair, router } = PLACES
const [UNFINAL, UNDONE, BLOCKS_PER_SECOND] = [300, 150, 5]

/** A purchase for some coins by an account of its own each time; `fork` makes another chain of it. */
function buy(n: number, fork: number) {
  const buyer = at(String(30_000 + (n % 40)))
  const paid = E18 / 100n + BigInt(fork)
  const [tokens, coins] = [500_000n * E18 - BigInt(n + 1) * E18, 100n * E18 + BigInt(n + 1) * paid]
  return called(
    buyer,
    log(weth, 'transfer', [buyer, pair], [paid]),
    log(token, 'transfer', [pair, buyer], [E18]),
    log(pair, 'sync', [], [tokens, coins]),
    log(pair, 'swap', [router, buyer], [0n, paid, E18, 0n]),
  )
}

/** The chain, whose last blocks differ by the fork. */
function build(fork: number): SmallChain {
  const blocks = Array.from({ length: UNFINAL }, (_, n) => [buy(n, n >= UNFINAL - UNDONE ? fork : 0)])
  const chain = buildSmallChain({}, ...blocks)
  const [first] = chain.blocks
  const start = first?.time ?? 0
  return {
    ...chain,
    unfinal: UNFINAL,
    blocks: chain.blocks.map(({ txs = [] }, n) => ({ time: start + Math.floor(n / BLOCKS_PER_SECOND), txs })),
  }
}

const index = (database: TestDatabase, chain: SmallChain) =>
  indexToHead(database, readSmall(chain, createSmallNode(chain)))

test('a reorganisation of half of hundreds of blocks with equal times leaves the rows of a straight run', async () => {
  const [first, second] = [build(0), build(7)]
  const [database, straight] = [await createTestDatabase(), await createTestDatabase()]
  await index(database, first)
  const undone = await database.pool.query<{ blocks: number }>(
    'SELECT count(DISTINCT block_number)::int AS blocks FROM undo',
  )
  expect(undone.rows[0]?.blocks).toBeGreaterThanOrEqual(UNFINAL - 1)
  const steps = await index(database, second)
  expect(steps.filter((kind) => kind === 'rollback')).toHaveLength(1)
  await index(straight, second)
  for (const each of [database, straight]) await rescoreAll(each, readSmall(second, createSmallNode(second)).preset)
  expect(await dumpLedger(database.pool)).toEqual(await dumpLedger(straight.pool))
})

test('a jump of finality deletes the undo images of all blocks below it', async () => {
  const database = await createTestDatabase()
  const chain = build(0)
  const undone = async () => {
    const { rows } = await database.pool.query<{ number: number }>(
      'SELECT DISTINCT block_number::int AS number FROM undo',
    )
    return rows.map(({ number }) => number)
  }
  await index(database, chain)
  expect((await undone()).length).toBeGreaterThanOrEqual(UNFINAL - 1)
  const [newest] = chain.blocks.slice(-1)
  const grown = {
    ...chain,
    unfinal: 20,
    blocks: [...chain.blocks, { time: newest?.time ?? 0, txs: [buy(UNFINAL, 0)] }],
  }
  await index(database, grown)
  const final = grown.blocks.length - 1 - 20
  expect((await undone()).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => final + 1 + at))
})
