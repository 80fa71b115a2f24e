// Everything that a score reads, as of one block: plain data from the ledger's tables, or from a file in an evaluation.
// Times are seconds since 1970, quantities whole tokens, amounts dollars. Null is always "not known", never "none".
import type { Classification, Confidence, Direction, WalletKind } from '../../base/vocabulary.ts'

/** The block that facts are as of. */
export interface FactsBlock {
  number: number
  /** What the windows of an hour and of a day end at. */
  time: number
  /** Its time floored to the hour: what every age and the windows of days are measured from. */
  hourTime: number
}

/** The block of that number and time. */
export const toFactsBlock = (number: number, time: number): FactsBlock => ({
  number,
  time,
  hourTime: Math.floor(time / 3_600) * 3_600,
})

/** A wallet that holds or trades the token. `id` is any number that tells wallets apart. */
export interface TraderFacts {
  id: number
  kind: WalletKind
  firstSeenAt: number | null
  /** Null too where the funder is a service: an exchange, or whoever funded more than 200. */
  firstFunderId: number | null
  /** Null: not scored yet. */
  reputation: number | null
  confidence: Confidence | null
  classification: Classification | null
  /** Whole tokens held now; of a trader known where it is smart money, and else null. */
  balance: number | null
}

/** What of the scores' rules decides which facts are read. */
export interface FactRules {
  /** The reputation from which a wallet's doings count as smart money. */
  smartReputation: number
  /** Links, or wallets funded, above which an address is a service. */
  hubLinks: number
  /** Counterparts by token transfers above which these say nothing of an owner. */
  crowdLinks: number
  /** Share of its peak dollars below which a pool counts as emptied. */
  emptiedShare: number
  /** Other pools of an opener that count, the newest. */
  openedPools: number
  /** A token with so many dollars of liquidity has whales. */
  whaleLiquidityUsd: number
  /** Addresses of the chain's stablecoins and of its wrapped coin. */
  quotes: readonly string[]
}

/** Whether a wallet's doings count as smart money: its reputation is so high at least, and well known. */
export const isSmart = (
  { reputation, confidence }: Pick<TraderFacts, 'reputation' | 'confidence'>,
  smartReputation: number,
): boolean => reputation !== null && reputation >= smartReputation && (confidence === 'medium' || confidence === 'high')

/** One of the largest holders. */
export interface HolderFacts extends TraderFacts {
  balance: number
  /** Of supply minus burned, 0-1. */
  share: number
  /** Whole tokens held seven days before the hour. */
  weekAgo: number | null
  /** How many wallets had bought before its first buy, plus one. Null: never bought. */
  buyRank: number | null
  firstBuyAt: number | null
}

/** Who can withdraw a pool's liquidity. */
export interface ProviderFacts {
  id: number
  kind: WalletKind
  /** Of the pool's shares, 0-1. */
  share: number
  /** It added liquidity itself, at least once; false: its share came by transfer, as a lock's does. Null: not known. */
  hasAdded: boolean | null
  /** When the share last changed; of a locker: when the lock began at the latest. */
  since: number
  /** Of a locker: parts of the share whose end is known, the soonest first. What is left has an unknown end. */
  locks: LockFacts[]
}

/** A part of a locker's share. */
export interface LockFacts {
  /** Of the pool's shares, 0-1; together no more than the locker's. */
  share: number
  endsAt: number
}

/** What one day did to a pool's quote side. */
export interface PoolDayFacts {
  /** Days since 1970. */
  day: number
  openQuote: number
  closeQuote: number
  /** Product of (1 - share taken) over the day's removals; 1: none. */
  keptFraction: number
  removalCount: number
  /** Quote reserve before the day's first removal; 0: none. */
  beforeRemovalQuote: number
}

export interface PoolFacts {
  id: number
  kind: 'v2' | 'v3'
  createdAt: number
  liquidityUsd: number
  peakLiquidityUsd: number
  /** Whole quote tokens in the pool now. */
  quoteReserve: number
  /** Wallets with a share. */
  providerCount: number | null
  /** The largest ones, largest first, twenty at most. Null: not known. */
  providers: ProviderFacts[] | null
  /** Days with a change among the last 31, oldest first. */
  days: PoolDayFacts[]
  /** Whole quote tokens of its first addition of liquidity. Null: not known. */
  openingQuote: number | null
  /** Who made that addition. Null: not known. */
  opener: OpenerFacts | null
}

/** The other tokens' pools that a wallet opened: the newest fifty. */
export interface OpenerFacts {
  poolCount: number
  /** Of these, those that hold less than a tenth of the dollars that they once held. */
  emptiedCount: number
}

export interface SwapFacts {
  /** Null: the source does not say who. */
  walletId: number | null
  poolId: number
  direction: Direction
  /** Whole tokens. */
  quantity: number
  amountUsd: number
  time: number
  block: number
}

/** One hour with a trade. */
export interface HourFacts {
  /** Hours since 1970. */
  hour: number
  /** The price of its last trade. */
  closeUsd: number
}

/** Two of the token's wallets that a transfer joined directly; `sharedTarget`: `toId` is a third that several of them sent to. */
export interface LinkFacts {
  fromId: number
  toId: number
  kind: 'native' | 'token' | 'sharedTarget'
}

/** What a token's score reads. Every list is bounded, whatever the token's history. */
export interface TokenFacts {
  id: number
  block: FactsBlock
  name: string
  symbol: string
  launchpad: string
  /** One of the chain's quotes. */
  isQuote: boolean
  /** Its history before the start block is not known. */
  partial: boolean
  createdAt: number
  firstLiquidityAt: number | null
  /** Whole tokens in being, burned ones left out. Null: decimals or supply are not known. */
  circulating: number | null
  /** Of all that was ever minted, 0-1. */
  burnedShare: number | null
  /** Null: not priced. */
  priceUsd: number | null
  marketCapUsd: number | null
  liquidityUsd: number
  peakLiquidityUsd: number
  volume24hUsd: number
  holderCount: number | null
  holderCount1hAgo: number | null
  buyerCount: number | null
  /** Lifetime counts. */
  swapCount: number
  liquidityAddCount: number
  liquidityRemoveCount: number
  transferCount: number | null
  /** Deepest first, eight at most. */
  pools: PoolFacts[]
  /** The hundred largest by balance, pools and burn addresses included. Null: balances are not known. */
  holders: HolderFacts[] | null
  /** Wallets of `swaps` that are not among the holders. */
  traders: TraderFacts[]
  /** Oldest first: the newest 2,000 among the last seven days. */
  swaps: SwapFacts[]
  /** Hours with a trade among the last seven days, oldest first. Null: not kept (take them from `swaps`). */
  hours: HourFacts[] | null
  /** Null: not known. */
  links: LinkFacts[] | null
}

/** A trade of one wallet. */
export interface WalletSwapFacts {
  tokenId: number
  direction: Direction
  amountUsd: number
  time: number
  block: number
  /** The token's sector: of the chain's preset, else its launch venue. */
  sector: string
  /** Of a buy at least 72 h old: the share of the token's trades in the next three days priced above it, 0-1. Null: not matured, or none. */
  aboveShare3d: number | null
}

/** What a wallet's score reads: running sums over its life, and its newest trades. */
export interface WalletFacts {
  id: number
  block: FactsBlock
  kind: WalletKind
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
  /** Deepest fall of the running realised profit. */
  maxDrawdownUsd: number
  closedTokenCount: number
  boughtTokenCount: number
  earlyBuyCount: number
  snipeCount: number
  deployedCount: number
  lastTradeAt: number | null
  /** Weeks with a realised result, and of these those with a profit. */
  weekCount: number
  profitableWeekCount: number
  /** Dollars of all priced holdings. */
  holdingsUsd: number | null
  /** Largest share of the supply of a token with at least $100k of liquidity, 0-1. */
  largestShare: number | null
  /** Oldest first: the newest 200. */
  swaps: WalletSwapFacts[]
}
