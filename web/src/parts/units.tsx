// What the candles measure: the price or the market cap, in USD or in the quote. Both choices are in the address.
import { type CandleUnit, countedIn } from '../chart/candle-prices.ts'
import { dollars, foreign, price, quantity, significant } from '../format.ts'
import type { ChartToken } from '../pages/token-chart.ts'
import { useAddressWord } from './use-address-word.ts'

export interface Unit extends CandleUnit {
  /** Whether a candle has a market cap. */
  hasCap: boolean
  choose: Readonly<Record<'measure' | 'money', (word: string | null) => void>>
}

export function useUnit({ candles }: ChartToken): Unit {
  const [measure, chooseMeasure] = useAddressWord('measure', ['cap'])
  const [money, chooseMoney] = useAddressWord('money', ['quote'])
  const quote = candles.findLast(({ quoteSymbol }) => quoteSymbol !== null)?.quoteSymbol ?? null
  const hasCap = candles.some((candle) => countedIn(candle) !== null)
  return {
    isCap: measure === 'cap' && hasCap,
    isQuote: money === 'quote' && quote !== null,
    ...{ quote, hasCap },
    choose: {
      measure: (word) => chooseMeasure(word === 'cap' ? word : null),
      money: (word) => chooseMoney(word === 'quote' ? word : null),
    },
  }
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

export const Units = ({ unit: { isCap, isQuote, quote, hasCap, choose } }: { unit: Unit }) => (
  <>
    {hasCap && (
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
