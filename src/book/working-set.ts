// The writer's working set: every row in memory that the current blocks can touch, and what they changed. The pure
// modules (balance, prices, trade ...) read and change it; nothing here queries the database or the chain.
import { type Address, ZERO_ADDRESS } from '../base/address.ts'
import type { WalletKind } from '../base/vocabulary.ts'
import type { PoolMetadata, TokenMetadata } from '../chain/contracts/reader.ts'
import type { Venue } from '../chain/event.ts'
import type { Preset } from '../chain/presets/preset.ts'
import type { Sheet } from '../database/binary-arrays.ts'
import { type Cache, createCache, createPairCache, type PairCache } from './cache.ts'
import type {
  BlockRecord,
  CandleRecord,
  EventRecord,
  LinkRecord,
  PoolDayRecord,
  PoolRecord,
  PositionRecord,
  TokenBlockRecord,
  TokenLockRecord,
  TokenRecord,
  WalletRecord,
  WalletWeekRecord,
} from './rows.ts'

/** What counts as an early first buy of a token, measured from its first liquidity. */
export interface FirstBuyRules {
  /** Among the first `buyers`, and within `seconds`. */
  early: { buyers: number; seconds: number }
  /** Within `blocks` blocks or `seconds` seconds. */
  snipe: { blocks: number; seconds: number }
}

/** The preset's addresses as look-up tables, and the rules for first buys. */
export interface Known {
  firstBuys: FirstBuyRules
  wrappedNative: Address
  minPoolDepthUsd: number
  /** Quote tokens with their rank: stablecoins first, the wrapped native last. */
  quoteRank: ReadonlyMap<string, number>
  stablecoins: ReadonlySet<string>
  /** Burn addresses, without the zero address. */
  burn: ReadonlySet<string>
  factories: ReadonlyMap<string, { kind: Venue; launchpad: string }>
  kinds: ReadonlyMap<string, WalletKind>
  /** Contracts that hold managers' positions for their owners. */
  positionManagers: ReadonlySet<string>
}

/** Builds the look-up tables of a preset. */
export function toKnown(preset: Preset, firstBuys: FirstBuyRules): Known {
  const kinds = new Map<string, WalletKind>()
  for (const { address } of preset.exchanges) kinds.set(address, 'exchange')
  for (const { address } of preset.lockers) kinds.set(address, 'locker')
  for (const address of [...preset.burnAddresses, ZERO_ADDRESS]) kinds.set(address, 'burned')
  return {
    firstBuys,
    wrappedNative: preset.wrappedNative,
    minPoolDepthUsd: preset.minPoolDepthUsd,
    quoteRank: new Map([...preset.stablecoins, preset.wrappedNative].map((address, rank) => [address, rank])),
    stablecoins: new Set(preset.stablecoins),
    burn: new Set(preset.burnAddresses.filter((address) => address !== ZERO_ADDRESS)),
    factories: new Map(preset.factories.map(({ address, kind, launchpad }) => [address, { kind, launchpad }])),
    kinds,
    positionManagers: new Set(preset.factories.flatMap(({ positions }) => positions ?? [])),
  }
}

/** Rows that stay in memory between batches. */
export interface RowStore {
  tokens: Cache<TokenRecord>
  pools: Cache<PoolRecord>
  wallets: Cache<WalletRecord>
  positions: PairCache<PositionRecord>
  /** Locks by locker and `lockGroup`, always all of a group. */
  locks: PairCache<TokenLockRecord[]>
  /** The newest five minutes and the newest hour of each token, day of each pool and week of each wallet. */
  fiveMinutes: Cache<CandleRecord>
  hours: Cache<CandleRecord>
  days: Cache<PoolDayRecord>
  weeks: Cache<WalletWeekRecord>
  /** The ids of the pools in which a token is the base; complete for each token in it. */
  poolsOfBase: Cache<number[]>
  /** Addresses that look like pools but that no factory confirms. */
  refused: Set<string>
  /** How many rotations may have dropped rows. */
  rotations: number
}

// Rows per generation. There are at most two generations: about 50 MB when all are full.
const TOKENS = 8_000
const POOLS = 6_000
const WALLETS = 15_000
const POSITIONS = 25_000
const LOCK_GROUPS = 2_000

export function createStore(): RowStore {
  return {
    tokens: createCache(TOKENS),
    pools: createCache(POOLS),
    wallets: createCache(WALLETS),
    positions: createPairCache(POSITIONS),
    locks: createPairCache(LOCK_GROUPS),
    fiveMinutes: createCache(TOKENS),
    hours: createCache(TOKENS),
    days: createCache(POOLS),
    weeks: createCache(WALLETS),
    poolsOfBase: createCache(TOKENS),
    refused: new Set(),
    rotations: 0,
  }
}

const partsOf = ({
  tokens,
  pools,
  wallets,
  positions,
  locks,
  fiveMinutes,
  hours,
  days,
  weeks,
  poolsOfBase,
}: RowStore) => [tokens, pools, wallets, positions, locks, fiveMinutes, hours, days, weeks, poolsOfBase] as const

/** How many refused addresses are remembered. */
const REFUSED = 20_000

/** Drops rows that have not been used for a while; call it between batches. The few quote tokens always stay. */
export function rotate(store: RowStore, known: Known): void {
  const rotated = partsOf(store).map((part) => part.rotate())
  if (rotated.includes(true)) store.rotations += 1
  for (const address of known.quoteRank.keys()) store.tokens.find(address)
  if (store.refused.size > REFUSED) store.refused.clear()
}

/** What was read from the chain for the current batch. */
export interface Learnt {
  /** Confirmed pools that none of our logs announced. */
  pools: Map<string, PoolMetadata>
  tokens: Map<string, TokenMetadata & { openingSupply: bigint }>
  /** Opening balances by `holdingKey`. */
  openings: Map<string, bigint>
}

/** What leaves the trailing windows during the batch. */
export interface Leaving {
  volume: Queue
  holders: Queue
}

/** Oldest first; `next` is the index of the first that has not left. */
export interface Queue {
  leavers: Leaver[]
  next: number
}

/**
 * An amount that leaves a window when its time is over: micro-dollars of a token's volume, or a change of its holder
 * count.
 */
export interface Leaver {
  tokenId: number
  time: number
  amount: bigint
}

/** What the current blocks changed. */
export interface Changes {
  tokens: Set<TokenRecord>
  pools: Set<PoolRecord>
  wallets: Set<WalletRecord>
  positions: Set<PositionRecord>
  fiveMinutes: Set<CandleRecord>
  hours: Set<CandleRecord>
  days: Set<PoolDayRecord>
  weeks: Set<WalletWeekRecord>
  events: Sheet<EventRecord>
  tokenBlocks: TokenBlockRecord[]
  links: Map<string, LinkRecord>
  locks: Set<TokenLockRecord>
  /** Tokens and wallets whose scores must be recomputed. */
  dueTokens: Set<number>
  dueWallets: Set<number>
  /** Share tokens that were transferred or locked: the scores of their pools' tokens must be recomputed. */
  dueShares: Set<number>
}

/** No changes yet; `events` collects the events of the current blocks. */
export const newChanges = (events: Sheet<EventRecord>): Changes => ({
  tokens: new Set(),
  pools: new Set(),
  wallets: new Set(),
  positions: new Set(),
  fiveMinutes: new Set(),
  hours: new Set(),
  days: new Set(),
  weeks: new Set(),
  events,
  tokenBlocks: [],
  links: new Map(),
  locks: new Set(),
  dueTokens: new Set(),
  dueWallets: new Set(),
  dueShares: new Set(),
})

/** The working set of one batch. */
export interface Work {
  known: Known
  store: RowStore
  found: Learnt
  /** Pools that factory logs have announced so far. */
  announced: Set<string>
  leaving: Leaving
  changes: Changes
  /** The wallets of each token that may become indexed in this batch. */
  holders: Map<number, number[]>
  /** The block being applied; its counters continue from block to block. */
  block: BlockRecord
  /** What the block being applied did to each token. */
  effects: Map<TokenRecord, Effect>
}

/** What a block did to a token. */
export interface Effect {
  volumeMicroUsd: bigint
  holderDelta: number
  buyCount: number
  sellCount: number
  /** The candles that the block falls into; null: not needed so far. */
  candles: readonly CandleRecord[] | null
}

/** One key for a token's and a holder's address. */
export const holdingKey = (token: string, holder: string): string => token + holder

/** Groups a locker's locks: by lock id, or by token if the locker has no ids. */
export const lockGroup = (number: number | null, tokenId: number): number => number ?? -tokenId

/** Returns a row that must be in the working set; throws if it is not, which is a bug. */
export function need<Row>(row: Row | undefined, what: string, key: number | string): Row {
  if (row === undefined) throw new Error(`${what} ${key} is not in the working set`)
  return row
}

export const tokenOf = (work: Work, id: number): TokenRecord => need(work.store.tokens.get(id), 'token', id)
export const poolOf = (work: Work, id: number): PoolRecord => need(work.store.pools.get(id), 'pool', id)
export const walletOf = (work: Work, id: number): WalletRecord => need(work.store.wallets.get(id), 'wallet', id)

/** `updatedBlock` of a new row until it is marked as changed. */
export const UNTOUCHED = -1

/** Marks a token as changed by the current block. A row that this block has marked is in its changes already. */
export function touchToken(work: Work, token: TokenRecord): void {
  if (token.updatedBlock === work.block.number) return
  token.updatedBlock = work.block.number
  work.changes.tokens.add(token)
  if (token.indexed) work.changes.dueTokens.add(token.id)
}

/** Marks a wallet as changed by the current block. */
export function touchWallet(work: Work, wallet: WalletRecord): void {
  if (wallet.updatedBlock === work.block.number) return
  wallet.updatedBlock = work.block.number
  wallet.updatedAt = work.block.time
  work.changes.wallets.add(wallet)
  if (wallet.indexed) work.changes.dueWallets.add(wallet.id)
}

/** Marks a position as changed by the current block. */
export function touchPosition(work: Work, position: PositionRecord): void {
  position.lastAt = work.block.time
  work.changes.positions.add(position)
}

/** The block's effect on a token, in which what follows from it is added up until the block ends. */
export function effectOn(work: Work, token: TokenRecord): Effect {
  const known = work.effects.get(token)
  if (known) return known
  const effect: Effect = { volumeMicroUsd: 0n, holderDelta: 0, buyCount: 0, sellCount: 0, candles: null }
  work.effects.set(token, effect)
  return effect
}
