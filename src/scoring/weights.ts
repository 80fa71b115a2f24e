// Weights and thresholds of the scores (the fitted points are in risk-model.json); docs/scores.md gives the formulas that use them. `[G]` marks a
// guess; everything else was measured on real pools (docs/accuracy.md).

import { DAY_SECONDS } from '../base/time.ts'
import { UNSCORED } from '../base/unscored.ts'
import { PULL } from '../book/pools/pulls.ts'
import type { FirstBuyRules } from '../book/rows/known.ts'
import type { FactRules } from '../ledger/facts/facts.ts'
import type { LaunchReadRules } from '../ledger/launch-groups.ts'
import { FREE_SHARE, LARGE_OWNER, WASHED_SHARE } from '../verdict/bounds.ts'

/** A ramp: 0 at or below `from`, 1 at or above `to`. */
export type Ramp = readonly [from: number, to: number]
const ramp = (from: number, to: number): Ramp => [from, to]

/** The fitted models' points stand in risk-model.json. */
export const RISK = {
  /** The shown values of a token that was never scored. */
  prior: UNSCORED.risk,
  /** With fewer events than this, a token is nearly unknown: never of low risk [G]. */
  barelyKnownEvents: 10,
  /** A base asset of the chain: the operator vouches for it. Low, and not zero: a stablecoin can fail [G]. */
  quote: 10,
} as const

/**
 * The powers over the holders. The weights come from a formula by hand; the emulated exam chose the weight of their
 * sum.
 */
export const CAPABILITY = {
  /** Log-odds of one point, from the points of a usual labelled token. */
  weight: 0.0375,
  centre: 45,
  /** The most that each fact costs; together 100. */
  points: {
    liquidityUsd: 12,
    exitShare: 7,
    reserveToPeak: 6,
    providerCount: 3,
    topTenShare: 4,
    holderHhi: 4,
    matchedShare: 13,
    traderCount: 7,
    volumeHhi: 3,
    smartFlow: 6,
    contractStrength: 19,
    clusterSupplyShare: 8,
    pulledRecord: 8,
  },
  /** The value at which a fact begins to cost, or ends to; amounts and counts as log10. */
  ramps: {
    liquidityUsd: ramp(2.5, 5.5),
    exitShare: ramp(0.3, 1),
    reserveToPeak: ramp(0.1, 0.9),
    providerCount: ramp(0, 1.5),
    topTenShare: ramp(0.4, 1),
    holderHhi: ramp(0.02, 0.5),
    matchedShare: ramp(0.05, 0.6),
    traderCount: ramp(0.3, 2.3),
    volumeHhi: ramp(0.03, 0.4),
    clusterSupplyShare: ramp(0.05, 0.5),
  },
} as const

/** The chance that liquidity is pulled within 30 days: logistic(intercept + logOdds x L + prior x logit of the age's chance). */
export const PULL_CHANCE = {
  intercept: -0.69,
  logOdds: 0.74,
  prior: 0.84,
  /**
   * Share of labelled tokens of an age that was pulled within 30 days. Between two ages by the logarithm of the hours.
   */
  byAge: [
    [75 / 3_600, 0.75],
    [1, 0.68],
    [6, 0.6],
    [24, 0.5],
    [72, 0.38],
    [240, 0.24],
    [720, 0.14],
  ],
} as const

/** The limits beyond which a token is not of low risk. */
export const NEVER_LOW = {
  ageHours: 24,
  /** Share of the liquidity that one wallet can withdraw within 30 days. */
  exitShare: FREE_SHARE,
  pullChance: 0.1,
} as const

/**
 * The floors of flags rise with the measured share. At the first share the floor is the lowest score that is not low;
 * at the second one it is `by` more.
 */
export const FLAG_FLOORS = {
  wash_trading: { ramp: ramp(0, 1), by: 40 },
  largestHolder: { ramp: ramp(0.25, 0.65), by: 35 },
  topTen: { ramp: ramp(0.8, 1), by: 20 },
  sybil_cluster: { ramp: ramp(0.1, 0.8), by: 35 },
  smart_money_exiting: { ramp: ramp(0.3, 1), by: 20 },
  /** Pulled tokens over the deployer's earlier tokens plus one: one of one is high, seven of seven critical [G]. */
  deployer: { ramp: ramp(0, 1), by: 40 },
} as const

/** No greater age separates risks: no ramp of the model ends later. */
export const SETTLED_HOURS = 15 * 24

/** Seconds without an event after which the ages among the inputs move on. After the last step they move by the hour. */
export const QUIET_STEPS = [300, 600, 1_200, 2_400, 3_600] as const

/**
 * How long a level stays that the score has left downwards, by at most `points` [G]. A score before that is older than
 * `freshSeconds` holds nothing.
 */
export const HOLD = { seconds: 600, freshSeconds: 7_200, points: 5 } as const

/** Upper bounds of the levels of a reputation: the first one above it decides. */
export const REPUTATION_CUTS = { low: 35, medium: 65 } as const

/** Points of an unknown dimension. */
export const UNKNOWN_POINTS = UNSCORED.risk

export const LIQUIDITY = {
  /** A lock counts in full while it ends more than this many seconds away. */
  lockMarginSeconds: 30 * DAY_SECONDS,
  /** A lock without a known end counts fully for 30 days, then less and less until day 180 [G]. */
  unknownLockSeconds: ramp(30 * DAY_SECONDS, 180 * DAY_SECONDS),
  /**
   * Up to this share of the liquidity may have unknown providers: a stranger's small pool must not hide the others [G].
   */
  unknownShare: 0.05,
} as const

export const PULLED = {
  ...PULL,
  /** Days that the flag stays at most: 16 of 51 healthy tokens trip it once in their life. */
  days: 30,
  floor: 85,
} as const

export const FALL = {
  /** Share of the price lost within 24 h through swaps. */
  share: 0.9,
  /** High risk: of the tokens that fell this far and had not rugged yet, about half stayed healthy. */
  floor: 50,
  /**
   * The remaining share of the month's peak on the quote side of V2 pools after a fall of the price by about 70 %. Such
   * a token is never of low risk. Of the tokens with a low score that fell this far, two to four times as many rugged
   * as of the others (docs/accuracy.md).
   */
  monthLeft: 0.55,
  /**
   * The same of pools of any kind [G]. A range empties long before a price falls that far, so only what leaves hardly
   * anything to sell into counts.
   */
  anyPoolLeft: 0.1,
} as const

/** How many of the newest other pools of a pool's opener count, and which of them count as emptied. */
export const OPENER = {
  pools: 50,
  /** A pool counts as emptied below this fraction of its peak dollars. */
  emptiedShare: 0.1,
  /** Of a token whose opener emptied more of them than not [G]. */
  floor: 50,
} as const

export const HOLDERS = {
  weights: { topTen: 0.5, hhi: 0.5 },
  topTen: ramp(0.4, 1),
  hhi: ramp(0.02, 0.5),
  /**
   * `concentrated_ownership` if any of these is reached; with fewer than `minHolders` holders only `largest` counts
   * [G].
   */
  flag: { topTen: 0.8, hhi: 0.25, largest: LARGE_OWNER, minHolders: 20 },
} as const

export const WASH = {
  /** Two trades match if their quantities differ by at most this fraction and they are within `withinSeconds`. */
  tolerance: 0.06,
  /**
   * Share of a wallet's trades and volume in a pool that must be matched. At the first share none of them counts, from
   * the second one on all do.
   */
  answered: ramp(0.7, 0.92),
  /** An unanswered trade counts against its wallet the more the longer it had time to be answered, in full after this. */
  withinSeconds: 3_600,
  /** A wallet is a bot if more than this share of its trades in a pool buy and sell within one second. */
  botTrips: 0.05,
  /** Fewer matched trades per wallet are chance. */
  minMatches: 2,
  /** Pairs per group, and per wallet of a group: at the first they are chance, from the second on they count in full. */
  pairs: ramp(2, 3),
  pairsPerOwner: ramp(1.25, 1.5),
  /** From this part on a trade counts as matched where a trade counts or does not. */
  matched: 0.5,
  flag: { share: WASHED_SHARE, matches: 3, amountUsd: 10 },
  /** Matched buys, and matched sales, from which on an owner counts as a washer [G]. */
  bothSides: 2,
} as const

export const SMART_MONEY = {
  /**
   * Wallets with at least this reputation, at medium confidence or better. Holdings are read for these wallets only.
   */
  reputation: 65,
  /** With fewer wallets the measure is unknown. */
  minWallets: 3,
  /** A flow of this share of the liquidity is strong. */
  flowToLiquidity: 0.05,
  windowSeconds: 7 * DAY_SECONDS,
  /** `smart_money_exiting` [G]. */
  exit: { windowSeconds: DAY_SECONDS, sellers: 3, soldShare: 0.3 },
} as const

export const SYBIL = {
  /** A wallet with more links than this is a service, not an owner. */
  maxDegree: 200,
  /**
   * Links by token transfers are ignored for a wallet with more counterparts than this. Airdrops, fees, deposits and
   * treasuries have far more counterparts than one person [G].
   */
  crowd: 20,
  /** With fewer wallets sending to the same target, it is chance. */
  minSharing: 4,
  /**
   * A cluster costs points by its size, or by the number of its wallets that bought within the same minute [G]. At the
   * end of a ramp it may set the flag.
   */
  size: ramp(3, 8),
  sizeSameMinute: ramp(2, 4),
  /** What lies outside pools counts as at least this share of the supply: all of next to nothing is next to nothing [G]. */
  leastOutside: 0.05,
  /** When buys of fresh wallets look coordinated. */
  fresh: { seconds: DAY_SECONDS, wallets: 5, withinSeconds: 600, size: 0.05 },
  /** `sybil_cluster`: one cluster's share of the supply outside pools, or of the 50 largest accounts [G]. */
  flag: { supply: 0.1, topFifty: 0.2 },
} as const

export const ACTIVITY = {
  /** A holding changed if it grew or fell by more than this fraction in seven days. */
  change: 0.05,
  /** A holder with at most this fraction left has gone. */
  left: 0.05,
} as const

export const TRENDING = {
  weights: { traders: 0.35, volume: 0.35, growth: 0.2, day: 0.1 },
  /** log10 of 1 + distinct traders, and of 1 + dollars, in the last hour; the dollars of the day likewise. */
  traders: ramp(0, 3),
  volume: ramp(2, 7),
  /** Percent of holder growth in the last hour; it counts fully from 100 holders on. */
  growthPct: ramp(0, 20),
  holders: ramp(10, 100),
  /** Below this liquidity in dollars nothing trends. */
  minLiquidityUsd: 1_000,
} as const

export const WALLET = {
  /**
   * Rounded from a fit to 330 wallets. The drawdown and the timing of entries added nothing, and are only published.
   */
  weights: {
    winRate: 0.4,
    consistency: 0.15,
    drawdown: 0,
    entry: 0,
    holding: 0.2,
    sales: 0.25,
    pulled: -0.5,
    washed: -0.5,
  },
  /**
   * Of the points for pulled liquidity, for a wallet that deployed a token and sold much of it: some pay for their work
   * so [G].
   */
  dumped: { weight: 0.6 },
  /** (won exits + 5) / (exits + 10). Closed positions are a third as many, and predict less (docs/accuracy.md). */
  win: { ramp: ramp(0.2, 0.8), priorWins: 5, priorExits: 10 },
  /** (profitable weeks + 1) / (weeks + 2). */
  consistency: { priorWins: 1, priorWeeks: 2 },
  /** log10 of the median seconds from a buy to its sale. */
  holding: ramp(2.5, 6),
  /** Share of sales among the newest trades. */
  sales: ramp(0.15, 0.65),
  /** Exits that weigh as much as habits of one half. */
  habitPrior: 5,
  /** Buys that weigh as much as the prior of one half. */
  entryPrior: 10,
  /** This many exits weigh as much as the prior of 50. */
  drawdownPrior: 10,
  prior: UNSCORED.reputation,
  /** A buy's outcome is known after this many seconds. */
  maturitySeconds: 3 * DAY_SECONDS,
} as const

/** The reputation's AUC is .62 below five exits, .71 to .74 from five on, .78 from twenty on. */
export const WALLET_CONFIDENCE = {
  medium: { exits: 5, tokens: 3 },
  high: { exits: 20, tokens: 5, coverage: 0.8 },
} as const

export const TOKEN_CONFIDENCE = {
  /** Swaps, and hours since the first liquidity. */
  medium: { swaps: 30, ageHours: 24 },
  high: { swaps: 200, ageHours: 72 },
} as const

export const PNL_CONFIDENCE = {
  /** Share of the sold value with a known cost, and share of the holdings with a price. */
  high: { known: 0.8, priced: 0.95 },
  medium: { known: 0.5 },
} as const

/** Which first buys count as early and as a snipe: `early_buy_count` and `snipe_count` of a wallet. */
export const FIRST_BUYS: FirstBuyRules = {
  early: { buyers: 50, seconds: DAY_SECONDS },
  snipe: { seconds: 60 },
}

/** Rules of the launch groups, beside those of first buys, links and fresh wallets. */
export const LAUNCH = {
  /** Wallets of one first funder that bought in one second, from which on they are a bundle [G]. */
  bundle: 3,
} as const

/** The rules that decide which facts of a launch are read. */
export const LAUNCH_RULES: LaunchReadRules = {
  events: 3_000,
  seconds: FIRST_BUYS.early.seconds,
  hubLinks: SYBIL.maxDegree,
  crowdLinks: SYBIL.crowd,
}

/** Rules of the behavioural classes; the first match wins [G]. */
export const CLASSES = {
  bot: { medianGapSeconds: 60, tradesPerDay: 50, sameBlockShare: 0.3, minTrades: 10 },
  sniper: { share: 0.5, tokens: 3 },
  liquidityProvider: { share: 0.5 },
  whale: { holdingsUsd: 100_000, share: 0.01, shareUsd: 25_000 },
  smartMoney: { reputation: 70, tokens: 5 },
  earlyMover: { tokens: 3, rank: 50, withinSeconds: DAY_SECONDS },
  unknown: { trades: 3 },
  /** Positions that a contract opened and closed, and for how long it has traded, before it is a trader [G]. */
  contract: { closed: 10, seconds: 30 * DAY_SECONDS },
} as const

/** The rules that decide which facts are read. */
export const FACT_RULES: FactRules = {
  smartReputation: SMART_MONEY.reputation,
  hubLinks: SYBIL.maxDegree,
  crowdLinks: SYBIL.crowd,
  emptiedShare: OPENER.emptiedShare,
  quotes: [],
  chainId: 0,
  openedPools: OPENER.pools,
  whaleHoldingUsd: CLASSES.whale.shareUsd,
  launch: LAUNCH_RULES,
}
