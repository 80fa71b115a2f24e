// The contract's reason for a refusal, as text that is safe to store and to show. Input: the data of the revert, else
// the node's words about it. The contract wrote the reason: it is data, never a command.

import { wordsOf } from '../../chain/contracts/words.ts'
import { describeCustomError } from './custom-errors.ts'

const MAX_TEXT = 120
/** Selectors of `Error(string)`, `Panic(uint256)`, and of V4's `WrappedError(address,bytes4,bytes,bytes)`. */
const [ERROR, PANIC, WRAPPED] = ['0x08c379a0', '0x4e487b71', '0x90bfb865']
/** What a panic of Solidity means, by its code. */
const PANICS: Readonly<Record<number, string>> = {
  1: 'an assertion failed',
  17: 'a number was too large or below zero',
  18: 'a division by zero',
  33: 'a value that an enum does not have',
  34: 'a damaged byte array in storage',
  49: 'an empty array',
  50: 'an index outside of an array',
  65: 'too much memory',
  81: 'a function that was not set',
}
/** Failures without a revert, in one form for all nodes. */
const FAILURES: readonly (readonly [string, RegExp])[] = [
  ['out of gas', /out ?of ?gas|gas uint64 overflow/i],
  ['an invalid instruction', /invalid ?(fe)? ?opcode|opcode/i],
  ['a stack overflow', /stack/i],
  ['an invalid jump', /jump/i],
]

/** The reason in the data of the revert, else in the node's message; empty when there is none. */
export function readRefusal(message: string, data: string | null): string {
  if (data !== null && data.length >= 10) return readRevertData(data)
  const [, said] = /revert(?:ed)?(?: with (?:reason string|custom error))?[:\s]*(.*)$/is.exec(message) ?? []
  if (said === undefined) return FAILURES.find(([, pattern]) => pattern.test(message))?.[0] ?? ''
  const own = said.replace(/ \(HTTP \d+\)$/, '').replaceAll("'", '')
  const [hex = ''] = /0x[0-9a-f]{8,}\s*$/i.exec(own) ?? []
  return clean(own.slice(0, own.length - hex.length)) || readRevertData(hex)
}

/** The text of revert data: an `Error(string)`, a panic, a known custom error, or the selector of an unknown one. */
export function readRevertData(data: string, depth = 0): string {
  if (data.startsWith(ERROR) && data.length >= 138) return clean(textAt(data, 1))
  if (data.startsWith(PANIC) && data.length === 74) {
    const code = Number(BigInt(`0x${data.slice(10)}`))
    return `panic: ${PANICS[code] ?? `code ${code}`}`
  }
  const inner = data.startsWith(WRAPPED) && depth === 0 ? bytesOf(data, 2) : null
  if (inner) return readRevertData(`0x${inner}`, 1)
  return describeCustomError(data)?.slice(0, MAX_TEXT) ?? (data.length >= 10 ? `custom error ${data.slice(0, 10)}` : '')
}

/** The text whose length is the word at this place. */
function textAt(data: string, place: number): string {
  const start = 10 + 64 * (place + 1)
  const length = Math.min(Number(BigInt(`0x${data.slice(start - 64, start)}`)), MAX_TEXT * 2)
  return Buffer.from(data.slice(start, start + 2 * length), 'hex').toString('utf8')
}

/** The bytes whose offset is the argument at this place; null for an impossible offset or length. The data may be cut. */
function bytesOf(data: string, place: number): string | null {
  const words = wordsOf(data.slice(10))
  const offset = Number(`0x${words[place] ?? 'f'.repeat(64)}`)
  const length = Number(`0x${words[offset / 32] ?? 'f'.repeat(64)}`)
  const start = 10 + 2 * offset + 64
  return length >= 4 && start + 8 <= data.length ? data.slice(start, start + 2 * length) : null
}

/** Directional and control characters could turn a sentence into another. */
const clean = (text: string): string =>
  [
    ...text
      .replace(/[\p{C}\uFFFD]/gu, ' ')
      .trim()
      .replace(/\s+/g, ' '),
  ]
    .slice(0, MAX_TEXT)
    .join('')
