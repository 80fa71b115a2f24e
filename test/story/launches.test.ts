// Launch venues on a live EVM, at Uniswap V4's own manager. One token's positions lie with a locker, and its hook takes
// a fee of the payments (like Clanker's). The other's hook holds the liquidity itself (like Zora's). Both have a price,
// a creator, and liquidity that nobody can withdraw. An unknown locker proves nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, toAddress } from '../../src/base/address.ts'
import { amountsOfRange, rootAtTick } from '../../src/book/prices/tick-math.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { type PackedExplanation, unpackExplanation } from '../../src/ledger/explanation-pack.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { artifacts } from '../support/contracts/artifacts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { connect, createLive, indexToHead, type Live } from '../support/live.ts'
import { type ManagedLive, openManager } from '../support/managed-live.ts'
import { wallet } from '../support/market/cast.ts'
import type { ManagedKey } from '../support/market/managed.ts'
import { ether } from '../support/market/trade.ts'

const NATIVE = `0x${'0'.repeat(40)}` as const
/** A million tokens for a coin, and all of them above the price: the first swap is a purchase. */
const TICK = 138_000
const RANGE = [TICK - 60_000, TICK] as const
const LIQUIDITY = 10n ** 23n
/** Runs before a swap, and changes its payment; runs after a swap. */
const [FEE_RIGHTS, KEEP_RIGHTS] = [0x88, 0x40]
const [creator, trader, bot] = ['creator', 'trader', 'bot'].map((name) => toAddress(wallet(`${name} of launches`))) as [
  Address,
  Address,
  Address,
]
const at = (name: string, rights: number): Address =>
  toAddress(`0x${wallet(name).slice(2, 38)}${rights.toString(16).padStart(4, '0')}`)
const FEE_HOOK = at('fee hook of launches', FEE_RIGHTS)
const KEEPING_HOOK = at('keeping hook of launches', KEEP_RIGHTS)

const title = `launches on a live chain${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let managed: ManagedLive
  let database: TestDatabase
  let locker: Address
  let stranger: Address

  beforeAll(async () => {
    database = await createTestDatabase()
    live = await createLive()
    const { chain, founder, mine } = live
    managed = await openManager(live)
    const { manager, positions } = managed
    const clanker = await chain.deploy(founder, 'launchers', [manager, positions])
    const zora = await chain.deploy(founder, 'launchers', [manager, positions])
    locker = toAddress(await chain.deploy(founder, 'positionLocker'))
    stranger = toAddress(await chain.deploy(founder, 'positionLocker'))
    const copies = [
      [await chain.deploy(founder, 'inputFeeHook', [manager]), FEE_HOOK],
      [await chain.deploy(founder, 'keepingHook', [manager]), KEEPING_HOOK],
    ] as const
    for (const who of [bot, trader]) await chain.pay(founder, who, ether(1_000))
    await mine()
    for (const [made, hook] of copies)
      await chain.rpc('anvil_setCode', [hook, await chain.rpc('eth_getCode', [made, 'latest'])])
    const send = (to: `0x${string}`, name: string, args: readonly unknown[]) =>
      chain.send(bot, { to, abi: artifacts.launchers.abi, name, args })
    const plan = (symbol: string, hook: Address) => ({
      ...{ name: symbol, symbol, creator, hook, root: rootAtTick(TICK), tick: TICK },
      ...{ tickLower: RANGE[0], tickUpper: RANGE[1], liquidity: LIQUIDITY },
    })
    await send(clanker, 'launch', [plan('LOCKED', FEE_HOOK), locker])
    await send(clanker, 'launch', [plan('LOOSE', FEE_HOOK), stranger])
    await send(zora, 'coin', [plan('KEPT', KEEPING_HOOK)])
    await mine()
    const known: Preset = {
      ...managed.preset,
      factories: [
        ...managed.preset.factories,
        { address: toAddress(clanker), kind: 'clanker', launchpad: 'clanker' },
        { address: toAddress(zora), kind: 'zora', launchpad: 'zora' },
      ],
      lockers: [{ address: locker, name: 'Permanent', permanent: true }],
      feeHooks: [{ address: FEE_HOOK, name: 'Fee' }],
    }
    const parts = connect(live.anvil.url, known)
    await indexToHead(database, parts)
    const { rows } = await database.pool.query<{ address: Address; hooks: Address }>(
      'SELECT t.address, p.hooks FROM launch l JOIN token t ON t.id = l.token_id JOIN pool p ON p.id = l.pool_id',
    )
    expect(rows).toHaveLength(3)
    for (const { address, hooks } of rows) {
      const key: ManagedKey = { currency0: NATIVE, currency1: address, fee: 10_000, tickSpacing: 200, hooks }
      for (let round = 0; round < 3; round++) {
        await managed.swap(trader, key, true, ether(2))
        await mine()
      }
    }
    await indexToHead(database, parts)
    expect(live.chain.failures).toEqual([])
  })
  afterAll(() => live?.anvil.stop())

  interface Told {
    priceUsd: number
    launchpad: string
    swapCount: number
    deployer: { address: Address }
    pools: { nodes: { liquidityUsd: number | null; hookRights: string[] }[] }
    launch: Record<string, unknown>
  }

  const ask = async (symbol: string): Promise<Told> => {
    const { rows } = await database.pool.query<{ address: Address }>('SELECT address FROM token WHERE symbol = $1', [
      symbol,
    ])
    const graph = await openGraph(database)
    try {
      const { data } = await graph.execute(
        `{ token(address: "${rows[0]?.address}") { priceUsd launchpad swapCount deployer { address } pools { nodes { liquidityUsd hookRights } }
          launch { venue creator { address } liquidityHolder liquidityPct withdrawable endsAt } } }`,
        {},
        SOMEBODY,
      )
      return data.token as Told
    } finally {
      await graph.head.stop()
    }
  }

  const exitShareOf = async (symbol: string): Promise<number> => {
    const { rows } = await database.pool.query<{ explanation: PackedExplanation }>(
      'SELECT s.explanation::json AS explanation FROM token_score s JOIN token t ON t.id = s.token_id WHERE t.symbol = $1',
      [symbol],
    )
    const inputs = rows[0] ? unpackExplanation(rows[0].explanation).dimensions.flatMap((it) => it.inputs) : []
    return inputs.find(({ name }) => name === 'exitShare')?.value ?? Number.NaN
  }

  test('whose hook takes a fee have the price of their pool, and its reserves', async () => {
    const { priceUsd, swapCount, pools } = await ask('LOCKED')
    const { currency1, hooks } = await keyOf('LOCKED')
    const root = Number(await managed.rootOf({ currency0: NATIVE, currency1, fee: 10_000, tickSpacing: 200, hooks }))
    expect(priceUsd / (3_000 / (root / 2 ** 96) ** 2)).toBeCloseTo(1, 6)
    expect(swapCount).toBe(3)
    const [pool] = pools.nodes
    // The hook kept one percent of six coins, and one percent of the rest lies with the manager as the pool's fee.
    const coins = Number(amountsOfRange(BigInt(root), ...RANGE, LIQUIDITY)[0]) / 1e18
    expect(coins).toBeCloseTo(6 * 0.99 * 0.99, 6)
    expect(pool?.hookRights).toEqual(['runs before each swap', 'takes a share of what a swap pays'])
    expect(pool?.liquidityUsd).toBeGreaterThan(coins * 3_000)
  })

  const keyOf = async (symbol: string): Promise<{ currency1: Address; hooks: Address }> => {
    const { rows } = await database.pool.query<{ currency1: Address; hooks: Address }>(
      'SELECT t.address AS currency1, p.hooks FROM launch l JOIN token t ON t.id = l.token_id JOIN pool p ON p.id = l.pool_id WHERE t.symbol = $1',
      [symbol],
    )
    return rows[0] as { currency1: Address; hooks: Address }
  }

  test.each([
    ['a locker that the preset calls permanent', 'LOCKED', 'clanker', () => locker],
    ['a hook that its venue names', 'KEPT', 'zora', () => KEEPING_HOOK],
  ])('nobody can withdraw the liquidity that lies with %s', async (_, symbol, venue, holder) => {
    const { launch, launchpad, deployer } = await ask(symbol)
    expect(launchpad).toBe(venue)
    expect(deployer.address).toBe(creator)
    expect(launch).toEqual({
      venue,
      creator: { address: creator },
      liquidityHolder: holder(),
      liquidityPct: 100,
      withdrawable: false,
      endsAt: null,
    })
    expect(await exitShareOf(symbol)).toBe(0)
  })

  test('a locker that nobody knows is told, and proves nothing', async () => {
    expect((await ask('LOOSE')).launch).toMatchObject({ liquidityHolder: stranger, withdrawable: null })
  })
})
