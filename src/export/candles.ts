// The exported table `candles`: the hours in which a token traded. Hours are kept for ever, shorter candles for days.
import { HOUR_SECONDS } from '../base/time.ts'
import { column } from './column.ts'
import type { ExportedTable } from './table.ts'

const price = (which: string, word: string) =>
  column.usd(`${which}_usd`, `nullif(h.${which}_usd, 0)`, `the ${word} price; null when it was not priced`)
const quotePrice = (which: string, word: string) =>
  column.quote(`${which}_quote`, `h.${which}_quote`, `the ${word} price in the quote; null without a quote`)

const COLUMNS = [
  column.text('token_address', 't.address', 'the token'),
  column.time('start', `to_timestamp(h.hour * ${HOUR_SECONDS}::float8)`, 'the first moment of the hour'),
  price('open', 'first'),
  price('high', 'highest'),
  price('low', 'lowest'),
  price('close', 'last'),
  quotePrice('open', 'first'),
  quotePrice('high', 'highest'),
  quotePrice('low', 'lowest'),
  quotePrice('close', 'last'),
  column.text(
    'quote_address',
    '(SELECT q.address FROM token q WHERE q.id = h.quote_id)',
    'the quote; null without a quote',
  ),
  column.usd('volume_usd', 'h.volume_micro_usd::float8 / 1e6', 'the volume'),
  column.usd('buy_volume_usd', 'h.buy_volume_micro_usd::float8 / 1e6', 'the part of the volume that bought the token'),
  column.usd('sell_volume_usd', 'h.sell_volume_micro_usd::float8 / 1e6', 'the part of the volume that sold it'),
  column.count('buy_count', 'h.buy_count', 'swaps that bought it'),
  column.count('sell_count', 'h.sell_count', 'swaps that sold it'),
  column.usd('liquidity_usd', 'h.liquidity_usd', 'the liquidity at the close'),
  column.count('holder_count', 'h.holder_count', 'addresses with a balance at the close'),
  column.quantity(
    'circulating_supply',
    'h.circulating',
    'tokens in circulation at the close; null for unknown decimals, and where an earlier version indexed',
  ),
  column.usd(
    'market_cap_usd',
    'h.market_cap_usd',
    'the market cap at the close; null when it was not priced, likewise',
  ),
]

const hourOf = (time: Date) => Math.floor(time.getTime() / (HOUR_SECONDS * 1_000))

export const CANDLE_TABLE: ExportedTable = {
  columns: COLUMNS,
  // An inner ORDER BY keeps the planner from reading the hours of all days: it looks up those of each token.
  source: `token t CROSS JOIN LATERAL (SELECT * FROM token_hour
    WHERE token_id = t.id AND hour >= $1 AND hour < $2 ORDER BY hour) h`,
  range: 't.indexed',
  key: ['t.id', 'h.hour'],
  history: {
    periodSeconds: HOUR_SECONDS,
    findOldest: async (reader) => {
      const { rows } = await reader.query<{ time: Date | null }>(
        `SELECT to_timestamp(min(hour) * ${HOUR_SECONDS}::float8) AS time FROM token_hour`,
      )
      return rows[0]?.time ?? null
    },
    findBounds: async (_, { from, to }) => [hourOf(from), hourOf(to)],
  },
}
