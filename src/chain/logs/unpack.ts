// Turns columns into blocks. Input: columns of a packer. Output: blocks with decoded logs. Each kind has its own object
// literal in the order of its shape, so that V8 gives all logs of a kind one hidden class.
import type { Address, Hash } from '../../base/address.ts'
import { type Columns, KINDS, NEGATIVE, NOTHING, type PackedBlocks } from '../columns/columns.ts'
import {
  type ChainBlock,
  type DecodedLog,
  type LogKind,
  type LogOf,
  type Transaction,
  VENUES,
  type Venue,
} from '../event.ts'

const WORD_BITS = 64n

export function unpackBlocks({ blocks, logs }: PackedBlocks): ChainBlock[] {
  const from = new Unpacker(blocks)
  const answers = logs.map((answer) => ({ starts: answer.starts, from: new Unpacker(answer) }))
  return Array.from({ length: from.number() }, () => unpackBlock(from, answers))
}

/** Logs `first` (included) to `last` (not included) of one answer, without those that were not decoded. */
export function unpackLogs(columns: Columns, starts: Starts, first: number, last: number): DecodedLog[] {
  const logs: DecodedLog[] = []
  addLogs(logs, { starts, from: new Unpacker(columns) }, first, last)
  return logs
}

type Starts = Uint32Array | readonly number[]

interface Answer {
  starts: Starts
  from: Unpacker
}

function addLogs(logs: DecodedLog[], { starts, from }: Answer, first: number, last: number): void {
  from.seek(starts[2 * first] as number, starts[2 * first + 1] as number)
  for (let at = first; at < last; at++) {
    if (starts[2 * at] === starts[2 * at + 2]) continue
    const read = READERS[from.number()]
    if (read) logs.push(read(from))
  }
}

function unpackBlock(from: Unpacker, answers: readonly Answer[]): ChainBlock {
  const [number, hash, parentHash, time] = [from.number(), from.hash(), from.hash(), from.number()]
  const logs: DecodedLog[] = []
  for (let left = from.number(); left > 0; left--) {
    const answer = answers[from.number()]
    const [first, last] = [from.number(), from.number()]
    if (answer) addLogs(logs, answer, first, last)
  }
  const transactions: Transaction[] = []
  for (let left = from.number(); left > 0; left--) transactions.push(unpackTransaction(from))
  return { number, hash, parentHash, time, transactions, logs }
}

const unpackTransaction = (from: Unpacker): Transaction => ({
  hash: from.hash(),
  index: from.number(),
  from: from.address(),
  to: from.orNull(() => from.address()),
  value: from.integer(),
  plain: from.number() === 1,
})

const readV3Change =
  <Kind extends 'v3_mint' | 'v3_burn'>(kind: Kind) =>
  (from: Unpacker) => ({
    kind,
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    owner: from.address(),
    tickLower: from.number(),
    tickUpper: from.number(),
    liquidity: from.integer(),
    amount0: from.integer(),
    amount1: from.integer(),
  })

/** Reads a log of each kind, after the number of the kind. */
const READ: { readonly [Kind in LogKind]: (from: Unpacker) => LogOf<Kind> } = {
  transfer: (from) => ({
    kind: 'transfer',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    from: from.address(),
    to: from.address(),
    amount: from.integer(),
  }),
  deposit: (from) => ({
    kind: 'deposit',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    to: from.address(),
    amount: from.integer(),
  }),
  withdrawal: (from) => ({
    kind: 'withdrawal',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    from: from.address(),
    amount: from.integer(),
  }),
  pool_opened: (from) => ({
    kind: 'pool_opened',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    venue: VENUES[from.number()] as Venue,
    token0: from.address(),
    token1: from.address(),
    fee: from.orNull(() => from.number()),
    stable: from.number() === 1,
    pool: from.address(),
  }),
  v2_mint: (from) => ({
    kind: 'v2_mint',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    amount0: from.integer(),
    amount1: from.integer(),
  }),
  v2_burn: (from) => ({
    kind: 'v2_burn',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    to: from.address(),
    amount0: from.integer(),
    amount1: from.integer(),
  }),
  v2_swap: (from) => ({
    kind: 'v2_swap',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    to: from.address(),
    amount0In: from.integer(),
    amount1In: from.integer(),
    amount0Out: from.integer(),
    amount1Out: from.integer(),
  }),
  v2_sync: (from) => ({
    kind: 'v2_sync',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    reserve0: from.integer(),
    reserve1: from.integer(),
  }),
  v3_initialize: (from) => ({
    kind: 'v3_initialize',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    sqrtPriceX96: from.integer(),
    tick: from.number(),
  }),
  v3_mint: readV3Change('v3_mint'),
  v3_burn: readV3Change('v3_burn'),
  v3_swap: (from) => ({
    kind: 'v3_swap',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    amount0: from.integer(),
    amount1: from.integer(),
    sqrtPriceX96: from.integer(),
    liquidity: from.integer(),
    tick: from.number(),
  }),
  v4_initialize: (from) => ({
    kind: 'v4_initialize',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    pool: from.address(),
    token0: from.address(),
    token1: from.address(),
    fee: from.number(),
    tickSpacing: from.number(),
    hooks: from.address(),
    rights: from.number(),
    sqrtPriceX96: from.integer(),
  }),
  v4_modify: (from) => ({
    kind: 'v4_modify',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    pool: from.address(),
    sender: from.address(),
    tickLower: from.number(),
    tickUpper: from.number(),
    liquidity: from.integer(),
    salt: from.integer(),
  }),
  v4_swap: (from) => ({
    kind: 'v4_swap',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    pool: from.address(),
    sender: from.address(),
    amount0: from.integer(),
    amount1: from.integer(),
    sqrtPriceX96: from.integer(),
    liquidity: from.integer(),
    tick: from.number(),
    fee: from.number(),
  }),
  coins_listed: (from) => ({
    kind: 'coins_listed',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    venue: VENUES[from.number()] as Venue,
    pool: from.address(),
    coins: from.list(() => from.address()),
  }),
  coins_swap: (from) => ({
    kind: 'coins_swap',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    pool: from.orNull(() => from.address()),
    coinIn: from.orNull(() => from.number()),
    coinOut: from.orNull(() => from.number()),
    tokenIn: from.orNull(() => from.address()),
    tokenOut: from.orNull(() => from.address()),
    amountIn: from.integer(),
    amountOut: from.integer(),
    fee: from.orNull(() => from.integer()),
    isUnderlying: from.number() === 1,
  }),
  coins_change: (from) => ({
    kind: 'coins_change',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    pool: from.orNull(() => from.address()),
    provider: from.address(),
    coins: from.list(() => from.address()),
    fees: from.list(() => from.integer()),
    amounts: from.list(() => from.integer()),
  }),
  curve_opened: (from) => ({
    kind: 'curve_opened',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    token: from.address(),
    creator: from.address(),
  }),
  curve_trade: (from) => ({
    kind: 'curve_trade',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    token: from.address(),
    trader: from.address(),
    isBuy: from.number() === 1,
    amount: from.integer(),
    paid: from.integer(),
    price: from.integer(),
    left: from.orNull(() => from.integer()),
    raised: from.orNull(() => from.integer()),
  }),
  curve_closed: (from) => ({
    kind: 'curve_closed',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    token: from.address(),
  }),
  pair_launched: (from) => ({
    kind: 'pair_launched',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    token: from.address(),
    pool: from.address(),
  }),
  pair_reserves: (from) => ({
    kind: 'pair_reserves',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    reserve0: from.integer(),
    reserve1: from.integer(),
  }),
  pair_swap: (from) => ({
    kind: 'pair_swap',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    amount0In: from.integer(),
    amount0Out: from.integer(),
    amount1In: from.integer(),
    amount1Out: from.integer(),
  }),
  pair_closed: (from) => ({
    kind: 'pair_closed',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    token: from.address(),
  }),
  launched: (from) => ({
    kind: 'launched',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    token: from.address(),
    creator: from.orNull(() => from.address()),
    keeper: from.orNull(() => from.address()),
  }),
  launch_moved: (from) => ({
    kind: 'launch_moved',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    pool: from.address(),
    keeper: from.address(),
  }),
  launch_locked: (from) => ({
    kind: 'launch_locked',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    of: from.address(),
    endsAt: from.number(),
  }),
  position_moved: (from) => ({
    kind: 'position_moved',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    number: from.number(),
    from: from.address(),
    to: from.address(),
  }),
  position_changed: (from) => ({
    kind: 'position_changed',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    number: from.number(),
    liquidity: from.integer(),
  }),
  position_collected: (from) => ({
    kind: 'position_collected',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    number: from.number(),
    amount0: from.integer(),
    amount1: from.integer(),
  }),
  position_staked: (from) => ({
    kind: 'position_staked',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    number: from.number(),
    owner: from.address(),
  }),
  shares_staked: (from) => ({
    kind: 'shares_staked',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    owner: from.address(),
    amount: from.integer(),
  }),
  shares_unstaked: (from) => ({
    kind: 'shares_unstaked',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    owner: from.address(),
    amount: from.integer(),
  }),
  user_operation: (from) => ({
    kind: 'user_operation',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    sender: from.address(),
  }),
  settled: (from) => ({
    kind: 'settled',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    owner: from.address(),
    sold: from.address(),
    bought: from.address(),
  }),
  filled: (from) => ({
    kind: 'filled',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    owner: from.orNull(() => from.address()),
  }),
  lock_set: (from) => ({
    kind: 'lock_set',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    number: from.number(),
    token: from.address(),
    owner: from.address(),
    amount: from.integer(),
    endsAt: from.number(),
  }),
  lock_changed: (from) => ({
    kind: 'lock_changed',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    number: from.number(),
    owner: from.orNull(() => from.address()),
    amount: from.orNull(() => from.integer()),
    endsAt: from.orNull(() => from.number()),
  }),
  lock_reduced: (from) => ({
    kind: 'lock_reduced',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    number: from.number(),
    amount: from.integer(),
  }),
  lock_added: (from) => ({
    kind: 'lock_added',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    token: from.address(),
    owner: from.address(),
    amount: from.integer(),
    endsAt: from.number(),
  }),
  lock_taken: (from) => ({
    kind: 'lock_taken',
    address: from.address(),
    logIndex: from.number(),
    txHash: from.hash(),
    token: from.address(),
    amount: from.integer(),
  }),
}
const READERS = KINDS.map((kind) => READ[kind])

/** Reads values in the order in which they were written. */
class Unpacker {
  readonly #numbers: Float64Array
  readonly #words: BigUint64Array
  readonly #texts: readonly string[]
  #at = 0
  #wordAt = 0

  constructor({ numbers, words, texts }: Columns) {
    this.#numbers = numbers
    this.#words = words
    this.#texts = texts
  }

  seek(number: number, word: number): void {
    this.#at = number
    this.#wordAt = word
  }

  number(): number {
    return this.#numbers[this.#at++] as number
  }

  address(): Address {
    return this.#texts[this.number()] as Address
  }

  hash(): Hash {
    return this.#texts[this.number()] as Hash
  }

  integer(): bigint {
    const size = this.number()
    const length = size % NEGATIVE
    this.#wordAt += length
    let value = length === 0 ? 0n : (this.#words[this.#wordAt - 1] as bigint)
    for (let back = 2; back <= length; back++)
      value = (value << WORD_BITS) | (this.#words[this.#wordAt - back] as bigint)
    return size >= NEGATIVE ? -value : value
  }

  /** Reads a count, then that many values. */
  list<Value>(read: () => Value): Value[] {
    return Array.from({ length: this.number() }, read)
  }

  /** The value that `read` reads, or null if null was written. */
  orNull<Value>(read: () => Value): Value | null {
    if (this.#numbers[this.#at] !== NOTHING) return read()
    this.#at += 1
    return null
  }
}
