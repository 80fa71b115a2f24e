import { describe, expect, test } from 'vitest'
import { toPrices } from '../../web/src/chart/candle-prices.ts'

const CAP = { isCap: true, isQuote: false, quote: 'WETH' }
const PRICE = { ...CAP, isCap: false }

const candle = (open: number, high: number, low: number, close: number, marketCapUsd: number | null) => ({
  ...{ openUsd: open, highUsd: high, lowUsd: low, closeUsd: close },
  ...{ openQuote: open / 2_000, highQuote: high / 2_000, lowQuote: low / 2_000, closeQuote: close / 2_000 },
  ...{ quoteSymbol: 'WETH', marketCapUsd },
})

describe('the chart of market caps', () => {
  test('has for each candle the tokens that counted then, and joins the candle before it', () => {
    const minted = [candle(1, 2, 1, 2, 200), candle(2, 3, 2, 3, 900)]
    expect(toPrices(minted, CAP)).toEqual([
      { open: 100, high: 200, low: 100, close: 200 },
      { open: 200, high: 900, low: 200, close: 900 },
    ])
  })

  test('falls at a pull that leaves the price where it was', () => {
    const pulled = [candle(2, 2, 2, 2, 2_000), candle(2, 2, 2, 2, 30)]
    expect(toPrices(pulled, CAP)[1]).toEqual({ open: 2_000, high: 2_000, low: 30, close: 30 })
    expect(toPrices(pulled, PRICE)[1]).toEqual({ open: 2, high: 2, low: 2, close: 2 })
  })

  test('has no candle where the supply at the time is not known, and never that of another time', () => {
    const indexed = [candle(1, 1, 1, 1, null), candle(2, 2, 2, 2, 20)]
    expect(toPrices(indexed, CAP)).toEqual([null, { open: 20, high: 20, low: 20, close: 20 }])
    expect(toPrices(indexed, PRICE)[0]).toEqual({ open: 1, high: 1, low: 1, close: 1 })
  })

  test('is in the quote the same candle at the price of the quote', () => {
    const [inQuote] = toPrices([candle(2, 4, 2, 4, 4_000)], { ...CAP, isQuote: true })
    expect(inQuote).toEqual({ open: 1, high: 2, low: 1, close: 2 })
    expect(toPrices([candle(2, 4, 2, 4, 4_000)], { ...CAP, isQuote: true, quote: 'USDC' })).toEqual([null])
  })
})
