// Packed blocks of a recording read as the recording does, in any order.
import { expect, test } from 'vitest'
import { openRecording } from '../../../src/chain/replay/kept-blocks.ts'
import { demoRecording } from '../../support/demo.ts'

const [packed, whole] = [openRecording(), demoRecording()]
const copyOf = (number: number) => {
  const { hash, time, bloom, transactions, logs } = packed.blocks[number] ?? {}
  return { hash, time, bloom, transactions, logs }
}

test('every block is that of the recording, read one after the other and in leaps', () => {
  expect(packed.blocks.length).toBe(whole.blocks.length)
  const { length } = whole.blocks
  for (let number = 0; number < length; number += 1) expect(copyOf(number)).toEqual(whole.blocks[number])
  for (let leap = 0; leap < 200; leap += 1) {
    const number = (leap * 2_477) % length
    expect(copyOf(number)).toEqual(whole.blocks[number])
  }
})

test('the rest of a recording is the same', () => {
  const { blocks: _, ...rest } = packed
  const { blocks, ...expected } = whole
  expect(blocks.length).toBeGreaterThan(7_000)
  expect(rest).toEqual(expected)
})
