// Payments in the native coin out of the traces of a block. Input: a node's answer, in either of the two forms, and the block.
// Output: the payments of each transaction, in the order of the calls; null if the answer is not of this block, or not whole.
// What a failed call did counts for nothing, and neither does code that runs in the place of its caller.
import type { Hash } from '../../base/address.ts'
import { propertiesOf } from '../../base/json.ts'
import type { NativePayment } from '../event.ts'
import { isPlainPayment } from '../logs/assemble.ts'
import { hexQuantity, type RawBlock, readAddress, readHash, readWei } from '../raw.ts'

/** The payments of each transaction that has any besides that of its own value. */
export type TracedPayments = ReadonlyMap<Hash, readonly NativePayment[]>

/** A way to ask for the traces of a block. */
export interface TraceMethod {
  method: string
  params(block: RawBlock): readonly unknown[]
  read(answer: unknown, block: RawBlock): TracedPayments | null
}

const CALL_TRACER = { tracer: 'callTracer' }

/** The cheapest first. By its hash a block is surely the one that was read. */
export const TRACE_METHODS: readonly TraceMethod[] = [
  { method: 'trace_block', params: ({ number }) => [hexQuantity(number)], read: readFlat },
  { method: 'debug_traceBlockByHash', params: ({ hash }) => [hash, CALL_TRACER], read: readNested },
  { method: 'debug_traceBlockByNumber', params: ({ number }) => [hexQuantity(number), CALL_TRACER], read: readNested },
]

/** The calls that carry a value of their own, in either form. Others run in the place of their caller, or carry none. */
const PAYING = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT', 'EXTCALL', 'EOFCREATE'])

/** Transactions of accounts; chains have others, which their nodes may not trace. */
const USUAL_TYPES = 4

/** Whether the transaction may pay inside: a call, or a payment to a contract. */
const mayPay = ({ value, ...raw }: RawBlock['transactions'][number]): boolean =>
  !isPlainPayment({ value, ...raw }) || (readWei(value) ?? 0n) > 0n

/** Whether the traces of the block may tell a payment. */
export const hasCalls = ({ transactions }: RawBlock): boolean => transactions.some(mayPay)

/** The transactions of a block while its traces are read. */
function openBook(block: RawBlock) {
  const own = new Map(block.transactions.map((raw) => [readHash(raw.hash), raw]))
  const payments = new Map<Hash, NativePayment[]>()
  return {
    /** Begins a transaction; false if the block has no such one. */
    enter(hash: Hash): boolean {
      if (!own.has(hash) || payments.has(hash)) return false
      payments.set(hash, [])
      return true
    },
    /** False for a payment that cannot be read, or of no transaction that has begun. */
    pay(hash: Hash, sender: unknown, receiver: unknown, value: unknown): boolean {
      const amount = value === undefined || value === null ? 0n : readWei(value)
      const [from, to, list] = [readAddress(sender), readAddress(receiver), payments.get(hash)]
      if (amount === null || !list) return false
      if (amount === 0n || from === to) return true
      if (!from || !to) return false
      list.push({ from, to, amount })
      return true
    },
    /** Null if a transaction is missing. */
    close(): TracedPayments | null {
      for (const [hash, raw] of own) {
        const isUsual = Number(propertiesOf(raw).type ?? 0) <= USUAL_TYPES
        if (isUsual && !isPlainPayment(raw) && (hash === null || !payments.has(hash))) return null
      }
      return new Map([...payments].filter(([hash, list]) => hasInner(own.get(hash), list)))
    },
  }
}

function hasInner(raw: RawBlock['transactions'][number] | undefined, list: readonly NativePayment[]): boolean {
  const [from, to] = [readAddress(raw?.from), readAddress(raw?.to)]
  return list.some((payment) => payment.from !== from || payment.to !== to)
}

/** `trace_block`: a list of calls, each behind the one that made it. */
function readFlat(answer: unknown, block: RawBlock): TracedPayments | null {
  if (!Array.isArray(answer)) return null
  const book = openBook(block)
  let failed: { hash: Hash | null; path: readonly unknown[] } = { hash: null, path: [] }
  for (const trace of answer) {
    const { type, action, result, error, traceAddress: path, transactionHash, blockHash } = propertiesOf(trace)
    if (readHash(blockHash) !== block.hash) return null
    // A reward is of no transaction.
    if (transactionHash === undefined || transactionHash === null) continue
    const hash = readHash(transactionHash)
    if (!hash || !Array.isArray(path)) return null
    if (path.length === 0 && !book.enter(hash)) return null
    if (failed.hash === hash && isWithin(failed.path, path)) continue
    if (error !== undefined && error !== null) failed = { hash, path }
    else if (!payFlat(book, hash, { type, action: propertiesOf(action), result: propertiesOf(result) })) return null
  }
  return book.close()
}

const isWithin = (outer: readonly unknown[], path: readonly unknown[]): boolean =>
  path.length >= outer.length && outer.every((step, at) => path[at] === step)

type Fields = Readonly<Record<string, unknown>>

function payFlat(
  { pay }: ReturnType<typeof openBook>,
  hash: Hash,
  { type, action, result }: { type: unknown; action: Fields; result: Fields },
): boolean {
  const { from, to, value, callType, address, refundAddress, balance } = action
  if (type === 'call') return !PAYING.has(String(callType).toUpperCase()) || pay(hash, from, to, value)
  if (type === 'create') return pay(hash, from, result.address, value)
  if (type === 'suicide') return pay(hash, address, refundAddress, balance)
  return true
}

/** `callTracer`: one tree of calls for each transaction. */
function readNested(answer: unknown, block: RawBlock): TracedPayments | null {
  if (!Array.isArray(answer)) return null
  const book = openBook(block)
  const hasHashes = answer.every((each) => propertiesOf(each).txHash !== undefined)
  if (!hasHashes && answer.length !== block.transactions.length) return null
  for (const [at, each] of answer.entries()) {
    const { txHash, result } = propertiesOf(each)
    const hash = readHash(hasHashes ? txHash : block.transactions[at]?.hash)
    const top = propertiesOf(result)
    if (!hash || typeof top.type !== 'string' || !book.enter(hash)) return null
    const left: Fields[] = [top]
    for (let call = left.pop(); call; call = left.pop()) {
      const { type, from, to, value, error, calls } = call
      if (error !== undefined && error !== null) continue
      if (PAYING.has(String(type)) && !book.pay(hash, from, to, value)) return null
      if (Array.isArray(calls)) left.push(...calls.map(propertiesOf).reverse())
    }
  }
  return book.close()
}
