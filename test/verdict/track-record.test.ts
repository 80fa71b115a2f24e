// What an installation said of tokens, beside what became of them.
import { expect, test } from 'vitest'
import { findAlike } from '../../src/verdict/alike.ts'
import { type RecordSum, tellMoves, toRecordCells } from '../../src/verdict/track-record.ts'

const ETHEREUM = 1
const sumOf = (given: Partial<RecordSum>): RecordSum => ({
  horizonDays: 30,
  ageHours: 24,
  level: 'medium',
  tokens: 200,
  pulled: 0,
  priced: 0,
  lost: 0,
  sellable: 0,
  unsellable: 0,
  ...given,
})

test('the cells of a record come by horizon and age, the lowest level first, and an unknown level is left out', () => {
  const sums = [
    sumOf({ level: 'critical' }),
    sumOf({ level: 'low' }),
    sumOf({ level: 'none' }),
    sumOf({ ageHours: 1 }),
    sumOf({ horizonDays: 7 }),
  ]
  expect(
    toRecordCells(ETHEREUM, sums).map(({ horizonDays, ageHours, level }) => [horizonDays, ageHours, level]),
  ).toEqual([
    [7, 24, 'medium'],
    [30, 1, 'medium'],
    [30, 24, 'low'],
    [30, 24, 'critical'],
  ])
})

test('a market has moved when the intervals of the record and of the exam do not touch, on either side', () => {
  const expected = findAlike(ETHEREUM, 'medium', 24)
  if (!expected) throw new Error('the exam has no such token')
  const pulledAt = (share: number) => sumOf({ pulled: Math.round(200 * share) })
  const [none, same, all] = [0, expected.share, 1].map((share) => toRecordCells(ETHEREUM, [pulledAt(share)])[0])
  expect([none?.isMoved, same?.isMoved, all?.isMoved]).toEqual([true, false, true])
  expect(none?.expected).toEqual(expected)
  const few = toRecordCells(ETHEREUM, [sumOf({ tokens: 3, pulled: 0 })])
  expect(few[0]).toMatchObject({ isMoved: false, proven: false })
})

test('a horizon that the exam did not judge is compared with nothing', () => {
  const cells = toRecordCells(ETHEREUM, [sumOf({ horizonDays: 7, pulled: 200 })])
  expect(cells[0]).toMatchObject({ expected: null, isMoved: false, share: 1 })
  expect(tellMoves(cells)).toEqual([])
})

test('the sentence of a market that moved has both intervals', () => {
  const [sentence] = tellMoves(toRecordCells(ETHEREUM, [sumOf({ pulled: 160 })]))
  expect(sentence).toBe(
    'Of 200 tokens of medium risk at an age of 1 day, 73 to 85 % were pulled within 30 days, where the exam, with falls by 90 %, had 18 to 34 %',
  )
})
