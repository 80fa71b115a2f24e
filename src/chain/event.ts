// The output of the station `chain`: blocks with decoded logs, in chain order, and the three steps a follower yields.
import type { Address, Hash } from '../base/address.ts'

interface Place {
  /** The contract that emitted the log. */
  address: Address
  /** Position of the log in its block. */
  logIndex: number
  txHash: Hash
}

/** The kinds of exchanges whose factories or managers a preset can name. */
export const VENUES = [
  'v2',
  'v3',
  'solidly',
  'solidly_v1',
  'slipstream',
  'algebra',
  'v4',
  'infinity',
  'infinity_bin',
  'curve',
  'balancer_v2',
  'balancer_v3',
  'fluid',
  'lfj',
  'maverick',
  'four_meme',
  'flap',
  'virtuals',
  'zora',
  'clanker',
  'doppler',
  'flaunch',
] as const
export type Venue = (typeof VENUES)[number]

/**
 * The kinds of pools that the ledger distinguishes. `v2` is its own share token and logs its reserves. `v3` holds its
 * tokens and has liquidity in ranges. `v4` has ranges too, is known by 32 bytes, and a manager holds its tokens.
 * `coins` has another formula; its price is that of the last trade. `curve` is a launch venue's sale of a token until
 * it graduates.
 */
export type PoolKind = 'v2' | 'v3' | 'v4' | 'coins' | 'curve'

/** A decoded log. Amounts are raw integers; 256-bit ones stay bigint. */
export type DecodedLog = Place &
  (
    | { kind: 'transfer'; from: Address; to: Address; amount: bigint }
    | { kind: 'deposit'; to: Address; amount: bigint }
    | { kind: 'withdrawal'; from: Address; amount: bigint }
    | { kind: 'v2_mint'; amount0: bigint; amount1: bigint }
    | { kind: 'v2_burn'; to: Address; amount0: bigint; amount1: bigint }
    | { kind: 'v2_swap'; to: Address; amount0In: bigint; amount1In: bigint; amount0Out: bigint; amount1Out: bigint }
    | { kind: 'v2_sync'; reserve0: bigint; reserve1: bigint }
    /** A factory made a pool. The fee is in hundredths of a basis point; null where it changes. */
    | {
        kind: 'pool_opened'
        venue: Venue
        token0: Address
        token1: Address
        fee: number | null
        stable: boolean
        pool: Address
      }
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
    /** A manager opened a pool. The native coin is the zero address. */
    | {
        kind: 'v4_initialize'
        /** The 32 bytes by which the manager knows the pool; they replace a pool's address. */
        pool: Address
        token0: Address
        token1: Address
        fee: number
        tickSpacing: number
        hooks: Address
        /** The rights of the hooks, one bit each, in the order of the venue. */
        rights: number
        sqrtPriceX96: bigint
      }
    /** A position's liquidity changed; `salt` is the position's number where `sender` is a position manager. */
    | {
        kind: 'v4_modify'
        pool: Address
        sender: Address
        tickLower: number
        tickUpper: number
        liquidity: bigint
        salt: bigint
      }
    /** Signed from the pool's side, as in `v3_swap`. `fee` is what this swap paid, in hundredths of a basis point. */
    | {
        kind: 'v4_swap'
        pool: Address
        sender: Address
        amount0: bigint
        amount1: bigint
        sqrtPriceX96: bigint
        liquidity: bigint
        tick: number
        fee: number
      }
    /** A pool with its coins, of which it may have more than two. */
    | { kind: 'coins_listed'; venue: Venue; pool: Address; coins: Address[] }
    /**
     * A trade that names what it sold and bought: by address, or by place among the pool's coins. `isUnderlying`: by place
     * among the coins of the pool whose shares this pool trades. Without `pool` it is the contract that logged.
     */
    | {
        kind: 'coins_swap'
        pool: Address | null
        coinIn: number | null
        coinOut: number | null
        tokenIn: Address | null
        tokenOut: Address | null
        amountIn: bigint
        amountOut: bigint
        /** The part of `amountIn` that was the fee; null if the log does not have it. */
        fee: bigint | null
        isUnderlying: boolean
      }
    /** What went into a pool, below zero: left it, of each of its coins, in their order unless `coins` names them. */
    | {
        kind: 'coins_change'
        pool: Address | null
        provider: Address
        coins: Address[]
        amounts: bigint[]
        fees: bigint[]
      }
    /** A launch venue put a token up for sale; `creator` is who asked for it. */
    | { kind: 'curve_opened'; token: Address; creator: Address }
    /** It sold or bought back. `paid`: what the trader paid or got; `price`: after it, of a whole token, times 10^18. */
    | {
        kind: 'curve_trade'
        token: Address
        trader: Address
        isBuy: boolean
        amount: bigint
        paid: bigint
        price: bigint
        /** The tokens left for sale, and the amount raised; null if the log does not have it. */
        left: bigint | null
        raised: bigint | null
      }
    /** The sale ended: the token goes on at an exchange. */
    | { kind: 'curve_closed'; token: Address }
    /** A launch venue put a token up for sale at a pair of its own; the pair tells its reserves, which are nobody's money, and its swaps. */
    | { kind: 'pair_launched'; token: Address; pool: Address }
    | { kind: 'pair_reserves'; reserve0: bigint; reserve1: bigint }
    | { kind: 'pair_swap'; amount0In: bigint; amount0Out: bigint; amount1In: bigint; amount1Out: bigint }
    /** The sale at such a pair ended. */
    | { kind: 'pair_closed'; token: Address }
    /** A launch venue made a token. `creator`: who asked for it; `keeper`: the contract that holds its liquidity; null where the log does not say. */
    | { kind: 'launched'; token: Address; creator: Address | null; keeper: Address | null }
    /** The token that logs this has its liquidity in another pool from now on. */
    | { kind: 'launch_moved'; pool: Address; keeper: Address }
    /** Who logs this keeps its liquidity of a token, or of a pool, until a time. */
    | { kind: 'launch_locked'; of: Address; endsAt: number }
    /** A position token changed hands; the zero address mints and burns. */
    | { kind: 'position_moved'; number: number; from: Address; to: Address }
    /** The liquidity of a position token grew, below zero: shrank. It stands after the pool's own log. */
    | { kind: 'position_changed'; number: number; liquidity: bigint }
    /** What a position's owner was paid out: its fees, and what was removed before and not paid out yet. */
    | { kind: 'position_collected'; number: number; amount0: bigint; amount1: bigint }
    /** The contract holds a position token for its owner, who can take it back at any time. */
    | { kind: 'position_staked'; number: number; owner: Address }
    /** A gauge holds so many shares for their owner, or gave them back. */
    | { kind: 'shares_staked'; owner: Address; amount: bigint }
    | { kind: 'shares_unstaked'; owner: Address; amount: bigint }
    /** The logs before it, up to the last such log, belong to an ERC-4337 operation of this sender. */
    | { kind: 'user_operation'; sender: Address }
    /** A settlement filled an order of this owner. */
    | { kind: 'settled'; owner: Address; sold: Address; bought: Address }
    /** An order was filled by whoever took it; `owner` is null where the log does not say whose it was. */
    | { kind: 'filled'; owner: Address | null }
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

/** A log of a launch venue. */
export type CurveLog = LogOf<'curve_opened' | 'curve_trade' | 'curve_closed'>

/** Whether a launch venue emitted the log. */
export const isCurveLog = (log: DecodedLog): log is CurveLog => log.kind.startsWith('curve_')

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
 * A step of the follower. Inside the unfinalised window each block's parent hash is the hash of the block before it.
 * Below the window, blocks without logs may be left out.
 */
export type Step =
  /** Append these blocks in order. `head` is the source's newest block, `finalized` its newest final block. */
  | { kind: 'append'; blocks: ChainBlock[]; head: number; finalized: number }
  /** The blocks after `to` are no longer on the chain. */
  | { kind: 'rollback'; to: BlockRef }
  /** Blocks up to `number` can no longer be rolled back. */
  | { kind: 'finalise'; number: number; head: number }
