// Marks of a chart, without a browser.
import { expect, test } from 'vitest'
import { type MarkedToken, marksOf } from '../../web/src/parts/price-marks.ts'

const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 0, 1, hour, minute)).toISOString()
const candlesOf = (supplies: readonly (number | null)[]) =>
  supplies.map((circulatingSupply, hour) => ({ start: at(hour), circulatingSupply }))

const textsOf = (of: Partial<MarkedToken>) =>
  marksOf({
    ...{ candles: candlesOf([1_000, 1_000, 1_000, 1_000]), added: { nodes: [] }, removed: { nodes: [] } },
    ...{ history: { history: [] }, verdict: null, pools: { nodes: [] } },
    ...of,
  }).map(({ time, tone, text }) => [new Date(time * 1_000).getUTCHours(), tone, text])

test('a jump of the supply is marked at its candle in the words of the verdict, and one under a percent is not', () => {
  expect(textsOf({ candles: candlesOf([null, 1_000, 1_009, 1_500, 1_500, 900]) })).toEqual([
    [3, 'care', 'Its supply in circulation grew by 49 %'],
    [5, 'neutral', 'Its supply in circulation fell by 40 %'],
  ])
})

test('an unknown supply between two known ones hides no jump, and is none', () => {
  expect(textsOf({ candles: candlesOf([1_000, null, null, 2_000]) })).toEqual([
    [3, 'care', 'Its supply in circulation grew by 100 %'],
  ])
})

test('the end of a lock is marked once it is over, and locks that end together are one mark', () => {
  const locks = [
    { endsAt: at(1, 20), sharePct: 40 },
    { endsAt: at(1, 50), sharePct: 20 },
    { endsAt: at(4), sharePct: 30 },
    { endsAt: '9999-12-31T23:59:59.000Z', sharePct: 10 },
  ]
  expect(textsOf({ pools: { nodes: [{ locks }] } })).toEqual([
    [1, 'care', "A lock of 60 % of a pool's liquidity ended"],
  ])
})

test('a stop of sales keeps the room for its words before a jump of the supply', () => {
  const stopped = { kind: 'danger', name: 'cannot_sell', text: 'Its owner stopped sales', since: at(3) } as const
  const marked = { candles: candlesOf([1_000, 1_000, 1_000, 3_000]), verdict: { findings: [stopped] } }
  expect(textsOf(marked).map(([, , text]) => text)).toEqual([stopped.text, 'Its supply in circulation grew by 200 %'])
})

test('a flag is marked as grave as the verdict says, and a past one as grave as the level that it made', () => {
  const flagged = (flags: readonly ('sybil_cluster' | 'wash_trading')[], level: 'medium' | 'critical') =>
    ({ time: at(1), level, flags }) as const
  const found = (kind: 'caution' | 'danger') => ({
    findings: [{ kind, name: 'sybil_cluster', text: 'Linked wallets own 10 %', since: null }],
  })
  const toneOf = (point: ReturnType<typeof flagged>, verdict: MarkedToken['verdict']) =>
    textsOf({ history: { history: [point] }, verdict })[0]?.[1]
  expect(toneOf(flagged(['sybil_cluster'], 'critical'), found('caution'))).toBe('care')
  expect(toneOf(flagged(['sybil_cluster'], 'medium'), found('danger'))).toBe('bad')
  expect(toneOf(flagged(['wash_trading'], 'critical'), found('caution'))).toBe('bad')
  expect(toneOf(flagged(['wash_trading'], 'medium'), found('danger'))).toBe('care')
})
