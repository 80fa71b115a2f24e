// Turns columns into blocks. Input: columns of a packer. Output: blocks with decoded logs. The fields of a kind are added in
// one order, so that V8 gives all logs of a kind one hidden class.
import type { Address, Hash } from '../../base/address.ts'
import { bigUint64At, float64At, itemAt } from '../../base/item-at.ts'
import { type Columns, NEGATIVE, NOTHING, type PackedBlocks } from '../columns/columns.ts'
import { type ChainBlock, type DecodedLog, LOG_FIELDS, LOG_KINDS, type LogValue, type Transaction } from '../event.ts'

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
  const calls = Array.from({ length: from.number() }, () => ({ from: from.address(), to: from.address() }))
  return { number, hash, parentHash, time, transactions, ...(calls.length > 0 ? { calls } : {}), logs }
}

function unpackTransaction(from: Unpacker): Transaction {
  const transaction: Transaction = {
    hash: from.hash(),
    index: from.number(),
    from: from.address(),
    to: from.orNull(() => from.address()),
    value: from.integer(),
    plain: from.number() === 1,
  }
  const payments = from.list(() => ({ from: from.address(), to: from.address(), amount: from.integer() }))
  return payments.length > 0 ? { ...transaction, payments } : transaction
}

/** Reads one value of each kind. */
const READ: { readonly [Value in LogValue]: (from: Unpacker) => unknown } = {
  address: (from) => from.address(),
  addressOrNull: (from) => from.orNull(() => from.address()),
  addresses: (from) => from.list(() => from.address()),
  integer: (from) => from.integer(),
  integerOrNull: (from) => from.orNull(() => from.integer()),
  integers: (from) => from.list(() => from.integer()),
  number: (from) => from.number(),
  numberOrNull: (from) => from.orNull(() => from.number()),
  boolean: (from) => from.number() === 1,
}

/** Reads a log of each kind; the number that stands for the kind was read before. */
const READERS = LOG_KINDS.map((kind) => {
  const fields = Object.entries<LogValue>(LOG_FIELDS[kind]).map(([name, value]) => ({ name, read: READ[value] }))
  return (from: Unpacker): DecodedLog => {
    const log: Record<string, unknown> = {
      kind,
      address: from.address(),
      logIndex: from.number(),
      txHash: from.hash(),
    }
    for (const { name, read } of fields) log[name] = read(from)
    return log as DecodedLog
  }
})

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
    return float64At(this.#numbers, this.#at++)
  }

  address(): Address {
    return itemAt(this.#texts, this.number()) as Address
  }

  hash(): Hash {
    return itemAt(this.#texts, this.number()) as Hash
  }

  integer(): bigint {
    const size = this.number()
    const length = size % NEGATIVE
    this.#wordAt += length
    let value = length === 0 ? 0n : bigUint64At(this.#words, this.#wordAt - 1)
    for (let back = 2; back <= length; back++)
      value = (value << WORD_BITS) | bigUint64At(this.#words, this.#wordAt - back)
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
