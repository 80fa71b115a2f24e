import { expect, test } from 'vitest'
import { createLegend } from '../../web/src/chart/legend.ts'
import type { Pane, VolumePoint } from '../../web/src/chart/pane.ts'
import { leastMoveOf } from '../../web/src/chart/series.ts'
import { dollars, price } from '../../web/src/format.ts'

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

test('the parts of a volume make the whole: trades that paid with the token are neither bought nor sold', () => {
  const tell = (point: Omit<VolumePoint, 'time'>) => {
    const pane: Pane = { kind: 'volume', title: 'Volume', height: 2, format: dollars, points: [{ time: 0, ...point }] }
    return createLegend({ panes: [pane], marks: [] })
      .newest()
      .at(-1)
  }
  expect(tell({ all: 100, bought: 30, sold: 20 })).toBe('Volume $100: $30 bought, $20 sold, $50 paid with it')
  expect(tell({ all: 50, bought: 30, sold: 20 })).toBe('Volume $50: $30 bought, $20 sold')
  expect(tell({ all: 0, bought: 0, sold: 0 })).toBe('Volume $0')
})
