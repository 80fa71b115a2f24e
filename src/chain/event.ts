// The output of the station `chain`: blocks with decoded logs, in chain order, and the three steps a follower yields.

import type { Address, Hash } from '../base/address.ts'
import { keysOf } from '../base/keys-of.ts'

type Place = {
  /** The contract that emitted the log. */
  address: Address
  /** Position of the log in its block. */
  logIndex: number
  txHash: Hash
}

/**
 * The kinds of pools that the ledger distinguishes. `v2` is its own share token and logs its reserves. `v3` holds its
 * tokens and has liquidity in ranges. `v4` has ranges too, is known by 32 bytes, and a manager holds its tokens.
 * `coins` has another formula; its price is that of the last trade. `curve` is a launch venue's sale of a token until
 * it graduates.
 */
export type PoolKind = 'v2' | 'v3' | 'v4' | 'coins' | 'curve'

/** The kinds of values in a log. */
interface LogValues {
  address: Address
  addressOrNull: Address | null
  addresses: Address[]
  integer: bigint
  integerOrNull: bigint | null
  integers: bigint[]
  number: number
  numberOrNull: number | null
  boolean: boolean
}
export type LogValue = keyof LogValues

/** A position's change in a pool with ranges. */
const V3_CHANGE = {
  owner: 'address',
  tickLower: 'number',
  tickUpper: 'number',
  liquidity: 'integer',
  amount0: 'integer',
  amount1: 'integer',
} as const

/** The fields of each kind of log, in the order in which columns hold them. The name of a swap ends with `_swap`. */
export const LOG_FIELDS = {
  transfer: { from: 'address', to: 'address', amount: 'integer' },
  deposit: { to: 'address', amount: 'integer' },
  withdrawal: { from: 'address', amount: 'integer' },
  /** A payment in the native coin that the chain itself logs; internal ones too. */
  native_transfer: { from: 'address', to: 'address', amount: 'integer' },
  /** A Transfer that pays a transaction's fee; the book makes it of one with a fee collector. */
  fee_paid: { from: 'address', to: 'address', amount: 'integer' },
  /** A factory made a pool. The fee is in hundredths of a basis point; null where it changes. */
  pool_opened: {
    token0: 'address',
    token1: 'address',
    fee: 'numberOrNull',
    stable: 'boolean',
    pool: 'address',
  },
  v2_mint: { amount0: 'integer', amount1: 'integer' },
  v2_burn: { to: 'address', amount0: 'integer', amount1: 'integer' },
  v2_swap: {
    to: 'address',
    amount0In: 'integer',
    amount1In: 'integer',
    amount0Out: 'integer',
    amount1Out: 'integer',
  },
  v2_sync: { reserve0: 'integer', reserve1: 'integer' },
  v3_initialize: { sqrtPriceX96: 'integer', tick: 'number' },
  v3_mint: V3_CHANGE,
  v3_burn: V3_CHANGE,
  /** Signed from the pool's side: a positive amount flowed into the pool. */
  v3_swap: {
    amount0: 'integer',
    amount1: 'integer',
    sqrtPriceX96: 'integer',
    liquidity: 'integer',
    tick: 'number',
  },
  /** A manager opened a pool. The native coin is the zero address. */
  v4_initialize: {
    /** The 32 bytes by which the manager knows the pool; they replace a pool's address. */
    pool: 'address',
    token0: 'address',
    token1: 'address',
    fee: 'number',
    tickSpacing: 'number',
    hooks: 'address',
    /** The rights of the hooks, one bit each, in the order of the venue. */
    rights: 'number',
    sqrtPriceX96: 'integer',
  },
  /** A position's liquidity changed; `salt` is the position's number where `sender` is a position manager. */
  v4_modify: {
    pool: 'address',
    sender: 'address',
    tickLower: 'number',
    tickUpper: 'number',
    liquidity: 'integer',
    salt: 'integer',
  },
  /** Signed from the pool's side, as in `v3_swap`. `fee` is what this swap paid, in hundredths of a basis point. */
  v4_swap: {
    pool: 'address',
    sender: 'address',
    amount0: 'integer',
    amount1: 'integer',
    sqrtPriceX96: 'integer',
    liquidity: 'integer',
    tick: 'number',
    fee: 'number',
  },
  /** A pool with its coins, two or more. */
  coins_listed: { pool: 'address', coins: 'addresses' },
  /**
   * A trade that names its sold and bought coins: by address, or by number among the pool's coins. `isUnderlying`: by
   * number among the coins of the pool whose shares this pool trades. Without `pool` the emitter is the pool.
   */
  coins_swap: {
    pool: 'addressOrNull',
    coinIn: 'numberOrNull',
    coinOut: 'numberOrNull',
    tokenIn: 'addressOrNull',
    tokenOut: 'addressOrNull',
    amountIn: 'integer',
    amountOut: 'integer',
    /** The part of `amountIn` that was the fee; null if the log does not have it. */
    fee: 'integerOrNull',
    isUnderlying: 'boolean',
  },
  /**
   * Somebody gave shares back for one coin. The log does not say which number is the coin's amount: transfers do.
   */
  coins_taken: { provider: 'address', numbers: 'integers' },
  /**
   * A wrapper (its shares are `address`) gave one token for the other in the middle of a route. No log says it:
   * transfers do.
   */
  converted: { tokenIn: 'address', tokenOut: 'address', amountIn: 'integer', amountOut: 'integer' },
  /** What went into a pool, below zero: left it, of each of its coins, in their order unless `coins` names them. */
  coins_change: {
    pool: 'addressOrNull',
    provider: 'address',
    coins: 'addresses',
    fees: 'integers',
    amounts: 'integers',
  },
  /** A launch venue put a token up for sale; `creator` is who asked for it. */
  curve_opened: { token: 'address', creator: 'address' },
  /**
   * A purchase or a sale back. `paid`: the amount that the trader paid or received; `price`: after it, of a whole
   * token, times 10^18.
   */
  curve_swap: {
    token: 'address',
    trader: 'address',
    isBuy: 'boolean',
    amount: 'integer',
    paid: 'integer',
    price: 'integer',
    /** The tokens left for sale, and the amount raised; null if the log does not have it. */
    left: 'integerOrNull',
    raised: 'integerOrNull',
  },
  /** The sale ended: the token goes on at an exchange. */
  curve_closed: { token: 'address' },
  /**
   * A launch venue put a token up for sale at its own pair. The pair logs its swaps and its reserves, which are virtual
   * at first.
   */
  pair_launched: { token: 'address', pool: 'address' },
  pair_reserves: { reserve0: 'integer', reserve1: 'integer' },
  pair_swap: { amount0In: 'integer', amount0Out: 'integer', amount1In: 'integer', amount1Out: 'integer' },
  /** The sale at such a pair ended. */
  pair_closed: { token: 'address' },
  /** A launch venue made a token. `creator`: who asked for it; `keeper`: the contract that holds its liquidity; null where the log does not say. */
  launched: { token: 'address', creator: 'addressOrNull', keeper: 'addressOrNull' },
  /** The token that logs this has its liquidity in another pool from now on. */
  launch_moved: { pool: 'address', keeper: 'address' },
  /** Who logs this keeps its liquidity of a token, or of a pool, until a time. */
  launch_locked: { of: 'address', endsAt: 'number' },
  /** A position token changed hands; the zero address mints and burns. */
  position_moved: { number: 'number', from: 'address', to: 'address' },
  /** The liquidity of a position token grew, below zero: shrank. It stands after the pool's own log. */
  position_changed: { number: 'number', liquidity: 'integer' },
  /** A payment to a position's owner: its fees, and removals that were not paid out before. */
  position_collected: { number: 'number', amount0: 'integer', amount1: 'integer' },
  /** The contract holds a position token for its owner, who can take it back at any time. */
  position_staked: { number: 'number', owner: 'address' },
  /** A gauge holds so many shares for their owner, or gave them back. */
  shares_staked: { owner: 'address', amount: 'integer' },
  shares_unstaked: { owner: 'address', amount: 'integer' },
  /** The logs before it, up to the last such log, belong to an operation that this account signed and another sent. */
  user_operation: { sender: 'address' },
  /** The contract that executes operations has validated them all. The logs before it are of no operation in particular. */
  operations_begin: {},
  /** A forwarder sent on the request of this account (ERC-2771). The logs before it belong to the request. */
  forwarded: { signer: 'address' },
  /** A settlement filled an order of this owner. */
  settled: {
    owner: 'address',
    sold: 'address',
    bought: 'address',
    soldAmount: 'integer',
    boughtAmount: 'integer',
  },
  /** An order was filled by whoever took it; `owner` is null where the log does not say whose it was. */
  filled: { owner: 'addressOrNull' },
  /** A router paid the received token out to this account, in the native coin too, which no transfer shows. */
  routed: { receiver: 'address' },
  /** The full state of a lock from now on. `number` is the locker's own id; `endsAt` is in seconds since 1970. */
  lock_set: { number: 'number', token: 'address', owner: 'address', amount: 'integer', endsAt: 'number' },
  /** The fields of a lock that changed; null means unchanged. */
  lock_changed: { number: 'number', owner: 'addressOrNull', amount: 'integerOrNull', endsAt: 'numberOrNull' },
  /** This amount left the lock. */
  lock_reduced: { number: 'number', amount: 'integer' },
  /** An amount locked until a time, by a locker that gives its locks no number. */
  lock_added: { token: 'address', owner: 'address', amount: 'integer', endsAt: 'number' },
  /** An amount withdrawn from such locks, which had ended. */
  lock_taken: { token: 'address', amount: 'integer' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, LogValue>>>>

export type LogKind = keyof typeof LOG_FIELDS
/** The kinds of logs. The columns store the index of a kind. */
export const LOG_KINDS = keysOf(LOG_FIELDS)

/** The fields of a kind's own. */
export type LogFields<Kind extends LogKind> = {
  -readonly [Name in keyof (typeof LOG_FIELDS)[Kind]]: (typeof LOG_FIELDS)[Kind][Name] extends LogValue
    ? LogValues[(typeof LOG_FIELDS)[Kind][Name]]
    : never
}
type LogsByKind = { [Kind in LogKind]: Place & { kind: Kind } & LogFields<Kind> }
export type LogOf<Kind extends LogKind> = LogsByKind[Kind]
/** A decoded log. Amounts are raw integers; 256-bit ones stay bigint. */
export type DecodedLog = LogOf<LogKind>

/** A log that a locker emits. */
export type LockLog = LogOf<'lock_set' | 'lock_changed' | 'lock_reduced' | 'lock_added' | 'lock_taken'>

/** A log of a launch venue. */
export type CurveLog = LogOf<'curve_opened' | 'curve_swap' | 'curve_closed'>

/** A payment in the native coin. */
export interface NativePayment {
  from: Address
  to: Address
  /** Wei. */
  amount: bigint
}

/** A transaction that has decoded logs or traced payments, or is a plain transfer of the native coin. */
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
  /** Its own payment and those inside, in order, where a node's traces told them; never where the chain logs payments. */
  payments?: readonly NativePayment[]
}

/** A transaction with call data. */
export interface CalledContract {
  from: Address
  to: Address
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
  /** Transactions with decoded logs or traced payments, and plain transfers of more than 0 wei, in block order. */
  transactions: Transaction[]
  /** Calls of contracts, whether they logged anything or not; only of blocks at the head. */
  calls?: readonly CalledContract[]
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
  /** Nothing is new at the head. */
  | { kind: 'rest' }
