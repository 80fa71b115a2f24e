// Checks JSON-RPC answers of an untrusted provider, just enough to read them. Input: parsed JSON. Output: a value with
// known fields, or null, which the source treats as a provider fault.
import { type Address, type Hash, parseAddress } from '../base/address.ts'
import { propertiesOf } from '../base/json.ts'

const HASH = /^0x[0-9a-f]{64}$/i

/** A log before it is decoded. */
export interface RawLog {
  address: string
  topics: readonly string[]
  data: string
  blockHash: string
  blockNumber: string
  transactionHash: string
  transactionIndex: string
  logIndex: string
  removed?: boolean
}

/** A block's number, its hash and its parent's hash. */
export interface Link {
  number: number
  hash: Hash
  parentHash: Hash
}

/**
 * A transaction as the provider sent it. Its fields are read only for plain transfers and for transactions with logs.
 */
export interface RawTransaction {
  hash: string
  from: string
  to?: string | null
  value: string
  input?: string
  data?: string
  transactionIndex?: string
}

/** A block with its full transactions. */
export interface RawBlock extends Link {
  /** Seconds since 1970. */
  time: number
  /** Null when the field is missing, or all zeros as some chains send it. */
  bloom: string | null
  /** Null when the field is missing. */
  receiptsRoot: Hash | null
  transactions: readonly RawTransaction[]
}

/** A number in the form of JSON-RPC, such as 0x1f. */
export const hexQuantity = (value: bigint | number): `0x${string}` => `0x${value.toString(16)}`

/** The blocks from..to, as a filter of logs names them. */
export const spanOf = (from: number, to: number) => ({ fromBlock: hexQuantity(from), toBlock: hexQuantity(to) })

/** A number from hex, a decimal string or a number; null unless it is a whole number from 0 to 2^53 - 1. */
export function readNumber(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  if (value === '') return null
  const number = Number(value)
  return Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** An amount of 256 bits without a sign; null for anything else. */
export function readWei(value: unknown): bigint | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  try {
    const wei = BigInt(value)
    return BigInt.asUintN(256, wei) === wei ? wei : null
  } catch {
    return null
  }
}

/** The hash in lower case; null when it is malformed. */
export const readHash = (value: unknown): Hash | null =>
  typeof value === 'string' && HASH.test(value) ? (value.toLowerCase() as Hash) : null

/** The address in lower case; null when it is malformed. */
export const readAddress = (value: unknown): Address | null => (typeof value === 'string' ? parseAddress(value) : null)

/** The link in a block header; null for anything else, including pending blocks, which have no hash. */
export function readLink(value: unknown): Link | null {
  const fields = propertiesOf(value)
  const [number, hash, parentHash] = [readNumber(fields.number), readHash(fields.hash), readHash(fields.parentHash)]
  return number !== null && hash && parentHash ? { number, hash, parentHash } : null
}

/** The seconds of a block's header; null when it is malformed. */
export const readHeaderTime = (value: unknown): number | null => readNumber(propertiesOf(value).timestamp)

/** The block with its transactions; null when a required field is missing. */
export function readBlock(value: unknown): RawBlock | null {
  const link = readLink(value)
  if (!link) return null
  const { timestamp, logsBloom, receiptsRoot, transactions } = propertiesOf(value)
  const time = readNumber(timestamp)
  if (time === null || !Array.isArray(transactions)) return null
  if (transactions.some((transaction) => typeof transaction !== 'object' || transaction === null)) return null
  // Nothing but zeros or ones: the chain computes none.
  const hasBloom = typeof logsBloom === 'string' && /^0x(?!0*$|f*$)[0-9a-f]{512}$/i.test(logsBloom)
  return {
    ...link,
    time,
    bloom: hasBloom ? logsBloom : null,
    receiptsRoot: readHash(receiptsRoot),
    transactions: transactions as RawTransaction[],
  }
}

/** Whether the value is a list of logs that have every required field. */
export const isLogs = (value: unknown): value is RawLog[] => Array.isArray(value) && value.every(isLog)

function isLog(value: unknown): boolean {
  const { address, topics, data, blockHash, transactionHash, logIndex } = propertiesOf(value)
  return (
    typeof address === 'string' &&
    Array.isArray(topics) &&
    typeof data === 'string' &&
    typeof blockHash === 'string' &&
    typeof transactionHash === 'string' &&
    (typeof logIndex === 'string' || typeof logIndex === 'number')
  )
}
