// The changes of a batch of blocks, to be written into the tables.
import type { Sheet } from '../../database/binary-arrays.ts'
import type {
  CandleRecord,
  EventRecord,
  LaunchRecord,
  LinkRecord,
  PoolDayRecord,
  PoolRecord,
  PositionRecord,
  PositionTokenRecord,
  StakeRecord,
  TokenBlockRecord,
  TokenLockRecord,
  TokenRecord,
  WalletDayRecord,
  WalletRecord,
  WalletWeekRecord,
} from './rows.ts'

/** The changes of the current blocks. */
export interface Changes {
  tokens: Set<TokenRecord>
  pools: Set<PoolRecord>
  wallets: Set<WalletRecord>
  positions: Set<PositionRecord>
  minutes: Set<CandleRecord>
  fiveMinutes: Set<CandleRecord>
  hours: Set<CandleRecord>
  days: Set<PoolDayRecord>
  weeks: Set<WalletWeekRecord>
  walletDays: Set<WalletDayRecord>
  events: Sheet<EventRecord>
  tokenBlocks: TokenBlockRecord[]
  links: Map<string, LinkRecord>
  locks: Set<TokenLockRecord>
  positionTokens: Set<PositionTokenRecord>
  stakes: Set<StakeRecord>
  launches: Set<LaunchRecord>
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
  minutes: new Set(),
  fiveMinutes: new Set(),
  hours: new Set(),
  days: new Set(),
  weeks: new Set(),
  walletDays: new Set(),
  events,
  tokenBlocks: [],
  links: new Map(),
  locks: new Set(),
  positionTokens: new Set(),
  stakes: new Set(),
  launches: new Set(),
  dueTokens: new Set(),
  dueWallets: new Set(),
  dueShares: new Set(),
})
