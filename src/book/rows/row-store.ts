// The rows that stay in memory between batches, in caches of bounded size.
import { type Cache, createCache, createPairCache, type PairCache } from './cache.ts'
import type { Known } from './known.ts'
import type {
  CandleRecord,
  PoolDayRecord,
  PoolRecord,
  PositionRecord,
  PositionTokenRecord,
  StakeRecord,
  TokenLockRecord,
  TokenRecord,
  WalletDayRecord,
  WalletRecord,
  WalletWeekRecord,
} from './rows.ts'

/** Rows that stay in memory between batches. */
export interface RowStore {
  tokens: Cache<TokenRecord>
  pools: Cache<PoolRecord>
  wallets: Cache<WalletRecord>
  positions: PairCache<PositionRecord>
  /** Locks by locker and `lockGroup`, always all of a group. */
  locks: PairCache<TokenLockRecord[]>
  /** Position tokens by manager and number. */
  positionTokens: PairCache<PositionTokenRecord>
  /** Stakes by gauge and owner, always all of both. */
  stakes: PairCache<StakeRecord[]>
  /** The newest minute, five minutes and hour of each token, day of each pool, week and day of each wallet. */
  minutes: Cache<CandleRecord>
  fiveMinutes: Cache<CandleRecord>
  hours: Cache<CandleRecord>
  days: Cache<PoolDayRecord>
  weeks: Cache<WalletWeekRecord>
  walletDays: Cache<WalletDayRecord>
  /** The ids of the pools in which a token is the base; complete for each token in it. */
  poolsOfBase: Cache<number[]>
  /** Addresses that look like pools but that no factory confirms. */
  refused: Set<string>
  /** The number of rotations that may have dropped rows. */
  rotations: number
}

// Rows per generation. There are at most two generations: about 50 MB when all are full.
const TOKENS = 8_000
const POOLS = 6_000
const WALLETS = 15_000
const POSITIONS = 25_000
const LOCK_GROUPS = 2_000
const POSITION_TOKENS = 5_000
const STAKES = 2_000

export function createStore(): RowStore {
  return {
    tokens: createCache(TOKENS),
    pools: createCache(POOLS),
    wallets: createCache(WALLETS),
    positions: createPairCache(POSITIONS),
    locks: createPairCache(LOCK_GROUPS),
    positionTokens: createPairCache(POSITION_TOKENS),
    stakes: createPairCache(STAKES),
    minutes: createCache(TOKENS),
    fiveMinutes: createCache(TOKENS),
    hours: createCache(TOKENS),
    days: createCache(POOLS),
    weeks: createCache(WALLETS),
    walletDays: createCache(WALLETS),
    poolsOfBase: createCache(TOKENS),
    refused: new Set(),
    rotations: 0,
  }
}

/** The number of refused addresses that are remembered. */
const REFUSED = 20_000

/** Drops rows that have not been used for a while; call it between batches. The few quote tokens and `units` always stay. */
export function rotate(store: RowStore, known: Known, units: readonly number[]): void {
  let hasDropped = false
  for (const part of Object.values(store)) {
    if (typeof part === 'object' && 'rotate' in part && part.rotate()) hasDropped = true
  }
  if (hasDropped) store.rotations += 1
  for (const address of known.quoteRank.keys()) store.tokens.find(address)
  for (const id of units) store.tokens.get(id)
  if (store.refused.size > REFUSED) store.refused.clear()
}
