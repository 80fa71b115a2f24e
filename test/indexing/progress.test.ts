// The figures of the progress display.
import { expect, test } from 'vitest'
import { measure } from '../../src/indexing/progress.ts'

const at = (block: number, logs: number) => ({ startBlock: 0, block, target: 1_000, logs })

test('the rate and the time left are computed from what this process has done', () => {
  expect(measure(at(200, 0), at(400, 5_000), 10)).toEqual({ logsPerSecond: 500, secondsLeft: 30 })
  expect(measure(at(200, 0), at(207, 40), 4)).toEqual({ logsPerSecond: 10, secondsLeft: null })
  expect(measure(at(200, 0), at(200, 0), 0)).toEqual({ logsPerSecond: 0, secondsLeft: null })
  expect(measure(at(1_000, 0), at(1_000, 0), 0)).toEqual({ logsPerSecond: 0, secondsLeft: 0 })
})
