// The output of the station `chain`: blocks with decoded logs, in chain order, and the three steps a follower yields.
import type { Address, Hash } from '../base/address.ts'

interface Place {
  /** The contract that emitted the log. */
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
    /** Signed from the pool's side: a positive amount flowed into the pool. */
    | { kind: 'v3_swap'; amount0: bigint; amount1: bigint; sqrtPriceX96: bigint; liquidity: bigint; tick: number }
    /** The full state of a lock from now on. `number` is the locker's own id; `endsAt` is in seconds since 1970. */
    | { kind: 'lock_set'; number: number; token: Address; owner: Address; amount: bigint; endsAt: number }
    /** The fields of a lock that changed; null means unchanged. */
    | { kind: 'lock_changed'; number: number; owner: Address | null; amount: bigint | null; endsAt: number | null }
    /** This amount left the lock. */
    | { kind: 'lock_reduced'; number: number; amount: bigint }
    /** An amount locked until a time, by a locker that gives its locks no number. */
    | { kind: 'lock_added'; token: Address; owner: Address; amount: bigint; endsAt: number }
    /** An amount withdrawn from such locks, which had ended. */
    | { kind: 'lock_taken'; token: Address; amount: bigint }
  )

export type LogKind = DecodedLog['kind']
export type LogOf<K extends LogKind> = Extract<DecodedLog, { kind: K }>
/** A log that a locker emits. */
export type LockLog = LogOf<'lock_set' | 'lock_changed' | 'lock_reduced' | 'lock_added' | 'lock_taken'>

/** Whether a locker emitted the log. */
export const isLockLog = (log: DecodedLog): log is LockLog => log.kind.startsWith('lock_')

/** A transaction that has decoded logs or is a plain transfer of the native coin. */
export interface Transaction {
  hash: Hash
  index: number
  from: Address
  /** Null when the transaction deployed a contract. */
  to: Address | null
  /** Wei. */
  value: bigint
  /** The transaction has no call data: it only sent the native coin. */
  plain: boolean
}

/** A block, by number and hash. */
export interface BlockRef {
  number: number
  hash: Hash
}

/** One block with everything that Assay reads from it. */
export interface ChainBlock extends BlockRef {
  parentHash: Hash
  /** Seconds since 1970. */
  time: number
  /** Transactions with decoded logs, and plain transfers of more than 0 wei, in block order. */
  transactions: Transaction[]
  /** In log index order. */
  logs: DecodedLog[]
}

/**
 * What a follower yields. Inside the unfinalised window each block's parent hash is the hash of the block before it;
 * below the window, blocks without logs may be left out.
 */
export type Step =
  /** Append these blocks in order. `head` is the source's newest block, `finalized` its newest final block. */
  | { kind: 'append'; blocks: ChainBlock[]; head: number; finalized: number }
  /** The blocks after `to` are no longer on the chain. */
  | { kind: 'rollback'; to: BlockRef }
  /** Blocks up to `number` can no longer be rolled back. */
  | { kind: 'finalise'; number: number; head: number }
