import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planStrides } from '../../src/cli/strides.ts'

test.each([
  // A week of a hundred blocks a day, up to block 100,000, which is to become 90 days.
  [{ begins: 99_301, head: 100_000 }, 91_001, [97_491, 91_001]],
  // An index that just began.
  [{ begins: 100_000, head: 100_000 }, 36_001, [96_001, 84_001, 36_001]],
  [{ begins: 90_001, head: 100_000 }, 80_001, [80_001]],
  [{ begins: 80_000, head: 100_000 }, 80_000, []],
  [{ begins: 0, head: 100_000 }, 80_000, []],
])('an index of %j that is to begin at block %i grows by %j', (index, target, strides) => {
  expect(planStrides(index, target)).toEqual(strides)
})

test('each stride begins earlier, the last one at the target, and what they read besides it is less than half of it', () => {
  const index = fc
    .tuple(fc.nat(20_000_000), fc.nat(20_000_000), fc.nat(20_000_000))
    .map((blocks) => blocks.sort((a, b) => a - b))
  fc.assert(
    fc.property(index, ([target = 0, begins = 0, head = 0]) => {
      const strides = planStrides({ begins, head }, target)
      fc.pre(begins > target)
      expect(strides.at(-1)).toBe(target)
      expect([...strides].sort((a, b) => b - a)).toEqual(strides)
      const read = strides.reduce((sum, first) => sum + head - first + 1, 0)
      expect(read / (head - target + 1)).toBeLessThan(1.45)
    }),
  )
})
