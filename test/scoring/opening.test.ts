import { expect, test } from 'vitest'
import { measureOpening } from '../../src/scoring/opening.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { pool, token } from '../support/facts.ts'

const measure = (...pools: Parameters<typeof pool>[0][]) =>
  measureOpening(token({ pools: pools.map((more) => pool(more)) }))

test.each([
  [120, 10],
  [15, 5],
  [3, 1],
  [2.5, 0.5],
  [0.1 + 0.2, 0.1],
  [1.25, 0.01],
  [4.237_194_455, 0],
  [1_000_000.4, 0.1],
  [0.000_000_001, 0],
])('an opening with %d quote tokens is a multiple of %d', (openingQuote, step) => {
  expect(measure({ openingQuote }).openingStep).toBe(step)
})

test('emptied pools of the opener count by how many more they are than the others', () => {
  const excess = (poolCount: number, emptiedCount: number) =>
    measure({ opener: { poolCount, emptiedCount } }).openerEmptiedExcess
  expect([excess(0, 0), excess(1, 1), excess(3, 3), excess(3, 2), excess(9, 1)]).toEqual([0, 1, 3, 1, 0])
})

test('the first pool gives the opening measures, and unknown ones are null', () => {
  const later = { id: 7, openingQuote: 10, opener: { poolCount: 2, emptiedCount: 2 } }
  const unknown = { openingStep: null, openerEmptiedExcess: null, openerPoolCount: 0, openerEmptiedCount: 0 }
  expect(measure(later, { id: 2 })).toEqual(unknown)
  expect(measure(later, { id: 9, openingQuote: 1.23 })).toEqual({
    openingStep: 10,
    openerEmptiedExcess: 2,
    openerPoolCount: 2,
    openerEmptiedCount: 2,
  })
  expect(measureOpening(token({ partial: true, pools: [pool(later)] }))).toEqual(unknown)
  expect(measureOpening(token({ pools: [] }))).toEqual(unknown)
})

test('a token whose opener emptied most of its other pools is of high risk, and says so', () => {
  const score = (emptiedCount: number) =>
    scoreToken(token({ pools: [pool({ openingQuote: 10, opener: { poolCount: emptiedCount, emptiedCount } })] }))
  const [clean, serial] = [score(0), score(3)]
  expect(serial.dimensions.opening.inputs.find((one) => one.name === 'openingStep')?.value).toBe(10)
  expect(clean.explanation.floors).toEqual([])
  expect(serial.explanation.floors).toEqual([{ reason: 'opener_emptied', atLeast: 50 }])
  expect(clean.riskScore).toBeLessThan(50)
  expect(serial.riskScore).toBeGreaterThan(50)
  expect(serial.explanation.reasons).toContainEqual(
    expect.objectContaining({ kind: 'danger', text: "3 of its opener's 3 other pools were emptied" }),
  )
})
