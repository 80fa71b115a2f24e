// The wait for a block that a node tells of, on a clock of its own.
import { expect, test } from 'vitest'
import type { BlockRef } from '../../../src/chain/event.ts'
import { createBell } from '../../../src/chain/follow/bell.ts'
import { createSharedClock } from '../../support/shared-clock.ts'

const block = (number: number, fork = 0) => ({ number, hash: `0x${fork}${number}` }) as BlockRef

function createSubject() {
  const clock = createSharedClock()
  const bell = createBell(clock)
  /** How long a wait lasts. */
  const time = async (cursor: BlockRef, ms: number, signal?: AbortSignal) => {
    const fromMs = clock.monotonicMs()
    await bell.wait(cursor, ms, signal)
    return clock.monotonicMs() - fromMs
  }
  const tellAfter = async (ms: number, head: BlockRef) => {
    await clock.sleep(ms)
    bell.tell(head)
  }
  return { clock, bell, time, tellAfter }
}

test('a told block ends the wait for it, and an earlier one ends the next wait at once', async () => {
  const { bell, time, tellAfter } = createSubject()
  void tellAfter(300, block(8))
  expect(await time(block(7), 2_000)).toBe(300)
  await tellAfter(500, block(9))
  expect(await time(block(8), 2_000)).toBe(0)
  expect(bell.isHeard()).toBe(true)
})

test('blocks told within a time from the first are gathered: one wait ends for all of them', async () => {
  const { clock, bell, tellAfter } = createSubject()
  const fromMs = clock.monotonicMs()
  for (const [at, number] of [8, 9, 10].entries()) void tellAfter(100 + 150 * at, block(number))
  await bell.wait(block(7), 2_000, undefined, 350)
  expect(clock.monotonicMs() - fromMs).toBe(450)
  expect(bell.newest()).toBe(10)
  bell.hush()
  expect(bell.newest()).toBeNull()
})

test('a block that is already read ends no wait, one in its place does', async () => {
  const { time, tellAfter } = createSubject()
  void tellAfter(300, block(7))
  void tellAfter(400, block(7, 1))
  expect(await time(block(7), 2_000)).toBe(400)
})

test('without a told block the wait ends by time, two seconds later while the node is heard', async () => {
  const { bell, time } = createSubject()
  expect(await time(block(7), 500)).toBe(500)
  bell.tell(block(7))
  expect(await time(block(7), 500)).toBe(2_500)
  bell.hush()
  expect(await time(block(7), 500)).toBe(500)
})

test('a told block that the provider does not have yet is looked for by time', async () => {
  const { bell, time } = createSubject()
  bell.tell(block(8))
  expect(await time(block(7), 100)).toBe(0)
  expect(await time(block(7), 100)).toBe(150)
})

test('a flood of told blocks ends at most twenty waits a second', async () => {
  const { clock, bell } = createSubject()
  const untilMs = clock.monotonicMs() + 1_000
  let waits = 0
  for (; clock.monotonicMs() < untilMs; waits++) {
    bell.tell(block(1_000 + waits))
    await bell.wait(block(7), 2_000)
  }
  expect(waits).toBeLessThanOrEqual(21)
})

test('the end of the program ends the wait', async () => {
  const { clock, time } = createSubject()
  const stop = new AbortController()
  void clock.sleep(200).then(() => stop.abort())
  expect(await time(block(7), 60_000, stop.signal)).toBe(200)
  expect(await time(block(7), 60_000, stop.signal)).toBe(0)
})
