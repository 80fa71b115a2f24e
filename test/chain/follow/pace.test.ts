import { describe, expect, it } from 'vitest'
import { createHeadPace } from '../../../src/chain/follow/pace.ts'
import { createTestClock } from '../../support/clock.ts'

/** Looks for blocks that arrive at these milliseconds, with their times in seconds; returns delays and looks. */
function follow(blocks: readonly { time: number; atMs: number }[]) {
  const clock = createTestClock()
  const startMs = clock.monotonicMs()
  const nowMs = () => clock.monotonicMs() - startMs
  const pace = createHeadPace(clock)
  const delays: number[] = []
  let looks = 0
  for (let next = 0; next < blocks.length; ) {
    clock.advance(pace.waitMs())
    pace.look()
    looks += 1
    const arrived = blocks.slice(next).filter(({ atMs }) => atMs <= nowMs())
    for (const { atMs } of arrived) delays.push(nowMs() - atMs)
    if (arrived.length > 0) pace.found(arrived.map(({ time }, at) => ({ number: next + at, time })))
    else pace.missed()
    next += arrived.length
  }
  return { delays, looks }
}

const every = (ms: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ atMs: at * ms, time: Math.floor((at * ms) / 1_000) }))
const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length

describe('the pace of the head', () => {
  it.each([
    [12_000, 1.4, 0.06],
    [2_000, 1.4, 0.1],
    [750, 1.4, 0.2],
    [250, 2, 0.4],
  ])('finds a block every %i ms in at most %f looks, late by at most %f of that time', (ms, looks, late) => {
    const found = follow(every(ms, 600))
    expect(found.looks / 600).toBeLessThanOrEqual(looks)
    expect(meanOf(found.delays.slice(100)) / ms).toBeLessThanOrEqual(late)
  })

  it('is not late after a slot without a block', () => {
    const blocks = every(12_000, 600).filter((_, at) => at % 10 !== 9)
    const { delays } = follow(blocks)
    expect(meanOf(delays.slice(100))).toBeLessThanOrEqual(1_000)
  })

  it('finds the blocks of a chain whose times do not tell when they come', () => {
    const blocks = every(200, 600).map(({ atMs }, at) => ({ atMs, time: 60 * at }))
    const { delays, looks } = follow(blocks)
    expect(looks / 600).toBeLessThanOrEqual(2)
    expect(meanOf(delays.slice(100))).toBeLessThanOrEqual(150)
  })

  it('looks every two seconds at most while no block comes, and every tenth of a second at least', () => {
    const clock = createTestClock()
    for (const [ms, least, most] of [
      [15_000, 1_000, 2_000],
      [100, 100, 200],
    ] as const) {
      const pace = createHeadPace(clock)
      pace.found(every(ms, 50).map(({ time }, number) => ({ time, number })))
      pace.look()
      pace.missed()
      expect(pace.waitMs()).toBeGreaterThanOrEqual(least)
      expect(pace.waitMs()).toBeLessThanOrEqual(most)
    }
  })

  it('does not wait for the interval of a chain whose block times do not tell when a block comes', () => {
    const clock = createTestClock()
    const pace = createHeadPace(clock)
    pace.look()
    pace.found(every(360_000, 50).map(({ time }, number) => ({ time, number })))
    expect(pace.waitMs()).toBeLessThanOrEqual(1_000)
    clock.advance(60_000)
    pace.look()
    pace.missed()
    expect(pace.waitMs()).toBe(1_000)
  })
})
