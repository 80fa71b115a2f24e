import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createLive, dumpLedger, indexToHead, type Live, rescoreAll } from '../support/live.ts'
import { createRandom } from '../support/market/random.ts'
import { createRounds, type Rounds } from '../support/rounds.ts'

/** Number of random reorganisations at the end, and the seed of their depths; `npm run storm -- reorg` runs many more. */
const STORM = Number(process.env.REORG_STORM ?? 2)
const SEED = Number(process.env.REORG_SEED ?? 1)

const title = `a reorganisation on a live chain${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let rounds: Rounds
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
    // With epochs of 60 slots a block is final 120 blocks later, so a hundred blocks can be replaced.
    live = await createLive({ slotsInAnEpoch: 60 })
    rounds = await createRounds(live, 2)
    await rounds.play(140)
    await indexToHead(database, live)
  })
  afterAll(() => live?.anvil.stop())
  beforeEach(() => indexToHead(database, live))

  /** Expects the database to equal one that indexed only the final chain. */
  async function expectStraightRun(): Promise<void> {
    const straight = await createTestDatabase()
    // Whatever is final is written in few batches, where the ledger that followed wrote block by block.
    // The newest block is never final: it has no successor.
    await indexToHead(straight, { ...live, source: { ...live.source, readFinalized: async (head) => head - 1 } })
    for (const ledger of [database, straight]) await rescoreAll(ledger, live.preset)
    const [followed, fresh] = await Promise.all([dumpLedger(database.pool), dumpLedger(straight.pool)])
    for (const table of Object.keys(fresh)) expect([table, followed[table]]).toEqual([table, fresh[table]])
  }

  test('a reorganisation of one block is followed', async () => {
    await live.rollBack(1)
    await rounds.play(2)
    expect(await indexToHead(database, live)).toContain('rollback')
    await expectStraightRun()
  })

  test('a reorganisation of a hundred blocks is followed', async () => {
    await live.rollBack(100)
    await rounds.play(101)
    expect(await indexToHead(database, live)).toContain('rollback')
    await expectStraightRun()
  })

  test('two reorganisations in a row are followed', async () => {
    for (const depth of [4, 9]) {
      await live.rollBack(depth)
      await rounds.play(depth + 1)
      await indexToHead(database, live)
    }
    await expectStraightRun()
  })

  test('two reorganisations between two polls are undone once', async () => {
    await live.rollBack(3)
    await rounds.play(2)
    await live.rollBack(5)
    await rounds.play(8)
    await indexToHead(database, live)
    await expectStraightRun()
  })

  test('a reorganisation of blocks without events is detected', async () => {
    await rounds.rest(4)
    await indexToHead(database, live)
    await live.rollBack(3)
    await rounds.rest(4)
    expect(await indexToHead(database, live)).toContain('rollback')
    await expectStraightRun()
  })

  test('a reorganisation that ends in a shorter chain moves the head back', async () => {
    await live.rollBack(6)
    await rounds.play(2)
    expect(await indexToHead(database, live)).toContain('rollback')
    await expectStraightRun()
  })

  test('a reorganisation that only truncates the chain moves the head back', async () => {
    await live.rollBack(3)
    expect(await indexToHead(database, live)).toEqual(['rollback'])
    await expectStraightRun()
  })

  test('a reorganisation while the program was down is detected at the start', async () => {
    await rounds.play(5)
    await indexToHead(database, live, Number(await live.anvil.rpc<string>('eth_blockNumber')) - 2)
    await live.rollBack(4)
    await rounds.play(5)
    expect((await indexToHead(database, live))[0]).toBe('rollback')
    await expectStraightRun()
  })

  test('a reorganisation during the backfill leaves the same rows as a run without it', async () => {
    const late = await createTestDatabase()
    let isShaken = false
    const readRange: Live['source']['readRange'] = async (from, to) => {
      const blocks = await live.source.readRange(from, to)
      if (!isShaken) {
        isShaken = true
        await live.rollBack(60)
        await rounds.play(64)
      }
      return blocks
    }
    await indexToHead(late, { ...live, source: { ...live.source, readRange } })
    expect(isShaken).toBe(true)
    await indexToHead(late, live)
    await indexToHead(database, live)
    for (const ledger of [database, late]) await rescoreAll(ledger, live.preset)
    const [followed, fresh] = await Promise.all([dumpLedger(database.pool), dumpLedger(late.pool)])
    for (const table of Object.keys(fresh)) expect([table, followed[table]]).toEqual([table, fresh[table]])
  })

  test(
    'in a random series of any depth and length leaves the same rows as a run without it',
    async () => {
      const random = createRandom(SEED)
      for (let i = 0; i < STORM; i++) {
        const depth = 1 + Math.floor(random.next() ** 3 * 90)
        await live.rollBack(depth)
        const length = Math.max(1, depth + Math.floor(random.between(-2, 5)))
        await (random.chance(0.2) ? rounds.rest(length) : rounds.play(length))
        if (random.chance(0.8)) await indexToHead(database, live)
      }
      await indexToHead(database, live)
      await expectStraightRun()
    },
    60_000 + STORM * 10_000,
  )
})
