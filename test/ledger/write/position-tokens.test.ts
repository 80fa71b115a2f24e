// Whose liquidity in ranges is, written by the real writer: position tokens that are minted, sent, locked, burned and rolled back.
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { rootAtTick } from '../../../src/book/prices/tick-math.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { acquireWriter, type WriterLock } from '../../../src/database/writer-lock.ts'
import { addressOf, createQuotedMarket, LOCKER, type Market, marketPreset, WETH, wallet } from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, appendPrefetched, dumpTables, startAnew } from '../../support/writing.ts'

const MANAGER = addressOf('manager', 1)
const POSITIONS_V4 = addressOf('positions', 1)
const POSITIONS_V3 = addressOf('positions', 2)
const VAULT = addressOf('vault', 1)
const TOKEN = addressOf('token', 1)
const LAUNCHER = addressOf('launcher', 1)
const [alice, bob, carol] = [wallet(1), wallet(2), wallet(3)]
const POOL_V4 = `0x${'ab'.repeat(32)}` as Address
const E18 = 10n ** 18n
const L = 10n ** 21n
const RANGE = { tickLower: -887220, tickUpper: 887220 }

const preset: Preset = {
  ...marketPreset,
  factories: [
    ...marketPreset.factories.map((factory) =>
      factory.kind === 'v3' ? { ...factory, positions: POSITIONS_V3 } : factory,
    ),
    { address: MANAGER, kind: 'v4', launchpad: 'uniswap_v4', positions: POSITIONS_V4 },
  ],
}

const database = await createTestDatabase()

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows

/** Who has how much of a pool's liquidity. */
const providers = async (pool: Address) =>
  Object.fromEntries(
    (
      await rows<{ address: Address; balance: string }>(
        `SELECT w.address, p.balance FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id
         WHERE t.address = $1 AND p.balance > 0`,
        [pool],
      )
    ).map(({ address, balance }) => [address, BigInt(balance)]),
  )
const liquidityEvents = () =>
  rows<{ type: number; wallet: Address; attribution: number | null; signer: Address | null }>(
    `SELECT e.type, w.address AS wallet, e.attribution, s.address AS signer FROM event e JOIN wallet w ON w.id = e.wallet_id
     JOIN token t ON t.id = e.token_id LEFT JOIN wallet s ON s.id = e.signer_id
     WHERE t.address = '${TOKEN}' AND e.type IN (2, 3) ORDER BY n`,
  )
const ADD = 2
const REMOVE = 3
const BY_POSITION = 5

/** WETH at 2,000 USDC in a pair, TOKEN minted to alice, and a V3 pool of both that is initialised. */
function openMarket(): { market: Market; pool: Address; v3: ReturnType<typeof positionsOf> } {
  const { market } = createQuotedMarket(alice)
  market.token(TOKEN)
  market.mint(TOKEN, alice, 1_000_000n * E18)
  const pool = market.createPool(alice, TOKEN, WETH, 'v3')
  market.tx(alice, pool, (emit) => emit(pool, { kind: 'v3_initialize', sqrtPriceX96: rootAtTick(0), tick: 0 }))
  market.mine()
  return { market, pool, v3: positionsOf(market, pool) }
}

/** Uniswap V3's position manager, with the logs in the order in which it emits them. */
function positionsOf(market: Market, pool: Address) {
  const { token0, token1 } = market.pool(pool)
  return {
    mint(by: Address, number: number, to: Address = by, via: Address = POSITIONS_V3, then?: Address) {
      market.tx(by, via, (emit) => {
        for (const token of [token0, token1]) market.move(emit, token, by, pool, 100n * E18)
        const amounts = { amount0: 100n * E18, amount1: 100n * E18 }
        emit(pool, { kind: 'v3_mint', owner: POSITIONS_V3, ...RANGE, liquidity: L, ...amounts })
        emit(POSITIONS_V3, { kind: 'position_moved', number, from: ZERO_ADDRESS, to })
        emit(POSITIONS_V3, { kind: 'position_changed', number, liquidity: L })
        if (then) emit(POSITIONS_V3, { kind: 'position_moved', number, from: to, to: then })
      })
    },
    send(by: Address, number: number, from: Address, to: Address) {
      market.tx(by, POSITIONS_V3, (emit) => emit(POSITIONS_V3, { kind: 'position_moved', number, from, to }))
    },
    /** Takes liquidity out, and is paid out later. */
    decrease(by: Address, number: number, part = 1n) {
      market.tx(by, POSITIONS_V3, (emit) => {
        const amounts = { amount0: (100n * E18) / part, amount1: (100n * E18) / part }
        emit(pool, { kind: 'v3_burn', owner: POSITIONS_V3, ...RANGE, liquidity: L / part, ...amounts })
        emit(POSITIONS_V3, { kind: 'position_changed', number, liquidity: -L / part })
      })
    },
    collect(by: Address, number: number, to: Address, paid: { token: bigint; weth: bigint }) {
      const [amount0, amount1] = token0 === TOKEN ? [paid.token, paid.weth] : [paid.weth, paid.token]
      market.tx(by, POSITIONS_V3, (emit) => {
        market.move(emit, TOKEN, pool, to, paid.token)
        market.move(emit, WETH, pool, to, paid.weth)
        emit(POSITIONS_V3, { kind: 'position_collected', number, amount0, amount1 })
      })
    },
    /** Takes all of it out, and is paid out at once. */
    exit(by: Address, number: number, paid: { token: bigint; weth: bigint }) {
      const [amount0, amount1] = token0 === TOKEN ? [paid.token, paid.weth] : [paid.weth, paid.token]
      market.tx(by, POSITIONS_V3, (emit) => {
        emit(pool, {
          kind: 'v3_burn',
          owner: POSITIONS_V3,
          ...RANGE,
          liquidity: L,
          amount0: 100n * E18,
          amount1: 100n * E18,
        })
        emit(POSITIONS_V3, { kind: 'position_changed', number, liquidity: -L })
        market.move(emit, TOKEN, pool, by, paid.token)
        market.move(emit, WETH, pool, by, paid.weth)
        emit(POSITIONS_V3, { kind: 'position_collected', number, amount0, amount1 })
      })
    },
    remove(by: Address, number: number, part = 1n) {
      market.tx(by, POSITIONS_V3, (emit) => {
        const amounts = { amount0: (100n * E18) / part, amount1: (100n * E18) / part }
        emit(pool, { kind: 'v3_burn', owner: POSITIONS_V3, ...RANGE, liquidity: L / part, ...amounts })
        emit(POSITIONS_V3, { kind: 'position_changed', number, liquidity: -L / part })
        for (const token of [token0, token1]) market.move(emit, token, pool, by, (100n * E18) / part)
      })
    },
  }
}

/** Changes of liquidity that a contract owns by itself, without a manager's log. */
function direct(market: Market, pool: Address, owner: Address) {
  const { token0, token1 } = market.pool(pool)
  const log = { owner, ...RANGE, liquidity: L, amount0: 100n * E18, amount1: 100n * E18 }
  return {
    add: (by: Address) =>
      market.tx(by, owner, (emit) => {
        for (const token of [token0, token1]) market.move(emit, token, by, pool, 100n * E18)
        emit(pool, { kind: 'v3_mint', ...log })
      }),
    remove: (by: Address) =>
      market.tx(by, owner, (emit) => {
        emit(pool, { kind: 'v3_burn', ...log })
        for (const token of [token0, token1]) market.move(emit, token, pool, owner, 100n * E18)
      }),
  }
}

const lock = async () => {
  const held = await acquireWriter({ database })
  onTestFinished(() => held.release())
  return held
}
const write = async (market: Market, held?: WriterLock) =>
  appendFinal(await startAnew(held ?? (await lock()), market.reader, { preset }), market.blocks)

describe('liquidity without a position token', () => {
  test('belongs to the owner that the pool names, and so do its additions and removals', async () => {
    const { market, pool } = openMarket()
    const vault = direct(market, pool, VAULT)
    vault.add(alice)
    vault.add(bob)
    market.mine()
    vault.remove(carol)
    market.mine()
    await write(market)
    expect(await providers(pool)).toEqual({ [VAULT]: L })
    expect(await liquidityEvents()).toEqual([
      { type: ADD, wallet: VAULT, attribution: BY_POSITION, signer: alice },
      { type: ADD, wallet: VAULT, attribution: BY_POSITION, signer: bob },
      { type: REMOVE, wallet: VAULT, attribution: BY_POSITION, signer: carol },
    ])
    expect(await rows(`SELECT kind FROM wallet WHERE address = '${VAULT}'`)).toEqual([{ kind: 'contract' }])
  })

  test.each([
    ['its caller, who removed it, emptied the pool', 9n, alice],
    ['nobody: the contract removed it', 1n, VAULT],
  ])('of a contract that passes on tenths of what it removes to %s', async (_, tenths, remover) => {
    const { market, pool } = openMarket()
    direct(market, pool, VAULT).add(bob)
    market.mine()
    market.tx(alice, VAULT, (emit) => {
      emit(pool, { kind: 'v3_burn', owner: VAULT, ...RANGE, liquidity: L, amount0: E18, amount1: E18 })
      for (const token of [market.pool(pool).token0, market.pool(pool).token1]) {
        market.move(emit, token, pool, VAULT, E18)
        market.move(emit, token, VAULT, alice, (tenths * E18) / 10n)
      }
    })
    market.mine()
    await write(market)
    expect(await providers(pool)).toEqual({})
    expect((await liquidityEvents()).filter(({ type }) => type === REMOVE).map(({ wallet }) => wallet)).toEqual([
      remover,
    ])
  })

  test('is the signer’s where the pool names the signer', async () => {
    const { market, pool } = openMarket()
    direct(market, pool, alice).add(alice)
    market.mine()
    await write(market)
    expect(await providers(pool)).toEqual({ [alice]: L })
    expect(await liquidityEvents()).toEqual([{ type: ADD, wallet: alice, attribution: null, signer: null }])
    expect(await rows(`SELECT kind FROM wallet WHERE address = '${alice}'`)).toEqual([{ kind: 'account' }])
  })

  test('stays with the trader where the preset names no manager of the factory: the owner may be one', async () => {
    const { market, pool } = openMarket()
    direct(market, pool, VAULT).add(alice)
    market.mine()
    await appendFinal(await startAnew(await lock(), market.reader, { preset: marketPreset }), market.blocks)
    expect(await providers(pool)).toEqual({ [alice]: L })
  })
})

describe('liquidity of a position token', () => {
  test('belongs to whoever the token is sent to, and its removal is theirs, whoever signs', async () => {
    const { market, pool, v3 } = openMarket()
    v3.mint(alice, 1)
    v3.mint(alice, 2)
    market.mine()
    v3.send(alice, 1, alice, bob)
    market.mine()
    v3.remove(carol, 1, 2n)
    market.mine()
    await write(market)
    expect(await providers(pool)).toEqual({ [alice]: L, [bob]: L / 2n })
    expect(await liquidityEvents()).toEqual([
      { type: ADD, wallet: alice, attribution: null, signer: null },
      { type: ADD, wallet: alice, attribution: null, signer: null },
      { type: REMOVE, wallet: bob, attribution: BY_POSITION, signer: carol },
    ])
  })

  test('that is minted for somebody else is theirs', async () => {
    const { market, pool, v3 } = openMarket()
    v3.mint(alice, 1, bob)
    market.mine()
    await write(market)
    expect(await providers(pool)).toEqual({ [bob]: L })
    expect(await liquidityEvents()).toEqual([{ type: ADD, wallet: bob, attribution: BY_POSITION, signer: alice }])
  })

  test('that a launcher hands on to a locker is the locker’s, which never added any itself', async () => {
    const { market, pool, v3 } = openMarket()
    v3.mint(alice, 1, LAUNCHER, LAUNCHER, LOCKER)
    market.mine()
    await write(market)
    expect(await providers(pool)).toEqual({ [LOCKER]: L })
    expect(await liquidityEvents()).toEqual([{ type: ADD, wallet: alice, attribution: null, signer: null }])
  })

  test('stays with its last holder when the token is burned', async () => {
    const { market, pool, v3 } = openMarket()
    v3.mint(alice, 1)
    market.mine()
    v3.remove(alice, 1)
    v3.send(alice, 1, alice, ZERO_ADDRESS)
    market.mine()
    await write(market)
    expect(await providers(pool)).toEqual({})
    expect(await rows('SELECT number, liquidity FROM position_token')).toEqual([{ number: 1, liquidity: '0' }])
  })

  test('is whoever’s trades where the token is older than the start block', async () => {
    const { market, pool, v3 } = openMarket()
    market.tx(alice, POSITIONS_V3, (emit) => {
      emit(pool, { kind: 'v3_mint', owner: POSITIONS_V3, ...RANGE, liquidity: L, amount0: E18, amount1: E18 })
      emit(POSITIONS_V3, { kind: 'position_changed', number: 9, liquidity: L })
    })
    market.mine()
    v3.send(alice, 9, alice, bob)
    market.mine()
    await write(market)
    expect(await providers(pool)).toEqual({ [bob]: L })
  })

  test('of a V4 pool follows the token in the salt, and is its last holder’s when it is burned first', async () => {
    const { market } = openMarket()
    const fields = { fee: 3000, tickSpacing: 60, hooks: ZERO_ADDRESS, rights: 0, sqrtPriceX96: rootAtTick(0) }
    const modify = { kind: 'v4_modify', pool: POOL_V4, sender: POSITIONS_V4, ...RANGE, salt: 5n } as const
    market.tx(alice, POSITIONS_V4, (emit) => {
      emit(MANAGER, { kind: 'v4_initialize', pool: POOL_V4, token0: ZERO_ADDRESS, token1: TOKEN, ...fields })
      emit(POSITIONS_V4, { kind: 'position_moved', number: 5, from: ZERO_ADDRESS, to: alice })
      emit(MANAGER, { ...modify, liquidity: L })
      market.move(emit, TOKEN, alice, MANAGER, L)
    })
    market.mine()
    market.tx(alice, POSITIONS_V4, (emit) =>
      emit(POSITIONS_V4, { kind: 'position_moved', number: 5, from: alice, to: bob }),
    )
    market.mine()
    const held = await lock()
    await write(market, held)
    expect(await providers(POOL_V4)).toEqual({ [bob]: L })
    market.tx(carol, POSITIONS_V4, (emit) => {
      emit(POSITIONS_V4, { kind: 'position_moved', number: 5, from: bob, to: ZERO_ADDRESS })
      emit(MANAGER, { ...modify, liquidity: -L })
      market.move(emit, TOKEN, MANAGER, bob, L - 1n)
    })
    market.mine()
    await write(market, held)
    expect(await providers(POOL_V4)).toEqual({})
    expect((await liquidityEvents()).at(-1)).toEqual({
      type: REMOVE,
      wallet: bob,
      attribution: BY_POSITION,
      signer: carol,
    })
  })
})

describe('fees of a position', () => {
  const realised = async (who: Address) =>
    (await rows<{ usd: number }>('SELECT realised_usd AS usd FROM wallet WHERE address = $1', [who]))[0]?.usd

  test('are the payment beyond the removal: income of its owner, whoever requests it', async () => {
    const { market, v3 } = openMarket()
    v3.mint(alice, 1)
    market.mine()
    v3.decrease(alice, 1, 2n)
    market.mine()
    v3.collect(alice, 1, alice, { token: 20n * E18, weth: 50n * E18 })
    market.mine()
    const held = await lock()
    await write(market, held)
    expect(await realised(alice)).toBeCloseTo(0, 6)
    // 30 of TOKEN were still owed; the other four are worth nothing, since alice minted hers.
    v3.collect(alice, 1, alice, { token: 34n * E18, weth: 2n * E18 })
    v3.send(alice, 1, alice, bob)
    market.mine()
    v3.collect(carol, 1, bob, { token: 0n, weth: E18 })
    v3.collect(carol, 77, carol, { token: 0n, weth: E18 })
    market.mine()
    await write(market, held)
    expect(await realised(alice)).toBeCloseTo(4_000, 6)
    expect(await realised(bob)).toBeCloseTo(2_000, 6)
    expect(await realised(carol)).toBe(0)
    expect(await rows('SELECT owed0, owed1 FROM position_token')).toEqual([{ owed0: '0', owed1: '0' }])
  })

  test('cost their current value from then on, if the token was bought', async () => {
    const { market, v3 } = openBought()
    v3.collect(carol, 2, carol, { token: 10n * E18, weth: 0n })
    market.mine()
    await write(market)
    expect(await realised(carol)).toBeCloseTo(20_000, 3)
    expect(await costs(carol)).toEqual({ cost_quantity: 60, cost_usd: 120_000 })
  })

  test.each(['at once', 'later'])(
    'are whole where nothing is left of the position and all is paid %s',
    async (when) => {
      const { market, pool, v3 } = openBought()
      if (when === 'later') {
        v3.decrease(carol, 2)
        market.mine()
        v3.collect(carol, 2, carol, { token: 110n * E18, weth: 100n * E18 })
      } else v3.exit(carol, 2, { token: 110n * E18, weth: 100n * E18 })
      market.mine()
      await write(market)
      expect(await providers(pool)).toEqual({ [alice]: L })
      expect(await realised(carol)).toBeCloseTo(20_000, 3)
      expect(await costs(carol)).toEqual({ cost_quantity: 160, cost_usd: 320_000 })
    },
  )
})

const costs = async (who: Address) =>
  (
    await rows(
      `SELECT p.cost_quantity, p.cost_usd FROM position p JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id
       WHERE t.address = '${TOKEN}' AND w.address = '${who}'`,
    )
  )[0]

/** The market, in which carol bought 150 of TOKEN at $2,000 each, and put 100 of them into position 2. */
function openBought() {
  const opened = openMarket()
  const { market, pool, v3 } = opened
  v3.mint(alice, 1)
  market.wrap(carol, 300n * E18)
  market.mine()
  market.tx(carol, pool, (emit) => {
    market.move(emit, WETH, carol, pool, 150n * E18)
    market.move(emit, TOKEN, pool, carol, 150n * E18)
    const amounts = market.pool(pool).token0 === TOKEN ? [-150n, 150n] : [150n, -150n]
    const [amount0, amount1] = amounts.map((amount) => amount * E18) as [bigint, bigint]
    const state = { sqrtPriceX96: rootAtTick(0), liquidity: 100n * L, tick: 0 }
    emit(pool, { kind: 'v3_swap', amount0, amount1, ...state })
  })
  v3.mint(carol, 2)
  market.mine()
  return opened
}

describe('liquidity that is removed from a position and collected later', () => {
  test('keeps its cost until it arrives, part by part, and lends none to tokens that came for nothing', async () => {
    const { market, v3 } = openBought()
    market.tx(alice, TOKEN, (emit) => market.move(emit, TOKEN, alice, carol, 1_000n * E18))
    v3.decrease(carol, 2)
    market.mine()
    const held = await lock()
    await write(market, held)
    expect(await costs(carol)).toEqual({ cost_quantity: 50, cost_usd: 100_000 })
    v3.collect(carol, 2, carol, { token: 25n * E18, weth: 0n })
    market.mine()
    await write(market, held)
    expect(await costs(carol)).toEqual({ cost_quantity: 75, cost_usd: 150_000 })
    v3.collect(carol, 2, carol, { token: 75n * E18, weth: 100n * E18 })
    market.mine()
    await write(market, held)
    expect(await costs(carol)).toEqual({ cost_quantity: 150, cost_usd: 300_000 })
  })

  test('leaves its cost behind when the position, or the payment, goes to somebody else', async () => {
    const { market, v3 } = openBought()
    market.tx(alice, TOKEN, (emit) => market.move(emit, TOKEN, alice, carol, 1_000n * E18))
    v3.decrease(carol, 2, 2n)
    v3.collect(carol, 2, bob, { token: 50n * E18, weth: 50n * E18 })
    v3.decrease(carol, 2, 2n)
    v3.send(carol, 2, carol, bob)
    v3.collect(bob, 2, bob, { token: 50n * E18, weth: 50n * E18 })
    market.mine()
    await write(market)
    expect(await costs(carol)).toEqual({ cost_quantity: 50, cost_usd: 100_000 })
    expect(await costs(bob)).toEqual({ cost_quantity: 0, cost_usd: 0 })
  })
})

/** Tokens that are minted, sent on and partly removed in block after block, by turns. */
function playTurns(): Market {
  const { market, v3 } = openMarket()
  const people = [alice, bob, carol]
  const owners: Address[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    const [from, to] = [turn % 3, (turn + 1) % 3].map((at) => people[at] as Address) as [Address, Address]
    if (turn % 4 === 0) {
      v3.mint(alice, turn + 1)
      owners[turn + 1] = alice
    }
    for (const [number, owner] of owners.entries()) {
      if (!owner || owner !== from) continue
      v3.send(owner, number, owner, to)
      owners[number] = to
      v3.remove(turn % 2 === 0 ? to : from, number, 8n)
      v3.collect(to, number, to, { token: 15n * E18, weth: 14n * E18 })
    }
    market.mine()
  }
  return market
}

test('rows of position tokens are the same whether blocks come in one batch or one by one with the next ones prefetched', async () => {
  const market = playTurns()
  const held = await lock()
  await write(market, held)
  const together = await dumpTables(database.pool)
  expect(together.position_token?.length).toBe(3)
  const writer = await startAnew(held, market.reader, { preset })
  await appendPrefetched(writer, market.blocks)
  expect(await dumpTables(database.pool)).toEqual(together)
})

test('a rollback gives position tokens back to whom they belonged', async () => {
  const market = playTurns()
  const fork = 5
  const until = market.blocks.slice(0, fork + 1)
  const held = await lock()
  await appendFinal(await startAnew(held, market.reader, { preset }), until)
  const expected = await dumpTables(database.pool)
  const writer = await startAnew(held, market.reader, { preset })
  await writer.append({ blocks: market.blocks, head: market.blocks.length - 1, finalized: 0 })
  await writer.settle()
  await writer.rollback(until.at(-1) as (typeof until)[number])
  expect(await dumpTables(database.pool)).toEqual(expected)
})
