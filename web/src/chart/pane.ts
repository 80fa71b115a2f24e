// The content of a chart: panes under one time axis, each with one series, and marks on the first.

/** Seconds since 1970. */
type Seconds = number

export interface CandlePoint {
  time: Seconds
  open: number
  high: number
  low: number
  close: number
}

export interface ValuePoint {
  time: Seconds
  value: number
  /** Whether a bar is drawn in the colour of a rise. */
  isUp?: boolean
}

export type Pane = { title: string; format: (value: number) => string /** Share of the height. */; height: number } & (
  | { kind: 'candles'; points: readonly CandlePoint[] }
  | { kind: 'bars' | 'line' | 'area' | 'profit'; points: readonly ValuePoint[] }
)

/** Drawn above a bar, or below it for good news. */
export interface Mark {
  time: Seconds
  text: string
  tone: 'good' | 'bad' | 'neutral'
}

export interface ChartData {
  panes: readonly Pane[]
  /** The most important first: of two whose texts would overlap, the later has none. */
  marks: readonly Mark[]
}

export const toSeconds = (iso: string): Seconds => Math.floor(Date.parse(iso) / 1_000)
