// The tokens of the market: what each is, where and when it starts, and the flags that are right at the end.
import type { RiskFlag } from '../../../src/base/vocabulary.ts'

export type Story =
  | 'grower'
  | 'steady'
  | 'rug'
  | 'slow_dump'
  | 'wash'
  | 'concentrated'
  | 'sybil'
  | 'smart_exit'
  | 'thin'
  | 'unconfirmed'
  | 'spam'

export interface Plan {
  symbol: string
  name: string
  decimals: 6 | 9 | 18
  kind: 'plain' | 'fee' | 'bytes32' | 'mute'
  venue: 'uniswapV2' | 'moonforge' | 'peachpad' | 'uniswapV3' | 'uniswapV4' | 'seedbed' | 'rogue' | 'none'
  /** The quote of its pool; at a manager, `weth` is the native coin itself. */
  quote: 'weth' | 'usd' | 'hub'
  /** The kind of its pool's hook: it sets the fee of each swap, takes a share, or fills a part by its own curve. */
  hook?: 'fee' | 'share' | 'curve'
  story: Story
  /** Days after the start of the market. */
  startDay: number
  /** Native coins in the pool at its opening. */
  liquidity: number
  /** `timed`: with a locker whose logs say until when. */
  lp: 'burned' | 'locked' | 'timed' | 'held'
  /** Share of the supply in the pool; the deployer keeps the rest unless the story says otherwise. */
  pooled: number
  /** Trades per day at first. */
  pace: number
  /** The flags that the token must have at the end, and no others. */
  flags: readonly RiskFlag[]
}

const PLAIN = { decimals: 18, kind: 'plain', quote: 'weth', lp: 'held', pooled: 1, pace: 14, flags: [] } as const

/** Whoever removes the liquidity also gets its tokens, and then owns most of the supply. */
export const PULLED: readonly RiskFlag[] = ['liquidity_pulled', 'concentrated_ownership']

type Brief = Partial<Plan> & Pick<Plan, 'symbol' | 'name' | 'venue' | 'story' | 'startDay' | 'liquidity'>
export const token = (brief: Brief): Plan => ({ ...PLAIN, ...brief })

/** NUL, a right-to-left override, markup, a quote that breaks SQL, and excessive length. */
const HOSTILE_NAME =
  `<script>alert("assay")</script>\u0000\u202Egnp.exe\u202C'; DROP TABLE token;-- ${'\u{1F9EA}xyz '.repeat(835)}`.slice(
    0,
    5_000,
  )

export const PLANS: readonly Plan[] = [
  token({
    symbol: 'LARK',
    name: 'Larkspur',
    venue: 'uniswapV2',
    story: 'grower',
    startDay: 0.6,
    liquidity: 60,
    lp: 'burned',
    pace: 26,
  }),
  token({
    symbol: 'MOSS',
    name: 'Moss Protocol',
    venue: 'uniswapV2',
    story: 'grower',
    startDay: 1.1,
    liquidity: 40,
    lp: 'locked',
    decimals: 9,
  }),
  token({
    symbol: 'FERN',
    name: 'Fern',
    venue: 'moonforge',
    story: 'grower',
    startDay: 2,
    liquidity: 30,
    lp: 'burned',
  }),
  token({
    symbol: 'OTTER',
    name: 'Otter Network',
    venue: 'moonforge',
    story: 'grower',
    startDay: 3,
    liquidity: 25,
    lp: 'locked',
    decimals: 6,
  }),
  token({
    symbol: 'PLUM',
    name: 'Plum Finance',
    venue: 'peachpad',
    story: 'grower',
    startDay: 4,
    liquidity: 30,
    lp: 'burned',
  }),
  token({
    symbol: 'QRTZ',
    name: 'Quartz',
    venue: 'uniswapV2',
    story: 'grower',
    startDay: 5,
    liquidity: 45,
    lp: 'burned',
  }),
  token({
    symbol: 'RUNE',
    name: 'Runestone',
    venue: 'peachpad',
    story: 'grower',
    startDay: 7,
    liquidity: 20,
    lp: 'locked',
    decimals: 9,
  }),
  token({
    symbol: 'SABLE',
    name: 'Sable',
    venue: 'moonforge',
    story: 'grower',
    startDay: 9,
    liquidity: 25,
    lp: 'burned',
  }),
  token({ symbol: 'TEAL', name: 'Teal Labs', venue: 'uniswapV2', story: 'steady', startDay: 11, liquidity: 40 }),
  token({
    symbol: 'UMBER',
    name: 'Umber',
    venue: 'peachpad',
    story: 'steady',
    startDay: 14,
    liquidity: 20,
    lp: 'locked',
    decimals: 6,
  }),
  token({
    symbol: 'AMBR',
    name: 'Amber',
    venue: 'uniswapV2',
    story: 'steady',
    startDay: 6,
    liquidity: 30,
    lp: 'locked',
    quote: 'usd',
  }),
  token({
    symbol: 'VINT',
    name: 'Vintage Coin',
    venue: 'uniswapV2',
    story: 'steady',
    startDay: 8,
    liquidity: 25,
    lp: 'burned',
    kind: 'bytes32',
  }),
  token({
    symbol: 'TOLL',
    name: 'Toll Road',
    venue: 'moonforge',
    story: 'steady',
    startDay: 6.5,
    liquidity: 25,
    lp: 'burned',
    kind: 'fee',
  }),
  token({
    symbol: 'TITHE',
    name: 'Tithe',
    venue: 'peachpad',
    story: 'steady',
    startDay: 12,
    liquidity: 20,
    lp: 'locked',
    kind: 'fee',
    decimals: 9,
  }),
  token({
    symbol: '\u202E$\u0000<b>',
    name: HOSTILE_NAME,
    venue: 'peachpad',
    story: 'steady',
    startDay: 10,
    liquidity: 15,
    lp: 'burned',
  }),
  token({
    symbol: '',
    name: '',
    venue: 'moonforge',
    story: 'steady',
    startDay: 13,
    liquidity: 12,
    lp: 'burned',
    kind: 'mute',
    pace: 8,
  }),
  token({ symbol: 'ION', name: 'Ion', venue: 'uniswapV3', story: 'steady', startDay: 3.5, liquidity: 50 }),
  token({
    symbol: 'JADE',
    name: 'Jade',
    venue: 'uniswapV3',
    story: 'steady',
    startDay: 15,
    liquidity: 40,
    decimals: 6,
  }),
  token({
    symbol: 'GILT',
    name: 'Gilt',
    venue: 'moonforge',
    story: 'steady',
    startDay: 17,
    liquidity: 20,
    lp: 'locked',
  }),
  token({
    symbol: 'RUGA',
    name: 'Rocket Inu',
    venue: 'moonforge',
    story: 'rug',
    startDay: 5.5,
    liquidity: 18,
    pooled: 0.9,
    pace: 40,
    flags: PULLED,
  }),
  token({
    symbol: 'RUGB',
    name: 'Safe Pepe Gold',
    venue: 'peachpad',
    story: 'rug',
    startDay: 12.5,
    liquidity: 22,
    pace: 40,
    flags: PULLED,
  }),
  token({
    symbol: 'RUGC',
    name: 'Vault Cat',
    venue: 'uniswapV2',
    story: 'rug',
    startDay: 18,
    liquidity: 25,
    lp: 'locked',
    pace: 30,
    flags: PULLED,
  }),
  token({
    symbol: 'RUGD',
    name: 'Moonlit',
    venue: 'moonforge',
    story: 'rug',
    startDay: 26,
    liquidity: 20,
    pace: 40,
    flags: PULLED,
  }),
  token({
    symbol: 'DRIP',
    name: 'Drip Yield',
    venue: 'uniswapV2',
    story: 'slow_dump',
    startDay: 7.5,
    liquidity: 30,
    lp: 'burned',
    pooled: 0.55,
  }),
  token({
    symbol: 'EBB',
    name: 'Ebb',
    venue: 'peachpad',
    story: 'slow_dump',
    startDay: 14.5,
    liquidity: 20,
    lp: 'locked',
    pooled: 0.6,
  }),
  token({
    symbol: 'CHURN',
    name: 'Churn',
    venue: 'moonforge',
    story: 'wash',
    startDay: 16,
    liquidity: 20,
    lp: 'burned',
    pace: 5,
    flags: ['wash_trading'],
  }),
  token({
    symbol: 'SPIN',
    name: 'Spin',
    venue: 'uniswapV2',
    story: 'wash',
    startDay: 20,
    liquidity: 24,
    lp: 'locked',
    pace: 5,
    flags: ['wash_trading'],
  }),
  token({
    symbol: 'KING',
    name: 'Kingmaker',
    venue: 'peachpad',
    story: 'concentrated',
    startDay: 10.5,
    liquidity: 25,
    lp: 'burned',
    pooled: 0.5,
    flags: ['concentrated_ownership'],
  }),
  token({
    symbol: 'CLAN',
    name: 'Clan',
    venue: 'moonforge',
    story: 'concentrated',
    startDay: 19,
    liquidity: 20,
    lp: 'locked',
    pooled: 0.35,
    flags: ['concentrated_ownership'],
  }),
  token({
    symbol: 'HYDRA',
    name: 'Hydra',
    venue: 'uniswapV2',
    story: 'sybil',
    startDay: 8.5,
    liquidity: 20,
    lp: 'burned',
    flags: ['sybil_cluster'],
  }),
  token({
    symbol: 'HIVE',
    name: 'Hive',
    venue: 'moonforge',
    story: 'sybil',
    startDay: 21,
    liquidity: 25,
    lp: 'locked',
    flags: ['sybil_cluster'],
  }),
  token({
    symbol: 'EXODUS',
    name: 'Exodus',
    venue: 'uniswapV2',
    story: 'smart_exit',
    startDay: 19.5,
    liquidity: 45,
    lp: 'burned',
    flags: ['smart_money_exiting'],
  }),
  token({ symbol: 'THIN', name: 'Thin Ice', venue: 'moonforge', story: 'thin', startDay: 9.5, liquidity: 0.05 }),
  token({ symbol: 'FAKE', name: 'Unconfirmed', venue: 'rogue', story: 'unconfirmed', startDay: 11.5, liquidity: 30 }),
  token({ symbol: 'CLAIM', name: 'Visit claim.example', venue: 'none', story: 'spam', startDay: 15.5, liquidity: 0 }),
]
