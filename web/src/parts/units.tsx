// What the candles measure: the price or the market cap, in USD or in the quote. Both choices are in the address.
import { dollars, foreign, price, quantity, significant } from '../format.ts'
import type { ChartToken } from '../pages/token-chart.ts'
import { useAddressWord } from './use-address-word.ts'

type Candle = ChartToken['candles'][number]

export interface Unit {
  isCap: boolean
  isQuote: boolean
  /** The symbol of the quote; null: the token has none. */
  quote: string | null
  /** Tokens in circulation now, which make a cap of a price; null: not known. */
  circulating: number | null
  choose: Readonly<Record<'measure' | 'money', (word: string | null) => void>>
}

export function useUnit({ candles, marketCapUsd, supply, burned, locked }: ChartToken): Unit {
  const [measure, chooseMeasure] = useAddressWord('measure', ['cap'])
  const [money, chooseMoney] = useAddressWord('money', ['quote'])
  const quote = candles.findLast(({ quoteSymbol }) => quoteSymbol !== null)?.quoteSymbol ?? null
  // The published cap is bounded by what the pools could pay, so it does not tell the tokens.
  const circulating = !marketCapUsd || supply === null ? null : Math.max(0, supply - (burned ?? 0) - (locked ?? 0))
  return {
    isCap: measure === 'cap' && circulating !== null,
    isQuote: money === 'quote' && quote !== null,
    quote,
    circulating,
    choose: {
      measure: (word) => chooseMeasure(word === 'cap' ? word : null),
      money: (word) => chooseMoney(word === 'quote' ? word : null),
    },
  }
}

/** The four prices of a candle in the unit; null: it has none in it. Prices in an earlier quote cannot be compared. */
export function toPrices(candle: Candle, { isCap, isQuote, quote, circulating }: Unit) {
  if (isQuote && candle.quoteSymbol !== quote) return null
  const [open, high, low, close] = isQuote
    ? [candle.openQuote, candle.highQuote, candle.lowQuote, candle.closeQuote]
    : [candle.openUsd, candle.highUsd, candle.lowUsd, candle.closeUsd]
  if (open === null || high === null || low === null || close === null) return null
  const by = isCap ? (circulating ?? 0) : 1
  return { open: open * by, high: high * by, low: low * by, close: close * by }
}

/** A price in the unit, in words. */
export const formatIn = ({ isCap, isQuote, quote }: Unit): ((value: number) => string) => {
  if (!isQuote) return isCap ? dollars : (value) => (value < 1e-15 ? dollars(0) : price(value))
  const format = isCap ? quantity : significant
  return (value) => `${format(value)} ${foreign(quote ?? '', 8)}`
}

export const nameOf = ({ isCap, isQuote, quote }: Unit): string =>
  `${isCap ? 'Market cap' : 'Price'} in ${isQuote ? foreign(quote ?? '', 8) : 'USD'}`

interface ChoiceProps {
  label: string
  words: readonly (readonly [word: string | null, name: string])[]
  chosen: string | null
  onChoose(word: string | null): void
}

const Choice = ({ label, words, chosen, onChoose }: ChoiceProps) => (
  <fieldset class="row" aria-label={label}>
    {words.map(([word, name]) => (
      <button key={name} type="button" class="chip" aria-pressed={word === chosen} onClick={() => onChoose(word)}>
        {name}
      </button>
    ))}
  </fieldset>
)

export const Units = ({ unit: { isCap, isQuote, quote, circulating, choose } }: { unit: Unit }) => (
  <>
    {circulating !== null && (
      <Choice
        label="What candles measure"
        words={[
          [null, 'Price'],
          ['cap', 'Cap'],
        ]}
        chosen={isCap ? 'cap' : null}
        onChoose={choose.measure}
      />
    )}
    {quote !== null && (
      <Choice
        label="Money of the candles"
        words={[
          [null, 'USD'],
          ['quote', foreign(quote, 8)],
        ]}
        chosen={isQuote ? 'quote' : null}
        onChoose={choose.money}
      />
    )}
  </>
)
