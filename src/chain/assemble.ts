// A raw block and its raw logs -> a block as Assay reads it. Comes in: what a provider says in two answers; goes out: the
// block, or an `RpcError` where the two contradict each other (another fork, two logs in one place): then both are asked again.
import type { Hash } from '../base/address.ts'
import type { Decode } from './abi/decode.ts'
import type { ChainBlock, DecodedLog, Transaction } from './event.ts'
import { type RawBlock, type RawLog, type RawTransaction, readAddress, readHash, readNumber } from './raw.ts'
import { RpcError } from './rpc-error.ts'

const contradiction = (block: RawBlock, what: string) =>
  new RpcError('lagging', `block ${block.number} (${block.hash}): ${what}`)

/** The block with its decoded logs in order, each place once. `strangers` (senders known from receipts) stand for transactions that the block does not list. */
export function assembleBlock(
  block: RawBlock,
  rawLogs: readonly RawLog[],
  decode: Decode,
  strangers: ReadonlyMap<Hash, Transaction> = new Map(),
): ChainBlock {
  const logs = decodeLogs(block, rawLogs, decode)
  const wanted = new Set<string>(logs.map(({ txHash }) => txHash))
  const transactions: Transaction[] = []
  block.transactions.forEach((raw, index) => {
    const named = wanted.delete(raw.hash) || wanted.delete(raw.hash.toLowerCase())
    if (!named && !isPlain(raw)) return
    const transaction = readTransaction(raw, index)
    if (!transaction) throw contradiction(block, 'a transaction can not be read')
    if (named || transaction.value > 0n) transactions.push(transaction)
  })
  for (const hash of wanted) {
    const transaction = strangers.get(hash as Hash)
    if (!transaction) throw contradiction(block, `no transaction ${hash} of a log`)
    transactions.push(transaction)
  }
  const { number, hash, parentHash, time } = block
  return { number, hash, parentHash, time, transactions, logs }
}

/** Transactions that logs name and the block does not list; some chains have them (system transfers). */
export function findStrangers(block: RawBlock, rawLogs: readonly RawLog[]): Hash[] {
  const named = new Set<string>()
  let last = ''
  for (const { transactionHash } of rawLogs) {
    if (transactionHash === last) continue
    last = transactionHash
    named.add(transactionHash.toLowerCase())
  }
  if (named.size > 0) for (const { hash } of block.transactions) named.delete(String(hash).toLowerCase())
  return [...named].filter((hash): hash is Hash => readHash(hash) !== null)
}

function decodeLogs(block: RawBlock, rawLogs: readonly RawLog[], decode: Decode): DecodedLog[] {
  const logs: DecodedLog[] = []
  let newest = -1
  // Only needed once a log does not come after all others.
  let places: Map<number | null, RawLog> | null = null
  for (const [at, raw] of rawLogs.entries()) {
    if (raw.removed === true) continue
    if (raw.blockHash !== block.hash && raw.blockHash.toLowerCase() !== block.hash)
      throw contradiction(block, 'a log of another fork came with it')
    const index = readNumber(raw.logIndex)
    if (index === null) throw contradiction(block, 'a log without an index')
    if (index <= newest) {
      places ??= placesOf(rawLogs.slice(0, at))
      const twin = places.get(index)
      if (twin && !isSame(twin, raw)) throw contradiction(block, `two different logs at index ${index}`)
      if (twin) continue
    } else newest = index
    places?.set(index, raw)
    const log = decode(raw)
    if (log) logs.push(log)
  }
  return places ? logs.sort((a, b) => a.logIndex - b.logIndex) : logs
}

const placesOf = (rawLogs: readonly RawLog[]): Map<number | null, RawLog> =>
  new Map(rawLogs.filter(({ removed }) => removed !== true).map((raw) => [readNumber(raw.logIndex), raw]))

const isSame = (a: RawLog, b: RawLog): boolean =>
  a.transactionHash === b.transactionHash && a.data === b.data && a.topics.join() === b.topics.join()

/** No call data: the native coin was sent, and nothing else. */
const isPlain = ({ input, data, to }: RawTransaction): boolean => {
  const payload = input ?? data
  return (payload === undefined || payload === '0x') && typeof to === 'string'
}

function readTransaction(raw: RawTransaction, position: number): Transaction | null {
  const hash = readHash(raw.hash)
  const from = readAddress(raw.from)
  if (!hash || !from) return null
  const index = readNumber(raw.transactionIndex) ?? position
  return { hash, index, from, to: readAddress(raw.to), value: readValue(raw.value), plain: isPlain(raw) }
}

function readValue(value: unknown): bigint {
  try {
    return typeof value === 'string' || typeof value === 'number' ? BigInt(value) : 0n
  } catch {
    return 0n
  }
}

/** The sender of a transaction from its receipt; null where the receipt is none of this block's. */
export function readReceipt(value: unknown, block: RawBlock): Transaction | null {
  if (typeof value !== 'object' || value === null) return null
  const { transactionHash, from, to, transactionIndex, blockHash } = value as Record<string, unknown>
  const hash = readHash(transactionHash)
  const sender = readAddress(from)
  if (!hash || !sender || readHash(blockHash) !== block.hash) return null
  const index = readNumber(transactionIndex) ?? block.transactions.length
  return { hash, index, from: sender, to: readAddress(to), value: 0n, plain: false }
}
