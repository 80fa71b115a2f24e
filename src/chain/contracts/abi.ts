// Reads `eth_call` results without trusting them: a contract may return nothing, too little, another type, or
// megabytes. Input: hex. Output: a value, or null. It never throws.
import { type Address, parseAddress } from '../../base/address.ts'
import { isHex } from '../columns/hex.ts'

/** The first four bytes of the keccak-256 of each signature. */
export const SELECTORS = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  totalSupply: '0x18160ddd',
  balanceOf: '0x70a08231',
  factory: '0xc45a0155',
  token0: '0x0dfe1681',
  token1: '0xd21220a7',
  getReserves: '0x0902f1ac',
  fee: '0xddca3f43',
  slot0: '0x3850c7bd',
  getPair: '0xe6a43905',
  getPool: '0x1698ee82',
} as const

/** Maximum length of a name, in characters. */
export const MAX_TEXT = 256
/** The most bytes that UTF-8 needs for `MAX_CHARS` characters. */
const MAX_BYTES = MAX_TEXT * 4

/** The unsigned integer at this word; null when the data is too short or is not hex. */
export function readUint(data: unknown, word = 0): bigint | null {
  if (!isHex(data) || data.length < 66 + 64 * word) return null
  return BigInt(`0x${data.slice(2 + 64 * word, 66 + 64 * word)}`)
}

/** The address in the first word; null when it is missing or wider than 20 bytes. */
export function readAddressWord(data: unknown): Address | null {
  const value = readUint(data)
  return value === null || value >> 160n !== 0n ? null : parseAddress(`0x${value.toString(16).padStart(40, '0')}`)
}

/** The address at this word; null when it is missing, zero or wider than 20 bytes. */
export function readAddressAt(data: unknown, word: number): Address | null {
  const value = readUint(data, word)
  if (value === null || value === 0n || value >> 160n !== 0n) return null
  return parseAddress(`0x${value.toString(16).padStart(40, '0')}`)
}

/** The most entries read from a list. */
const MAX_ENTRIES = 64

/** The list whose offset is at this word; null when it is outside the data or too long. */
export function readList(data: unknown, word: number): bigint[] | null {
  const offset = readUint(data, word)
  if (offset === null || offset % 32n !== 0n || offset > 1_000_000n) return null
  const start = Number(offset) / 32
  const length = readUint(data, start)
  if (length === null || length > MAX_ENTRIES) return null
  const entries = Array.from({ length: Number(length) }, (_, at) => readUint(data, start + 1 + at))
  return entries.every((entry) => entry !== null) ? entries : null
}

/** A text of type string, or of bytes32 as old tokens return it; empty when it is neither. */
export function readText(data: unknown): string {
  if (!isHex(data) || data.length < 66) return ''
  return cleanText(readBytes(data))
}

function readBytes(data: string): Buffer {
  const offset = BigInt(data.slice(0, 66))
  const available = (data.length - 2) / 2
  if (available >= 64 && offset === 32n) {
    const length = BigInt(`0x${data.slice(66, 130)}`)
    const bytes = length < BigInt(available - 64) ? Number(length) : available - 64
    return Buffer.from(data.slice(130, 130 + 2 * Math.min(bytes, MAX_BYTES)), 'hex')
  }
  return Buffer.from(data.slice(2, 66), 'hex')
}

/** Makes text storable: removes invalid UTF-8 and NUL, and keeps 256 characters without splitting a surrogate pair. */
function cleanText(bytes: Buffer): string {
  const text = bytes.toString('utf8').replaceAll('\0', '').replaceAll('\uFFFD', '')
  return [...text.trim()].slice(0, MAX_TEXT).join('')
}
