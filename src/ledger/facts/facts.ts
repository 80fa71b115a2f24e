// All facts of the scores, at one block: plain data from the ledger's tables, or from files in an evaluation. Times are
// seconds since 1970, quantities are whole tokens (raw ones of a token without decimals), amounts are dollars. Null
// means "unknown", never "none".
import type { Classification, Confidence, Direction, WalletKind } from '../../base/vocabulary.ts'
import type { PoolKind } from '../../chain/event.ts'
import type { SafetyReport } from '../../safety/report.ts'
import type { DeployerRecord } from '../deployer-record.ts'
import type { LaunchHolders, LaunchReadRules } from '../launch-groups.ts'

/** The block whose state the facts describe. */
export interface FactsBlock {
  number: number
  /** The block's time. The windows of one hour and of one day end here. */
  time: number
  /** The block's time floored to the hour. Ages, and windows of several days, are measured from here. */
  hourTime: number
}

/** Makes a `FactsBlock` of a block's number and time. */
export const toFactsBlock = (number: number, time: number): FactsBlock => ({
  number,
  time,
  hourTime: Math.floor(time / 3_600) * 3_600,
})

/** A wallet that holds or trades the token. `id` is any number that identifies the wallet. */
export interface TraderFacts {
  id: number
  kind: WalletKind
  firstSeenAt: number | null
  /** Null also if the funder is a service (an exchange, or an address that funded more than 200 wallets) or sent an airdrop. */
  firstFunderId: number | null
  /** Null: not scored yet. */
  reputation: number | null
  confidence: Confidence | null
  classification: Classification | null
  /** Whole tokens held now. For a trader who is not a top holder it is read only for smart money, else null. */
  balance: number | null
}

/** The rules of the scores that decide which facts are read. */
export interface FactRules {
  /** From this reputation on, a wallet's trades count as smart money. */
  smartReputation: number
  /** Links, or wallets funded, above which an address is a service. */
  hubLinks: number
  /** With more token transfer counterparts than this, a wallet's token transfers show nothing about its owner. */
  crowdLinks: number
  /** Below this share of its peak liquidity a pool counts as emptied. */
  emptiedShare: number
  /** The most other pools of an opener that count; the newest do. */
  openedPools: number
  /** The dollars of a token from which a holding's share counts. */
  whaleHoldingUsd: number
  /** Which wallets around a launch are read. */
  launch: LaunchReadRules
  /** Addresses of the chain's stablecoins and of its wrapped coin. */
  quotes: readonly string[]
  chainId: number
}

/** Whether a wallet's trades count as smart money: its reputation is high enough, and its confidence is not low. */
export const isSmart = (
  { reputation, confidence }: Pick<TraderFacts, 'reputation' | 'confidence'>,
  smartReputation: number,
): boolean => reputation !== null && reputation >= smartReputation && (confidence === 'medium' || confidence === 'high')

/** One of the largest holders. */
export interface HolderFacts extends TraderFacts {
  balance: number
  /** Share of the supply without burned tokens, 0-1. */
  share: number
  /** Whole tokens held seven days before the hour. */
  weekAgo: number | null
  /** Its place among the token's buyers by first buy; the first is 1. Null: never bought. */
  buyRank: number | null
  firstBuyAt: number | null
}

/** A wallet that can withdraw a pool's liquidity. */
export interface ProviderFacts {
  id: number
  /** Undefined: the source does not say. */
  address?: string | undefined
  kind: WalletKind
  /** Fraction of the pool's shares, 0-1. */
  share: number
  /** Whether it added liquidity itself. False: its share came by transfer, as a locker's does. Null: unknown. */
  hasAdded: boolean | null
  /** When the share last changed. For a locker, locks began then at the latest. */
  since: number
  /** For a locker: the parts of its share with a known end, the soonest to end first. The rest has an unknown end. */
  locks: LockFacts[]
}

/** A part of a locker's share. */
export interface LockFacts {
  /** Fraction of the pool's shares, 0-1. All parts together are at most the locker's share. */
  share: number
  endsAt: number
}

/** The change of the pool's quote side on one day. */
export interface PoolDayFacts {
  /** Days since 1970. */
  day: number
  openQuote: number
  closeQuote: number
  /** Product of (1 - share removed) over the day's removals; 1 without removals. */
  keptFraction: number
  removalCount: number
  /** Quote reserve before the day's first removal; 0 without removals. */
  beforeRemovalQuote: number
}

export interface PoolFacts {
  id: number
  kind: PoolKind
  createdAt: number
  liquidityUsd: number
  peakLiquidityUsd: number
  /** Whole quote tokens in the pool now. */
  quoteReserve: number
  /** How many wallets have a share. */
  providerCount: number | null
  /** The twenty largest providers, largest first. Null: unknown. */
  providers: ProviderFacts[] | null
  /** Those of the last 31 days on which the pool changed, oldest first. */
  days: PoolDayFacts[]
  /** Whole quote tokens in the pool's first addition of liquidity. Null: unknown. */
  openingQuote: number | null
  /** The wallet that made that addition. Null: unknown. */
  opener: OpenerFacts | null
}

/** The pools of other tokens that a wallet opened; the newest count, up to `FactRules.openedPools`. */
export interface OpenerFacts {
  poolCount: number
  /** How many of them are emptied by `FactRules.emptiedShare`. */
  emptiedCount: number
}

/** The most swaps of a token that are read: the newest. */
export const MOST_SWAPS = 2_000

export interface SwapFacts {
  /** Null: the source does not say who traded. */
  walletId: number | null
  poolId: number
  direction: Direction
  /** Whole tokens. */
  quantity: number
  amountUsd: number
  time: number
  block: number
}

/** One hour in which the token changed. */
export interface HourFacts {
  /** Hours since 1970. */
  hour: number
  /** The price at its end. */
  closeUsd: number
  /** Whether it has trades: transfers and changes of liquidity are no trades. */
  isTraded: boolean
}

/** A transfer between two of the token's wallets; with `sharedTarget`, from one of them to a third wallet (`toId`) to which several of them sent. */
export interface LinkFacts {
  fromId: number
  toId: number
  kind: 'native' | 'token' | 'sharedTarget'
}

/** The newest check of a token's contract. */
export interface ContractFacts extends Pick<SafetyReport, 'sellCheck' | 'powers' | 'findings' | 'complete'> {
  /** The time of the checked block. */
  checkedAt: number
}

/** A token's score before. */
export interface PreviousScore {
  riskScore: number
  /** The time of the block that it is of. */
  time: number
  /** Until when its level is held after a fall; null: it is not. */
  heldUntil: number | null
}

/** The facts for a token's score. Every list is bounded, whatever the token's history. */
export interface TokenFacts {
  id: number
  /** The chain, whose market the scores compare it with. */
  chainId: number
  block: FactsBlock
  name: string
  symbol: string
  launchpad: string
  /** Whether it is one of the chain's stablecoins or its wrapped coin. */
  isQuote: boolean
  /** Whether it is older than the start block, so that its earlier history is unknown. */
  partial: boolean
  createdAt: number
  firstLiquidityAt: number | null
  /** Supply in whole tokens (raw ones of a token without decimals), without burned ones. Null: unknown. */
  circulating: number | null
  /** Burned share of all tokens ever minted, 0-1. */
  burnedShare: number | null
  /** Null: the price is unknown. */
  priceUsd: number | null
  marketCapUsd: number | null
  liquidityUsd: number
  peakLiquidityUsd: number
  volume24hUsd: number
  holderCount: number | null
  /** Those that hold a dollar and are not contracts. */
  fundedHolderCount: number | null
  fundedHolderCount1hAgo: number | null
  buyerCount: number | null
  /** Lifetime counts. */
  swapCount: number
  liquidityAddCount: number
  liquidityRemoveCount: number
  transferCount: number | null
  /** The eight deepest pools, deepest first. */
  pools: PoolFacts[]
  /** The hundred largest holders, including pools and burn addresses. Null: balances are unknown. */
  holders: HolderFacts[] | null
  /** The wallets of `swaps` that are not among `holders`. */
  traders: TraderFacts[]
  /** The newest 2,000 swaps of the last seven days, oldest first. */
  swaps: SwapFacts[]
  /** The hours of the last seven days in which it changed, oldest first. Null: not stored; take them from `swaps`. */
  hours: HourFacts[] | null
  /** Null: unknown. */
  links: LinkFacts[] | null
  /** Null: its contract was never checked. */
  contract: ContractFacts | null
  /** Null: the deployer is unknown. */
  deployerRecord: DeployerRecord | null
  /** The wallets around its launch. Null: they were read less than `LAUNCH_AGE_SECONDS` ago, or are unknown. */
  launch: LaunchHolders | null
  /** Null: it was never scored. */
  previous: PreviousScore | null
}

/** A trade of one wallet. */
export interface WalletSwapFacts {
  tokenId: number
  poolId: number
  direction: Direction
  /** Whole tokens. */
  quantity: number
  amountUsd: number
  time: number
  block: number
  /** The token's sector in the chain's preset, else its launch venue. */
  sector: string
  /** For a buy at least 72 h old: the share of the token's trades in the next three days priced above it, 0-1. Null: not that old, or no trades. */
  aboveShare3d: number | null
}

/** The facts for a wallet's score: totals over its whole life, and its newest trades. */
export interface WalletFacts {
  id: number
  block: FactsBlock
  kind: WalletKind
  /** A label says that it acts for others. Its own class and scores do not read this. */
  isService?: boolean
  firstSeenAt: number
  firstFunderId: number | null
  eventCount: number
  swapCount: number
  liquidityAddCount: number
  liquidityRemoveCount: number
  transferCount: number
  boughtUsd: number
  soldUsd: number
  /** The part of `soldUsd` whose cost is known. */
  soldKnownUsd: number
  realisedUsd: number
  /** Closed positions, and of these those with a profit. */
  closedCount: number
  winCount: number
  /** Exits (runs of sales between two buys), and of these those with a profit. */
  exitCount: number
  exitWinCount: number
  /** The deepest fall of the running realised profit, in dollars. */
  maxDrawdownUsd: number
  closedTokenCount: number
  boughtTokenCount: number
  earlyBuyCount: number
  snipeCount: number
  deployedCount: number
  /** For how many acts of other accounts it paid. */
  relayedCount: number
  /** Tokens whose liquidity it pulled and did not bring back. */
  pulledCount: number
  /** Tokens that it deployed, and sold for much more than it ever paid for them. */
  dumpedCount: number
  /** Tokens that it washed, the newest 400. */
  washedTokenIds: readonly number[]
  /** The block that last changed the wallet, and its time. */
  changed: { number: number; time: number }
  lastTradeAt: number | null
  /** Weeks with a realised profit or loss, and how many of them with a profit. */
  weekCount: number
  profitableWeekCount: number
  /** Dollars of all priced holdings, each at most the sum that the pools of its token could pay. */
  holdingsUsd: number | null
  /** The largest share of the supply that it holds of one token, among holdings of at least $25k, 0-1. */
  largestShare: number | null
  /** The newest 200 swaps, oldest first. */
  swaps: WalletSwapFacts[]
}
