// Every weight, threshold and prior of the scores, in one place; docs/scores.md gives the formulas they stand in.
// `[G]` marks a guess; what is not marked was fitted to labelled data or measured on it (docs/accuracy.md).

import { UNSCORED } from '../base/unscored.ts'
import type { FirstBuyRules } from '../book/working-set.ts'
import type { FactRules } from '../ledger/facts/facts.ts'

const DAY = 86_400

/** Where a ramp starts and ends: 0 at or below `from`, 1 at or above `to`. */
export type Ramp = readonly [from: number, to: number]

/** The fitted model's points stand in risk-model.json. */
export const RISK = {
  /** A token without events; so many events as `evidenceHalf` weigh as much as it. */
  prior: UNSCORED.risk,
  evidenceHalf: 1,
  /** Fewer events than this are hardly anything known: never of low risk [G]. */
  barelyKnownEvents: 10,
  /** A quote of the chain: whoever runs the program vouches for it. Low, and not nothing: a stablecoin can fail [G]. */
  quote: 10,
} as const

/** Log-odds a point from the value that says nothing; the data know neither holders nor reputations, so these are small [G]. */
export const FORMULA_WEIGHTS = {
  holders: { weight: 0.01, centre: 60 },
  wash: { weight: 0.01, centre: 60 },
  smartMoney: { weight: 0.01, centre: 50 },
} as const

/** No age above this tells risks apart: no ramp of the model ends later. */
export const SETTLED_HOURS = 15 * 24

/** Cut points of the levels: the first that exceeds the score. */
export const RISK_CUTS = { low: 30, medium: 50, high: 65 } as const
export const REPUTATION_CUTS = { low: 35, medium: 65 } as const

/** Points of a dimension of which nothing is known. */
export const UNKNOWN_POINTS = UNSCORED.risk

export const LIQUIDITY = {
  /** A lock counts in full while it ends more than this many seconds away. */
  lockMarginSeconds: 30 * DAY,
  /** A lock of unknown end counts in full for 30 days, then less and less until 180 [G]. */
  unknownLockSeconds: [30 * DAY, 180 * DAY] as Ramp,
} as const

export const PULLED = {
  /** Share of a pool that was removed within one day; from .9 to .98 the recall falls from .97 to .91. */
  removed: 0.95,
  /** Dollars in the pool before: less was a trial. At a hundred one pull in six went unseen. */
  minUsd: 10,
  /** The reserve now over that before the removal must be below. */
  left: 0.1,
  /** Days that the flag stays at most: 16 of 51 healthy tokens trip it once in their life. */
  days: 30,
  floor: 85,
} as const

export const FALL = {
  /** Share of the price lost within 24 h by swaps. */
  share: 0.9,
  /** High: of tokens that fell so far and had not rugged yet as many stayed healthy as not. */
  floor: 50,
} as const

/** What the other pools of a pool's opener say: the newest, and how many of them it emptied. */
export const OPENER = {
  pools: 50,
  /** Share of its peak dollars below which a pool counts as emptied. */
  emptiedShare: 0.1,
  /** Of a token whose opener emptied more of them than not [G]. */
  floor: 50,
} as const

export const HOLDERS = {
  weights: { topTen: 0.5, hhi: 0.5 },
  topTen: [0.4, 1] as Ramp,
  hhi: [0.02, 0.5] as Ramp,
  /** `concentrated_ownership`: any of these; below `minHolders` only the last [G]. */
  flag: { topTen: 0.8, hhi: 0.25, largest: 0.25, minHolders: 20 },
} as const

export const WASH = {
  /** Weights of the two ways to look suspicious; the larger one counts. */
  matched: [0.05, 0.6] as Ramp,
  fewTraders: { weight: 0.5, log10: [0.3, 2.3] as Ramp },
  volumeHhi: { weight: 0.25, hhi: [0.03, 0.4] as Ramp },
  /** Two trades match when their quantities differ by no more than this fraction, within the seconds. */
  tolerance: 0.06,
  /** Share of a wallet's volume in a pool that must be answered. */
  minAnswered: 0.75,
  withinSeconds: 3_600,
  /** Share of a wallet's trades in a pool that go both ways within one block: more, and it is a bot. */
  botTrips: 0.05,
  /** Answered trades of a wallet, and pairs of a group, below which they are chance. */
  minMatches: 2,
  minPairs: 3,
  /** Pairs for each wallet of a group. */
  pairsPerOwner: 1.5,
  flag: { share: 0.03, matches: 3, amountUsd: 10 },
  /** Matched share of the week's volume from which wash trading is most of it. */
  mostly: 0.5,
} as const

export const SMART_MONEY = {
  /** From this reputation on, where it is of medium confidence at least; only of these wallets it is read what they hold. */
  reputation: 65,
  /** Fewer wallets than this say nothing. */
  minWallets: 3,
  /** Flow over this share of the liquidity is strong. */
  flowToLiquidity: 0.05,
  windowSeconds: 7 * DAY,
  /** `smart_money_exiting` [G]. */
  exit: { windowSeconds: DAY, sellers: 3, soldShare: 0.3 },
} as const

export const SYBIL = {
  /** Wallets with more links than this are services, not owners. */
  maxDegree: 200,
  /**
   * Counterparts by token transfers above which these say nothing of an owner: airdrops fan out, and fees, deposits and
   * treasuries fan in, to far more addresses than one hand runs [G].
   */
  crowd: 20,
  minSize: 8,
  /** Wallets that send to the same third below which that is chance. */
  minSharing: 3,
  /** Enough where the members also bought within the same minute. */
  minSizeSameMinute: 4,
  /** Buys of fresh wallets that look coordinated. */
  fresh: { seconds: DAY, wallets: 5, withinSeconds: 600, size: 0.05 },
  /** `sybil_cluster`: one component's share of the supply outside pools, or of the 50 largest accounts [G]. */
  flag: { supply: 0.1, topFifty: 0.2 },
} as const

export const ACTIVITY = {
  /** A holding that grew or fell by more than this fraction in seven days. */
  change: 0.05,
  /** A holder that has no more than this fraction left is gone. */
  left: 0.05,
} as const

export const TRENDING = {
  weights: { traders: 0.4, volume: 0.4, growth: 0.2 },
  /** log10 of 1 + distinct traders, and of 1 + dollars, in the last hour. */
  traders: [0, 3] as Ramp,
  volume: [2, 7] as Ramp,
  /** Percent of holder growth in the last hour; counted in full from a hundred holders. */
  growthPct: [0, 20] as Ramp,
  holders: [10, 100] as Ramp,
  /** Dollars of liquidity below which nothing trends. */
  minLiquidityUsd: 1_000,
} as const

export const WALLET = {
  /** Rounded from a fit to 330 wallets; how deep it fell and when it bought added nothing, and are only published. */
  weights: { winRate: 0.4, consistency: 0.15, drawdown: 0, entry: 0, holding: 0.2, sales: 0.25 },
  /** (wins + 5) / (closed + 10). */
  win: { ramp: [0.2, 0.8] as Ramp, priorWins: 5, priorTrades: 10 },
  /** (profitable weeks + 1) / (weeks + 2). */
  consistency: { priorWins: 1, priorWeeks: 2 },
  /** log10 of the median seconds from a buy to its sale. */
  holding: [2.5, 6] as Ramp,
  /** Share of sales among the newest trades. */
  sales: [0.15, 0.65] as Ramp,
  /** Closed trades that weigh as much as habits of one half. */
  habitPrior: 5,
  /** Buys that weigh as much as the prior of one half. */
  entryPrior: 10,
  /** Closed trades that weigh as much as the prior of 50. */
  drawdownPrior: 10,
  prior: UNSCORED.reputation,
  /** Seconds after which a buy's outcome is known. */
  maturitySeconds: 3 * DAY,
} as const

export const WALLET_CONFIDENCE = {
  medium: { closed: 10, tokens: 3 },
  high: { closed: 30, tokens: 5, coverage: 0.8 },
} as const

export const TOKEN_CONFIDENCE = {
  /** Swaps, and hours since the first liquidity. */
  medium: { swaps: 30, ageHours: 24 },
  high: { swaps: 200, ageHours: 72 },
} as const

export const PNL_CONFIDENCE = {
  /** Share of the sold value with a known cost; share of the holdings with a price. */
  high: { known: 0.8, priced: 0.95 },
  medium: { known: 0.5 },
} as const

/** First buys that count as early, and as a snipe: `early_buy_count` and `snipe_count` of a wallet. */
export const FIRST_BUYS: FirstBuyRules = {
  early: { buyers: 50, seconds: DAY },
  snipe: { blocks: 3, seconds: 60 },
}

/** Rules of the behavioural classes, first match [G]. */
export const CLASSES = {
  bot: { medianGapSeconds: 60, tradesPerDay: 50, sameBlockShare: 0.3, minTrades: 10 },
  sniper: { share: 0.5, tokens: 3 },
  liquidityProvider: { share: 0.5 },
  whale: { holdingsUsd: 100_000, share: 0.01, liquidityUsd: 100_000 },
  smartMoney: { reputation: 70, tokens: 5 },
  earlyMover: { tokens: 3, rank: 50, withinSeconds: DAY },
  unknown: { trades: 3 },
} as const

/** What of these rules decides which facts are read. */
export const FACT_RULES: FactRules = {
  smartReputation: SMART_MONEY.reputation,
  hubLinks: SYBIL.maxDegree,
  crowdLinks: SYBIL.crowd,
  emptiedShare: OPENER.emptiedShare,
  quotes: [],
  openedPools: OPENER.pools,
  whaleLiquidityUsd: CLASSES.whale.liquidityUsd,
}
