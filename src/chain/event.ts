// What the station `chain` hands on: blocks with decoded logs, in chain order, and the three things a follower says.
import type { Address, Hash } from '../base/address.ts'

interface Place {
  /** The contract that wrote the log. */
  address: Address
  /** Position of the log in its block. */
  logIndex: number
  txHash: Hash
}

/** A log that Assay understands. Amounts are raw integers; 256-bit ones stay bigint. */
export type DecodedLog = Place &
  (
    | { kind: 'transfer'; from: Address; to: Address; amount: bigint }
    | { kind: 'deposit'; to: Address; amount: bigint }
    | { kind: 'withdrawal'; from: Address; amount: bigint }
    | { kind: 'pair_created'; token0: Address; token1: Address; pool: Address }
    | { kind: 'v2_mint'; amount0: bigint; amount1: bigint }
    | { kind: 'v2_burn'; to: Address; amount0: bigint; amount1: bigint }
    | { kind: 'v2_swap'; to: Address; amount0In: bigint; amount1In: bigint; amount0Out: bigint; amount1Out: bigint }
    | { kind: 'v2_sync'; reserve0: bigint; reserve1: bigint }
    | { kind: 'pool_created'; token0: Address; token1: Address; fee: number; pool: Address }
    | { kind: 'v3_initialize'; sqrtPriceX96: bigint; tick: number }
    | {
        kind: 'v3_mint'
        owner: Address
        tickLower: number
        tickUpper: number
        liquidity: bigint
        amount0: bigint
        amount1: bigint
      }
    | {
        kind: 'v3_burn'
        owner: Address
        tickLower: number
        tickUpper: number
        liquidity: bigint
        amount0: bigint
        amount1: bigint
      }
    /** Signed from the pool's side: a positive amount went in. */
    | { kind: 'v3_swap'; amount0: bigint; amount1: bigint; sqrtPriceX96: bigint; liquidity: bigint; tick: number }
    /** A locker's lock as it is from here on; `number` is the locker's own, `endsAt` in seconds since 1970. */
    | { kind: 'lock_set'; number: number; token: Address; owner: Address; amount: bigint; endsAt: number }
    /** What became different of a lock; null: as it was. */
    | { kind: 'lock_changed'; number: number; owner: Address | null; amount: bigint | null; endsAt: number | null }
    /** So much left a lock. */
    | { kind: 'lock_reduced'; number: number; amount: bigint }
    /** So much was locked until a time by a locker that numbers no locks; what leaves it had ended. */
    | { kind: 'lock_added'; token: Address; owner: Address; amount: bigint; endsAt: number }
    | { kind: 'lock_taken'; token: Address; amount: bigint }
  )

export type LogKind = DecodedLog['kind']
export type LogOf<K extends LogKind> = Extract<DecodedLog, { kind: K }>
/** What a locker logs. */
export type LockLog = LogOf<'lock_set' | 'lock_changed' | 'lock_reduced' | 'lock_added' | 'lock_taken'>

/** Whether a locker wrote it. */
export const isLockLog = (log: DecodedLog): log is LockLog => log.kind.startsWith('lock_')

/** The transaction behind a log, and plain transfers of the native coin. */
export interface Transaction {
  hash: Hash
  index: number
  from: Address
  /** Null: a contract was deployed. */
  to: Address | null
  /** Wei. */
  value: bigint
  /** No call data: the native coin was sent, and nothing else. */
  plain: boolean
}

/** A place on the chain. */
export interface BlockRef {
  number: number
  hash: Hash
}

/** One block with everything in it that Assay reads. */
export interface ChainBlock extends BlockRef {
  parentHash: Hash
  /** Seconds since 1970. */
  time: number
  /** Those of the block's logs, and plain transfers with a value, in block order. */
  transactions: Transaction[]
  /** In log order. */
  logs: DecodedLog[]
}

/** What a follower says. Blocks are contiguous in parent hashes inside the unfinalised window; before it, blocks without logs may be left out. */
export type Step =
  /** Blocks to append, in order; `head` is the source's newest block and `finalized` the newest that can't be rolled back. */
  | { kind: 'append'; blocks: ChainBlock[]; head: number; finalized: number }
  /** Everything after `to` is no longer on the chain. */
  | { kind: 'rollback'; to: BlockRef }
  /** Blocks up to `number` can no longer be rolled back. */
  | { kind: 'finalise'; number: number; head: number }
