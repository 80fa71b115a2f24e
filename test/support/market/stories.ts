// What happens to each token after its pool opens: one function per story in the plan.
import type { Address } from 'viem'
import { CAST } from './cast.ts'
import type { Story } from './plan.ts'
import { ether, part, units } from './trade.ts'
import { buy, type Coin, DAY, flow, HOUR, SUPPLY, sell, sellAmount, takeTurn, type World } from './world.ts'

type Tell = (world: World, coin: Coin) => void

/** Each story schedules its actions when the token is deployed. */
export const STORIES: Record<Story, Tell> = {
  grower: (world, coin) => {
    const { opensAt: from, plan } = coin
    flow(world, coin, { from, until: from + 9 * DAY, pace: plan.pace * 0.9, buying: 0.72, size: plan.liquidity / 85 })
    flow(world, coin, { from: from + 9 * DAY, until: world.end, pace: plan.pace / 4, buying: 0.54, size: 0.2 })
  },
  steady: (world, coin) => {
    const { opensAt: from, plan } = coin
    flow(world, coin, { from, until: from + 4 * DAY, pace: plan.pace, buying: 0.7, size: plan.liquidity / 110 })
    flow(world, coin, { from: from + 4 * DAY, until: world.end, pace: plan.pace / 4, buying: 0.52, size: 0.15 })
  },
  rug: tellRug,
  slow_dump: tellSlowDump,
  wash: tellWash,
  concentrated: tellConcentrated,
  sybil: tellSybil,
  smart_exit: (world, coin) => {
    const { opensAt: from } = coin
    flow(world, coin, { from, until: from + 8 * DAY, pace: 18, buying: 0.7, size: 0.4 })
    flow(world, coin, { from: from + 8 * DAY, until: world.end, pace: 9, buying: 0.6, size: 0.2 })
    for (const who of CAST.smart) {
      world.timeline.at(from + world.random.between(4, 40) * HOUR, () => done(buy(world, coin, who, 1.4)))
      const leave = world.end - world.random.between(4, 18) * HOUR
      world.timeline.at(leave, () => done(sell(world, coin, who, world.random.between(0.7, 0.95))))
    }
  },
  thin: (world, coin) => flow(world, coin, { from: coin.opensAt, until: world.end, pace: 2, buying: 0.6, size: 0.002 }),
  unconfirmed: (world, coin) =>
    flow(world, coin, { from: coin.opensAt, until: world.end, pace: 4, buying: 0.8, size: 0.1 }),
  spam: tellSpam,
}

const done = async (work: Promise<unknown>): Promise<void> => {
  await work
}

/** Starts strongly, then the deployer removes the liquidity: at once, in steps, after the lock, or near the end. */
function tellRug(world: World, coin: Coin): void {
  const { timeline, trade, venues } = world
  const { opensAt: from, plan, developer, venue } = coin
  if (!venue) return
  const pullAt = from + 2.2 * DAY
  flow(world, coin, { from, until: pullAt - 600, pace: plan.pace * 0.8, buying: 0.75, size: 0.25 })
  if (plan.lp === 'locked')
    timeline.at(pullAt - HOUR, async () => {
      const shares = await trade.balance(coin.pool, CAST.locker)
      await trade.transfer(CAST.locker, coin.pool, developer, shares)
    })
  const steps = plan.symbol === 'RUGB' ? [0.5, 0.7, 1] : plan.symbol === 'RUGD' ? [0.97] : [1]
  for (const [i, fraction] of steps.entries()) {
    timeline.at(pullAt + i * 2 * HOUR, async () => {
      const shares = await trade.balance(coin.pool, developer)
      await trade.removeLiquidity(venue, developer, coin.address, part(shares, fraction))
    })
  }
  timeline.at(pullAt + 6 * HOUR, async () => {
    await world.chain.pay(developer, CAST.exchanges[0]!, ether(10))
    await trade.unwrap(developer, 0n)
    await trade.approve(developer, coin.address, venues.uniswapV2.router)
  })
}

/** Two strong days; then the deployer sells its remaining tokens in small amounts, every few hours, for ten days. */
function tellSlowDump(world: World, coin: Coin): void {
  const { opensAt: from, plan, developer } = coin
  flow(world, coin, { from, until: from + 2 * DAY, pace: plan.pace * 2, buying: 0.8, size: 0.3 })
  flow(world, coin, { from: from + 2 * DAY, until: from + 12 * DAY, pace: plan.pace / 2, buying: 0.4, size: 0.15 })
  flow(world, coin, { from: from + 12 * DAY, until: world.end, pace: 3, buying: 0.4, size: 0.05 })
  const whole = units(SUPPLY * (1 - plan.pooled), plan.decimals)
  for (let i = 0; i < 60; i++) {
    const at = from + DAY + i * 4 * HOUR + world.random.between(0, 2 * HOUR)
    world.timeline.at(at, () => sellAmount(world, coin, developer, whole / 60n))
  }
}

/** Four wallets with one funder trade the same quantity back and forth: first each with itself, then in pairs. */
function tellWash(world: World, coin: Coin): void {
  const { opensAt: from, plan } = coin
  flow(world, coin, { from, until: world.end, pace: plan.pace, buying: 0.6, size: 0.15 })
  const pair = plan.symbol === 'SPIN'
  for (let i = 0; i < 70; i++) {
    const at = from + 6 * HOUR + i * 3 * HOUR + world.random.between(0, HOUR)
    const buyer = CAST.washers[i % 4]!
    const seller = pair && i >= 4 ? CAST.washers[(i + 1) % 4]! : buyer
    if (at < world.end - HOUR) washOnce(world, coin, at, buyer, pair && i < 4 ? null : seller)
  }
}

function washOnce(world: World, coin: Coin, at: number, buyer: Address, seller: Address | null): void {
  const { timeline, trade } = world
  timeline.at(at, async () => {
    const before = await trade.balance(coin.address, buyer)
    if (!(await buy(world, coin, buyer, 1.2))) return
    coin.holders.delete(buyer)
    if (!seller) return
    timeline.at(at + 300, async () => {
      const bought = (await trade.balance(coin.address, buyer)) - before
      const held = await trade.balance(coin.address, seller)
      if (takeTurn(world, seller)) await sellAmount(world, coin, seller, bought < held ? bought : held)
    })
  })
}

/** KING: the deployer keeps half. CLAN: the deployer sends most of it to five accounts, hours apart. */
function tellConcentrated(world: World, coin: Coin): void {
  const { opensAt: from, plan, developer } = coin
  flow(world, coin, { from, until: world.end, pace: plan.pace / 3, buying: 0.64, size: 0.25 })
  if (plan.symbol !== 'CLAN') return
  for (let i = 0; i < 5; i++) {
    const friend = CAST.crowd[200 + i]!
    const amount = units(SUPPLY * 0.12, plan.decimals)
    world.timeline.at(from + (5 + i * 7) * HOUR, async () => {
      await world.trade.transfer(developer, coin.address, friend, amount)
    })
  }
}

/** One funder pays fresh wallets within minutes; they buy equal amounts within minutes of the opening. */
function tellSybil(world: World, coin: Coin): void {
  const { timeline, random, chain } = world
  const { opensAt: from } = coin
  const first = coin.plan.symbol === 'HYDRA'
  const funder = CAST.sybilFunders[first ? 0 : 1]!
  const band = first ? CAST.sybilsOne : CAST.sybilsTwo
  for (const [i, who] of band.entries()) {
    world.roles.set(who, 'sybil')
    timeline.at(from - 1_200 + 12 * (i % 4), () => done(chain.pay(funder, who, ether(1.5))))
    timeline.at(from + 60 + 12 * i, () => done(buy(world, coin, who, random.between(0.49, 0.51))))
  }
  flow(world, coin, { from: from + HOUR, until: world.end, pace: coin.plan.pace / 3, buying: 0.58, size: 0.3 })
}

/** Airdropped to many wallets; nobody wants it. */
function tellSpam(world: World, coin: Coin): void {
  for (let i = 0; i < 40; i++) {
    world.timeline.at(coin.opensAt + i * 60, async () => {
      await world.trade.transfer(coin.developer, coin.address, CAST.crowd[i * 7]!, units(1_000 + i, coin.plan.decimals))
    })
  }
}
