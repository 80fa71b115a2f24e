// Positions of Uniswap V3 on a live EVM: the ledger's owners of liquidity against the position manager's.
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, toAddress } from '../../src/base/address.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { artifacts } from '../support/contracts/artifacts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createLive, dumpLedger, indexToHead, type Live } from '../support/live.ts'
import { wallet } from '../support/market/cast.ts'
import { ether, units } from '../support/market/trade.ts'
import { poolOf, sortTokens } from '../support/market/venue.ts'

const FEE = 3_000
const FOREVER = 4_000_000_000n
const MOST = 2n ** 128n - 1n

const title = `positions in ranges on a live chain${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let database: TestDatabase
  let token: Address
  let pool: Address
  const friend = toAddress(wallet('friend of the positions'))
  const vault = toAddress(wallet('vault of the positions'))

  const manager = () => ({ to: live.venues.uniswapV3.positions, abi: artifacts.v3Positions.abi })
  const ask = <T>(name: string, ...args: unknown[]) => live.chain.ask<T>({ ...manager(), name, args })
  const send = (from: Address, name: string, ...args: unknown[]) => live.chain.send(from, { ...manager(), name, args })

  beforeAll(async () => {
    database = await createTestDatabase()
    live = await createLive()
    const { chain, trade, venues, founder } = live
    token = toAddress(await chain.deploy(founder, 'plainToken', ['Ranged', 'RNG', 18, units(1e6, 18), founder]))
    await chain.pay(founder, friend, ether(10))
    await live.mine()
    pool = toAddress(poolOf(venues.uniswapV3, token, venues.weth, FEE))
    await trade.wrap(founder, ether(90))
    await trade.openV3(founder, token, venues.weth, FEE, units(3e5, 18), ether(30))
    for (let i = 0; i < 3; i += 1) await trade.addV3(founder, token, venues.weth, FEE, units(1e5, 18), ether(10))
    await live.mine()
    await send(founder, 'transferFrom', founder, friend, 2n)
    await send(founder, 'transferFrom', founder, vault, 3n)
    await live.mine()
    const [, , , , , , , liquidity] = await ask<bigint[]>('positions', 2n)
    const part = { tokenId: 2n, liquidity: (liquidity ?? 0n) / 3n, amount0Min: 0n, amount1Min: 0n, deadline: FOREVER }
    await send(friend, 'decreaseLiquidity', part)
    await send(friend, 'collect', { tokenId: 2n, recipient: friend, amount0Max: MOST, amount1Max: MOST })
    await live.mine()
    await indexToHead(database, live)
  })
  afterAll(() => live?.anvil.stop())

  /** The liquidity of each owner, by the ledger. */
  const readProviders = async () => {
    const { rows } = await database.pool.query<{ address: string; balance: string }>(
      `SELECT w.address, p.balance FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id
       WHERE t.address = $1 AND p.balance > 0 ORDER BY 1`,
      [pool],
    )
    return Object.fromEntries(rows.map(({ address, balance }) => [address, BigInt(balance)]))
  }
  /** The same, by the position manager. */
  const askProviders = async (numbers: readonly bigint[]) => {
    const found = new Map<string, bigint>()
    for (const number of numbers) {
      const owner = toAddress(await ask<Address>('ownerOf', number))
      const liquidity = (await ask<bigint[]>('positions', number))[7] as bigint
      if (liquidity > 0n) found.set(owner, (found.get(owner) ?? 0n) + liquidity)
    }
    return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  const readDay = async () =>
    (
      await database.pool.query<{ removals: number; kept: number }>(
        `SELECT sum(removal_count)::int AS removals, min(kept_fraction) AS kept FROM pool_day d
         JOIN pool p ON p.id = d.pool_id WHERE p.address = $1`,
        [pool],
      )
    ).rows[0]

  test('belong to whom the manager names, after tokens were sent and liquidity was taken out', async () => {
    expect(live.chain.failures).toEqual([])
    expect(await readProviders()).toEqual(await askProviders([1n, 2n, 3n]))
    const { rows } = await database.pool.query(
      `SELECT w.address AS wallet, e.attribution FROM event e JOIN wallet w ON w.id = e.wallet_id JOIN token t ON t.id = e.token_id
       WHERE t.address = $1 AND e.type = 3`,
      [token],
    )
    expect(rows).toEqual([{ wallet: friend, attribution: null }])
  })

  test('that move into another range within a transaction remove nothing', async () => {
    const before = await readDay()
    const { founder, trade, venues } = live
    const [token0, token1] = sortTokens(token, venues.weth).map(toAddress) as [Address, Address]
    const liquidity = (await ask<bigint[]>('positions', 1n))[7] as bigint
    const desired = (of: Address) => (of === token ? units(1e5, 18) : ether(10))
    // Around the price, so that it takes both tokens in the ratio in which they came out.
    const middle = token0 === token ? -92_100 : 92_100
    const wish = { token0, token1, fee: FEE, tickLower: middle - 30_000, tickUpper: middle + 30_000 }
    const amounts = { amount0Desired: desired(token0), amount1Desired: desired(token1), amount0Min: 0n, amount1Min: 0n }
    const encode = (functionName: string, args: unknown) =>
      encodeFunctionData({ abi: artifacts.v3Positions.abi, functionName, args: [args] })
    await send(founder, 'multicall', [
      encode('decreaseLiquidity', { tokenId: 1n, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: FOREVER }),
      encode('collect', { tokenId: 1n, recipient: founder, amount0Max: MOST, amount1Max: MOST }),
      encode('mint', { ...wish, ...amounts, recipient: founder, deadline: FOREVER }),
    ])
    await live.mine()
    await indexToHead(database, live)
    expect(live.chain.failures).toEqual([])
    expect(await readProviders()).toEqual(await askProviders([1n, 2n, 3n, 4n]))
    expect(await readDay()).toEqual(before)
    expect(await trade.balance(token, pool)).toBeGreaterThan(0n)
  })

  test('without a manager belong to the vault in the pool’s log, and liquidity that moves into another range stays there', async () => {
    const { chain, founder, trade, venues } = live
    const { to, abi } = { to: await chain.deploy(founder, 'rangeVault'), abi: artifacts.rangeVault.abi }
    const ranged = toAddress(to)
    await live.mine()
    for (const of of [token, venues.weth]) await trade.approve(founder, of, to)
    await live.mine()
    const within = (ticks: number) => [middleOf() - ticks, middleOf() + ticks]
    const [some, more] = [10n ** 18n, 21n * 10n ** 17n]
    const act = (name: string, ...args: unknown[]) => chain.send(founder, { to, abi, name, args: [pool, ...args] })
    await act('add', ...within(600), some)
    for (const of of [token, venues.weth]) await trade.transfer(founder, of, ranged, ether(1))
    await live.mine()
    await indexToHead(database, live)
    expect(chain.failures).toEqual([])
    expect((await readProviders())[ranged]).toBe(some)
    const before = await readDay()
    await act('narrow', ...within(600), some, more)
    await live.mine()
    await indexToHead(database, live)
    expect(chain.failures).toEqual([])
    expect((await readProviders())[ranged]).toBe(more)
    expect(await readDay()).toEqual(before)
    await act('remove', ...within(300), more)
    await live.mine()
    await indexToHead(database, live)
    expect((await readProviders())[ranged]).toBeUndefined()
    expect((await readDay())?.removals).toBe((before?.removals ?? 0) + 1)
    const { rows } = await database.pool.query(
      `SELECT e.type FROM event e JOIN wallet w ON w.id = e.wallet_id WHERE w.address = $1 AND e.type IN (2, 3) ORDER BY n`,
      [ranged],
    )
    expect(rows).toEqual([{ type: 2 }, { type: 3 }, { type: 2 }, { type: 3 }])
  })

  /** A usable tick at the price. */
  const middleOf = () => (toAddress(sortTokens(token, live.venues.weth)[0]) === token ? -92_100 : 92_100)

  test('go back to whom they belonged when the block that sent them is rolled back', async () => {
    const before = await readProviders()
    await send(live.founder, 'transferFrom', live.founder, friend, 4n)
    await live.mine()
    await indexToHead(database, live)
    expect(await readProviders()).toEqual(await askProviders([1n, 2n, 3n, 4n]))
    expect(await readProviders()).not.toEqual(before)
    await live.rollBack(1)
    await live.mine()
    expect(await indexToHead(database, live)).toContain('rollback')
    expect(await readProviders()).toEqual(before)
    const straight = await createTestDatabase()
    await indexToHead(straight, live)
    const [followed, fresh] = await Promise.all([dumpLedger(database.pool), dumpLedger(straight.pool)])
    for (const table of ['position_token', 'position', 'event', 'pool', 'pool_day'])
      expect([table, followed[table]]).toEqual([table, fresh[table]])
    expect(fresh.position_token).toHaveLength(4)
  })
})
