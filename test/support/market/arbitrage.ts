// Keeps the two pools of the native coin against the stablecoin together: whoever sees them apart buys at one and sells at the other.
import { artifacts } from '../contracts/artifacts.ts'
import { CAST, NEWCOMERS } from './cast.ts'
import { ether, units } from './trade.ts'
import { pairOf, poolOf } from './venue.ts'
import { HOUR, NATIVE_USD, type World } from './world.ts'

/** Prices that are nearer than this leave nothing after the fees of both. */
const LEAST_GAP = 0.006
const FEE = 500

export function arbitrate(world: World): void {
  const { timeline, random, chain, trade, start, end } = world
  const who = NEWCOMERS.arbitrageur
  world.roles.set(who, 'bot')
  timeline.at(start + 3 * HOUR, async () => {
    await chain.pay(CAST.exchanges[0]!, who, ether(400))
    await trade.mintUsd(who, units(400 * NATIVE_USD, 6))
  })
  const next = (time: number) => {
    if (time >= end - HOUR) return
    timeline.at(time, async () => {
      await close(world)
      next(time + random.between(5, 15) * HOUR)
    })
  }
  next(start + 5 * HOUR)
}

/** Buys at the cheaper pool what brings both to one price, and sells it at the other. */
async function close({ chain, trade, venues }: World): Promise<void> {
  const who = NEWCOMERS.arbitrageur
  const { weth, usd, uniswapV2, uniswapV3 } = venues
  const pair = pairOf(uniswapV2, weth, usd)
  const [coins, dollars] = [await trade.balance(weth, pair), await trade.balance(usd, pair)]
  const pool = poolOf(uniswapV3, weth, usd, FEE)
  const [root] = await chain.ask<readonly [bigint]>({ to: pool, abi: artifacts.v3Pool.abi, name: 'slot0' })
  const raw = (Number(root) / 2 ** 96) ** 2
  const priceV2 = Number(dollars) / 1e6 / (Number(coins) / 1e18)
  const priceV3 = BigInt(weth) < BigInt(usd) ? raw * 1e12 : 1e12 / raw
  if (Math.abs(priceV3 / priceV2 - 1) < LEAST_GAP) return
  // Half the way of the roots, since the other pool comes as far to meet it.
  const share = Math.abs(Math.sqrt(priceV3 / priceV2) - 1) / 2
  const amount = Math.min(40, (Number(coins) / 1e18) * share)
  if (priceV3 > priceV2) {
    await trade.swap(uniswapV2, who, [usd, weth], units(amount * priceV2, 6))
    await trade.swapV3(who, weth, usd, FEE, ether(amount), ether(amount))
  } else {
    await trade.buy(uniswapV2, who, [weth, usd], ether(amount))
    await trade.swapV3(who, usd, weth, FEE, units(amount * priceV3, 6))
  }
}
