// The length of a candle, or of a point's interval.
const INTERVALS = { m1: '1 min', m5: '5 min', m15: '15 min', h1: '1 h', h4: '4 h', d1: '1 day' } as const
export type Interval = keyof typeof INTERVALS
export const INTERVAL_NAMES = Object.keys(INTERVALS) as Interval[]

/** Scores have no points of minutes. */
export const isOfMinutes = (interval: Interval): boolean => interval.startsWith('m')

interface IntervalsProps {
  chosen: Interval
  onChoose(interval: Interval): void
  what?: 'candle' | 'point'
}

export const Intervals = ({ chosen, onChoose, what = 'candle' }: IntervalsProps) => (
  <fieldset class="row" aria-label={`Length of a ${what}`}>
    {INTERVAL_NAMES.filter((interval) => what === 'candle' || !isOfMinutes(interval)).map((interval) => (
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
