import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createColumns, LARGE } from '../../src/board/columns.ts'
import { keepBits, keepGrowth } from '../../src/board/narrow.ts'
import { hasRow } from '../../src/board/row-set.ts'
import { holderGrowthPct } from '../../src/fields/formulas.ts'

const allOf = (end: number) => new Uint32Array(Math.ceil(end / 32)).fill(0xffffffff)
const rowsOf = (end: number) => Array.from({ length: end }, (_, row) => row)

const count = fc.oneof(fc.nat(3), fc.nat(LARGE - 1))
const counts = fc.array(fc.tuple(count, count), { minLength: 1, maxLength: 100 })

test('growth within bounds follows its formula, to the last digit, however large the counts', () => {
  const bound = (near: number) =>
    fc.oneof(
      fc.constantFrom(-1e-4, 0, 1e-4).map((step) => near + step),
      fc.constantFrom(Number.NEGATIVE_INFINITY, -1e300, -100, 0, 6_553_400, 1e300, Number.POSITIVE_INFINITY),
    )
  const cases = counts.chain((rows) =>
    fc.constantFrom(...rows).chain(([now, ago]) => {
      const near = holderGrowthPct(now, ago)
      return fc.record({ rows: fc.constant(rows), low: bound(near), high: bound(near) })
    }),
  )
  fc.assert(
    fc.property(cases, ({ rows, low, high }) => {
      const columns = createColumns(rows.length)
      for (const [row, [now, ago]] of rows.entries()) {
        columns.fundedHolderCount[row] = now
        columns.fundedHolderCount1hAgo[row] = ago
      }
      const within = allOf(rows.length)
      keepGrowth(within, rows.length, columns, { low, high })
      const passes = rows.map(([now, ago]) => holderGrowthPct(now, ago) >= low && holderGrowthPct(now, ago) <= high)
      expect(rowsOf(rows.length).map((row) => hasRow(within, row))).toEqual(passes)
    }),
    { numRuns: 500 },
  )
})

test('rows with a bit of a mask, or with none of them, are kept, whichever byte of a word they are in', () => {
  const flags = fc.array(fc.oneof(fc.constant(0), fc.nat(255)), { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(flags, fc.nat(255), fc.boolean(), (rows, mask, isWanted) => {
      const within = allOf(rows.length)
      keepBits(within, rows.length, Uint8Array.from(rows), mask, isWanted)
      const passes = rows.map((bits) => ((bits & mask) !== 0) === isWanted)
      expect(rowsOf(rows.length).map((row) => hasRow(within, row))).toEqual(passes)
    }),
    { numRuns: 500 },
  )
})
