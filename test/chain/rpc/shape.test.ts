// Answers that are small on the wire and large in memory.
import { expect, test } from 'vitest'
import { isExcessive } from '../../../src/chain/rpc/shape.ts'

const excessive = (text: string) => isExcessive(Buffer.from(text))
const MANY = 2_000_000

test('an answer that nests without end, or holds millions of arrays, is not parsed', () => {
  expect(excessive('['.repeat(MANY))).toBe(true)
  expect(excessive('{"a":'.repeat(MANY))).toBe(true)
  expect(excessive(`[${'[],'.repeat(MANY)}[]]`)).toBe(true)
})

test('brackets within texts do not count, and a large block is parsed', () => {
  expect(excessive(JSON.stringify({ result: `${'['.repeat(MANY)}\\"[[` }))).toBe(false)
  const transactions = Array.from({ length: 5_000 }, () => ({
    input: '0x'.padEnd(200, '0'),
    accessList: [{ storageKeys: [] }],
  }))
  expect(excessive(JSON.stringify({ result: { transactions } }))).toBe(false)
})
