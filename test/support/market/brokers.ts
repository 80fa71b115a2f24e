// Trades that somebody else signs: bundlers for smart accounts, a relayer for savers, a solver for customers; and an aggregator, whose callers sign
// themselves. Each is noted with whose it was.
import { type Address, encodeFunctionData } from 'viem'
import { type ArtifactName, artifacts } from '../contracts/artifacts.ts'
import { CAST, NEWCOMERS } from './cast.ts'
import { type Frontier, keyOf } from './places.ts'
import { ether, part } from './trade.ts'
import type { VenueV2 } from './venue.ts'
import { buy, type Coin, DAY, HOUR, type ProxyTrade, sell, takeTurn } from './world.ts'

const FOREVER = 4_000_000_000n

interface Operation {
  sender: Address
  to: Address
  value: bigint
  data: Address
}

const encode = (name: ArtifactName, method: string, args: readonly unknown[]): Address =>
  encodeFunctionData({ abi: artifacts[name].abi, functionName: method, args })

const route = (path: readonly Address[], amount: bigint, to: Address): Address =>
  encode('v2Router', 'swapExactTokensForTokensSupportingFeeOnTransferTokens', [amount, 0n, path, to, FOREVER])

const way = ({ router }: VenueV2, path: readonly Address[], amount: bigint, to: Address) => ({
  router,
  amount,
  data: route(path, amount, to),
})

/** Whoever acts has coins of an exchange. */
function fund({ timeline, chain, start }: Frontier, wallets: readonly Address[], coins: number): void {
  for (const [i, who] of wallets.entries())
    timeline.at(
      start + (1 + i / 24) * DAY,
      async () => void (await chain.pay(CAST.exchanges[i % 2]!, who, ether(coins))),
    )
}

async function sign(world: Frontier, proxy: ProxyTrade, sent: Promise<string>): Promise<void> {
  world.proxies.set(await sent, proxy)
}

/** Schedules all of them; `managed` is a token at the manager, `paired` one with a pair. */
export function employBrokers(world: Frontier, paired: Coin, managed: Coin): void {
  const { roles } = world
  for (const bundler of NEWCOMERS.bundlers) roles.set(bundler, 'bundler')
  roles.set(NEWCOMERS.relayer, 'relayer')
  roles.set(NEWCOMERS.solver, 'solver')
  runAccounts(world, paired, managed)
  runRelayer(world, paired)
  runSolver(world, paired)
  runAggregator(world, paired)
}

/** Funds everybody who has to do with brokers, before there is anything to trade. */
export function fundBrokers(world: Frontier): void {
  const { owners, bundlers, relayer, savers, solver, customers, shoppers } = NEWCOMERS
  fund(world, owners, 14)
  fund(world, [...bundlers, relayer, solver], 3)
  fund(world, [...savers, ...customers, ...shoppers], 10)
}

function runAccounts(world: Frontier, paired: Coin, managed: Coin): void {
  const { timeline, chain, random, trade, venues, outpost, end, managed: manager } = world
  const accounts: Address[] = []
  const allowed = new Set<string>()
  const from = paired.opensAt + DAY
  for (const [i, owner] of NEWCOMERS.owners.entries()) {
    timeline.at(from + i * 600, async () => {
      const account = await chain.deploy(owner, 'smartAccount', [owner, outpost.entryPoint])
      world.roles.set(account, 'smart_account')
      timeline.at(from + i * 600 + 300, async () => {
        await chain.pay(owner, account, ether(9))
        accounts.push(account)
      })
    })
  }

  /** An account's next act: it buys, or sells a part of its balance. */
  async function plan(account: Address): Promise<Operation[]> {
    const [coin, at] = random.chance(0.6) ? [paired, venues.uniswapV2.router] : [managed, manager.router]
    const isPaired = coin === paired
    const held = await trade.balance(coin.address, account)
    if (held === 0n || random.chance(0.55)) {
      const wei = ether(random.lognormal(0.35, 0.5))
      if ((await chain.balanceOf(account)) < wei) return []
      const data = isPaired
        ? encode('v2Router', 'swapExactETHForTokensSupportingFeeOnTransferTokens', [
            0n,
            [venues.weth, coin.address],
            account,
            FOREVER,
          ])
        : encode('managerRouter', 'swap', [keyOf(world, coin), true, wei, account])
      return [{ sender: account, to: at, value: wei, data }]
    }
    const amount = part(held, random.between(0.3, 0.9))
    const data = isPaired
      ? encode('v2Router', 'swapExactTokensForETHSupportingFeeOnTransferTokens', [
          amount,
          0n,
          [coin.address, venues.weth],
          account,
          FOREVER,
        ])
      : encode('managerRouter', 'swap', [keyOf(world, coin), false, amount, account])
    const sale = { sender: account, to: at, value: 0n, data }
    if (allowed.has(`${account} ${coin.address}`)) return [sale]
    allowed.add(`${account} ${coin.address}`)
    const approval = { ...sale, to: coin.address, data: encode('plainToken', 'approve', [at, 2n ** 255n]) }
    return [approval, sale]
  }

  const next = (time: number) => {
    if (time >= end - HOUR) return
    timeline.at(time, async () => {
      next(time + random.wait(DAY / 3))
      const bundler = random.pick(NEWCOMERS.bundlers)
      const party = new Set(Array.from({ length: random.chance(0.5) ? 1 : 2 }, () => random.pick(accounts)))
      const operations: Operation[] = []
      for (const account of party) operations.push(...(await plan(account)))
      const traders = [...new Set(operations.map(({ sender }) => sender))]
      if (operations.length === 0 || !takeTurn(world, bundler)) return
      const call = { to: outpost.entryPoint, abi: artifacts.entryPoint.abi, name: 'handleOps', args: [operations] }
      await sign(world, { traders, way: 'operation' }, chain.send(bundler, call))
    })
  }
  next(from + 2 * HOUR)
  // Now and then an owner tells the account itself what to do.
  for (let i = 0; i < 6; i++)
    timeline.at(from + (1.5 + i * 2) * DAY, async () => {
      const [owner, account] = [NEWCOMERS.owners[i]!, accounts[i]!]
      const [operation] = await plan(account)
      if (!operation || !takeTurn(world, owner)) return
      const { to, value, data } = operation
      const call = { to: account, abi: artifacts.smartAccount.abi, name: 'execute', args: [to, value, data] }
      await sign(world, { traders: [account], way: 'account' }, chain.send(owner, call))
    })
}

/** Savers hold the token and approve the broker; the relayer signs their sales. */
function runRelayer(world: Frontier, coin: Coin): void {
  const { timeline, chain, trade, venues, outpost, random } = world
  for (const [i, saver] of NEWCOMERS.savers.entries()) {
    const from = coin.opensAt + (1 + i * 0.2) * DAY
    for (const day of [0, 5, 9])
      timeline.at(from + day * DAY, async () => {
        await trade.buy(venues.uniswapV2, saver, [venues.weth, coin.address], ether(random.lognormal(0.6, 0.4)))
        await trade.approve(saver, coin.address, outpost.broker)
      })
    for (const day of [3, 7, 12])
      timeline.at(from + day * DAY, async () => {
        const amount = part(await trade.balance(coin.address, saver), 0.5)
        const ways = [way(venues.uniswapV2, [coin.address, venues.weth], amount, saver)]
        const args = [saver, coin.address, amount, ways]
        const call = { to: outpost.broker, abi: artifacts.broker.abi, name: 'relay', args }
        await sign(world, { traders: [saver], way: 'relay' }, chain.send(NEWCOMERS.relayer, call))
      })
  }
}

/** Customers approve the settlement; the solver fills their orders and keeps the surplus. */
function runSolver(world: Frontier, coin: Coin): void {
  const { timeline, chain, trade, venues, outpost, random } = world
  const { uniswapV2, weth } = venues
  async function settle(owner: Address, sold: Address, bought: Address, amount: bigint): Promise<void> {
    const path = [sold, bought]
    const quote = { to: uniswapV2.router, abi: artifacts.v2Router.abi, name: 'getAmountsOut', args: [amount, path] }
    const promised = part((await chain.ask<readonly bigint[]>(quote))[1]!, 0.985)
    const ways = [way(uniswapV2, path, amount, outpost.settlement)]
    const args = [owner, sold, bought, amount, promised, ways]
    const call = { to: outpost.settlement, abi: artifacts.broker.abi, name: 'settle', args }
    await sign(world, { traders: [owner], way: 'settlement' }, chain.send(NEWCOMERS.solver, call))
  }
  for (const [i, customer] of NEWCOMERS.customers.entries()) {
    const from = coin.opensAt + (1.1 + i * 0.3) * DAY
    timeline.at(from, async () => {
      await trade.wrap(customer, ether(6))
      await trade.approve(customer, weth, outpost.settlement)
      await trade.approve(customer, coin.address, outpost.settlement)
    })
    for (const day of [0.5, 4, 8, 13])
      timeline.at(from + day * DAY, () => settle(customer, weth, coin.address, ether(random.between(0.4, 1.2))))
    for (const day of [6, 11, 15])
      timeline.at(from + day * DAY, async () =>
        settle(customer, coin.address, weth, part(await trade.balance(coin.address, customer), 0.5)),
      )
  }
}

/** A second pool of the token, and shoppers who buy at both at once. They sign themselves. */
function runAggregator(world: Frontier, coin: Coin): void {
  const { timeline, chain, trade, venues, outpost, random } = world
  const { uniswapV2, moonforge, weth } = venues
  const [steward] = NEWCOMERS.stewards
  timeline.at(coin.opensAt + 1.5 * DAY, () =>
    trade.buy(uniswapV2, steward!, [weth, coin.address], ether(5)).then(() => undefined),
  )
  timeline.at(coin.opensAt + 1.6 * DAY, async () => {
    const held = await trade.balance(coin.address, steward!)
    const [coins, tokens] = [await trade.balance(weth, coin.pool), await trade.balance(coin.address, coin.pool)]
    await trade.addLiquidity(moonforge, steward!, coin.address, held, (held * coins) / tokens)
  })
  async function split(shopper: Address, path: readonly [Address, Address], amount: bigint): Promise<void> {
    const most = part(amount, 0.9)
    const ways = [way(uniswapV2, path, most, shopper), way(moonforge, path, amount - most, shopper)]
    const call = { to: outpost.broker, abi: artifacts.broker.abi, name: 'split', args: [path[0], amount, ways] }
    await chain.send(shopper, call)
  }
  for (const [i, shopper] of NEWCOMERS.shoppers.entries()) {
    const from = coin.opensAt + (2 + i * 0.25) * DAY
    timeline.at(from, async () => {
      await trade.wrap(shopper, ether(6))
      await trade.approve(shopper, weth, outpost.broker)
      await trade.approve(shopper, coin.address, outpost.broker)
    })
    for (const day of [0.3, 3, 7, 12])
      timeline.at(from + day * DAY, () => split(shopper, [weth, coin.address], ether(random.between(0.5, 1.3))))
    // They also trade at the pair itself, as people do.
    for (const day of [1, 2, 4, 6, 8, 9, 11, 13, 14])
      timeline.at(from + (day + 0.1) * DAY, async () => {
        if (day % 3 === 0) await sell(world, coin, shopper, 0.2)
        else await buy(world, coin, shopper, random.between(0.2, 0.5))
      })
    for (const day of [5, 10, 16])
      timeline.at(from + day * DAY, async () =>
        split(shopper, [coin.address, weth], part(await trade.balance(coin.address, shopper), 0.5)),
      )
  }
}
