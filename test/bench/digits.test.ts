import { describe, expect, it } from 'vitest'
import { asPrinted, isPrintedAs } from './digits.ts'

describe('numbers of the yardstick beside ours', () => {
  it('differ by half of the fourth decimal of hours at most', () => {
    expect(isPrintedAs('age_hours', 12.34567, 12.3457)).toBe(true)
    expect(isPrintedAs('age_hours', 12.34567, 12.3458)).toBe(false)
  })

  it('differ by half of the sixth decimal of dollars at most', () => {
    expect(isPrintedAs('value_usd', 77.95183168064607, 77.951832)).toBe(true)
    expect(isPrintedAs('value_usd', 77.95183168064607, 77.951831)).toBe(false)
    expect(isPrintedAs('value_usd', 0.0000004, 0)).toBe(true)
    expect(isPrintedAs('value_usd', 0.0000006, 0)).toBe(false)
  })

  it('differ by half of the ninth digit of percents at most, however small they are', () => {
    expect(isPrintedAs('holding_pct', 1.2345678912e-7, 1.23456789e-7)).toBe(true)
    expect(isPrintedAs('holding_pct', 1.2345678912e-7, 1.23456788e-7)).toBe(false)
    expect(isPrintedAs('holding_pct', 0.00004, 0)).toBe(false)
  })

  it('keep nine digits of prices, whatever their size', () => {
    expect(isPrintedAs('price_usd', 23572.444439343388, 23572.4444)).toBe(true)
    expect(isPrintedAs('price_usd', 23572.444439343388, 23572.4443)).toBe(false)
    expect(isPrintedAs('price_usd', 1.2345678912e-12, 1.23456789e-12)).toBe(true)
  })

  it('keep fifteen digits of quantities', () => {
    expect(isPrintedAs('quantity', 6528.893065183834, 6528.89306518383)).toBe(true)
    expect(isPrintedAs('quantity', 6528.89306518393, 6528.89306518383)).toBe(false)
  })

  it('are replaced where they are alike, and stay as they are where not', () => {
    const ours = { total: 2, data: [{ age_hours: 1.2346 }, { age_hours: 2 }] }
    expect(asPrinted({ total: 2, data: [{ age_hours: 1.23456 }, { age_hours: 3 }] }, ours)).toEqual({
      total: 2,
      data: [{ age_hours: 1.2346 }, { age_hours: 3 }],
    })
  })
})
