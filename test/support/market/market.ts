// Runs the whole market on an anvil that mines on request: thirty days, seeded, with the same block hashes every time.
import type { Address } from 'viem'
import type { Anvil } from '../anvil.ts'
import { CAST } from './cast.ts'
import { createMarketChain } from './chain.ts'
import { endow, fund, meet, mingle, openMoneyMarkets } from './people.ts'
import { PLANS } from './plan.ts'
import { createRandom } from './random.ts'
import { STORIES } from './stories.ts'
import { createTimeline } from './timeline.ts'
import { createTrade } from './trade.ts'
import { deployVenues } from './venue.ts'
import { DAY, launch, type World } from './world.ts'

/** 2025-10-09T08:53:20Z. */
export const GENESIS = 1_760_000_000
const SEED = 20_251_009
const DAYS = 30

/** Runs the market and returns it after its last block. */
export async function runMarket(rpc: Anvil['rpc']): Promise<World> {
  const chain = createMarketChain(rpc)
  const timeline = createTimeline(chain, GENESIS)
  const random = createRandom(SEED)
  const world = {
    chain,
    timeline,
    random,
    start: GENESIS,
    end: GENESIS + DAYS * DAY,
    coins: [],
    roles: new Map(),
    ready: [],
    acted: new Map<Address, number>(),
  }
  await endow(world as unknown as World)
  const venues = await deployVenues(chain, CAST.founder)
  await chain.mine(GENESIS + 12)
  const market: World = { ...world, venues, trade: createTrade(chain, venues) }
  openMoneyMarkets(market)
  fund(market)
  for (const plan of PLANS)
    launch(market, plan, (coin) => {
      STORIES[plan.story](market, coin)
      meet(market, coin)
    })
  mingle(market)
  await timeline.runUntil(market.end)
  return market
}
