// The progress display: durations, and log lines when there is no terminal.
import { expect, test } from 'vitest'
import { createProgressView, formatDuration } from '../../src/cli/progress.ts'
import { createTestClock } from '../support/clock.ts'

const at = (block: number, logs: number) => ({ startBlock: 0, block, target: 1_000, logs })

test.each([
  [7, '7s'],
  [200, '3m20s'],
  [3_900, '1h05m'],
])('%i seconds are shown as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test('without a terminal a progress line is logged every ten seconds', async () => {
  const lines: object[] = []
  const clock = createTestClock()
  const log = () => ({ info: (fields: object) => lines.push(fields) }) as never
  const view = await createProgressView({ terminal: false, clock, log })
  for (let block = 0; block <= 250; block += 10) {
    view.show(at(block, block * 7))
    clock.advance(1_000)
  }
  expect(lines).toEqual([
    expect.objectContaining({ block: 100, target: 1_000, logsPerSecond: 70, left: '1m30s' }),
    expect.objectContaining({ block: 200 }),
  ])
  expect(view.last()?.block).toBe(250)
})

test('without a terminal a chain that is followed is logged once when the index has caught up, and not again', async () => {
  const blocks: number[] = []
  const clock = createTestClock()
  const log = () => ({ info: ({ block }: { block: number }) => blocks.push(block) }) as never
  const view = await createProgressView({ terminal: false, clock, log })
  for (let second = 0; second <= 120; second++) {
    const block = Math.min(1_000 + Math.floor(second / 12), 900 + 10 * second)
    view.show({ startBlock: 0, block, target: 1_000 + Math.floor(second / 12), logs: 0 })
    clock.advance(1_000)
  }
  expect(blocks).toHaveLength(1)
  view.show({ startBlock: 0, block: 1_010, target: 1_100, logs: 0 })
  expect(blocks).toHaveLength(2)
})
