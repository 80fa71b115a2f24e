// Participants whose story spans many tokens: the crowd and its funding, smart money, snipers, providers, whale, bot.
import type { Address } from 'viem'
import { CAST, type Role } from './cast.ts'
import type { MarketChain } from './chain.ts'
import { ether, part, units } from './trade.ts'
import { buy, type Coin, DAY, HOUR, NATIVE_USD, sell, takeTurn, V3_FEE, type World } from './world.ts'

const done = async (work: Promise<unknown>): Promise<void> => {
  await work
}

/** Before the first block: gives coins to wallets that start rich. */
export async function endow(chain: MarketChain): Promise<void> {
  const rich = [CAST.founder, ...CAST.exchanges, CAST.washFunder, ...CAST.sybilFunders]
  for (const who of rich) await chain.rpc('anvil_setBalance', [who, `0x${ether(200_000).toString(16)}`])
}

/** Opens the stable pools that price the native coin, on V2 and V3. */
export function openMoneyMarkets(world: World): void {
  const { timeline, trade, venues, start } = world
  const who = CAST.founder
  const [coins, usd] = [ether(900), units(900 * NATIVE_USD, 6)]
  timeline.at(start + 60, async () => {
    await trade.mintUsd(who, usd * 3n)
    await trade.wrap(who, coins * 2n)
    await trade.addLiquidity(venues.uniswapV2, who, venues.usd, usd, coins)
  })
  timeline.at(start + 120, async () => {
    await trade.openV3(who, venues.weth, venues.usd, 500, coins, usd)
    await trade.addV3(who, venues.weth, venues.usd, 500, coins, usd)
  })
  for (let day = 1; day < 29; day += 2) {
    timeline.at(start + day * DAY + 500, () =>
      done(trade.buy(venues.uniswapV2, who, [venues.weth, venues.usd], ether(4 + (day % 5)))),
    )
    timeline.at(start + day * DAY + 9_000, () =>
      done(trade.swapV3(who, venues.usd, venues.weth, 500, units(40_000 + day * 100, 6))),
    )
  }
}

/** Exchanges fund the crowd over the first twenty days, and wallets with a role at the start. */
export function fund(world: World): void {
  const { timeline, random, chain, start } = world
  const pay = (who: Address, time: number, coins: number, from: Address, ready = false) =>
    timeline.at(time, async () => {
      await chain.pay(from, who, ether(coins))
      if (ready) timeline.at(time + 60, async () => void world.ready.push(who))
    })
  for (const [i, who] of CAST.crowd.entries()) {
    const day = i < 120 ? random.between(0.05, 0.6) : random.between(0.6, 20)
    pay(who, start + day * DAY, random.lognormal(9, 0.6), CAST.exchanges[i % 2]!, true)
  }
  const roles: [Role, readonly Address[], number][] = [
    ['smart_money', CAST.smart, 40],
    ['sniper', CAST.snipers, 20],
    ['liquidity_provider', CAST.providers, 60],
    ['whale', [CAST.whale], 150],
    ['bot', [CAST.bot], 60],
  ]
  for (const [role, wallets, coins] of roles)
    for (const [i, who] of wallets.entries()) {
      world.roles.set(who, role)
      pay(who, start + (2 + i) * 900, coins, CAST.exchanges[i % 2]!)
    }
  for (const [i, who] of CAST.washers.entries()) {
    world.roles.set(who, 'washer')
    pay(who, start + 15 * DAY + i * 60, 60, CAST.washFunder)
  }
}

/** Schedules the acts of the people with a role when a token starts. */
export function meet(world: World, coin: Coin): void {
  const { story, symbol } = coin.plan
  if (story === 'grower') followSmart(world, coin)
  if (['FERN', 'OTTER', 'RUGA', 'RUNE', 'SABLE', 'RUGB', 'CLAN', 'GILT'].includes(symbol)) snipe(world, coin)
  if (['LARK', 'MOSS', 'FERN', 'PLUM', 'QRTZ', 'TEAL'].includes(symbol)) provide(world, coin)
  if (symbol === 'LARK') {
    runBot(world, coin)
    for (const day of [6, 9, 13])
      world.timeline.at(coin.opensAt + day * DAY, () => done(buy(world, coin, CAST.whale, 7)))
  }
  if (['MOSS', 'QRTZ', 'EXODUS', 'TEAL'].includes(symbol))
    for (const day of [2, 5]) world.timeline.at(coin.opensAt + day * DAY, () => done(buy(world, coin, CAST.whale, 5)))
  if (!coin.venue && coin.plan.venue === 'uniswapV3') provideV3(world, coin)
  if (symbol === 'TEAL') trimLiquidity(world, coin)
}

/** Smart money buys within hours of the opening, and sells in three lots as the price rises. */
function followSmart(world: World, coin: Coin): void {
  for (const who of CAST.smart) {
    world.timeline.at(coin.opensAt + world.random.between(3, 14) * HOUR, () =>
      done(buy(world, coin, who, world.random.between(0.3, 0.5))),
    )
    for (const [i, fraction] of [0.3, 0.5, 0.9].entries())
      world.timeline.at(coin.opensAt + (3.5 + i * 2.2 + world.random.between(0, 0.8)) * DAY, () =>
        done(sell(world, coin, who, fraction)),
      )
  }
}

/** Snipers buy in the first blocks after the opening, and sell within hours. */
function snipe(world: World, coin: Coin): void {
  for (const [i, who] of CAST.snipers.entries()) {
    world.timeline.at(coin.opensAt + 12 * (i + 1), () => done(buy(world, coin, who, 0.3 + 0.1 * i)))
    world.timeline.at(coin.opensAt + world.random.between(2, 20) * HOUR, () => done(sell(world, coin, who, 1)))
  }
}

/** Providers buy, add liquidity, and remove it a week later, some of them completely. */
function provide(world: World, coin: Coin): void {
  const { timeline, trade, random } = world
  const venue = coin.venue
  if (!venue) return
  for (const who of CAST.providers) {
    const from = coin.opensAt + random.between(1, 3) * DAY
    timeline.at(from, () => done(buy(world, coin, who, 0.8)))
    for (let i = 0; i < 3; i++) {
      timeline.at(from + (1 + i * 30) * HOUR, async () => {
        const held = await trade.balance(coin.address, who)
        if (held > 0n && takeTurn(world, who))
          await trade.addLiquidity(venue, who, coin.address, part(held, 0.6), ether(1))
      })
      timeline.at(from + (7 + i * 2) * DAY, async () => {
        const shares = await trade.balance(coin.pool, who)
        if (shares > 0n && takeTurn(world, who))
          await trade.removeLiquidity(venue, who, coin.address, part(shares, 0.3 + 0.2 * i))
      })
    }
  }
}

/** V3 positions: wide and narrow, decreased, collected (which burns nothing), closed. */
function provideV3(world: World, coin: Coin): void {
  const { timeline, trade, venues } = world
  for (const [i, who] of CAST.providers.entries()) {
    const from = coin.opensAt + (1 + i * 0.4) * DAY
    timeline.at(from, () => done(buy(world, coin, who, 1.2)))
    timeline.at(from + HOUR, async () => {
      const held = await trade.balance(coin.address, who)
      if (held === 0n || !takeTurn(world, who)) return
      await trade.wrap(who, ether(2))
      await trade.addV3(who, coin.address, venues.weth, V3_FEE, part(held, 0.9), ether(2))
    })
    const change = (day: number, act: (id: bigint, liquidity: bigint) => Promise<unknown>) =>
      timeline.at(from + day * DAY, async () => {
        const position = (await trade.positionsV3(who)).at(-1)
        if (position && takeTurn(world, who)) await act(position.id, position.liquidity)
      })
    change(3, (id) => trade.collectV3(who, id))
    change(5, (id, liquidity) => trade.removeV3(who, id, part(liquidity, 0.4)))
    change(5.2, (id) => trade.collectV3(who, id))
    if (i % 2 === 0) change(8, (id, liquidity) => trade.removeV3(who, id, liquidity))
  }
}

/** The bot trades in bursts, seconds apart, for two weeks. */
function runBot(world: World, coin: Coin): void {
  const { timeline, random } = world
  for (let burst = 0; burst < 28; burst++) {
    const from = coin.opensAt + DAY + burst * 12 * HOUR + random.between(0, 6 * HOUR)
    for (let i = 0; i < 7; i++)
      timeline.at(from + i * 24, () =>
        done(
          i % 2 === 0
            ? buy(world, coin, CAST.bot, random.between(0.2, 0.6))
            : sell(world, coin, CAST.bot, random.between(0.3, 0.6)),
        ),
      )
  }
}

/** An honest deployer removes a quarter of the liquidity once. */
function trimLiquidity(world: World, coin: Coin): void {
  const { timeline, trade } = world
  timeline.at(coin.opensAt + 7 * DAY, async () => {
    const shares = await trade.balance(coin.pool, coin.developer)
    if (coin.venue) await trade.removeLiquidity(coin.venue, coin.developer, coin.address, part(shares, 0.25))
  })
}

/**
 * Trades two tokens without a quote in one pool; people send tokens to each other and to an exchange, and wrap coins.
 */
export function mingle(world: World): void {
  const { timeline, trade, venues, random, start } = world
  const find = (symbol: string) => world.coins.find((coin) => coin.plan.symbol === symbol)!
  const who = CAST.providers[0]!
  timeline.at(start + 12 * DAY, async () => {
    await buy(world, find('LARK'), who, 3)
  })
  timeline.at(start + 12 * DAY + 60, () => done(buy(world, find('FERN'), who, 3)))
  timeline.at(start + 12 * DAY + 120, async () => {
    const [a, b] = [find('LARK').address, find('FERN').address]
    const [amountA, amountB] = [await trade.balance(a, who), await trade.balance(b, who)]
    await trade.addLiquidityPair(venues.uniswapV2, who, a, part(amountA, 0.9), b, part(amountB, 0.9))
  })
  for (let i = 0; i < 24; i++)
    timeline.at(start + (12.2 + i * 0.7) * DAY, async () => {
      const [from, to] = i % 2 === 0 ? [find('LARK'), find('FERN')] : [find('FERN'), find('LARK')]
      const seller = random.pick([...from.holders])
      const held = await trade.balance(from.address, seller)
      if (held > 0n && takeTurn(world, seller))
        await trade.swap(venues.uniswapV2, seller, [from.address, to.address], part(held, 0.1))
    })
  for (let i = 0; i < 40; i++)
    timeline.at(start + random.between(3, 29.5) * DAY, async () => {
      const coin = random.pick(world.coins)
      const sender = [...coin.holders].find((holder) => CAST.crowd.includes(holder))
      if (!sender) return
      const held = await trade.balance(coin.address, sender)
      if (held === 0n || !takeTurn(world, sender)) return
      const partner = CAST.crowd[CAST.crowd.indexOf(sender) ^ 1]!
      await trade.transfer(sender, coin.address, i % 2 === 0 ? partner : CAST.exchanges[0]!, part(held, 0.3))
    })
  for (let i = 0; i < 20; i++)
    timeline.at(start + random.between(1, 29) * DAY, async () => {
      const wallet = random.pick(world.ready)
      if ((await world.chain.balanceOf(wallet)) < ether(1) || !takeTurn(world, wallet)) return
      await trade.wrap(wallet, ether(0.4))
      await trade.unwrap(wallet, ether(0.15))
    })
}
