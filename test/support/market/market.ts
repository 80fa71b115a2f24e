// Runs the whole market on an anvil that mines on request: thirty days, seeded, with the same block hashes every time.
import type { Address } from 'viem'
import type { Anvil } from '../anvil.ts'
import { CAST, NEWCOMERS } from './cast.ts'
import { createMarketChain } from './chain.ts'
import { settleFrontier } from './frontier.ts'
import { deployOutpost } from './outpost.ts'
import { endow, fund, meet, mingle, openMoneyMarkets } from './people.ts'
import type { Frontier } from './places.ts'
import { PLANS } from './plan.ts'
import { createRandom } from './random.ts'
import { STORIES } from './stories.ts'
import { createTimeline } from './timeline.ts'
import { createTrade } from './trade.ts'
import { setTraps, type TrapMarket } from './traps.ts'
import { deployVenues } from './venue.ts'
import { DAY, launch, type World } from './world.ts'

/** 2025-10-09T08:53:20Z. */
export const GENESIS = 1_760_000_000
const SEED = 20_251_009
const DAYS = 30

export interface Market {
  world: World
  /** The newcomers' own parts. */
  frontier: Frontier
  traps: TrapMarket
}

/** Runs the market and returns it after its last block; fewer days leave its end out. */
export async function runMarket(rpc: Anvil['rpc'], days = DAYS): Promise<Market> {
  const chain = createMarketChain(rpc)
  const timeline = createTimeline(chain, GENESIS)
  const random = createRandom(SEED)
  const parts = {
    chain,
    timeline,
    random,
    start: GENESIS,
    end: GENESIS + DAYS * DAY,
    coins: [],
    roles: new Map(),
    ready: [],
    acted: new Map<Address, number>(),
    proxies: new Map(),
  }
  await endow(chain)
  const venues = await deployVenues(chain, CAST.founder)
  const { outpost, place } = await deployOutpost(chain, NEWCOMERS.builder, venues)
  await chain.mine(GENESIS + 12)
  await place()
  const world: World = { ...parts, venues, trade: createTrade(chain, venues) }
  openMoneyMarkets(world)
  fund(world)
  for (const plan of PLANS)
    launch(world, plan, (coin) => {
      STORIES[plan.story](world, coin)
      meet(world, coin)
    })
  mingle(world)
  const frontier = settleFrontier(world, outpost)
  const traps = setTraps(world)
  await timeline.runUntil(GENESIS + days * DAY)
  return { world, frontier, traps }
}
