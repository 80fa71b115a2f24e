// Prices of quote tokens in dollars by day, from the folder's `prices_daily.csv`. Stablecoins are 1.
import { DAY_SECONDS } from '../../src/base/time.ts'
import { hasFile, readCells, readHeader } from './csv.ts'
import type { LeftOut } from './left-out.ts'

/** The price of WETH for a folder without prices: its mean over the second half of 2021. Only the magnitude of amounts matters. */
const WITHOUT_PRICES_USD = 3_400

/** Returns a function of the quote's symbol and the time. A day without a price has the last price before it, else the first after it. */
export function createQuotePrices(folder: string, leftOut: LeftOut): (symbol: string, time: number) => number {
  if (!hasFile(folder, 'prices_daily.csv')) return (symbol) => (isWrapped(symbol) ? WITHOUT_PRICES_USD : 1)
  const symbols = readHeader(folder, 'prices_daily.csv').slice(1)
  const prices = new Map(symbols.map((symbol) => [symbol, readPrices(folder, symbol, leftOut)]))
  return (symbol, time) => {
    const days = prices.get(symbol)
    return days ? priceAt(days, Math.floor(time / DAY_SECONDS)) : 1
  }
}

const isWrapped = (symbol: string): boolean => symbol === 'WETH'

interface Price {
  day: number
  usd: number
}

const readPrices = (folder: string, symbol: string, leftOut: LeftOut): Price[] =>
  readCells(folder, 'prices_daily.csv', ['day', symbol] as const, leftOut)
    .map(([day, usd]) => ({ day: Math.floor(Date.parse(`${day}T00:00:00Z`) / 86_400_000), usd: Number(usd) }))
    .filter(({ usd }) => usd > 0)
    .sort((a, b) => a.day - b.day)

function priceAt(prices: readonly Price[], day: number): number {
  let low = 0
  let high = prices.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((prices[middle]?.day ?? 0) <= day) low = middle + 1
    else high = middle
  }
  return (prices[low - 1] ?? prices[0])?.usd ?? 0
}
