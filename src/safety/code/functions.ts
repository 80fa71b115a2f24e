// The functions of a contract, from its code. Input: runtime code, which is hostile. Output: selectors with argument
// types, and the accounts in the code.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { contractInfo, initSync } from 'evmole/dist/evmole.js'
import { type Address, toAddress } from '../../base/address.ts'
import { uint8At } from '../../base/item-at.ts'
import { type Hex, selectorOf } from '../../chain/contracts/words.ts'
import type { UnreadReason } from '../report.ts'

export interface ContractFunction {
  /** Eight hex digits. */
  selector: string
  /** Types of its arguments. */
  types: readonly string[]
  /** Whether it may change state. */
  isWriting: boolean
}

/** The most bytes of a contract are 24,576; some chains allow twice as many, and EIP-7954 allows 65,536. */
const MAX_CODE_CHARS = 2 + 2 * 65_536
/** `transfer(address,uint256)`: a token whose code seems to lack it was not read. */
const TRANSFER = selectorOf('transfer(address,uint256)').slice(2)
const MAX_FUNCTIONS = 200
const MAX_CONSTANTS = 12

let isReady = false

/** Loads the library's WebAssembly when code is first read, because most processes never read any. */
function prepare(): void {
  if (isReady) return
  initSync({ module: readFileSync(createRequire(import.meta.url).resolve('evmole/evmole_bg.wasm')) })
  isReady = true
}

/** Why the functions of a token's running code say nothing of what they lack; null: they were read. */
export function whyUnread(code: Hex, functions: readonly ContractFunction[]): UnreadReason | null {
  if (code === '0x') return 'no_code'
  if (code.startsWith('0xef')) return 'not_evm_code'
  if (code.length > MAX_CODE_CHARS) return 'too_long'
  return functions.some(({ selector }) => selector === TRANSFER) ? null : 'no_functions'
}

/** The functions of the code; none if it cannot be read. */
export function readFunctions(code: Hex): ContractFunction[] {
  if (code.length > MAX_CODE_CHARS) return []
  prepare()
  try {
    const { functions = [] } = contractInfo(code, { selectors: true, arguments: true, stateMutability: true })
    return functions.slice(0, MAX_FUNCTIONS).map(({ selector, arguments: types = '', stateMutability }) => ({
      selector,
      types: splitTypes(types),
      isWriting: stateMutability !== 'view' && stateMutability !== 'pure',
    }))
  } catch {
    return []
  }
}

/** Splits at commas outside of brackets. */
export function splitTypes(text: string): string[] {
  const types: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const letter = text[at]
    if (letter === '(') depth += 1
    else if (letter === ')') depth -= 1
    else if ((letter === ',' || letter === undefined) && depth === 0) {
      if (at > start) types.push(text.slice(start, at))
      start = at + 1
    }
  }
  return types
}

const PUSH1 = 0x60
const PUSH20 = 0x73
const PUSH32 = 0x7f

const WORD_BYTES = 32
const ADDRESS_BYTES = 20

/** Addresses among words of arguments, from the first byte on. */
export function readWords(bytes: Buffer): Address[] {
  const words = Array.from({ length: Math.floor(bytes.length / WORD_BYTES) }, (_, at) =>
    bytes.subarray(at * WORD_BYTES, (at + 1) * WORD_BYTES),
  )
  return words.slice(0, MAX_CONSTANTS).flatMap((word) => {
    const [zeros, address] = [word.subarray(0, -ADDRESS_BYTES), word.subarray(-ADDRESS_BYTES)]
    const isAddress = zeros.every((byte) => byte === 0) && isLikelyAddress(address)
    return isAddress ? [toAddress(`0x${address.toString('hex')}`)] : []
  })
}

/**
 * Addresses that the code pushes: constants, and immutables from its constructor. Those with many zeros are masks or
 * precompiles.
 */
export function readConstants(code: Hex): Address[] {
  const bytes = Buffer.from(code.slice(2), 'hex')
  const found = new Set<Address>()
  for (let at = 0; at < bytes.length && found.size < MAX_CONSTANTS; at++) {
    const op = uint8At(bytes, at)
    if (op < PUSH1 || op > PUSH32) continue
    const size = op - PUSH1 + 1
    const value = bytes.subarray(at + 1, at + 1 + size)
    // An immutable takes 32 bytes.
    const isWide = op === PUSH32 && value.length === 32 && value.subarray(0, 12).every((byte) => byte === 0)
    const address = op === PUSH20 ? value : isWide ? value.subarray(12) : null
    if (address?.length === 20 && isLikelyAddress(address)) found.add(toAddress(`0x${address.toString('hex')}`))
    at += size
  }
  return [...found]
}

/** Masks are all ones, small numbers mostly zeros. */
export const isLikelyAddress = (address: Buffer): boolean => new Set(address).size > 8
