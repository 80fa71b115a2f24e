// Shares and position tokens that lie staked, written by the real writer: they are still their owners', and no lock.
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { rootAtTick } from '../../../src/book/prices/tick-math.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { acquireWriter } from '../../../src/database/writer-lock.ts'
import type { FactsBlock } from '../../../src/ledger/facts/facts.ts'
import { readPoolFacts } from '../../../src/ledger/facts/pools.ts'
import { FACT_RULES } from '../../../src/scoring/weights.ts'
import { addressOf, createQuotedMarket, DEAD, type Market, marketPreset, WETH, wallet } from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, dumpTables, openWriter, startAnew } from '../../support/writing.ts'

const TOKEN = addressOf('token', 1)
const GAUGE = addressOf('gauge', 1)
const POSITIONS = addressOf('positions', 2)
const [alice, bob, carol] = [wallet(1), wallet(2), wallet(3)]
const E18 = 10n ** 18n
const L = 10n ** 21n
const preset: Preset = {
  ...marketPreset,
  factories: marketPreset.factories.map((factory) =>
    factory.kind === 'v3' ? { ...factory, positions: POSITIONS } : factory,
  ),
}

const database = await createTestDatabase()

/** WETH at 2,000 USDC, and TOKEN in a pair with WETH, whose shares are alice's. */
function openMarket() {
  const { market } = createQuotedMarket(alice)
  market.token(TOKEN)
  market.mint(TOKEN, alice, 1_000_000n * E18)
  const pair = market.createPool(alice, TOKEN, WETH)
  market.add(pair, alice, 100n * E18, 100n * E18)
  market.mine()
  return { market, pair }
}

const stake = (market: Market, pair: Address, by: Address, amount: bigint, owner = by, gauge = GAUGE) =>
  market.tx(by, gauge, (emit) => {
    market.move(emit, pair, by, gauge, amount)
    emit(gauge, { kind: 'shares_staked', owner, amount })
  })
const unstake = (market: Market, pair: Address, by: Address, amount: bigint) =>
  market.tx(by, GAUGE, (emit) => {
    market.move(emit, pair, GAUGE, by, amount)
    emit(GAUGE, { kind: 'shares_unstaked', owner: by, amount })
  })

/** The share of the token's first pool that each address can withdraw from, as scores see it. */
async function readShares(): Promise<Record<string, { share: number; hasAdded: boolean | null }>> {
  const { rows } = await database.pool.query<{ id: number; address: Address }>('SELECT id, address FROM wallet')
  const names = new Map(rows.map(({ id, address }) => [id, address]))
  const token = await database.pool.query<{ id: number }>('SELECT id FROM token WHERE address = $1', [TOKEN])
  const id = token.rows[0]?.id as number
  const block = { hourTime: 1_760_000_000 } as FactsBlock
  const [pool] = (await readPoolFacts(database.pool, [id], block, FACT_RULES))(id)
  return Object.fromEntries(
    (pool?.providers ?? []).map(({ id: of, share, hasAdded }) => [names.get(of) as string, { share, hasAdded }]),
  )
}

const write = async (market: Market) =>
  appendFinal(await openWriter(database, market.reader, { preset }), market.blocks)

describe('shares in a gauge', () => {
  test('count as those of whoever staked them, and those that nobody staked are no lock', async () => {
    const { market, pair } = openMarket()
    const held = market.balance(pair, alice)
    market.transfer(pair, alice, bob, held / 4n)
    market.mine()
    stake(market, pair, alice, held / 2n)
    stake(market, pair, bob, held / 4n, carol)
    market.transfer(pair, alice, GAUGE, held / 8n)
    market.mine()
    await write(market)
    const shares = await readShares()
    expect(shares[alice]?.share).toBeCloseTo(5 / 8, 9)
    expect(shares[carol]?.share).toBeCloseTo(1 / 4, 9)
    expect(shares[GAUGE]?.share).toBeCloseTo(1 / 8, 9)
    expect(shares[GAUGE]?.hasAdded).toBe(true)
  })

  test('go back to their owner, and a gauge that names more than it received lends nobody anything', async () => {
    const { market, pair } = openMarket()
    const held = market.balance(pair, alice)
    stake(market, pair, alice, held / 2n)
    market.mine()
    unstake(market, pair, alice, held / 4n)
    const liar = addressOf('gauge', 2)
    market.tx(bob, liar, (emit) => emit(liar, { kind: 'shares_staked', owner: bob, amount: held }))
    market.mine()
    await write(market)
    const { rows } = await database.pool.query(
      'SELECT w.address, s.amount FROM stake s JOIN wallet w ON w.id = s.owner_id',
    )
    expect(rows).toEqual([{ address: alice, amount: String(held / 2n - held / 4n) }])
    const shares = await readShares()
    expect(shares[alice]?.share).toBeCloseTo(1, 9)
    expect(shares[bob]).toBeUndefined()
  })

  test.each([
    ['a burn address', DEAD],
    ['a contract that never added any', TOKEN],
  ])('are the gauge’s and no lock, if it names %s as their owner', async (_, owner) => {
    const { market, pair } = openMarket()
    const held = market.balance(pair, alice)
    market.tx(bob, TOKEN, (emit) => market.move(emit, TOKEN, alice, TOKEN, 1n))
    stake(market, pair, alice, held, owner)
    market.mine()
    await write(market)
    expect(await readShares()).toEqual({ [GAUGE]: { share: expect.closeTo(1, 9), hasAdded: true } })
  })

  test('give the same rows whether blocks come in one batch or one by one, and none after a rollback', async () => {
    const { market, pair } = openMarket()
    const held = market.balance(pair, alice)
    for (let i = 0; i < 4; i += 1) {
      stake(market, pair, alice, held / 10n)
      market.mine()
      unstake(market, pair, alice, held / 20n)
      market.mine()
    }
    const lock = await acquireWriter({ database })
    onTestFinished(() => lock.release())
    await appendFinal(await startAnew(lock, market.reader, { preset }), market.blocks)
    const together = await dumpTables(database.pool)
    expect(together.stake).toHaveLength(1)
    const writer = await startAnew(lock, market.reader, { preset })
    const head = market.blocks.length - 1
    const batches = market.blocks.map((block) => [block])
    for (const blocks of batches) writer.prefetch(blocks)
    for (const blocks of batches) await writer.append({ blocks, head, finalized: 0 })
    await writer.settle()
    expect(await dumpTables(database.pool)).toEqual(together)
    await writer.rollback(market.blocks[0] as (typeof market.blocks)[number])
    expect((await dumpTables(database.pool)).stake).toEqual([])
  })
})

test('a position token in a gauge that names its sender stays the sender’s, and in any other contract it does not', async () => {
  const { market } = openMarket()
  const pool = market.createPool(alice, TOKEN, WETH, 'v3')
  const range = { owner: POSITIONS, tickLower: -600, tickUpper: 600, liquidity: L }
  market.tx(alice, pool, (emit) => emit(pool, { kind: 'v3_initialize', sqrtPriceX96: rootAtTick(0), tick: 0 }))
  for (const number of [1, 2, 3])
    market.tx(alice, POSITIONS, (emit) => {
      emit(pool, { kind: 'v3_mint', ...range, amount0: E18, amount1: E18 })
      emit(POSITIONS, { kind: 'position_moved', number, from: ZERO_ADDRESS, to: alice })
      emit(POSITIONS, { kind: 'position_changed', number, liquidity: L })
    })
  const send = (number: number, owner: Address | null) =>
    market.tx(alice, GAUGE, (emit) => {
      emit(POSITIONS, { kind: 'position_moved', number, from: alice, to: GAUGE })
      if (owner) emit(GAUGE, { kind: 'position_staked', number, owner })
    })
  send(1, alice)
  send(2, null)
  send(3, bob)
  market.mine()
  await write(market)
  const { rows } = await database.pool.query(
    `SELECT w.address, p.balance FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id
     WHERE t.address = $1 AND p.balance > 0`,
    [pool],
  )
  expect(Object.fromEntries(rows.map(({ address, balance }) => [address, BigInt(balance)]))).toEqual({
    [alice]: L,
    [GAUGE]: 2n * L,
  })
})
