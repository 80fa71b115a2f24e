import { expect, test } from 'vitest'
import type { Pane } from '../../web/src/chart/pane.ts'
import { leastMoveOf } from '../../web/src/chart/series.ts'
import { price } from '../../web/src/format.ts'

const flat = (close: number): Pane => ({
  ...{ kind: 'candles', title: '', height: 8, format: price },
  points: [{ time: 0, open: close, high: close, low: close, close }],
})

test('no two labels of a flat price are equal: the scale steps by the last digit that a label shows', () => {
  for (const close of [0.0002195, 0.00098, 0.0151, 0.7, 1.02, 42.5, 3_140.36]) {
    const step = leastMoveOf(flat(close))
    const labels = [-3, -2, -1, 0, 1, 2, 3].map((steps) => price(close + steps * step))
    expect(new Set(labels).size, `${close}: ${labels}`).toBe(labels.length)
  }
})

test('a flat number of holders steps by one', () => {
  const pane = { kind: 'steps', title: 'Holders', height: 2, format: String, points: [{ time: 0, value: 59 }] } as const
  expect(leastMoveOf(pane)).toBe(1)
})
