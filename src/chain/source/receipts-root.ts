// Computes the root of a block's receipts: the Merkle-Patricia trie of their RLP. Input: receipts from a node. Output:
// a root that equals the header's if no receipt is missing or changed; null for receipts that cannot be encoded.
// (Yellow paper, sections 4.3.1, B and D; EIP-2718.)
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Hash } from '../../base/address.ts'
import { numberAt, uint8At } from '../../base/item-at.ts'
import { propertiesOf } from '../../base/json.ts'
import { isLogs, type RawLog, readHash, readNumber } from '../raw.ts'

/** A receipt with the fields of its hash. */
export interface RawReceipt {
  type?: unknown
  status?: unknown
  /** Before Byzantium, instead of `status`. */
  root?: unknown
  cumulativeGasUsed: unknown
  logsBloom: unknown
  transactionHash: unknown
  logs: readonly RawLog[]
  depositNonce?: unknown
  depositReceiptVersion?: unknown
}

/** The root of a block without transactions. */
export const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** Types of transactions that an envelope can have (EIP-2718). */
const LAST_TYPE = 0x7f
/** A deposit of an OP chain, whose receipt has two more fields since its upgrade Canyon. */
const DEPOSIT = 0x7e

export const isReceipts = (value: unknown): value is RawReceipt[] =>
  Array.isArray(value) && value.every((each) => isLogs(propertiesOf(each).logs))

export function rootOf(receipts: readonly RawReceipt[]): Hash | null {
  try {
    const leaves = receipts.map((receipt, index): Leaf => [nibblesOf(encode(integer(index))), write(receipt)])
    return leaves.length === 0 ? readHash(EMPTY_ROOT) : readHash(`0x${bytesToHex(keccak_256(nodeOf(leaves, 0)))}`)
  } catch {
    return null
  }
}

/** Throws for a field that is not hex, and for an impossible type. */
function write({ type, status, root, cumulativeGasUsed, logsBloom, logs, ...deposit }: RawReceipt): Uint8Array {
  const kind = readNumber(type ?? 0)
  if (kind === null || kind > LAST_TYPE) throw new Error('a receipt of an impossible type')
  const outcome = status === undefined || status === null ? bytes(root) : integer(toNumber(status))
  const written = logs.map(({ address, topics, data }) => list([bytes(address), list(topics.map(bytes)), bytes(data)]))
  const version = kind === DEPOSIT ? readNumber(deposit.depositReceiptVersion) : null
  const more = version === null ? [] : [integer(toNumber(deposit.depositNonce)), integer(version)]
  const payload = list([outcome, integer(toNumber(cumulativeGasUsed)), bytes(logsBloom), list(written), ...more])
  return kind === 0 ? payload.encoded : Uint8Array.of(kind, ...payload.encoded)
}

/** Items that are already encoded, unlike bytes. */
interface List {
  encoded: Uint8Array
}

const bytes = (value: unknown): Uint8Array => hexToBytes(String(value).replace(/^0x/, ''))

function toNumber(value: unknown): number {
  const number = readNumber(value)
  if (number === null) throw new Error('a field is no number')
  return number
}

/** The bytes of a number without leading zeros: none for 0. */
function integer(value: number): Uint8Array {
  const digits = value === 0 ? '' : value.toString(16)
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`)
}

const encode = (item: Uint8Array | List): Uint8Array => {
  if ('encoded' in item) return item.encoded
  return item.length === 1 && uint8At(item, 0) < 0x80 ? item : withLength(0x80, item)
}

const list = (items: readonly (Uint8Array | List)[]): List => ({
  encoded: withLength(0xc0, Buffer.concat(items.map(encode))),
})

function withLength(offset: number, payload: Uint8Array): Uint8Array {
  if (payload.length < 56) return Buffer.concat([Uint8Array.of(offset + payload.length), payload])
  const length = integer(payload.length)
  return Buffer.concat([Uint8Array.of(offset + 55 + length.length), length, payload])
}

/** The digits of a key, and its value. */
type Leaf = readonly [key: readonly number[], value: Uint8Array]

const nibblesOf = (key: Uint8Array): number[] => [...key].flatMap((byte) => [byte >> 4, byte & 15])

/** The node of these leaves, whose keys agree before `depth`. No key is a prefix of another. */
function nodeOf(leaves: readonly Leaf[], depth: number): Uint8Array {
  const [[key, value]] = leaves as [Leaf]
  if (leaves.length === 1) return list([path(key.slice(depth), true), value]).encoded
  let shared = depth
  while (leaves.every(([other]) => other[shared] === key[shared])) shared += 1
  if (shared > depth) return list([path(key.slice(depth, shared), false), reference(nodeOf(leaves, shared))]).encoded
  const branches = Array.from({ length: 16 }, (_, digit) => {
    const below = leaves.filter(([other]) => other[depth] === digit)
    return below.length === 0 ? new Uint8Array() : reference(nodeOf(below, depth + 1))
  })
  return list([...branches, new Uint8Array()]).encoded
}

/** A node within another: the node itself if it is shorter than its hash. */
const reference = (node: Uint8Array): Uint8Array | List => (node.length < 32 ? { encoded: node } : keccak_256(node))

/** Digits as bytes, after a flag for a leaf and for an odd number of digits. */
function path(digits: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0
  const all = digits.length % 2 === 0 ? [flag, 0, ...digits] : [flag + 1, ...digits]
  return Uint8Array.from({ length: all.length / 2 }, (_, i) => (numberAt(all, 2 * i) << 4) | numberAt(all, 2 * i + 1))
}
