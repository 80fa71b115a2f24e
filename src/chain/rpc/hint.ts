// The advice in a provider's refusal. Input: its kind and message. Output: a number of blocks or a range that it accepts.
import type { RpcErrorKind, RpcHint } from './error.ts'

const NUMBER = String.raw`(0x[0-9a-f]+|\d[\d,]*)`
const SUGGESTED = new RegExp(String.raw`range[^\d[]{0,30}\[?\s*${NUMBER}\s*(?:-|,|to)\s*${NUMBER}`, 'i')
const LIMITS = [
  /(?:limited to|up to|at most|maximum|max|exceeds?|limit|less than|within|than|over)[^\d]{0,40}(\d[\d,]*)\s*(k\b)?/i,
  /(\d[\d,]*)\s*(k\b)?[- ]*blocks?[- ]*(?:range|limit|max)/i,
]

/** A message with the requested and the allowed number of blocks, beside the requested range. */
const COMPARED = /\(\d+ > (\d+)\)/

const readNumber = (text: string): number => Number(text.startsWith('0x') ? text : text.replaceAll(',', ''))

/** The advice in the message. Impossible values (a reversed range, zero blocks) are ignored. */
export function readHint(kind: RpcErrorKind, message: string): RpcHint {
  if (kind !== 'range' && kind !== 'size') return {}
  const [, allowed] = (kind === 'range' && COMPARED.exec(message)) || []
  if (allowed) return { maxBlocks: Number(allowed) }
  const suggested = SUGGESTED.exec(message)
  if (suggested?.[1] && suggested[2]) {
    const range = { from: readNumber(suggested[1]), to: readNumber(suggested[2]) }
    if (range.from <= range.to) return { range }
  }
  if (kind !== 'range') return {}
  for (const pattern of LIMITS) {
    const [, digits, thousand] = pattern.exec(message) ?? []
    const maxBlocks = digits ? readNumber(digits) * (thousand ? 1000 : 1) : 0
    if (Number.isSafeInteger(maxBlocks) && maxBlocks > 0) return { maxBlocks }
  }
  return {}
}
