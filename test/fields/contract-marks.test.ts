import fc from 'fast-check'
import { expect, test } from 'vitest'
import { POWER_KINDS } from '../../src/base/vocabulary.ts'
import { type ContractMarks, packMarks, toMarksRule, unpackMarks, withoutTax } from '../../src/fields/contract-marks.ts'
import { allowsBits } from '../../src/fields/to-test.ts'

const found: fc.Arbitrary<ContractMarks> = fc.record({
  isChecked: fc.boolean(),
  sellable: fc.option(fc.boolean()),
  sellTaxPct: fc.option(fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)),
  powers: fc.option(fc.subarray([...POWER_KINDS])),
  ownerChanged: fc.boolean(),
})

test('the marks of a check have its findings, to the last digit of the tax', () => {
  fc.assert(
    fc.property(found, (marks) => {
      expect(unpackMarks(packMarks(marks))).toEqual(marks)
      expect(unpackMarks(withoutTax(packMarks(marks)))).toEqual({ ...marks, sellTaxPct: null })
    }),
  )
})

test('a token that was never checked passes no filter that asks for something of its contract', () => {
  const asking = [
    ...[{ sellable: true }, { sellable: false }, { contractChecked: true }, { ownerChanged: true }],
    ...[{ ownerChanged: false }, { excludePowers: ['mint' as const] }, { includePowers: ['mint' as const] }],
  ]
  const passing = asking.filter((filter) => {
    const rule = toMarksRule(filter)
    return rule === null || allowsBits(rule, 0)
  })
  expect(passing).toEqual([])
  expect(toMarksRule({ excludePowers: [] })).toBeNull()
})
