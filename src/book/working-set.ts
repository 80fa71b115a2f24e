// The working set of the writer: every row that the blocks at hand can touch, in memory, and what they changed.
// The pure parts (balance, value, trade ...) read and change it; nothing here asks the database or the chain.
import { type Address, ZERO_ADDRESS } from '../base/address.ts'
import type { WalletKind } from '../base/vocabulary.ts'
import type { PoolMetadata, TokenMetadata } from '../chain/contracts/reader.ts'
import type { Preset } from '../chain/presets/preset.ts'
import type { Sheet } from '../database/binary-arrays.ts'
import { type Cache, createCache, createPairCache, type PairCache } from './cache.ts'
import type {
  BlockRecord,
  EventRecord,
  LinkRecord,
  PoolDayRecord,
  PoolRecord,
  PositionRecord,
  TokenBlockRecord,
  TokenHourRecord,
  TokenLockRecord,
  TokenRecord,
  WalletRecord,
  WalletWeekRecord,
} from './rows.ts'

/** What counts as an early first buy of a token, counted from its first liquidity. */
export interface FirstBuyRules {
  /** Among the first so many buyers, and within so many seconds. */
  early: { buyers: number; seconds: number }
  /** Within so many blocks, or so many seconds. */
  snipe: { blocks: number; seconds: number }
}

/** What the preset says of addresses, as look-ups, and the rules of first buys. */
export interface Known {
  firstBuys: FirstBuyRules
  wrappedNative: Address
  minPoolDepthUsd: number
  /** Quotes with their rank: stablecoins first, the wrapped native last. */
  quoteRank: ReadonlyMap<string, number>
  stablecoins: ReadonlySet<string>
  /** Where burned tokens lie, the zero address left out. */
  burn: ReadonlySet<string>
  factories: ReadonlyMap<string, { kind: 'v2' | 'v3'; launchpad: string }>
  kinds: ReadonlyMap<string, WalletKind>
}

/** The look-ups of a preset. */
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
  }
}

/** Rows that outlive a batch, in memory. */
export interface RowStore {
  tokens: Cache<TokenRecord>
  pools: Cache<PoolRecord>
  wallets: Cache<WalletRecord>
  positions: PairCache<PositionRecord>
  /** Locks by locker and `lockGroup`, all of a group. */
  locks: PairCache<TokenLockRecord[]>
  /** The newest hour of a token, day of a pool, week of a wallet. */
  hours: Cache<TokenHourRecord>
  days: Cache<PoolDayRecord>
  weeks: Cache<WalletWeekRecord>
  /** Identifiers of the pools in which a token is the base; complete for the tokens that it names. */
  poolsOfBase: Cache<number[]>
  /** Addresses that look like pools and that no factory confirms. */
  refused: Set<string>
  /** How often rows may have gone. */
  rotations: number
}

// Rows per generation, two generations at most: about 50 MB when all are full.
const TOKENS = 8_000
const POOLS = 6_000
const WALLETS = 15_000
const POSITIONS = 25_000
const LOCK_GROUPS = 2_000

/** An empty store. */
export function createStore(): RowStore {
  return {
    tokens: createCache(TOKENS),
    pools: createCache(POOLS),
    wallets: createCache(WALLETS),
    positions: createPairCache(POSITIONS),
    locks: createPairCache(LOCK_GROUPS),
    hours: createCache(TOKENS),
    days: createCache(POOLS),
    weeks: createCache(WALLETS),
    poolsOfBase: createCache(TOKENS),
    refused: new Set(),
    rotations: 0,
  }
}

const partsOf = ({ tokens, pools, wallets, positions, locks, hours, days, weeks, poolsOfBase }: RowStore) =>
  [tokens, pools, wallets, positions, locks, hours, days, weeks, poolsOfBase] as const

/** Addresses that were refused are remembered, so many at most. */
const REFUSED = 20_000

/** Between batches: lets go of what the batch before did not use. Quotes are needed always, and few. */
export function rotate(store: RowStore, known: Known): void {
  const rotated = partsOf(store).map((part) => part.rotate())
  if (rotated.includes(true)) store.rotations += 1
  for (const address of known.quoteRank.keys()) store.tokens.find(address)
  if (store.refused.size > REFUSED) store.refused.clear()
}

/** What was learnt from the chain for the batch at hand. */
export interface Learnt {
  /** Confirmed pools that no log of ours announced. */
  pools: Map<string, PoolMetadata>
  tokens: Map<string, TokenMetadata & { openingSupply: bigint }>
  /** Opening balances by `holdingKey`. */
  openings: Map<string, bigint>
}

/** What leaves the trailing windows while the batch's blocks pass. */
export interface Leaving {
  volume: Queue
  holders: Queue
}

/** Oldest first, and how many of them have left. */
export interface Queue {
  leavers: Leaver[]
  next: number
}

/** So much of a token's volume in micro-dollars, or of the change of its holders, leaves a window with the blocks of that time. */
export interface Leaver {
  tokenId: number
  time: number
  amount: bigint
}

/** What the blocks at hand changed. */
export interface Changes {
  tokens: Set<TokenRecord>
  pools: Set<PoolRecord>
  wallets: Set<WalletRecord>
  positions: Set<PositionRecord>
  hours: Set<TokenHourRecord>
  days: Set<PoolDayRecord>
  weeks: Set<WalletWeekRecord>
  events: Sheet<EventRecord>
  tokenBlocks: TokenBlockRecord[]
  links: Map<string, LinkRecord>
  locks: Set<TokenLockRecord>
  /** Tokens and wallets whose score is due. */
  dueTokens: Set<number>
  dueWallets: Set<number>
  /** Shares that changed hands or locks: the tokens of their pools are due. */
  dueShares: Set<number>
}

/** Nothing has changed yet; `events`: where those of the blocks at hand are written down. */
export const newChanges = (events: Sheet<EventRecord>): Changes => ({
  tokens: new Set(),
  pools: new Set(),
  wallets: new Set(),
  positions: new Set(),
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
  /** Addresses that a factory's log has named so far. */
  announced: Set<string>
  leaving: Leaving
  changes: Changes
  /** Wallets of a token that may become indexed in this batch. */
  holders: Map<number, number[]>
  /** The block being applied: its counters run on from block to block. */
  block: BlockRecord
  /** What the block being applied did to each token. */
  effects: Map<TokenRecord, { volumeMicroUsd: bigint; holderDelta: number }>
}

/** One text for a token's and a holder's address. */
export const holdingKey = (token: string, holder: string): string => token + holder

/** A locker's locks are told apart by its number, or, where it gives none, are all those of a token. */
export const lockGroup = (number: number | null, tokenId: number): number => number ?? -tokenId

/** A row that must be in the working set: its absence is a fault of the program. */
export function need<Row>(row: Row | undefined, what: string, key: number | string): Row {
  if (row === undefined) throw new Error(`${what} ${key} is not in the working set`)
  return row
}

export const tokenOf = (work: Work, id: number): TokenRecord => need(work.store.tokens.get(id), 'token', id)
export const poolOf = (work: Work, id: number): PoolRecord => need(work.store.pools.get(id), 'pool', id)
export const walletOf = (work: Work, id: number): WalletRecord => need(work.store.wallets.get(id), 'wallet', id)

/** Marks a token as changed by the block at hand. */
export function touchToken(work: Work, token: TokenRecord): void {
  token.updatedBlock = work.block.number
  work.changes.tokens.add(token)
  if (token.indexed) work.changes.dueTokens.add(token.id)
}

/** Marks a wallet as changed by the block at hand. */
export function touchWallet(work: Work, wallet: WalletRecord): void {
  wallet.updatedBlock = work.block.number
  work.changes.wallets.add(wallet)
  if (wallet.indexed) work.changes.dueWallets.add(wallet.id)
}

/** Marks a position as changed by the block at hand. */
export function touchPosition(work: Work, position: PositionRecord): void {
  position.lastAt = work.block.time
  work.changes.positions.add(position)
}

/** Counts the block's volume and holders of a token. */
export function affect(work: Work, token: TokenRecord, volumeMicroUsd: bigint, holderDelta: number): void {
  const effect = work.effects.get(token)
  if (effect) {
    effect.volumeMicroUsd += volumeMicroUsd
    effect.holderDelta += holderDelta
  } else work.effects.set(token, { volumeMicroUsd, holderDelta })
}
