import { expect, test } from 'vitest'
import { packExplanation, unpackExplanation } from '../../src/ledger/explanation-pack.ts'
import { asStored, SAMPLE_EXPLANATION } from '../support/explanation.ts'

const input = { name: 'exitShare', value: 0.3, points: 71.1, weight: 0.7, contribution: 71.1 * 0.7 }
const other = { name: 'of another version', value: null, points: 50, weight: 0.3, contribution: 15 }
const dimensions = [
  { name: 'liquidity', value: input.contribution + other.contribution, inputs: [input, other] },
  { name: 'wash', value: 100, inputs: [{ ...input, name: 'traderCount', points: 900, contribution: 900 * 0.7 }] },
]
const contributions = [
  { name: 'liquidity', value: dimensions[0]?.value ?? 0, weight: 0.5, contribution: (dimensions[0]?.value ?? 0) * 0.5 },
  { name: 'wash', value: 100, weight: 0.01, contribution: 0.5 },
  { name: 'exitShare', value: 0.3, weight: 1, contribution: -0.5414 },
  { name: 'lockHeldHours', value: null, weight: 1, contribution: 0 },
]
test('unpacking restores an explanation: its sums to the last digit, its measured values to six digits', () => {
  const parts = [contributions, []].map((list) => ({ ...SAMPLE_EXPLANATION, dimensions, contributions: list }))
  for (const explanation of [SAMPLE_EXPLANATION, ...parts]) {
    const stored = JSON.stringify(packExplanation(explanation))
    expect(unpackExplanation(JSON.parse(stored))).toEqual(asStored(explanation))
  }
})

test('an explanation stored with names in full is still read', () => {
  const stored = packExplanation({ ...SAMPLE_EXPLANATION, dimensions, contributions })
  stored[11] = [['liquidity', 60.5, [['exitShare', 0.3, 71.1, 0.7]]]]
  stored[12] = [
    ['liquidity', 60.5, 0.5],
    ['exitShare', 0.3, 1, -0.5414],
  ]
  expect(unpackExplanation(stored)).toMatchObject({
    dimensions: [{ name: 'liquidity', value: 60.5, inputs: [input] }],
    contributions: [{ name: 'liquidity', value: 60.5, weight: 0.5, contribution: 30.25 }, contributions[2]],
  })
})
