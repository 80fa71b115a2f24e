// A token on an EVM that four wallets wash trade, scored at each block. Its level does not flap, is the same after an
// index from the start, and goes back with a reorganisation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, toAddress } from '../../src/base/address.ts'
import { toRiskLevel } from '../../src/base/risk-level.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createLive, indexToHead, type Live } from '../support/live.ts'
import { wallet } from '../support/market/cast.ts'
import { ether, units } from '../support/market/trade.ts'

const TEN_MINUTES = 600
const RANK = ['low', 'medium', 'high', 'critical']

interface Scored {
  block: number
  time: number
  risk: number
  rank: number
  held: number | null
}

const title = `levels on a live chain${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let database: TestDatabase
  let token: Address
  const ring = [1, 2, 3, 4].map((n) => toAddress(wallet(`ring ${n}`)))
  const shown: Scored[] = []

  const readScore = async (from = database): Promise<Scored> => {
    const { rows } = await from.pool.query<{ block: number; time: number; risk: number; held: number | null }>(
      `SELECT s.block_number AS block, date_part('epoch', s.updated_at)::int AS time, s.risk_score AS risk,
         date_part('epoch', s.held_until)::int AS held
       FROM token_score s JOIN token t ON t.id = s.token_id WHERE t.address = $1`,
      [token],
    )
    const [row] = rows
    if (!row) throw new Error('not scored')
    return { ...row, rank: RANK.indexOf(toRiskLevel(row.risk)) }
  }
  const advance = async () => {
    await live.mine()
    await indexToHead(database, live)
    shown.push(await readScore())
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    live = await createLive()
    const { chain, trade, venues, founder } = live
    const path = [
      venues.weth,
      toAddress(await chain.deploy(founder, 'plainToken', ['Spin', 'SPN', 18, units(1e6, 18), founder])),
    ]
    token = toAddress(path[1] ?? '')
    await trade.addLiquidity(venues.uniswapV2, founder, token, units(8e5, 18), ether(40))
    for (const one of ring) await live.anvil.rpc('anvil_setBalance', [one, `0x${ether(100).toString(16)}`])
    await advance()
    const back = [token, venues.weth]
    for (let turn = 0; turn < 12; turn += 1) {
      const [buyer, seller] = [ring[turn % 4]!, ring[(turn + (turn < 4 ? 0 : 1)) % 4]!]
      const before = await trade.balance(token, buyer)
      await trade.buy(venues.uniswapV2, buyer, [venues.weth, token], ether(0.5))
      await advance()
      const bought = (await trade.balance(token, buyer)) - before
      const held = await trade.balance(token, seller)
      await trade.sell(venues.uniswapV2, seller, back, bought < held ? bought : held)
      await advance()
    }
  })
  afterAll(() => live?.anvil.stop())

  test('reach the level of wash trading', () => {
    expect(Math.max(...shown.map(({ rank }) => rank))).toBeGreaterThanOrEqual(2)
  })

  test('never come back to a level that they left less than ten minutes ago', () => {
    for (const [at, { rank, time }] of shown.entries()) {
      const fallen = shown.slice(0, at).filter((one) => one.time > time - TEN_MINUTES && one.rank < rank)
      const above = fallen.flatMap((low) => shown.filter((one) => one.time < low.time && one.time > time - TEN_MINUTES))
      expect(above.filter((one) => one.rank >= rank)).toEqual([])
    }
  })

  test('are the same in an index from the start, scored at the same blocks', async () => {
    const anew = await createTestDatabase()
    for (const { block } of shown) await indexToHead(anew, live, block)
    expect(await readScore(anew)).toEqual(shown.at(-1))
  })

  test('go back with a reorganisation', async () => {
    const before = await readScore()
    const { trade, venues } = live
    await trade.buy(venues.uniswapV2, ring[0]!, [venues.weth, token], ether(5))
    await advance()
    expect(shown.at(-1)).not.toEqual(before)
    await live.rollBack(1)
    await live.mine()
    await indexToHead(database, live)
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS count FROM token_score WHERE block_number > $1',
      [before.block + 1],
    )
    expect(rows).toEqual([{ count: 0 }])
    expect((await readScore()).risk).toBe(before.risk)
  })
})
