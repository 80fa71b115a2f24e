// Where the newcomers' tokens are traded: a pool of the manager, a pair with the hub, and a launch curve that becomes a pair. Input: the world, the
// token. Output: how it opens, and how it is bought and sold there.
import { type Address, encodeAbiParameters, getContractAddress, zeroAddress } from 'viem'
import { artifacts } from '../contracts/artifacts.ts'
import { CAST, DEAD, NEWCOMERS } from './cast.ts'
import { createManaged, type Managed, type ManagedKey } from './managed.ts'
import type { Outpost } from './outpost.ts'
import { ether, part, priceRoot, squareRoot, units } from './trade.ts'
import { pairOf, sortTokens } from './venue.ts'
import { type Coin, DAY, HOUR, NATIVE_USD, type Place, SUPPLY, takeTurn, type World } from './world.ts'

/** A fee that the hook sets for each swap. (v4-core, LPFeeLibrary.sol.) */
const DYNAMIC_FEE = 0x80_0000
const FEE = 3_000
const SPACING = 60
/** The widest range of that spacing. */
const WIDEST = [-887_220, 887_220] as const

export interface Frontier extends World {
  outpost: Outpost
  managed: Managed
  /** The hub, once it is deployed. */
  hub(): Coin
}

export const openFrontier = (world: World, outpost: Outpost, hub: () => Coin): Frontier => ({
  ...world,
  outpost,
  managed: createManaged(world.chain, world.trade, outpost.managers),
  hub,
})

/** The hub and a wallet's amount of it; people buy it first, and tokens quoted in it some hours later. */
function throughHub(world: Frontier, spend: (who: Address, amount: bigint) => Promise<unknown>) {
  const { trade, venues, timeline, random } = world
  const hub = () => world.hub().address
  return async (who: Address, coins: number): Promise<void> => {
    const held = await trade.balance(hub(), who)
    if (held > 0n && random.chance(0.75)) {
      await spend(who, part(held, random.between(0.4, 0.9)))
      return
    }
    await trade.buy(venues.uniswapV2, who, [venues.weth, hub()], ether(coins * 1.4))
    timeline.at(timeline.now() + random.between(0.5, 30) * HOUR, async () => {
      const bought = await trade.balance(hub(), who)
      if (bought > 0n && takeTurn(world, who)) await spend(who, part(bought, random.between(0.5, 0.9)))
    })
  }
}

/** Buys a token's pool as much of the hub as it opens with, in four purchases. */
async function stockHub(world: Frontier, { developer, plan }: Coin): Promise<void> {
  const { trade, venues } = world
  for (let i = 0; i < 4; i++)
    await trade.buy(venues.uniswapV2, developer, [venues.weth, world.hub().address], ether(plan.liquidity / 4))
}

/** USD for a raw amount of the hub, by the reserves of its pair. */
async function hubUsd(world: Frontier, amount: bigint): Promise<number> {
  const { trade, venues } = world
  const { address, pool } = world.hub()
  const [held, coins] = [await trade.balance(address, pool), await trade.balance(venues.weth, pool)]
  return (Number(amount) / Number(held)) * (Number(coins) / 1e18) * NATIVE_USD
}

/** A pair with the hub on Uniswap V2. Its shares are burned, or lie with the locker. */
export function hubPlace(world: Frontier, coin: Coin): Place {
  const { trade, venues, timeline } = world
  const { address, developer, plan } = coin
  const hub = () => world.hub().address
  const pair = pairOf(venues.uniswapV2, address, hub())
  coin.pool = pair
  const swap = (who: Address, from: Address, to: Address, amount: bigint) =>
    trade.swap(venues.uniswapV2, who, [from, to], amount)
  return {
    open: async () => {
      await stockHub(world, coin)
      timeline.at(timeline.now() + 24, async () => {
        const amount = units(SUPPLY * plan.pooled, plan.decimals)
        const held = await trade.balance(hub(), developer)
        await trade.addLiquidityPair(venues.uniswapV2, developer, address, amount, hub(), held)
      })
      timeline.at(timeline.now() + 600, async () => {
        const to = plan.lp === 'burned' ? DEAD : CAST.locker
        await trade.transfer(developer, pair, to, await trade.balance(pair, developer))
      })
    },
    buy: throughHub(world, (who, amount) => swap(who, hub(), address, amount)),
    sell: (who, amount) => swap(who, address, hub(), amount),
    readDepthUsd: async () => hubUsd(world, await trade.balance(hub(), pair)),
  }
}

/** The key of the token's pool at the manager; `bare` without its hook. */
export function keyOf(world: Frontier, { address, plan }: Coin, isBare = false): ManagedKey {
  const { outpost, venues } = world
  const quote = plan.quote === 'weth' ? zeroAddress : plan.quote === 'usd' ? venues.usd : world.hub().address
  const [currency0, currency1] = sortTokens(quote, address)
  const hook = isBare ? undefined : plan.hook
  return {
    currency0,
    currency1,
    fee: hook === 'fee' ? DYNAMIC_FEE : FEE,
    tickSpacing: SPACING,
    hooks: hook ? outpost.hooks[hook] : zeroAddress,
  }
}

/**
 * A pool of the manager. A hook with a curve of its own has a pool beside the token's plain one, and every third trade goes there. The position
 * of the opening is burned, lies with the locker, or is handed on.
 */
export function managedPlace(world: Frontier, coin: Coin): Place {
  const { trade, timeline, managed, random, chain } = world
  const { address, developer, plan } = coin
  const hasOwnCurve = plan.hook === 'curve'
  const key = keyOf(world, coin, hasOwnCurve)
  const hooked = keyOf(world, coin)
  const isToken0 = key.currency0 === address
  const pick = () => (hasOwnCurve && random.chance(0.3) ? hooked : key)
  const spend = (who: Address, amount: bigint) => managed.swap(who, pick(), !isToken0, amount)

  async function fill(at: ManagedKey, amount: bigint, quoted: bigint): Promise<void> {
    const [amount0, amount1] = isToken0 ? [amount, quoted] : [quoted, amount]
    await managed.open(developer, at, priceRoot(amount0, amount1))
    const liquidity = part(squareRoot(amount0 * amount1), 0.999)
    await managed.mint(developer, at, WIDEST, liquidity, plan.quote === 'weth' ? quoted : 0n)
  }

  async function stock(): Promise<bigint> {
    if (plan.quote === 'weth') return ether(plan.liquidity)
    if (plan.quote === 'hub') return trade.balance(world.hub().address, developer)
    const usd = units(plan.liquidity * NATIVE_USD, 6)
    await trade.mintUsd(developer, usd)
    return usd
  }

  /** A tenth of the plain pool's reserves, half of it in the hook's own hands. */
  async function openHooked(): Promise<void> {
    const [amount, coins] = [units((SUPPLY * plan.pooled) / 20, plan.decimals), ether(plan.liquidity / 20)]
    await trade.transfer(developer, address, hooked.hooks, amount)
    await chain.pay(developer, hooked.hooks, coins)
    await fill(hooked, amount, coins)
  }

  async function handOn(): Promise<void> {
    if (plan.lp === 'held' && plan.story === 'rug') return
    const to = plan.lp === 'burned' ? DEAD : plan.lp === 'locked' ? CAST.locker : NEWCOMERS.treasury
    const [first] = (await managed.positionsOf(key)).filter(({ owner }) => owner === developer)
    if (first) await managed.give(developer, to, first.id)
  }

  return {
    open: async () => {
      const amount = units(SUPPLY * plan.pooled, plan.decimals)
      if (plan.quote === 'hub') await stockHub(world, coin)
      timeline.at(timeline.now() + 24, async () => fill(key, amount, await stock()))
      if (hasOwnCurve) timeline.at(timeline.now() + HOUR, openHooked)
      timeline.at(timeline.now() + (plan.lp === 'held' ? 2 * DAY : 600), handOn)
    },
    buy:
      plan.quote === 'hub'
        ? throughHub(world, spend)
        : async (who, coins) => {
            if (plan.quote === 'weth') return void (await spend(who, ether(coins)))
            const usd = units(coins * NATIVE_USD, 6)
            await trade.mintUsd(who, usd)
            await spend(who, usd)
          },
    sell: async (who, amount) => void (await managed.swap(who, pick(), isToken0, amount)),
    readDepthUsd: async () => {
      const root = Number(await managed.rootOf(key)) / 2 ** 96
      let liquidity = 0
      for (const position of await managed.positionsOf(key)) liquidity += Number(position.liquidity)
      const quoted = isToken0 ? liquidity * root : liquidity / root
      if (plan.quote === 'hub') return hubUsd(world, BigInt(Math.floor(quoted)))
      return plan.quote === 'usd' ? quoted / 1e6 : (quoted / 1e18) * NATIVE_USD
    },
  }
}

/** A launch curve: everybody buys from the venue and sells to it, until the token graduates to a pair of Uniswap V2. */
export function curvePlace(world: Frontier, coin: Coin): Place {
  const { trade, venues, outpost, chain } = world
  const { address } = coin
  const venue = outpost.seedbed
  const { abi } = artifacts.launchCurve
  coin.pool = pairOf(venues.uniswapV2, address, venues.weth)
  let isOpen = true
  const look = async () => {
    if (isOpen) isOpen = await isOnCurve(world, address)
    return isOpen
  }
  return {
    open: async () => {},
    buy: async (who, coins) => {
      if (await look()) await chain.send(who, { to: venue, abi, name: 'buy', args: [address] }, ether(coins))
      else await trade.buy(venues.uniswapV2, who, [venues.weth, address], ether(coins))
    },
    sell: async (who, amount) => {
      if (!(await look())) return void (await trade.sell(venues.uniswapV2, who, [address, venues.weth], amount))
      await trade.approve(who, address, venue)
      await chain.send(who, { to: venue, abi, name: 'sell', args: [address, amount] })
    },
    readDepthUsd: async () =>
      (await look()) ? null : (Number(await trade.balance(venues.weth, coin.pool)) / 1e18) * NATIVE_USD,
  }
}

export async function isOnCurve({ chain, outpost }: Frontier, token: Address): Promise<boolean> {
  const sale = { to: outpost.seedbed, abi: artifacts.launchCurve.abi, name: 'sales', args: [token] }
  return (await chain.ask<readonly [bigint, bigint, boolean]>(sale))[2]
}

/** The venue makes the token; its address follows from how many it has made. */
export async function createOnCurve(world: Frontier, { name, symbol }: Coin['plan'], developer: Address) {
  const { chain, outpost } = world
  const made = Number(await chain.rpc<string>('eth_getTransactionCount', [outpost.seedbed, 'latest']))
  await chain.send(developer, {
    to: outpost.seedbed,
    abi: artifacts.launchCurve.abi,
    name: 'create',
    args: [name, symbol],
  })
  return getContractAddress({ from: outpost.seedbed, nonce: BigInt(made) }).toLowerCase() as Address
}

/** The launch venue's answer about a token: the call, for the recording. */
export const tokenInfoCall = (token: Address): Address =>
  `0x1f69565f${encodeAbiParameters([{ type: 'address' }], [token]).slice(2)}`
