// Traders on a live EVM: smart accounts through a bundler and by their owners, a relayer, a solver and an aggregator.
// Uniswap's own contracts run, and an entry point and a settlement at the trusted addresses. Each act has a block of
// its own.
import { encodeFunctionData, type Address as Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, toAddress } from '../../src/base/address.ts'
import { ATTRIBUTIONS } from '../../src/base/vocabulary.ts'
import { rootAtTick } from '../../src/book/prices/tick-math.ts'
import { FOR_OTHERS } from '../../src/chain/exchanges/attribution.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { type ArtifactName, artifacts } from '../support/contracts/artifacts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { connect, createLive, indexToHead, type Live } from '../support/live.ts'
import { type ManagedLive, openManager } from '../support/managed-live.ts'
import { wallet } from '../support/market/cast.ts'
import type { ManagedKey } from '../support/market/managed.ts'
import { ether, units } from '../support/market/trade.ts'

const FOREVER = 4_000_000_000n
const [entryPoint] = FOR_OTHERS.entry_point
const [settlement] = FOR_OTHERS.settlement
const names = ['bundler', 'owner', 'friend', 'relayer', 'solver', 'customer', 'saver', 'shopper'] as const
const who = Object.fromEntries(names.map((name) => [name, toAddress(wallet(`${name} of traders`))])) as Record<
  (typeof names)[number],
  Address
>

interface Told {
  trader: string
  attribution: string
  signer: string
  swaps: number
}

const title = `whose a trade is${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let managed: ManagedLive
  let database: TestDatabase
  let token: Address
  let accounts: [Address, Address]
  let broker: Hex
  /** The act, by the number of its block. */
  const acts = new Map<string, number>()

  const data = (name: ArtifactName, method: string, args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi: artifacts[name].abi, functionName: method, args })
  const route = (path: readonly Hex[], amount: bigint, to: Hex) =>
    data('v2Router', 'swapExactTokensForTokensSupportingFeeOnTransferTokens', [amount, 0n, path, to, FOREVER])
  const way = (path: readonly Hex[], amount: bigint, to: Hex) => ({
    router: live.venues.uniswapV2.router,
    amount,
    data: route(path, amount, to),
  })
  const call = (to: Hex, name: ArtifactName, method: string, args: readonly unknown[]) => ({
    to,
    abi: artifacts[name].abi,
    name: method,
    args,
  })

  /** Copies a contract's code to an address that is believed. */
  async function place(name: ArtifactName, at: Hex): Promise<void> {
    const made = await live.chain.deploy(live.founder, name)
    await live.mine()
    await live.anvil.rpc('anvil_setCode', [at, await live.anvil.rpc('eth_getCode', [made, 'latest'])])
  }

  async function act(name: string, work: Promise<unknown>): Promise<void> {
    await work
    await live.mine()
    acts.set(name, Number(await live.anvil.rpc<string>('eth_blockNumber')))
  }

  const operation = (sender: Hex, to: Hex, value: bigint, input: Hex) => ({ sender, to, value, data: input })
  const handle = (...operations: ReturnType<typeof operation>[]) =>
    live.chain.send(who.bundler, call(entryPoint, 'entryPoint', 'handleOps', [operations]))
  const allow = (account: Hex, spender: Hex) =>
    live.chain.send(
      who.owner,
      call(account, 'smartAccount', 'execute', [token, 0n, data('plainToken', 'approve', [spender, 2n ** 255n])]),
    )

  beforeAll(async () => {
    database = await createTestDatabase()
    live = await createLive()
    const { chain, founder, mine, trade, venues } = live
    managed = await openManager(live)
    token = toAddress(await chain.deploy(founder, 'plainToken', ['Coin', 'COIN', 18, units(1e6, 18), founder]))
    broker = await chain.deploy(founder, 'broker')
    for (const address of Object.values(who)) await chain.pay(founder, address, ether(20))
    await mine()
    accounts = [
      toAddress(await chain.deploy(who.owner, 'smartAccount', [who.owner, entryPoint])),
      toAddress(await chain.deploy(who.owner, 'smartAccount', [who.owner, entryPoint])),
    ]
    await place('entryPoint', entryPoint)
    await place('broker', settlement)
    await trade.addLiquidity(venues.uniswapV2, founder, token, units(3e5, 18), ether(100))
    for (const account of accounts) {
      await live.anvil.rpc('anvil_setBalance', [account, `0x${ether(50).toString(16)}`])
      await trade.transfer(founder, token, account, units(5_000, 18))
    }
    for (const each of ['customer', 'saver', 'shopper'] as const)
      await trade.transfer(founder, token, who[each], units(5_000, 18))
    const key: ManagedKey = {
      currency0: zeroAddress,
      currency1: token,
      fee: 3_000,
      tickSpacing: 60,
      hooks: zeroAddress,
    }
    await managed.open(founder, key, rootAtTick(80_040))
    await managed.mint(founder, key, [60_000, 99_960], 10n ** 22n, ether(2_000))
    await mine()
    for (const account of accounts) await allow(account, venues.uniswapV2.router)
    await trade.approve(who.customer, token, settlement)
    await trade.approve(who.saver, token, broker)
    await trade.approve(who.shopper, token, broker)
    await mine()

    const { weth, usd, uniswapV2 } = venues
    const buying = (account: Hex) =>
      data('v2Router', 'swapExactETHForTokensSupportingFeeOnTransferTokens', [0n, [weth, token], account, FOREVER])
    const amount = units(100, 18)
    const [one, two] = accounts
    await act('operation that pays the native coin', handle(operation(one, uniswapV2.router, ether(1), buying(one))))
    await act(
      'operation over two pools',
      handle(operation(one, uniswapV2.router, 0n, route([token, weth, usd], amount, one))),
    )
    await act(
      'two operations',
      handle(
        operation(one, uniswapV2.router, 0n, route([token, weth], amount, one)),
        operation(two, uniswapV2.router, 0n, route([token, weth], amount, two)),
      ),
    )
    await act(
      'owner calls',
      chain.send(
        who.owner,
        call(two, 'smartAccount', 'execute', [uniswapV2.router, 0n, route([token, weth, usd], amount, two)]),
      ),
    )
    await act(
      'operation at a manager',
      handle(operation(two, managed.router, ether(1), data('managerRouter', 'swap', [key, true, ether(1), two]))),
    )
    await act(
      'relayer',
      chain.send(
        who.relayer,
        call(broker, 'broker', 'relay', [who.saver, token, amount, [way([token, weth], amount, who.saver)]]),
      ),
    )
    const out = await chain.ask<readonly bigint[]>(
      call(uniswapV2.router, 'v2Router', 'getAmountsOut', [amount, [token, weth, usd]]),
    )
    await act(
      'solver',
      chain.send(
        who.solver,
        call(settlement, 'broker', 'settle', [
          who.customer,
          token,
          usd,
          amount,
          (out[2] ?? 0n) - 1n,
          [way([token, weth, usd], amount, settlement)],
        ]),
      ),
    )
    await act(
      'aggregator',
      chain.send(
        who.shopper,
        call(broker, 'broker', 'split', [
          token,
          2n * amount,
          [way([token, weth], amount, who.shopper), way([token, weth, usd], amount, who.shopper)],
        ]),
      ),
    )
    await act('signer', trade.buy(uniswapV2, who.friend, [weth, token], ether(1)))
    await indexToHead(database, connect(live.anvil.url, managed.preset))
  })
  afterAll(() => live?.anvil.stop())

  async function told(name: string): Promise<Told[]> {
    const { rows } = await database.pool.query<Omit<Told, 'attribution'> & { attribution: number | null }>(
      `SELECT w.address AS trader, e.attribution, coalesce(s.address, w.address) AS signer, count(*)::int AS swaps
       FROM event e JOIN wallet w ON w.id = e.wallet_id LEFT JOIN wallet s ON s.id = e.signer_id
       WHERE e.block_number = $1 AND e.type = 1 GROUP BY 1, 2, 3 ORDER BY 1`,
      [acts.get(name)],
    )
    return rows.map((row) => ({ ...row, attribution: ATTRIBUTIONS[row.attribution ?? 0] ?? '' }))
  }

  const by = (trader: string, attribution: string, signer: string, swaps: number): Told => ({
    trader,
    attribution,
    signer,
    swaps,
  })

  test('is the smart account’s, whether a bundler or its owner signed', async () => {
    const [one, two] = accounts
    expect(live.chain.failures).toEqual([])
    expect(await told('operation that pays the native coin')).toEqual([by(one, 'operation', who.bundler, 1)])
    expect(await told('operation over two pools')).toEqual([by(one, 'balances', who.bundler, 2)])
    expect(await told('two operations')).toEqual(
      [by(one, 'balances', who.bundler, 1), by(two, 'balances', who.bundler, 1)].sort((a, b) =>
        a.trader < b.trader ? -1 : 1,
      ),
    )
    expect(await told('owner calls')).toEqual([by(two, 'balances', who.owner, 2)])
    expect(await told('operation at a manager')).toEqual([by(two, 'operation', who.bundler, 1)])
  })

  test('is whose tokens a relayer or a solver traded', async () => {
    expect(await told('relayer')).toEqual([by(who.saver, 'balances', who.relayer, 1)])
    expect(await told('solver')).toEqual([by(who.customer, 'balances', who.solver, 2)])
  })

  test('is the signer’s through an aggregator, and alone', async () => {
    expect(await told('aggregator')).toEqual([by(who.shopper, 'signer', who.shopper, 3)])
    expect(await told('signer')).toEqual([by(who.friend, 'signer', who.friend, 1)])
  })
})
