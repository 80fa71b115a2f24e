// The content of a chart: panes under one time axis, each with one subject, and marks in a lane above them.

/** Seconds since 1970. */
type Seconds = number

/** A time without a price keeps its place on the axis. */
type Candle = { open: number; high: number; low: number; close: number } | { open?: undefined }
type CandlePoint = { time: Seconds } & Candle

/** A candle of one price. */
export const isFlat = (candle: Candle): boolean => candle.open !== undefined && candle.high === candle.low

export interface ValuePoint {
  time: Seconds
  value: number
}

/** A value of each of several series at one time; null: it has none. */
export interface SharesPoint {
  time: Seconds
  values: readonly (number | null)[]
}

/** The volume of an interval: what bought, what sold; the rest has no side. */
export interface VolumePoint {
  time: Seconds
  all: number
  bought: number
  sold: number
}

export type Pane = { title: string; format: (value: number) => string /** Share of the height. */; height: number } & (
  | { kind: 'candles'; points: readonly CandlePoint[] }
  | { kind: 'volume'; points: readonly VolumePoint[] }
  | { kind: 'lines' /** Of the series. */; names: readonly string[]; points: readonly SharesPoint[] }
  | { kind: 'line' | 'steps' | 'area' | 'profit'; points: readonly ValuePoint[] }
)

export interface Mark {
  time: Seconds
  text: string
  tone: 'good' | 'care' | 'bad' | 'neutral'
}

export interface ChartData {
  panes: readonly Pane[]
  /** The most important first: of two whose texts would overlap, the later has none. */
  marks: readonly Mark[]
}

export const toSeconds = (iso: string): Seconds => Math.floor(Date.parse(iso) / 1_000)
