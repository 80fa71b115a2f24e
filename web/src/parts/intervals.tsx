// The length of a candle, or of a point's interval.
const INTERVALS = { M5: '5 min', H1: '1 h', H4: '4 h', D1: '1 day' } as const
export type Interval = keyof typeof INTERVALS
export const INTERVAL_NAMES = Object.keys(INTERVALS) as Interval[]

interface IntervalsProps {
  chosen: Interval
  onChoose(interval: Interval): void
  what?: 'candle' | 'point'
}

export const Intervals = ({ chosen, onChoose, what = 'candle' }: IntervalsProps) => (
  <fieldset class="row" aria-label={`Length of a ${what}`}>
    {INTERVAL_NAMES
      // What is computed as of a block has no points of five minutes.
      .filter((interval) => what === 'candle' || interval !== 'M5')
      .map((interval) => (
        <button
          key={interval}
          type="button"
          class="chip"
          aria-pressed={interval === chosen}
          onClick={() => onChoose(interval)}
        >
          {INTERVALS[interval]}
        </button>
      ))}
  </fieldset>
)
