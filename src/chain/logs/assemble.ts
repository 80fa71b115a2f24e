// Joins a raw block with the logs of the answers, and packs both into columns. Input: the provider's block and its
// logs. Output: the packed block. An `RpcError` if the two contradict each other (another fork, two logs at one index),
// so that both are read again.
import { isDeepStrictEqual } from 'node:util'
import { type Hash, ZERO_ADDRESS } from '../../base/address.ts'
import { itemAt, numberAt } from '../../base/item-at.ts'
import type { Packer } from '../columns/packer.ts'
import type { CalledContract, NativePayment, Transaction } from '../event.ts'
import { type RawBlock, type RawTransaction, readAddress, readHash, readNumber, readWei } from '../raw.ts'
import { RpcError } from '../rpc/error.ts'
import type { LogAnswer } from './answer.ts'
import { NONE } from './scan.ts'

const contradiction = (block: RawBlock, what: string) =>
  new RpcError('lagging', `block ${block.number} (${block.hash}): ${what}`, {}, block.number)

/** A run of consecutive logs in one answer: `from` is included, `to` is not. */
export interface LogRun {
  answer: LogAnswer
  from: number
  to: number
}

/** The logs of each block that has any. */
export type LogsByBlock = Map<number, readonly LogRun[]>

/** One run per answer, with all of its logs. */
export const allOf = (answers: readonly LogAnswer[]): LogRun[] =>
  answers.filter(({ size }) => size > 0).map((answer) => ({ answer, from: 0, to: answer.size }))

/** A block with its logs and transactions. */
export interface AssembledBlock {
  block: RawBlock
  /** In log index order, each index once. */
  logs: readonly LogRun[]
  /** Transactions with logs or traced payments, and plain transfers of more than 0 wei, if the block lists them. */
  transactions: Transaction[]
  calls: CalledContract[]
  /**
   * Hashes of transactions that have logs but are not in the block; some chains have such system transfers. The block's
   * own hash stands for logs without a transaction.
   */
  strangers: readonly string[]
}

/** What else is known of a block. */
export interface Beside {
  isAtHead?: boolean
  /** Payments that the node's traces told, by transaction. */
  payments?: ReadonlyMap<Hash, readonly NativePayment[]> | undefined
}

/** Checks the logs against the block, and finds their transactions; at the head the calls of contracts too. */
export function assembleBlock(
  block: RawBlock,
  runs: readonly LogRun[],
  { isAtHead = false, payments }: Beside = {},
): AssembledBlock {
  const logs = inOrder(block, runs)
  const wanted = findWanted(logs)
  const transactions: Transaction[] = []
  block.transactions.forEach((raw, index) => {
    const named = wanted.delete(raw.hash) || wanted.delete(String(raw.hash).toLowerCase())
    const hash = payments && readHash(raw.hash)
    const traced = hash && payments.get(hash)
    if (!named && !traced && !isPlainPayment(raw)) return
    const transaction = readTransaction(raw, index)
    if (!transaction) throw contradiction(block, 'a transaction cannot be read')
    if (traced) transaction.payments = traced
    if (named || traced || transaction.value > 0n) transactions.push(transaction)
  })
  return { block, logs, transactions, calls: isAtHead ? readCalls(block) : [], strangers: [...wanted] }
}

function readCalls({ transactions }: RawBlock): CalledContract[] {
  return transactions.flatMap((raw) => {
    const [from, to] = isPlainPayment(raw) ? [] : [readAddress(raw.from), readAddress(raw.to)]
    return from && to ? [{ from, to }] : []
  })
}

/** Packs the block. `answers` has its logs; `senders` has the senders of the strangers, from their receipts. */
export function writeBlock(
  packer: Packer,
  answers: readonly LogAnswer[],
  { block, logs, transactions, calls, strangers }: AssembledBlock,
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
    const transaction = hash === block.hash ? systemCall(block) : senders.get(hash)
    if (!transaction) throw contradiction(block, `the transaction ${hash} of a log is missing`)
    writeTransaction(packer, transaction)
  }
  packer.number(calls.length)
  for (const { from, to } of calls) {
    packer.text(from)
    packer.text(to)
  }
}

/**
 * Before Celo was an L2, its rewards at the end of an epoch made logs without a transaction. Such a log names its block
 * in place of a transaction (https://docs.celo.org). Nobody signed for it.
 */
const systemCall = ({ hash, transactions }: RawBlock): Transaction => ({
  ...{ hash, index: transactions.length, from: ZERO_ADDRESS, to: null, value: 0n, plain: false },
})

function writeTransaction(packer: Packer, { hash, index, from, to, value, plain, payments = [] }: Transaction): void {
  packer.text(hash)
  packer.number(index)
  packer.text(from)
  packer.text(to)
  packer.integer(value)
  packer.number(plain ? 1 : 0)
  packer.number(payments.length)
  for (const payment of payments) {
    packer.text(payment.from)
    packer.text(payment.to)
    packer.integer(payment.amount)
  }
}

/** The hashes of the transactions that have decoded logs. */
function findWanted(runs: readonly LogRun[]): Set<string> {
  const wanted = new Set<string>()
  let last = ''
  for (const { answer, from, to } of runs) {
    for (let at = from; at < to; at++) {
      const hash = itemAt(answer.txHashes, at)
      if (hash === last || !answer.isDecoded(at)) continue
      last = hash
      wanted.add(hash)
    }
  }
  return wanted
}

/** The block's logs in index order, each once. */
function inOrder(block: RawBlock, runs: readonly LogRun[]): readonly LogRun[] {
  for (const { answer, from, to } of runs) {
    for (let at = from; at < to; at++) {
      if (answer.blockHashes[at] !== block.hash) throw contradiction(block, 'a log belongs to another fork')
      if (answer.logIndexes[at] === NONE) throw contradiction(block, 'a log has no index')
    }
  }
  return isInOrder(runs) ? runs : sort(block, runs)
}

function sort(block: RawBlock, runs: readonly LogRun[]): LogRun[] {
  const places = new Map<number, LogRun>()
  for (const { answer, from, to } of runs) {
    for (let at = from; at < to; at++) {
      const index = numberAt(answer.logIndexes, at)
      const log = { answer, from: at, to: at + 1 }
      const twin = places.get(index)
      if (twin && !isTwin(twin, log)) throw contradiction(block, `two different logs at index ${index}`)
      places.set(index, twin ?? log)
    }
  }
  return [...places].sort(([a], [b]) => a - b).map(([, log]) => log)
}

/** Whether two different logs have one index. */
export function hasClash(runs: readonly LogRun[]): boolean {
  if (isInOrder(runs)) return false
  const places = new Map<number, LogRun>()
  for (const { answer, from, to } of runs)
    for (let at = from; at < to; at++) {
      const log = { answer, from: at, to: at + 1 }
      const index = numberAt(answer.logIndexes, at)
      const twin = places.get(index)
      if (twin && !isTwin(twin, log)) return true
      places.set(index, log)
    }
  return false
}

function isInOrder(runs: readonly LogRun[]): boolean {
  let newest = -1
  for (const { answer, from, to } of runs)
    for (let at = from; at < to; at++) {
      const index = numberAt(answer.logIndexes, at)
      if (index <= newest) return false
      newest = index
    }
  return true
}

const isTwin = (one: LogRun, other: LogRun): boolean =>
  one.answer.txHashes[one.from] === other.answer.txHashes[other.from] &&
  isDeepStrictEqual(one.answer.read(one.from), other.answer.read(other.from))

/** The transaction has no call data: it only sent the native coin. */
export const isPlainPayment = ({ input, data, to }: RawTransaction): boolean => {
  const payload = input ?? data
  return (payload === undefined || payload === '0x') && typeof to === 'string'
}

function readTransaction(raw: RawTransaction, position: number): Transaction | null {
  const hash = readHash(raw.hash)
  const from = readAddress(raw.from)
  if (!hash || !from) return null
  const index = readNumber(raw.transactionIndex) ?? position
  return { hash, index, from, to: readAddress(raw.to), value: readWei(raw.value) ?? 0n, plain: isPlainPayment(raw) }
}

/** The transaction's sender, from its receipt; null when the receipt belongs to another block. */
export function readReceipt(value: unknown, block: RawBlock): Transaction | null {
  if (typeof value !== 'object' || value === null) return null
  const { transactionHash, from, to, transactionIndex, blockHash } = value as Record<string, unknown>
  const hash = readHash(transactionHash)
  const sender = readAddress(from)
  if (!hash || !sender || readHash(blockHash) !== block.hash) return null
  const index = readNumber(transactionIndex) ?? block.transactions.length
  return { hash, index, from: sender, to: readAddress(to), value: 0n, plain: false }
}
