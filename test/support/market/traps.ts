// The tokens whose contract is the story: four traps, and two whose owner has a power. Their people are their own, and
// they act in blocks that others fill, so that the market beside them stays as it is.
import { type Address, toFunctionSelector } from 'viem'
import type { RecordedRule } from '../../../src/chain/replay/recording.ts'
import { type ArtifactName, artifacts } from '../contracts/artifacts.ts'
import { CAST, VISITORS } from './cast.ts'
import { type Plan, token } from './plan.ts'
import { createRandom } from './random.ts'
import { ether, units } from './trade.ts'
import { type Coin, DAY, flow, HOUR, launch, SUPPLY, sell, type World } from './world.ts'

const SEED = 20_251_201
/** Each visitor follows the tokens at these distances from a number of its own. */
const INTERESTS = [0, 2]

interface TrapPlan {
  plan: Plan
  contract: ArtifactName
  tell(world: World, coin: Coin): void
  /** What its owner's call does to others; null: it is never called. */
  closing: { signature: string; kind: RecordedRule['kind'] } | null
}

export interface TrapMarket {
  coins: readonly Coin[]
  plans: readonly TrapPlan[]
}

const COMMON = { story: 'steady', liquidity: 20, pace: 24 } as const

export const TRAPS: readonly TrapPlan[] = [
  {
    plan: token({ ...COMMON, symbol: 'LURE', name: 'Lure', venue: 'moonforge', startDay: 25.5, lp: 'burned' }),
    contract: 'gateToken',
    tell: tellGate,
    closing: { signature: 'setTrading(bool)', kind: 'closed' },
  },
  {
    plan: token({ ...COMMON, symbol: 'MAW', name: 'Maw Finance', venue: 'peachpad', startDay: 24.5, lp: 'burned' }),
    contract: 'risingFeeToken',
    tell: tellFee,
    closing: null,
  },
  {
    plan: token({ ...COMMON, symbol: 'GRASP', name: 'Grasp', venue: 'moonforge', startDay: 24, lp: 'locked' }),
    contract: 'graspingToken',
    tell: tellGrasp,
    closing: { signature: '', kind: 'grasping' },
  },
  {
    plan: token({ ...COMMON, symbol: 'GHOST', name: 'Ghost Protocol', venue: 'peachpad', startDay: 25, lp: 'locked' }),
    contract: 'emptiedToken',
    tell: tellGhost,
    closing: { signature: 'syncEpoch()', kind: 'emptied' },
  },
  {
    plan: token({ ...COMMON, symbol: 'HALT', name: 'Halt', venue: 'moonforge', startDay: 23.5, lp: 'burned' }),
    contract: 'pausableToken',
    tell: tellOpen,
    closing: null,
  },
  {
    plan: token({ ...COMMON, symbol: 'BREW', name: 'Brew', venue: 'peachpad', startDay: 23, lp: 'locked' }),
    contract: 'mintableToken',
    tell: tellOpen,
    closing: null,
  },
]

/** Schedules all of it; the result has the tokens in `coins`. */
export function setTraps(market: World): TrapMarket {
  const { timeline } = market
  const world: World = {
    ...market,
    timeline: { ...timeline, at: timeline.ride },
    random: createRandom(SEED),
    coins: [],
    ready: [],
  }
  const crowds = fundVisitors(world)
  for (const [at, { plan, contract, tell }] of TRAPS.entries())
    launch(world, plan, (coin) => tell({ ...world, ready: crowds[at]! }, coin), {
      deploy: (developer) =>
        world.chain.deploy(developer, contract, [plan.name, plan.symbol, units(SUPPLY, plan.decimals), developer]),
    })
  return { coins: world.coins, plans: TRAPS }
}

function fundVisitors({ timeline, random, chain, start }: World): Address[][] {
  const crowds = TRAPS.map((): Address[] => [])
  for (const [i, who] of VISITORS.entries()) {
    const coins = random.lognormal(5, 0.4)
    timeline.at(start + random.between(19, 22.5) * DAY, async () => {
      await chain.pay(CAST.exchanges[i % 2]!, who, ether(coins))
      for (const step of INTERESTS) crowds[(i + step) % crowds.length]!.push(who)
    })
  }
  return crowds
}

const call = (world: World, coin: Coin, name: string, args: readonly unknown[]) =>
  world.chain.send(coin.developer, { to: coin.address, abi: artifacts[contractOf(coin)].abi, name, args })

const contractOf = ({ plan }: Coin): ArtifactName => TRAPS.find((trap) => trap.plan === plan)!.contract

/** People trade until the owner acts; then holders try to sell, while others still buy. */
function tellUntil(world: World, coin: Coin, days: number, act: () => Promise<unknown>): void {
  const { timeline, random } = world
  const { opensAt: from, plan } = coin
  const actsAt = from + days * DAY
  flow(world, coin, { from, until: actsAt - 600, pace: plan.pace, buying: 0.72, size: 0.25 })
  timeline.at(actsAt, async () => void (await act()))
  flow(world, coin, { from: actsAt + HOUR, until: world.end - HOUR, pace: 7, buying: 1, size: 0.12 })
  for (let i = 0; i < 14; i++)
    timeline.at(actsAt + random.between(0.3, 30) * HOUR, async () => {
      const seller = [...coin.holders][i * 2]
      if (seller) await sell(world, coin, seller, 0.6)
    })
}

function tellGate(world: World, coin: Coin): void {
  tellUntil(world, coin, 1.5, () => call(world, coin, 'setTrading', [false]))
}

/** Sales pay 99 % to the owner from then on. */
function tellFee(world: World, coin: Coin): void {
  tellUntil(world, coin, 3, () => call(world, coin, 'setFee', [99n]))
}

function tellGhost(world: World, coin: Coin): void {
  tellUntil(world, coin, 3, () => call(world, coin, 'syncEpoch', []))
}

/** The owner takes the tokens of five holders. */
function tellGrasp(world: World, coin: Coin): void {
  const { timeline, trade } = world
  tellOpen(world, coin)
  for (let i = 0; i < 5; i++)
    timeline.at(coin.opensAt + (3 + i * 0.3) * DAY, async () => {
      const victim = [...coin.holders][i]
      const held = victim ? await trade.balance(coin.address, victim) : 0n
      if (victim && held > 0n) await call(world, coin, 'transferFrom', [victim, coin.developer, held])
    })
}

function tellOpen(world: World, coin: Coin): void {
  const { opensAt: from, plan } = coin
  flow(world, coin, { from, until: world.end, pace: plan.pace, buying: 0.66, size: 0.2 })
}

/** What the contracts refuse from a block on, by the calls in the recording. Input: the mined blocks' transactions. */
export function readRules(
  { coins, plans }: TrapMarket,
  blocks: readonly { transactions: readonly { to: string | null; input: string }[] }[],
): Map<Address, RecordedRule> {
  const rules = new Map<Address, RecordedRule>()
  for (const { plan, address, developer } of coins) {
    const closing = plans.find((trap) => trap.plan === plan)?.closing
    if (!closing) continue
    const selector = closing.signature === '' ? '' : toFunctionSelector(closing.signature)
    const from = blocks.findIndex(({ transactions }) =>
      transactions.some(({ to, input }) => to === address && input.startsWith(selector)),
    )
    rules.set(address, { kind: closing.kind, from, free: [developer] })
  }
  return rules
}
