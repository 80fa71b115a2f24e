// The four prices of each candle in the unit that a reader chose. A market cap is that of its time, from the API.
interface Candle {
  openUsd: number | null
  highUsd: number | null
  lowUsd: number | null
  closeUsd: number | null
  openQuote: number | null
  highQuote: number | null
  lowQuote: number | null
  closeQuote: number | null
  quoteSymbol: string | null
  /** At the close; null: not priced, or not known. */
  marketCapUsd: number | null
}

export interface Prices {
  open: number
  high: number
  low: number
  close: number
}

export interface CandleUnit {
  isCap: boolean
  isQuote: boolean
  /** The symbol of the quote; null: the token has none. */
  quote: string | null
}

/** The tokens that a candle's cap counts: fewer than circulate where emptied pools could not pay for all. */
export const countedIn = ({ marketCapUsd, closeUsd }: Candle): number | null =>
  marketCapUsd === null || !closeUsd ? null : marketCapUsd / closeUsd

/** The prices of the candles, in their order; null: it has none in the unit, or its cap is not known. */
export function toPrices(candles: readonly Candle[], unit: CandleUnit): (Prices | null)[] {
  let before: number | null = null
  return candles.map((candle) => {
    const prices = pricesOf(candle, unit)
    const now = countedIn(candle)
    const opened = before ?? now
    before = now ?? before
    if (!unit.isCap || !prices) return prices
    return now === null || opened === null ? null : toCap(prices, opened, now)
  })
}

/** Prices in an earlier quote cannot be compared. */
function pricesOf(candle: Candle, { isQuote, quote }: CandleUnit): Prices | null {
  if (isQuote && candle.quoteSymbol !== quote) return null
  const [open, high, low, close] = isQuote
    ? [candle.openQuote, candle.highQuote, candle.lowQuote, candle.closeQuote]
    : [candle.openUsd, candle.highUsd, candle.lowUsd, candle.closeUsd]
  if (open === null || high === null || low === null || close === null) return null
  return { open, high, low, close }
}

/**
 * The candle opens with the tokens that counted before it, and closes with its own. The moment of the change is not
 * known, so its ends reach no further than is certain.
 */
function toCap({ open, high, low, close }: Prices, opened: number, now: number): Prices {
  const ends = [open * opened, close * now] as const
  return {
    open: ends[0],
    high: Math.max(...ends, high * Math.min(opened, now)),
    low: Math.min(...ends, low * Math.max(opened, now)),
    close: ends[1],
  }
}
