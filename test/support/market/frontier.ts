// The newcomers' market: the funders, the people of each token, and its fate. Input: the market of the other tokens,
// which shares only venues, exchanges and clock.
import type { Address } from 'viem'
import { artifacts } from '../contracts/artifacts.ts'
import { arbitrate } from './arbitrage.ts'
import { employBrokers, fundBrokers } from './brokers.ts'
import { CAST, NEWCOMERS, wallet } from './cast.ts'
import { BROKERED, GRADUATE, HUB, NEWCOMER_PLANS } from './newcomers.ts'
import type { Outpost } from './outpost.ts'
import {
  createOnCurve,
  curvePlace,
  type Frontier,
  hubPlace,
  isOnCurve,
  keyOf,
  managedPlace,
  openFrontier,
} from './places.ts'
import { createRandom } from './random.ts'
import { STORIES } from './stories.ts'
import { ether, part, units } from './trade.ts'
import { buy, type Coin, DAY, flow, HOUR, launch, NATIVE_USD, takeTurn, type World } from './world.ts'

const SEED = 20_251_123
/** Each settler follows the tokens at these distances from a number of its own: with the hub four, as few people follow more. */
const INTERESTS = [0, 4, 9]

const done = async (work: Promise<unknown>): Promise<void> => {
  await work
}

/** Schedules all of it; the result has the tokens in `coins`. */
export function settleFrontier(market: World, outpost: Outpost): Frontier {
  const own: World = { ...market, random: createRandom(SEED), coins: [], ready: [] }
  const find = (symbol: string) => own.coins.find(({ plan }) => plan.symbol === symbol)!
  const world = openFrontier(own, outpost, () => find(HUB))
  const crowds = fundSettlers(world)
  fundBrokers(world)
  arbitrate(world)
  moveRanges(world)
  for (const [at, plan] of NEWCOMER_PLANS.entries()) {
    const then = (coin: Coin) => tell({ ...world, ready: crowds[at]! }, coin)
    if (plan.venue === 'seedbed')
      launch(world, plan, then, {
        deploy: (developer) => createOnCurve(world, plan, developer),
        place: (coin) => curvePlace(world, coin),
      })
    else if (plan.venue === 'uniswapV4') launch(world, plan, then, { place: (coin) => managedPlace(world, coin) })
    else if (plan.quote === 'hub') launch(world, plan, then, { place: (coin) => hubPlace(world, coin) })
    else launch(world, plan, then)
  }
  return world
}

/** Exchanges fund the settlers over the first twelve days; each joins the crowds of the tokens that interest it. */
function fundSettlers({ timeline, random, chain, start }: Frontier): Address[][] {
  const crowds = NEWCOMER_PLANS.map((): Address[] => [])
  for (const [i, who] of NEWCOMERS.settlers.entries()) {
    const time = start + random.between(0.5, 12) * DAY
    const coins = random.lognormal(8, 0.5)
    timeline.at(time, async () => {
      await chain.pay(CAST.exchanges[i % 2]!, who, ether(coins))
      timeline.at(time + 60, async () => {
        for (const step of INTERESTS) crowds[(i + step) % crowds.length]!.push(who)
      })
    })
  }
  for (const [i, who] of [...NEWCOMERS.stewards, ...NEWCOMERS.backers].entries())
    timeline.at(start + (4 + i) * HOUR, () => done(chain.pay(CAST.exchanges[i % 2]!, who, ether(30))))
  return crowds
}

function tell(world: Frontier, coin: Coin): void {
  const { plan } = coin
  if (plan.story === 'rug') vanish(world, coin)
  else if (plan.symbol === GRADUATE) graduate(world, coin)
  else STORIES[plan.story](world, coin)
  if (plan.lp === 'timed') lock(world, coin)
  if (plan.symbol === BROKERED) {
    const managed = world.coins.find(({ plan }) => plan.symbol === 'IRIS')!
    employBrokers(world, coin, managed)
  }
  if (plan.symbol === 'IRIS' || plan.symbol === 'SURGE') provide(world, coin)
}

/** People buy along the curve, backers buy the rest, and the token keeps growing after it graduates. */
function graduate(world: Frontier, coin: Coin): void {
  const { opensAt: from, plan } = coin
  flow(world, coin, { from, until: from + 9 * DAY, pace: plan.pace, buying: 0.76, size: 0.18 })
  flow(world, coin, { from: from + 9 * DAY, until: world.end, pace: plan.pace / 3, buying: 0.62, size: 0.25 })
  for (let i = 0; i < 12; i++)
    world.timeline.at(coin.opensAt + (5 + i / 8) * DAY, async () => {
      if (await isOnCurve(world, coin.address)) await buy(world, coin, NEWCOMERS.backers[i % 6]!, 4)
    })
}

/** The developer locks all shares for a year, with a locker that says so. */
function lock({ timeline, trade, chain, outpost }: Frontier, { opensAt, pool, developer }: Coin): void {
  timeline.at(opensAt + 600, async () => {
    const shares = await trade.balance(pool, developer)
    await trade.approve(developer, pool, outpost.locker)
    const args = [pool, shares, BigInt(opensAt + 365 * DAY)]
    await chain.send(developer, { to: outpost.locker, abi: artifacts.numberedLocker.abi, name: 'lock', args })
  })
}

/** Starts strongly; then the developer takes its position back. */
function vanish(world: Frontier, coin: Coin): void {
  const { timeline, managed } = world
  const pullAt = coin.opensAt + 2.2 * DAY
  const { pace } = coin.plan
  flow(world, coin, { from: coin.opensAt + 60, until: pullAt - 600, pace: pace * 0.8, buying: 0.75, size: 0.25 })
  timeline.at(pullAt, async () => {
    for (const { id, owner } of await managed.positionsOf(keyOf(world, coin)))
      if (owner === coin.developer) await managed.burn(coin.developer, id)
  })
  timeline.at(pullAt + 6 * HOUR, () => done(world.chain.pay(coin.developer, CAST.exchanges[0]!, ether(10))))
}

/** Stewards open positions around the price, hand one to a friend, take a part out, and close. */
function provide(world: Frontier, coin: Coin): void {
  const { timeline, managed } = world
  const key = keyOf(world, coin)
  for (const [i, who] of NEWCOMERS.stewards.entries()) {
    const from = coin.opensAt + (1 + i * 0.4) * DAY
    timeline.at(from, () => done(buy(world, coin, who, 1.6)))
    const own = async () => (await managed.positionsOf(key)).filter(({ owner }) => owner === who)
    const act = (day: number, work: () => Promise<unknown>) =>
      timeline.at(from + day * DAY, async () => {
        if (takeTurn(world, who)) await work()
      })
    for (const [day, width] of [
      [0.1, 12_000],
      [2, 6_000],
    ] as const)
      act(day, async () => {
        const [opening] = await managed.positionsOf(key)
        const tick = tickOf(await managed.rootOf(key))
        const ticks = [tick - width, tick + width].map((at) => Math.round(at / 60) * 60) as [number, number]
        if (opening) await managed.mint(who, key, ticks, part(opening.liquidity, 0.015), ether(3))
      })
    act(4, async () => {
      for (const { id, liquidity } of (await own()).slice(0, 1)) await managed.decrease(who, id, part(liquidity, 0.4))
    })
    // The last one keeps its positions; the first hands one on.
    if (i === 0)
      act(6, async () => {
        for (const { id } of (await own()).slice(0, 1)) await managed.give(who, wallet('friend of a steward'), id)
      })
    if (i === 1 || i === 2)
      act(8, async () => {
        for (const { id } of await own()) await managed.burn(who, id)
      })
  }
  for (const who of NEWCOMERS.stewards) world.roles.set(who, 'liquidity_provider')
}

const tickOf = (root: bigint): number => Math.floor((2 * Math.log(Number(root) / 2 ** 96)) / Math.log(1.0001))

/** A position of Uniswap V3 in the native coin's own pool is handed on, and its new owner takes half of it out. */
function moveRanges(world: Frontier): void {
  const { timeline, trade, chain, venues, start } = world
  const [, who, friend] = NEWCOMERS.stewards
  const { abi } = artifacts.v3Positions
  timeline.at(start + 2 * DAY, async () => {
    await trade.wrap(who!, ether(6))
    await trade.mintUsd(who!, units(6 * NATIVE_USD, 6))
    await trade.addV3(who!, venues.weth, venues.usd, 500, ether(6), units(6 * NATIVE_USD, 6))
  })
  timeline.at(start + 6 * DAY, async () => {
    const [position] = await trade.positionsV3(who!)
    if (!position) return
    const args = [who, friend, position.id]
    await chain.send(who!, { to: venues.uniswapV3.positions, abi, name: 'transferFrom', args })
  })
  timeline.at(start + 9 * DAY, async () => {
    const [position] = await trade.positionsV3(friend!)
    if (!position) return
    await trade.removeV3(friend!, position.id, part(position.liquidity, 0.5))
    await trade.collectV3(friend!, position.id)
  })
}
