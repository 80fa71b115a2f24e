// A raw block and the logs of answers -> columns. Comes in: what a provider says in two answers; goes out: the block as Assay
// reads it, written down, or an `RpcError` where the two contradict each other (another fork, two logs in one place): then
// both are asked again.
import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../event.ts'
import { type RawBlock, type RawTransaction, readAddress, readHash, readNumber } from '../raw.ts'
import { RpcError } from '../rpc/error.ts'
import type { LogAnswer } from './answer.ts'
import type { Packer } from './packer.ts'
import { NONE } from './scan.ts'

const contradiction = (block: RawBlock, what: string) =>
  new RpcError('lagging', `block ${block.number} (${block.hash}): ${what}`)

/** Logs one after another in one answer, from the first to before the last. */
export interface LogRun {
  answer: LogAnswer
  from: number
  to: number
}

/** A block and what belongs to it. */
export interface AssembledBlock {
  block: RawBlock
  /** In order, each place once. */
  logs: readonly LogRun[]
  /** Those of the logs, and plain transfers with a value, as far as the block lists them. */
  transactions: Transaction[]
  /** Transactions that logs name and the block does not list; some chains have them (system transfers). */
  strangers: readonly string[]
}

/** Checks the logs against the block, and finds their transactions. */
export function assembleBlock(block: RawBlock, runs: readonly LogRun[]): AssembledBlock {
  const logs = inOrder(block, runs)
  const wanted = findWanted(logs)
  const transactions: Transaction[] = []
  block.transactions.forEach((raw, index) => {
    const named = wanted.delete(raw.hash) || wanted.delete(String(raw.hash).toLowerCase())
    if (!named && !isPlain(raw)) return
    const transaction = readTransaction(raw, index)
    if (!transaction) throw contradiction(block, 'a transaction can not be read')
    if (named || transaction.value > 0n) transactions.push(transaction)
  })
  return { block, logs, transactions, strangers: [...wanted] }
}

/** Writes the block; its logs stand in `answers`, `senders` are the strangers as their receipts tell them. */
export function writeBlock(
  packer: Packer,
  answers: readonly LogAnswer[],
  { block, logs, transactions, strangers }: AssembledBlock,
  senders: ReadonlyMap<string, Transaction> = new Map(),
): void {
  packer.number(block.number)
  packer.text(block.hash)
  packer.text(block.parentHash)
  packer.number(block.time)
  packer.number(logs.length)
  for (const { answer, from, to } of logs) {
    packer.number(answers.indexOf(answer))
    packer.number(from)
    packer.number(to)
  }
  packer.number(transactions.length + strangers.length)
  for (const transaction of transactions) writeTransaction(packer, transaction)
  for (const hash of strangers) {
    const transaction = senders.get(hash)
    if (!transaction) throw contradiction(block, `no transaction ${hash} of a log`)
    writeTransaction(packer, transaction)
  }
}

function writeTransaction(packer: Packer, { hash, index, from, to, value, plain }: Transaction): void {
  packer.text(hash)
  packer.number(index)
  packer.text(from)
  packer.text(to)
  packer.integer(value)
  packer.number(plain ? 1 : 0)
}

/** The transactions of the logs that are decoded. */
function findWanted(runs: readonly LogRun[]): Set<string> {
  const wanted = new Set<string>()
  let last = ''
  for (const { answer, from, to } of runs) {
    for (let at = from; at < to; at++) {
      const hash = answer.txHashes[at] as string
      if (hash === last || !answer.isDecoded(at)) continue
      last = hash
      wanted.add(hash)
    }
  }
  return wanted
}

/** The block's logs by their index, each once. */
function inOrder(block: RawBlock, runs: readonly LogRun[]): readonly LogRun[] {
  let newest = -1
  let isSorted = true
  for (const { answer, from, to } of runs) {
    for (let at = from; at < to; at++) {
      const index = answer.logIndexes[at] as number
      if (answer.blockHashes[at] !== block.hash) throw contradiction(block, 'a log of another fork came with it')
      if (index === NONE) throw contradiction(block, 'a log without an index')
      isSorted &&= index > newest
      newest = index
    }
  }
  return isSorted ? runs : sort(block, runs)
}

function sort(block: RawBlock, runs: readonly LogRun[]): LogRun[] {
  const places = new Map<number, LogRun>()
  for (const { answer, from, to } of runs) {
    for (let at = from; at < to; at++) {
      const index = answer.logIndexes[at] as number
      const log = { answer, from: at, to: at + 1 }
      const twin = places.get(index)
      if (twin && !isTwin(twin, log)) throw contradiction(block, `two different logs at index ${index}`)
      places.set(index, twin ?? log)
    }
  }
  return [...places].sort(([a], [b]) => a - b).map(([, log]) => log)
}

const isTwin = (one: LogRun, other: LogRun): boolean =>
  one.answer.txHashes[one.from] === other.answer.txHashes[other.from] &&
  isDeepStrictEqual(one.answer.read(one.from), other.answer.read(other.from))

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

/** Wei; nothing where it is no unsigned integer of 256 bits. */
function readValue(value: unknown): bigint {
  try {
    const wei = typeof value === 'string' || typeof value === 'number' ? BigInt(value) : 0n
    return BigInt.asUintN(256, wei) === wei ? wei : 0n
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
