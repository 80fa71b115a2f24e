// The writer's working set: every row in memory that the current blocks can touch, and their changes. The pure modules
// (balance, prices, trade ...) read and change it; nothing here queries the database or the chain.
import type { PoolMetadata, TokenMetadata } from '../../chain/contracts/reader.ts'
import type { Changes } from './changes.ts'
import type { Known } from './known.ts'
import type { RowStore } from './row-store.ts'
import type { BlockRecord, CandleRecord, PoolRecord, PositionRecord, TokenRecord, WalletRecord } from './rows.ts'

/** The chain's answers for the current batch. */
export interface Learnt {
  /** Confirmed pools that none of our logs announced. */
  pools: Map<string, PoolMetadata>
  /**
   * `openingSupply`: what the contract told beyond the logs of the block that names the token first; null: it told no
   * supply.
   */
  tokens: Map<string, TokenMetadata & { openingSupply: bigint | null }>
  /** Opening balances by `holdingKey`. */
  openings: Map<string, bigint>
  /** Whether called addresses are accounts by their code, from the block on at whose end it was asked. */
  codes: Map<string, { block: number; isAccount: boolean }>
}

/** The amounts that leave the trailing windows during the batch. */
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

/** The working set of one batch. */
export interface Work {
  known: Known
  /** The first block of the index; older blocks have no logs. */
  startBlock: number
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
  /** Tokens whose contracts are read again at the end of the current block. */
  again: Set<TokenRecord>
  /** The changes of each token in the current block. */
  effects: Map<TokenRecord, Effect>
}

/** The changes of a token in a block. */
export interface Effect {
  volumeMicroUsd: bigint
  holderDelta: number
  buyCount: number
  sellCount: number
  /** The parts of the volume that bought and that sold it. */
  buyMicroUsd: bigint
  sellMicroUsd: bigint
  /** The candles of the block's time; null: not needed so far. */
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
  work.changes.positions.add(position)
}

/** The block's changes of a token, in which later effects are added up until the block ends. */
export function effectOn(work: Work, token: TokenRecord): Effect {
  const known = work.effects.get(token)
  if (known) return known
  const effect = newEffect()
  work.effects.set(token, effect)
  return effect
}

/** No change so far. */
export const newEffect = (): Effect => ({
  ...{ volumeMicroUsd: 0n, holderDelta: 0, buyCount: 0, sellCount: 0 },
  ...{ buyMicroUsd: 0n, sellMicroUsd: 0n, candles: null },
})
