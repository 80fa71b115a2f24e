// An explanation with at least one entry of every kind, for rows that tests write themselves.
import { toSixDigits } from '../../src/base/decimal.ts'
import type { Explanation } from '../../src/ledger/explanation.ts'

export const SAMPLE_EXPLANATION: Explanation = {
  block: 10_000,
  hour: '2026-01-31T12:00:00.000Z',
  dimensions: [
    {
      name: 'liquidity',
      value: 40,
      inputs: [{ name: 'liquidity_usd', value: 1000, points: 40, weight: 1, contribution: 40 }],
    },
  ],
  link: 'identity',
  intercept: 0,
  contributions: [{ name: 'liquidity', value: 40, weight: 0.5, contribution: 20 }],
  composite: 20,
  evidence: 10,
  floors: [{ reason: 'liquidity_pulled', atLeast: 85 }],
  score: 88,
  confidenceReasons: ['few_trades'],
  base: 47.5,
  reasons: [
    {
      ...{ kind: 'danger', topic: 'liquidity', name: 'withdrawal', severity: 85, since: 1_700_000_000, block: 12 },
      ...{ text: 'Liquidity $500, unlocked', points: 37.5, dimension: 'liquidity' },
    },
  ],
  headline: 'One wallet can take all of it.',
  checkedAt: 1_700_000_000,
  pullChance30dPct: 34.5,
}

/** The explanation as it is read back: measured values have six digits, values that make up the score have all. */
export function asStored(explanation: Explanation): Explanation {
  const short = (value: number | null) => (value === null ? null : toSixDigits(value))
  return {
    ...explanation,
    dimensions: explanation.dimensions.map((dimension) => ({
      ...dimension,
      inputs: dimension.inputs.map((input) => ({ ...input, value: short(input.value) })),
    })),
  }
}
