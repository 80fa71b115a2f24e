// All parts of the market, and what every story needs: a launched token, ordinary trade, funded wallets.
import type { Address } from 'viem'
import { stringToHex } from 'viem'
import { CAST, DEAD, type Role, wallet } from './cast.ts'
import type { MarketChain } from './chain.ts'
import type { Plan } from './plan.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'
import { ether, part, type Trade, units } from './trade.ts'
import { pairOf, poolOf, type Venues, type VenueV2 } from './venue.ts'

export const DAY = 86_400
export const HOUR = 3_600
/** Whole tokens of every supply. */
export const SUPPLY = 1_000_000_000
/** Fee of the V3 launches, in hundredths of a basis point. */
export const V3_FEE = 10_000
/** Price of the native coin in USD when the market opens. */
export const NATIVE_USD = 3_000

/** Where a token is traded that is not on a V2 or V3 venue against the chain's money. */
export interface Place {
  open(): Promise<void>
  /** Spends the worth of some native coins. */
  buy(who: Address, coins: number): Promise<void>
  sell(who: Address, amount: bigint): Promise<void>
  /** USD on the quote side, with the native coin at its opening price; null where any depth gives a price. */
  readDepthUsd(): Promise<number | null>
}

export interface Coin {
  plan: Plan
  address: Address
  developer: Address
  pool: Address
  /** Null for a token that trades on V3, at a place of its own, or nowhere. */
  venue: VenueV2 | null
  place: Place | null
  /** Wallets that bought and have not sold everything. */
  holders: Set<Address>
  /** When the pool opens, in seconds since 1970. */
  opensAt: number
}

export interface World {
  chain: MarketChain
  timeline: Timeline
  random: Random
  trade: Trade
  venues: Venues
  start: number
  end: number
  coins: Coin[]
  roles: Map<Address, Role>
  /** The wallets of the crowd that are funded. */
  ready: Address[]
  /** When each wallet last acted; it acts at most once per slot. */
  acted: Map<Address, number>
  /** Trades that somebody else signed: whose each was, by the hash of its transaction. */
  proxies: Map<string, ProxyTrade>
}

/** Whose the trades of a transaction were that somebody else signed, and how it came about. */
export interface ProxyTrade {
  traders: Address[]
  way: 'operation' | 'account' | 'relay' | 'settlement'
}

/** Whether the wallet had not acted in this slot; marks it as having acted. */
export function takeTurn(world: World, who: Address): boolean {
  const now = world.timeline.now()
  if (world.acted.get(who) === now) return false
  world.acted.set(who, now)
  return true
}

interface Launch {
  deploy?: (developer: Address) => Promise<Address>
  place?: (coin: Coin) => Place
}

/** Deploys the token at its time and opens its pool half an hour later; `then` gets the coin at once. */
export function launch(world: World, plan: Plan, then: (coin: Coin) => void, { deploy, place }: Launch = {}): void {
  const at = world.start + plan.startDay * DAY
  const developer = wallet(`developer of ${plan.name.slice(0, 20)} ${plan.startDay}`)
  world.roles.set(developer, 'developer')
  world.timeline.at(at - 2 * HOUR, async () => {
    await world.chain.pay(CAST.exchanges[1]!, developer, ether(plan.liquidity + 12))
  })
  world.timeline.at(at, async () => {
    const address = await (deploy?.(developer) ?? deployToken(world, plan, developer))
    const coin = placeCoin(world, plan, address, developer)
    coin.place = place?.(coin) ?? null
    world.coins.push(coin)
    if (plan.venue !== 'none') world.timeline.at(coin.opensAt, () => openPool(world, coin))
    then(coin)
  })
}

function deployToken({ chain }: World, plan: Plan, developer: Address): Promise<Address> {
  const supply = units(SUPPLY, plan.decimals)
  if (plan.kind === 'mute') return chain.deploy(developer, 'muteToken', [supply, developer])
  if (plan.kind === 'bytes32') {
    const words = [stringToHex(plan.name, { size: 32 }), stringToHex(plan.symbol, { size: 32 })]
    return chain.deploy(developer, 'bytes32Token', [...words, supply, developer])
  }
  const basics = [plan.name, plan.symbol, plan.decimals, supply, developer]
  if (plan.kind === 'fee') return chain.deploy(developer, 'feeToken', [...basics, 300n])
  return chain.deploy(developer, 'plainToken', basics)
}

function placeCoin(world: World, plan: Plan, address: Address, developer: Address): Coin {
  const { venues, timeline } = world
  const opensAt = timeline.now() + HOUR / 2
  const common = { plan, address, developer, holders: new Set<Address>(), opensAt, place: null }
  if (plan.venue === 'none' || plan.venue === 'uniswapV4' || plan.venue === 'seedbed')
    return { ...common, venue: null, pool: address }
  if (plan.venue === 'uniswapV3')
    return { ...common, venue: null, pool: poolOf(venues.uniswapV3, address, venues.weth, V3_FEE) }
  if (plan.quote === 'hub') return { ...common, venue: null, pool: address }
  const venue = venues[plan.venue]
  return { ...common, venue, pool: pairOf(venue, address, plan.quote === 'usd' ? venues.usd : venues.weth) }
}

async function openPool(world: World, coin: Coin): Promise<void> {
  const { trade, venues, timeline } = world
  const { plan, address, developer, venue } = coin
  const amount = units(SUPPLY * plan.pooled, plan.decimals)
  const wei = ether(plan.liquidity)
  if (coin.place) return coin.place.open()
  if (!venue) {
    await trade.wrap(developer, wei)
    await trade.openV3(developer, address, venues.weth, V3_FEE, amount, wei)
    await trade.addV3(developer, address, venues.weth, V3_FEE, amount, wei)
  } else if (plan.quote === 'usd') {
    const usd = units(plan.liquidity * NATIVE_USD, 6)
    await trade.mintUsd(developer, usd)
    await trade.addLiquidityPair(venue, developer, address, amount, venues.usd, usd)
  } else await trade.addLiquidity(venue, developer, address, amount, wei)
  if (plan.lp === 'held' || plan.lp === 'timed' || !venue) return
  timeline.at(timeline.now() + 600, async () => {
    const shares = await trade.balance(coin.pool, developer)
    await trade.transfer(developer, coin.pool, plan.lp === 'burned' ? DEAD : CAST.locker, shares)
  })
}

/** Buys for this many native coins; false when the wallet has too few or has already acted. */
export async function buy(world: World, coin: Coin, who: Address, coins: number): Promise<boolean> {
  const { trade, venues, chain } = world
  const wei = ether(coins)
  if ((await chain.balanceOf(who)) < wei || !takeTurn(world, who)) return false
  coin.holders.add(who)
  if (coin.place) await coin.place.buy(who, coins)
  else if (!coin.venue) await trade.swapV3(who, venues.weth, coin.address, V3_FEE, wei, wei)
  else {
    const path = coin.plan.quote === 'usd' ? [venues.weth, venues.usd, coin.address] : [venues.weth, coin.address]
    if (coin.plan.quote === 'usd' && world.random.chance(0.8)) {
      const usd = units(coins * NATIVE_USD, 6)
      await trade.mintUsd(who, usd)
      await trade.swap(coin.venue, who, [venues.usd, coin.address], usd)
    } else await trade.buy(coin.plan.quote === 'usd' ? venues.uniswapV2 : coin.venue, who, path, wei)
  }
  return true
}

/** Sells a fraction of the wallet's balance; false when it holds none or has already acted. */
export async function sell(world: World, coin: Coin, who: Address, fraction: number): Promise<boolean> {
  const held = await world.trade.balance(coin.address, who)
  if (held === 0n) coin.holders.delete(who)
  const amount = fraction >= 1 ? held : part(held, fraction)
  if (amount === 0n || !takeTurn(world, who)) return false
  if (fraction >= 1) coin.holders.delete(who)
  await sellAmount(world, coin, who, amount)
  return true
}

/** Sells a raw amount that the wallet holds; one sale in ten goes on to USD. */
export async function sellAmount(world: World, coin: Coin, who: Address, amount: bigint): Promise<void> {
  const { trade, venues, random } = world
  const { address, venue, plan } = coin
  if (coin.place) await coin.place.sell(who, amount)
  else if (!venue) await trade.swapV3(who, address, venues.weth, V3_FEE, amount)
  else if (plan.quote === 'usd') await trade.swap(venue, who, [address, venues.usd], amount)
  else if (venue === venues.uniswapV2 && random.chance(0.1))
    await trade.swap(venue, who, [address, venues.weth, venues.usd], amount)
  else await trade.sell(venue, who, [address, venues.weth], amount)
}

export interface Flow {
  from: number
  until: number
  /** Trades per day. */
  pace: number
  /** Share of the trades that are buys. */
  buying: number
  /** Median size of a buy, in native coins. */
  size: number
}

/** Ordinary people buy and sell at random times. */
export function flow(world: World, coin: Coin, { from, until, pace, buying, size }: Flow): void {
  const { timeline, random, ready } = world
  const next = (time: number) => {
    const at = time + random.wait(DAY / pace)
    if (at >= Math.min(until, world.end - 60)) return
    timeline.at(at, async () => {
      next(at)
      const seller = random.chance(buying) ? null : [...coin.holders][Math.floor(random.next() * coin.holders.size)]
      if (seller) await sell(world, coin, seller, random.chance(0.4) ? 1 : random.between(0.2, 0.8))
      else if (ready.length > 0) await buy(world, coin, random.pick(ready), random.lognormal(size, 0.7))
    })
  }
  next(from)
}
