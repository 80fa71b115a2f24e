// Blocks in columns, so that they pass from one thread to another for little more than a copy of memory: the objects that
// they are made of would be cloned one by one. Comes in: blocks; goes out: columns, and the same blocks again.
import type { Address, Hash } from '../../base/address.ts'
import type { ChainBlock, DecodedLog, LogKind, LogOf, Transaction } from '../event.ts'

/** Everything of some blocks, in the order in which it is read again. */
export interface PackedBlocks {
  /** Numbers, places in `texts`, and how many `words` an integer has. */
  numbers: Float64Array<ArrayBuffer>
  /** Integers of any width, 64 bits a word, the lowest first. */
  words: BigUint64Array<ArrayBuffer>
  /** Addresses and hashes, each once. */
  texts: string[]
}

type FieldType = 'text' | 'number' | 'integer'
type TypeOf<Value> = Value extends string | null ? 'text' : Value extends number | null ? 'number' : 'integer'
type OwnField<Kind extends LogKind> = Exclude<keyof LogOf<Kind>, 'kind' | 'address' | 'logIndex' | 'txHash'>

/** What a log of each kind has beyond its place. */
const FIELDS: { readonly [Kind in LogKind]: { readonly [Field in OwnField<Kind>]: TypeOf<LogOf<Kind>[Field]> } } = {
  transfer: { from: 'text', to: 'text', amount: 'integer' },
  deposit: { to: 'text', amount: 'integer' },
  withdrawal: { from: 'text', amount: 'integer' },
  pair_created: { token0: 'text', token1: 'text', pool: 'text' },
  v2_mint: { amount0: 'integer', amount1: 'integer' },
  v2_burn: { to: 'text', amount0: 'integer', amount1: 'integer' },
  v2_swap: { to: 'text', amount0In: 'integer', amount1In: 'integer', amount0Out: 'integer', amount1Out: 'integer' },
  v2_sync: { reserve0: 'integer', reserve1: 'integer' },
  pool_created: { token0: 'text', token1: 'text', fee: 'number', pool: 'text' },
  v3_initialize: { sqrtPriceX96: 'integer', tick: 'number' },
  v3_mint: {
    ...{ owner: 'text', tickLower: 'number', tickUpper: 'number' },
    ...{ liquidity: 'integer', amount0: 'integer', amount1: 'integer' },
  },
  v3_burn: {
    ...{ owner: 'text', tickLower: 'number', tickUpper: 'number' },
    ...{ liquidity: 'integer', amount0: 'integer', amount1: 'integer' },
  },
  v3_swap: { amount0: 'integer', amount1: 'integer', sqrtPriceX96: 'integer', liquidity: 'integer', tick: 'number' },
  lock_set: { number: 'number', token: 'text', owner: 'text', amount: 'integer', endsAt: 'number' },
  lock_changed: { number: 'number', owner: 'text', amount: 'integer', endsAt: 'number' },
  lock_reduced: { number: 'number', amount: 'integer' },
  lock_added: { token: 'text', owner: 'text', amount: 'integer', endsAt: 'number' },
  lock_taken: { token: 'text', amount: 'integer' },
}

const KINDS = Object.keys(FIELDS) as LogKind[]
const KIND_PLACE = new Map(KINDS.map((kind, place) => [kind, place]))
const LAYOUTS = KINDS.map((kind) => Object.entries(FIELDS[kind]) as [string, FieldType][])

/** In place of a text, and of the number of words. */
const NONE = -1
/** Added to the number of words of an integer below zero. */
const NEGATIVE = 8
const WORD_BITS = 64n

type Fields = Record<string, string | number | bigint | null>

/** The blocks as columns, and what of them need not be copied. */
export function packBlocks(blocks: readonly ChainBlock[]): { packed: PackedBlocks; transfer: ArrayBuffer[] } {
  const packer = createPacker()
  packer.number(blocks.length)
  for (const block of blocks) packBlock(packer, block)
  const packed = packer.take()
  return { packed, transfer: [packed.numbers.buffer, packed.words.buffer] }
}

function packBlock(packer: Packer, { number, hash, parentHash, time, transactions, logs }: ChainBlock): void {
  packer.number(number)
  packer.text(hash)
  packer.text(parentHash)
  packer.number(time)
  packer.number(transactions.length)
  for (const transaction of transactions) {
    packer.text(transaction.hash)
    packer.number(transaction.index)
    packer.text(transaction.from)
    packer.text(transaction.to)
    packer.integer(transaction.value)
    packer.number(transaction.plain ? 1 : 0)
  }
  packer.number(logs.length)
  for (const log of logs) packLog(packer, log)
}

function packLog(packer: Packer, log: DecodedLog): void {
  const place = KIND_PLACE.get(log.kind) ?? NONE
  packer.number(place)
  packer.text(log.address)
  packer.number(log.logIndex)
  packer.hash(log.txHash)
  for (const [name, type] of LAYOUTS[place] ?? []) {
    const value = (log as unknown as Fields)[name]
    if (type === 'text') packer.text(value as string | null)
    else if (type === 'number') packer.number((value as number | null) ?? Number.NaN)
    else packer.integer(value as bigint | null)
  }
}

type Packer = ReturnType<typeof createPacker>

function createPacker() {
  const numbers: number[] = []
  const words: bigint[] = []
  const texts: string[] = []
  const places = new Map<string, number>()
  let lastHash = ''
  let lastPlace = NONE
  const placeOf = (text: string): number => {
    const known = places.get(text)
    if (known !== undefined) return known
    places.set(text, texts.length)
    return texts.push(text) - 1
  }
  return {
    number: (value: number) => {
      numbers.push(value)
    },
    text: (text: string | null) => {
      numbers.push(text === null ? NONE : placeOf(text))
    },
    /** A text that mostly is that of the call before. */
    hash: (hash: string) => {
      if (hash !== lastHash) {
        lastHash = hash
        lastPlace = placeOf(hash)
      }
      numbers.push(lastPlace)
    },
    integer: (value: bigint | null) => {
      if (value === null) {
        numbers.push(NONE)
        return
      }
      const before = words.length
      for (let rest = value < 0n ? -value : value; rest !== 0n; rest >>= WORD_BITS) words.push(rest)
      numbers.push(words.length - before + (value < 0n ? NEGATIVE : 0))
    },
    /** An array of 64-bit words keeps the lowest 64 bits of what is put into it. */
    take: (): PackedBlocks => ({ numbers: new Float64Array(numbers), words: new BigUint64Array(words), texts }),
  }
}

/** The blocks again. */
export function unpackBlocks(packed: PackedBlocks): ChainBlock[] {
  const unpacker = createUnpacker(packed)
  return Array.from({ length: unpacker.number() }, () => unpackBlock(unpacker))
}

function unpackBlock(unpacker: Unpacker): ChainBlock {
  const block: ChainBlock = {
    number: unpacker.number(),
    hash: unpacker.text() as Hash,
    parentHash: unpacker.text() as Hash,
    time: unpacker.number(),
    transactions: [],
    logs: [],
  }
  for (let left = unpacker.number(); left > 0; left--) block.transactions.push(unpackTransaction(unpacker))
  for (let left = unpacker.number(); left > 0; left--) block.logs.push(unpackLog(unpacker))
  return block
}

const unpackTransaction = (unpacker: Unpacker): Transaction => ({
  hash: unpacker.text() as Hash,
  index: unpacker.number(),
  from: unpacker.text() as Address,
  to: unpacker.text() as Address | null,
  value: unpacker.integer() as bigint,
  plain: unpacker.number() === 1,
})

function unpackLog(unpacker: Unpacker): DecodedLog {
  const place = unpacker.number()
  const log: Fields = {
    kind: KINDS[place] as LogKind,
    address: unpacker.text(),
    logIndex: unpacker.number(),
    txHash: unpacker.text(),
  }
  for (const [name, type] of LAYOUTS[place] ?? []) {
    if (type === 'integer') log[name] = unpacker.integer()
    else if (type === 'text') log[name] = unpacker.text()
    else {
      const value = unpacker.number()
      log[name] = Number.isNaN(value) ? null : value
    }
  }
  return log as unknown as DecodedLog
}

type Unpacker = ReturnType<typeof createUnpacker>

function createUnpacker({ numbers, words, texts }: PackedBlocks) {
  let at = 0
  let wordAt = 0
  const number = () => numbers[at++] as number
  return {
    number,
    text: (): string | null => {
      const place = number()
      return place === NONE ? null : (texts[place] as string)
    },
    integer: (): bigint | null => {
      const size = number()
      if (size === NONE) return null
      const length = size % NEGATIVE
      wordAt += length
      let value = length === 0 ? 0n : (words[wordAt - 1] as bigint)
      for (let back = 2; back <= length; back++) value = (value << WORD_BITS) | (words[wordAt - back] as bigint)
      return size >= NEGATIVE ? -value : value
    },
  }
}
