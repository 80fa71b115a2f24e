import { expect, test } from 'vitest'
import { compareAddress, MOST_COMPARED, readCompared, toShares } from '../../web/src/compare.ts'

const HOUR = 3_600
const at = (hour: number): string => new Date(hour * HOUR * 1_000).toISOString()
const priced = (closes: Record<number, number | null>) => ({
  candles: Object.entries(closes).map(([hour, closeUsd]) => ({ start: at(Number(hour)), closeUsd })),
})

test('prices are compared from the first time at which all tokens have one', () => {
  const tokens = [priced({ 1: 10, 2: 20, 3: 30, 4: 15 }), priced({ 1: null, 2: 4, 3: 3 }), priced({})]
  expect(toShares(tokens)).toEqual([
    { time: 2 * HOUR, values: [0, 0, null] },
    { time: 3 * HOUR, values: [50, -25, null] },
    { time: 4 * HOUR, values: [-25, null, null] },
  ])
  expect([toShares([]), toShares([priced({ 1: null })])]).toEqual([[], []])
})

test('an address of a comparison has up to four tokens, each once', () => {
  const token = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
  const five = [1, 2, 3, 4, 5].map(token)
  expect(readCompared(`${token(10).toUpperCase().replace('0X', '0x')},${token(10)},<b>,0x12,`)).toEqual([token(10)])
  expect(readCompared(five.join())).toHaveLength(MOST_COMPARED)
  expect([readCompared(undefined), compareAddress([])]).toEqual([[], '/compare'])
  expect(compareAddress(five.slice(0, 2), 'd1')).toBe(`/compare?tokens=${token(1)},${token(2)}&interval=d1`)
})
