import { expect, test } from 'vitest'
import { retryDelay } from '../../web/src/api/backoff.ts'

const range = (tries: number, told?: number) => [0, 1].map((chance) => retryDelay(tries, chance, told))

test('the wait for a server that breaks off doubles up to a minute, and differs from reader to reader', () => {
  expect([0, 1, 2, 3, 4, 5, 100].map((tries) => range(tries))).toEqual([
    [1_500, 3_000],
    [3_000, 6_000],
    [6_000, 12_000],
    [12_000, 24_000],
    [24_000, 48_000],
    [30_000, 60_000],
    [30_000, 60_000],
  ])
})

test('a server that asks for a longer wait gets it, up to five minutes', () => {
  expect(range(0, 60)).toEqual([60_000, 61_500])
  expect(range(0, 1e9)).toEqual([300_000, 301_500])
  expect(range(0, Number.NaN)).toEqual([1_500, 3_000])
})
