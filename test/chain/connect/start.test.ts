// Finding the block that a person means, in few questions, whatever the block times are like.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findStartBlock } from '../../../src/chain/connect/start.ts'

/** Times by block; counts the questions. */
function chainOf(times: readonly number[]) {
  const asked: number[] = []
  const timeOf = async (block: number) => {
    asked.push(block)
    return times[block] as number
  }
  return { asked, timeOf, head: times.length - 1 }
}

describe('the first block at a time', () => {
  test('is found on any chain, in a few dozen questions', async () => {
    const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(100_000)), {
      minLength: 2,
      maxLength: 500,
    })
    await fc.assert(
      fc.asyncProperty(steps, fc.double({ min: 0, max: 1, noNaN: true }), async (durations, share) => {
        let time = 1_700_000_000
        const times = [0, ...durations.map((seconds) => (time += seconds))]
        const { asked, timeOf, head } = chainOf(times)
        const [first, last] = [times[1] as number, times[head] as number]
        const wanted = Math.floor(first + share * (last - first))
        const found = await findStartBlock({ kind: 'time', time: wanted }, head, timeOf)
        expect(found).toBe(times.findIndex((at, block) => block >= 1 && at >= wanted))
        expect(asked.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(head + 1)) + 4)
      }),
    )
  })

  test('before the chain is its first block, and after it an error with the newest time', async () => {
    const { timeOf, head } = chainOf([0, 1_700_000_000, 1_700_000_012])
    expect(await findStartBlock({ kind: 'ago', seconds: 900_000 }, head, timeOf)).toBe(1)
    await expect(findStartBlock({ kind: 'time', time: 1_700_000_013 }, head, timeOf)).rejects.toThrow(
      'START is after the newest block, which is of 2023-11-14T22:13:32.000Z: use an earlier time, or head.',
    )
  })

  test('the head and a number are themselves, without a question', async () => {
    const { asked, timeOf, head } = chainOf([0, 1, 2])
    expect(await findStartBlock({ kind: 'head' }, head, timeOf)).toBe(2)
    expect(await findStartBlock({ kind: 'block', number: 1 }, head, timeOf)).toBe(1)
    expect(asked).toEqual([])
  })
})
