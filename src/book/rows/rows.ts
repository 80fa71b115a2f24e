// The rows that the writer keeps, as they are in memory: camelCase, raw amounts as bigint, times in seconds since 1970.
// `fresh` means that the database does not have the row yet; every other field is a column of the table.
import type { Address } from '../../base/address.ts'
import type { WalletKind } from '../../base/vocabulary.ts'
import type { PoolKind } from '../../chain/event.ts'
import type { Basis, TradeRecord } from './average-cost.ts'

/** Event counts: the total at index 0, then by type id (1 swap, 2 liquidity_add, 3 liquidity_remove, 4 transfer). */
export type Counts = [all: number, swap: number, liquidityAdd: number, liquidityRemove: number, transfer: number]

export interface TokenRecord {
  fresh: boolean
  id: number
  address: Address
  kind: 'erc20' | 'lp'
  indexed: boolean
  name: string
  symbol: string
  decimals: number | null
  supply: bigint
  burned: bigint
  /** What lies with the lockers of the preset. */
  locked: bigint
  createdAt: number
  createdBlock: number
  deployerId: number | null
  launchpad: string
  partial: boolean
  poolId: number | null
  priceUsd: number
  /** Block time of the last change of its pools. */
  pricedAt: number | null
  /** The same of whatever leads from it to the chain's money: the oldest of them. */
  oldestPricedAt: number | null
  /** How many pools tell the price, their depth together, and the part of all pools' sizes that disagrees, 0-1. */
  pricePoolCount: number
  depth2PctUsd: number
  priceOutlierShare: number
  /** The quote of the pool that prices it, and the price in whole ones of it; null when it has none. */
  quoteId: number | null
  priceQuote: number | null
  /** The token that the price is kept in, the native coin or a hub, and the price in whole ones of it; null: it is kept in dollars. */
  unitId: number | null
  priceUnit: number | null
  /** Whether prices of others are kept in it. */
  isUnit: boolean
  /** How many pools lead from it to the chain's money: 1 where that quotes it, 3 at most; 0 for the money, and without a price. */
  priceHops: number
  marketCapUsd: number
  liquidityUsd: number
  peakLiquidityUsd: number
  /** When its first pool was made; null if that is not known. */
  listedAt: number | null
  firstLiquidityAt: number | null
  firstLiquidityBlock: number | null
  buyerCount: number
  holderCount: number
  /** Accounts, no contracts, whose balance was worth a dollar when it last changed. */
  fundedHolderCount: number
  fundedHolderCount1hAgo: number
  volume24hMicroUsd: bigint
  counts: Counts
  updatedBlock: number
}

export interface PoolRecord {
  fresh: boolean
  id: number
  address: Address
  kind: PoolKind
  factory: Address
  launchpad: string
  token0Id: number
  token1Id: number
  /** In hundredths of a basis point; null where it changes from trade to trade. */
  fee: number | null
  /** Whether its reserves keep to the stable curve x^3 y + y^3 x. */
  stable: boolean
  /** The contract that is called around each change; null for none. */
  hooks: string | null
  /** What it may do, one bit each (chain/exchanges/hooks.ts). */
  hookRights: number
  /** How far apart the ticks are that positions may begin and end at; null where the fee tells it. */
  tickSpacing: number | null
  baseId: number | null
  quoteId: number | null
  lpTokenId: number
  walletId: number
  reserve0: bigint
  reserve1: bigint
  sqrtPriceX96: bigint | null
  /** V3, V4: the liquidity in force at the price; null for V2, and where no log has told it. */
  activeLiquidity: bigint | null
  price: number
  /** Dollars that move the price by 2 %. */
  depth2PctUsd: number
  liquidityUsd: number
  peakLiquidityUsd: number
  createdAt: number
  createdBlock: number
  updatedBlock: number
  /** Who added the first liquidity, and how many whole quote tokens; null if unknown or without a quote. */
  openerId: number | null
  openingQuote: number | null
  /** Of a launch curve: how many raw tokens it sells before the token graduates; null where nobody says. */
  offered: bigint | null
}

export interface WalletRecord extends TradeRecord {
  fresh: boolean
  id: number
  address: Address
  indexed: boolean
  kind: WalletKind
  firstSeenAt: number
  firstSeenBlock: number
  firstFunderId: number | null
  counts: Counts
  closedTokenCount: number
  boughtTokenCount: number
  earlyBuyCount: number
  snipeCount: number
  deployedCount: number
  /** Tokens of which it pulled the liquidity. */
  pulledCount: number
  lastTradeAt: number | null
  updatedBlock: number
  /** The time of that block; null: written by a version that did not keep it. */
  updatedAt: number | null
}

export interface PositionRecord extends Basis {
  fresh: boolean
  tokenId: number
  walletId: number
  balance: bigint
  /** Of pool shares: those of which the token's side came without a cost. */
  freeShares: number
  /** Dollars of liquidity of the token that the wallet pulled and did not bring back. */
  pulledUsd: number
  /** Whether it counts among the holders with a dollar. */
  funded: boolean
  buyRank: number | null
  firstBuyAt: number | null
  openingDays: number[]
  openings: number[]
  counts: Counts
  firstAt: number
  lastAt: number
}

export interface EventRecord {
  n: number
  typeN: number
  blockNumber: number
  logIndex: number
  tokenId: number
  tokenN: number
  tokenTypeN: number
  walletId: number
  walletN: number
  walletTypeN: number
  poolId: number | null
  counterpartyId: number | null
  /** Of a transfer to somebody else: its numbers among the recipient's events. */
  counterpartyN: number | null
  counterpartyTypeN: number | null
  type: number
  direction: number | null
  quantity: number
  amountUsd: number
  time: number
  txHash: string
  /** Whose trade it is, where that is not the signer: by which rule, and who signed. */
  attribution: number | null
  signerId: number | null
  /** Null: the first event of its log, which is mostly the only one. */
  part: number | null
}

export interface TokenBlockRecord {
  blockNumber: number
  tokenId: number
  time: number
  volumeMicroUsd: bigint
  /** Of the holders with a dollar. */
  holderDelta: number
}

/** What happened to a token in a period: an hour, or five minutes. */
export interface CandleRecord {
  fresh: boolean
  tokenId: number
  /** Whole periods since 1970. */
  period: number
  openUsd: number
  highUsd: number
  lowUsd: number
  closeUsd: number
  volumeMicroUsd: bigint
  buyCount: number
  sellCount: number
  liquidityUsd: number
  holderCount: number
  /** The quote that the last price was in; prices in it; null while it has none. */
  quoteId: number | null
  openQuote: number | null
  highQuote: number | null
  lowQuote: number | null
  closeQuote: number | null
}

export interface PoolDayRecord {
  fresh: boolean
  poolId: number
  day: number
  openQuote: number
  closeQuote: number
  keptFraction: number
  removalCount: number
  beforeRemovalQuote: number
}

export interface WalletWeekRecord {
  fresh: boolean
  walletId: number
  week: number
  realisedUsd: number
}

export interface LinkRecord {
  fromId: number
  toId: number
  kind: number
  blockNumber: number
}

export interface TokenLockRecord {
  fresh: boolean
  lockerId: number
  /** The lock's id at its locker; for lockers without ids, the day on which the lock ends. */
  number: number
  tokenId: number
  ownerId: number | null
  amount: bigint
  endsAt: number
}

/** A pool with which a launch venue opened a token, or into which it moved it. Written once. */
export interface LaunchRecord {
  fresh: boolean
  poolId: number
  tokenId: number
  /** Null: the venue's log names nobody, or moved the token. */
  creatorId: number | null
  /** Who held most of the pool's liquidity then; null where it is not known. */
  holderId: number | null
}

/** Whole tokens with a cost, and what they cost in dollars. */
export interface OwedCost {
  quantity: number
  usd: number
}

/** A position in ranges that is a token of its manager. */
export interface PositionTokenRecord {
  fresh: boolean
  /** The manager's wallet, and the token's number there. */
  managerId: number
  number: number
  ownerId: number
  /** Null until its first change of liquidity was seen. */
  poolId: number | null
  tickLower: number | null
  tickUpper: number | null
  /** As far as its changes were seen. */
  liquidity: bigint
  /** What was removed and not paid out yet. */
  owed0: bigint
  owed1: bigint
  /** What of that has a cost. */
  owedCost0: OwedCost
  owedCost1: OwedCost
  /** The part of what was removed last that had a cost in the pool, 0-1; null before. */
  costedShare: number | null
}

/** Shares that a gauge holds for their owner. */
export interface StakeRecord {
  fresh: boolean
  gaugeId: number
  ownerId: number
  /** The share token. */
  tokenId: number
  amount: bigint
}

/** The newest block: the cursor, the counters and the last ids assigned. */
export interface BlockRecord {
  number: number
  hash: string
  parentHash: string
  time: number
  counts: Counts
  tokenCount: number
  walletCount: number
  lastTokenId: number
  lastWalletId: number
  lastPoolId: number
  /** The tokens with a price that prices are kept in, in the order in which they came, and what they cost at the end of the batch. */
  units: { ids: readonly number[]; usd: readonly number[] }
}
