import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  firstRange,
  growRange,
  PATIENCE,
  type RangeState,
  shrinkRange,
  TARGET_LOGS,
} from '../../../src/chain/source/ranges.ts'

const state = fc.record({ size: fc.integer({ min: 1, max: 2000 }), cap: fc.constant(2000) })
const hint = fc.record(
  {
    maxBlocks: fc.integer({ min: -5, max: 1e9 }),
    range: fc.record({ from: fc.integer({ min: 0, max: 1e6 }), to: fc.integer({ min: 0, max: 1e6 }) }),
  },
  { requiredKeys: [] },
)
const kind = fc.constantFrom('range' as const, 'size' as const)

describe('the size of a range', () => {
  it('the range shrinks after every refusal, whatever the hint, but never below one block', () => {
    fc.assert(
      fc.property(state, kind, fc.integer({ min: 2, max: 2000 }), hint, (before, why, blocks, told) => {
        const after = shrinkRange(before, why, 100, blocks, told)
        expect(after.size).toBeGreaterThanOrEqual(1)
        expect(after.size).toBeLessThan(blocks)
        expect(after.cap).toBeLessThanOrEqual(before.cap)
      }),
    )
  })

  it('the range never exceeds its cap, and a cap rises only after many answers as wide as it', () => {
    const happening = fc.oneof(
      fc.record({ blocks: fc.integer({ min: 1, max: 2000 }), logs: fc.integer({ min: 0, max: 1e5 }) }),
      fc.record({ why: kind, blocks: fc.integer({ min: 2, max: 2000 }), told: hint }),
    )
    fc.assert(
      fc.property(fc.array(happening), (happenings) => {
        let now: RangeState = firstRange()
        for (const happened of happenings) {
          const before = now
          now =
            'why' in happened
              ? shrinkRange(now, happened.why, 0, happened.blocks, happened.told)
              : growRange(now, happened.blocks, happened.logs)
          if ((before.held ?? 0) + 1 < PATIENCE) expect(now.cap).toBeLessThanOrEqual(before.cap)
          expect(now.size).toBeLessThanOrEqual(now.cap)
        }
      }),
    )
  })

  it('one false refusal of a range is forgotten, and a provider with a true cap refuses ever more rarely', () => {
    let range = shrinkRange({ size: 2000, cap: 2000 }, 'range', 0, 2000, { maxBlocks: 10 })
    for (let answers = 0; answers < 40_000; answers++) range = growRange(range, range.size, 0)
    expect(range.size).toBe(2000)

    let refused = 0
    range = firstRange()
    for (let asked = 0; asked < 100_000; asked++) {
      if (range.size > 100) refused += 1
      range =
        range.size > 100
          ? shrinkRange(range, 'range', 0, range.size, { maxBlocks: 100 })
          : growRange(range, range.size, 0)
    }
    expect(range.size).toBeGreaterThanOrEqual(100)
    expect(refused).toBeLessThan(20)
  })

  it('the range grows to the cap on an empty chain, and to the target of logs on a full one', () => {
    let empty = firstRange()
    let full = firstRange()
    for (let i = 0; i < 40; i++) {
      empty = growRange(empty, empty.size, 0)
      full = growRange(full, full.size, full.size * 250)
    }
    expect(empty.size).toBe(2000)
    expect(full.size).toBe(TARGET_LOGS / 250)
  })

  it('the range follows a usable hint', () => {
    expect(shrinkRange({ size: 500, cap: 2000 }, 'range', 0, 500, { maxBlocks: 100 })).toEqual({
      size: 100,
      cap: 100,
      held: 0,
    })
    expect(shrinkRange({ size: 500, cap: 2000 }, 'size', 7, 500, { range: { from: 7, to: 36 } })).toEqual({
      size: 30,
      cap: 2000,
    })
  })
})
