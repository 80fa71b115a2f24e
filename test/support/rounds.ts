// Seeded trade on a live market in rounds, which the stories index and then compare with the chain.
import { type Address, toAddress } from '../../src/base/address.ts'
import type { Live } from './live.ts'
import { wallet } from './market/cast.ts'
import { createRandom } from './market/random.ts'
import { ether, part, units } from './market/trade.ts'
import { pairOf, type VenueV2 } from './market/venue.ts'

export interface Rounds {
  tokens: readonly Address[]
  people: readonly Address[]
  /** Mines this many blocks with trade. */
  play(blocks: number): Promise<void>
  /** Mines this many empty blocks. */
  rest(blocks: number): Promise<void>
}

const V3_FEE = 3_000

/**
 * Four tokens on three venues (one with a transfer fee, one on V3) and ten people. The same seed gives the same trades.
 */
export async function createRounds(live: Live, seed = 1): Promise<Rounds> {
  const { chain, trade, venues, founder, mine } = live
  const random = createRandom(seed)
  const people = Array.from({ length: 10 }, (_, i) => toAddress(wallet(`person ${i} of story ${seed}`)))
  for (const who of people) await chain.pay(founder, who, ether(100))
  const plain = await chain.deploy(founder, 'plainToken', ['Plain', 'PLN', 18, units(1e6, 18), founder])
  const small = await chain.deploy(founder, 'plainToken', ['Small', 'SML', 6, units(1e6, 6), founder])
  const toll = await chain.deploy(founder, 'feeToken', ['Toll', 'TOL', 9, units(1e6, 9), founder, 500n])
  const deep = await chain.deploy(founder, 'plainToken', ['Deep', 'DEP', 18, units(1e6, 18), founder])
  await mine()
  const places: [Address, VenueV2][] = [
    [plain, venues.uniswapV2],
    [small, venues.moonforge],
    [toll, venues.moonforge],
  ].map(([token, venue]) => [toAddress(token as string), venue as VenueV2])
  const decimals = [18, 6, 9]
  for (const [i, [token, venue]] of places.entries())
    await trade.addLiquidity(venue, founder, token, units(8e5, decimals[i] ?? 18), ether(20 + 10 * i))
  await trade.wrap(founder, ether(50))
  await trade.openV3(founder, deep, venues.weth, V3_FEE, units(8e5, 18), ether(40))
  await trade.addV3(founder, deep, venues.weth, V3_FEE, units(8e5, 18), ether(40))
  await mine()

  async function act(who: Address): Promise<unknown> {
    const [token, venue] = random.pick(places)
    const held = await trade.balance(token, who)
    const dice = random.next()
    if (dice < 0.15) return trade.swapV3(who, venues.weth, deep, V3_FEE, ether(0.1), ether(0.1))
    if (dice < 0.2) return trade.wrap(who, ether(0.3))
    if (dice < 0.25) return sellDeep(who)
    if (held === 0n || dice < 0.55) return trade.buy(venue, who, [venues.weth, token], ether(random.between(0.05, 1)))
    if (dice < 0.7) return trade.sell(venue, who, [token, venues.weth], part(held, random.between(0.2, 1)))
    if (dice < 0.8 && venue === venues.uniswapV2)
      return trade.swap(venue, who, [token, venues.weth, venues.usd], part(held, 0.5))
    if (dice < 0.9) return trade.transfer(who, token, random.pick(people), part(held, 0.3))
    return trade.addLiquidity(venue, who, token, part(held, 0.5), ether(1))
  }

  async function sellDeep(who: Address): Promise<void> {
    const held = await trade.balance(deep, who)
    if (held > 0n) await trade.swapV3(who, deep, venues.weth, V3_FEE, part(held, 0.7))
  }

  /** Removes liquidity: shares of a pair, or a part of the founder's V3 position, collected at once. */
  async function withdraw(round: number): Promise<void> {
    if (round % 2 === 0) {
      const [position] = await trade.positionsV3(founder)
      if (!position) return
      await trade.removeV3(founder, position.id, part(position.liquidity, 0.05))
      await trade.collectV3(founder, position.id)
      return
    }
    const [token, venue] = places[round % 3] ?? places[0]!
    const shares = await trade.balance(pairAddress(venue, token), founder)
    if (shares > 0n) await trade.removeLiquidity(venue, founder, token, part(shares, 0.05))
  }

  const pairAddress = (venue: VenueV2, token: Address) => pairOf(venue, token, venues.weth)

  async function play(blocks: number): Promise<void> {
    for (let i = 0; i < blocks; i++) {
      const start = Math.floor(random.next() * people.length)
      for (const offset of [0, 3, 7]) await act(people[(start + offset) % people.length]!)
      if (i % 8 === 5) await withdraw(Math.floor(random.next() * 6))
      await mine()
    }
  }

  return {
    tokens: [...places.map(([token]) => token), toAddress(deep)],
    people,
    play,
    rest: async (blocks) => {
      for (let i = 0; i < blocks; i++) await mine()
    },
  }
}
