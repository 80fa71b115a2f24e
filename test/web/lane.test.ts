// The marks of a chart in their lane, without a browser.
import { expect, test } from 'vitest'
import { placeAll } from '../../web/src/chart/lane.ts'

test('the words of a mark are never cut by the edge of the lane or by another mark: they are shortened', () => {
  const measure = (text: string) => text.length * 6
  const marks = ['10 of 10 holders no longer have their balance', 'Its liquidity was pulled', 'Risk: high'].map(
    (text, at) => ({ time: at, text, tone: 'bad' as const }),
  )
  for (const width of [120, 200, 320, 900]) {
    const placed = placeAll(marks, (time) => [width - 12, 20, width / 2][time] ?? null, width, measure)
    const spans = placed.map(({ x, words, text }) => {
      const long = words === null ? 0 : measure(` ${text}`)
      return [x - 8 - (words === 'left' ? long : 0), x + 8 + (words === 'right' ? long : 0)] as const
    })
    for (const [at, [from, to]] of spans.entries()) {
      expect(from).toBeGreaterThanOrEqual(0)
      expect(to).toBeLessThanOrEqual(width)
      for (const [other, [start, end]] of spans.entries())
        if (other !== at) expect(to <= start || end <= from, `${width}: ${at} and ${other}`).toBe(true)
    }
  }
  const [wide] = placeAll(marks, () => 450, 900, measure)
  expect(wide?.text).toBe(marks[0]?.text)
  const [narrow] = placeAll(marks, () => 10, 150, measure)
  expect(narrow?.text).toBe('10 of 10 holders no…')
})

test('the words of a bad mark have room: a lesser sign beside it yields', () => {
  const measure = (text: string) => text.length * 6
  const marks = [
    { time: 1, text: 'Its liquidity was pulled', tone: 'bad' as const },
    { time: 0, text: 'Liquidity +$125.6k', tone: 'good' as const },
  ]
  const placed = placeAll(marks, (time) => 500 + 18 * time, 540, measure)
  expect(placed.map(({ text, title }) => [text, title])).toEqual([
    ['Its liquidity was pulled', 'Its liquidity was pulled; Liquidity +$125.6k'],
  ])
  const apart = placeAll(marks, (time) => 200 + 300 * time, 900, measure)
  expect(apart.map(({ text }) => text)).toEqual(marks.map(({ text }) => text))
})
