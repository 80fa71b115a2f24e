// The newest tokens: at a manager with and without hooks, quoted in a hub, sold along a curve, locked until a day.
// Their people and their random numbers are their own, so the stories of `plan.ts` stay as they are.
import { type Plan, PULLED, token } from './plan.ts'

/** What others are quoted in. */
export const HUB = 'NEXUS'
/** Sold along a curve until it graduates. */
export const GRADUATE = 'SPROUT'
/** What brokers trade, beside their own pool of it. */
export const BROKERED = 'HAVEN'

const MANAGED = { venue: 'uniswapV4', pace: 8 } as const

export const NEWCOMER_PLANS: readonly Plan[] = [
  token({
    symbol: HUB,
    name: 'Nexus',
    venue: 'uniswapV2',
    story: 'steady',
    startDay: 2.2,
    liquidity: 300,
    lp: 'burned',
    pace: 7,
  }),
  token({ ...MANAGED, symbol: 'IRIS', name: 'Iris', story: 'grower', startDay: 4.2, liquidity: 40, lp: 'locked' }),
  token({
    symbol: 'WREN',
    name: 'Wren Agent',
    venue: 'uniswapV2',
    quote: 'hub',
    story: 'grower',
    startDay: 5.2,
    liquidity: 24,
    lp: 'burned',
    pace: 8,
  }),
  token({
    symbol: GRADUATE,
    name: 'Sprout',
    venue: 'seedbed',
    story: 'grower',
    startDay: 6.2,
    liquidity: 8,
    lp: 'burned',
    pace: 15,
  }),
  token({
    ...MANAGED,
    symbol: 'SURGE',
    name: 'Surge',
    story: 'grower',
    startDay: 7.2,
    liquidity: 30,
    lp: 'burned',
    hook: 'fee',
  }),
  token({
    symbol: BROKERED,
    name: 'Haven',
    venue: 'uniswapV2',
    story: 'grower',
    startDay: 8.2,
    liquidity: 40,
    lp: 'timed',
    pace: 8,
  }),
  token({
    ...MANAGED,
    symbol: 'NOVA',
    name: 'Nova',
    story: 'steady',
    quote: 'usd',
    startDay: 9.2,
    liquidity: 35,
  }),
  token({
    symbol: 'LYNX',
    name: 'Lynx Agent',
    venue: 'uniswapV2',
    quote: 'hub',
    story: 'steady',
    startDay: 11.2,
    liquidity: 20,
    lp: 'locked',
    decimals: 9,
    pace: 8,
  }),
  token({
    ...MANAGED,
    symbol: 'CREST',
    name: 'Crest',
    story: 'steady',
    startDay: 13.2,
    liquidity: 30,
    lp: 'locked',
    hook: 'share',
  }),
  token({
    ...MANAGED,
    symbol: 'PRISM',
    name: 'Prism',
    story: 'steady',
    startDay: 15.7,
    liquidity: 30,
    lp: 'burned',
    pooled: 0.9,
    hook: 'curve',
  }),
  token({
    ...MANAGED,
    symbol: 'TAPIR',
    name: 'Tapir Agent',
    story: 'steady',
    quote: 'hub',
    startDay: 17.2,
    liquidity: 20,
    lp: 'burned',
  }),
  token({
    symbol: 'BUDLET',
    name: 'Budlet',
    venue: 'seedbed',
    story: 'steady',
    startDay: 19.2,
    liquidity: 8,
    pace: 8,
  }),
  token({
    ...MANAGED,
    symbol: 'RUGV',
    name: 'Vanish',
    story: 'rug',
    startDay: 22.2,
    liquidity: 20,
    pace: 34,
    flags: PULLED,
  }),
]
