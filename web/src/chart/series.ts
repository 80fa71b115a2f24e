// The series of a pane: one, or for the volume one for each of its parts, drawn over each other.
import {
  AreaSeries,
  BaselineSeries,
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  type SeriesType,
  type UTCTimestamp,
} from 'lightweight-charts'
import { type Colours, faded } from './colours.ts'
import { isFlat, type Pane, type ValuePoint, type VolumePoint } from './pane.ts'

type Series = ISeriesApi<SeriesType>
type Lines = Extract<Pane, { kind: 'lines' }>
type Candles = Extract<Pane, { kind: 'candles' }>

const SERIES = {
  candles: CandlestickSeries,
  volume: HistogramSeries,
  line: LineSeries,
  lines: LineSeries,
  steps: LineSeries,
  area: AreaSeries,
  profit: BaselineSeries,
} as const

/** The bars of the volume, the lowest first: each covers the lower part of the one before it. */
const PARTS: readonly ((point: VolumePoint) => number)[] = [
  ({ all }) => all,
  ({ bought, sold }) => bought + sold,
  ({ bought }) => bought,
]

/** Adds the series of a pane. */
export function addSeries(chart: IChartApi, pane: Pane, index: number): Series[] {
  const count = pane.kind === 'volume' ? PARTS.length : pane.kind === 'lines' ? pane.names.length : 1
  return Array.from({ length: count }, () => chart.addSeries(SERIES[pane.kind], {}, index))
}

/** Gives the series their colours and points. */
export function fillSeries(series: readonly Series[], pane: Pane, colours: Colours): void {
  const volume = [faded(colours.text, 0.6), colours.down, colours.up]
  for (const [part, one] of series.entries()) {
    one.applyOptions({
      ...common(pane),
      ...looks(pane, colours),
      ...(part > 0 && { lastValueVisible: false, title: '' }),
      // The price before a pull is not that of now.
      ...(pane.kind === 'candles' && { lastValueVisible: pane.points.at(-1)?.open !== undefined }),
    })
    if (pane.kind === 'volume') {
      one.applyOptions({ color: volume[part] ?? colours.text })
      const values = pane.points.map((point) => ({ time: point.time, value: PARTS[part]?.(point) ?? 0 }))
      // A bar of nothing is a line, and would have the colour of a side.
      one.setData(toValues(part === 0 ? values : values.filter(({ value }) => value > 0)))
    } else if (pane.kind === 'candles')
      one.setData(
        pane.points.map(({ time, ...candle }, index) => ({
          ...{ time: at(time), ...candle },
          ...(isFlat(candle) && flat(pane.points, index, colours)),
        })),
      )
    else if (pane.kind === 'lines') fillLine(one, pane, part, colours)
    else one.setData(toValues(pane.points))
  }
}

/** A candle of one price has the colour of its step from the close before, which the library would paint as a rise. */
function flat(points: Candles['points'], index: number, { up, down, text }: Colours) {
  const [close = 0, before = close] = points
    .slice(0, index + 1)
    .flatMap((point) => (point.open === undefined ? [] : point.close))
    .slice(-2)
    .reverse()
  const step = close - before
  const color = step > 0 ? up : step < 0 ? down : text
  return { color, wickColor: color }
}

/** Colour is never the only sign: each line has a style and its name at its end. */
const STYLES = [LineStyle.Solid, LineStyle.Dashed, LineStyle.LargeDashed, LineStyle.Dotted]

function fillLine(line: Series, { names, points }: Lines, index: number, { series, text }: Colours): void {
  line.applyOptions({
    ...{ color: series[index] ?? text, lineWidth: 2, lineStyle: STYLES[index] ?? LineStyle.Solid },
    ...{ title: names[index] ?? '', lastValueVisible: true },
  })
  line.setData(
    points.flatMap(({ time, values }) => {
      const value = values[index]
      return typeof value === 'number' ? [{ time: at(time), value }] : []
    }),
  )
}

const at = (time: number): UTCTimestamp => time as UTCTimestamp
const toValues = (points: readonly ValuePoint[]) => points.map(({ time, value }) => ({ time: at(time), value }))

/** The newest number of a pane. */
function newestOf(pane: Pane): number {
  if (pane.kind === 'candles') return pane.points.findLast(({ open }) => open !== undefined)?.open ?? 0
  if (pane.kind === 'volume') return pane.points.at(-1)?.all ?? 0
  if (pane.kind === 'lines') return 1
  return pane.points.at(-1)?.value ?? 0
}

/**
 * The least step of the scale: of the last digit that a number shows, so that no two labels are equal. A price shows four
 * digits, or cents. Around one value the library draws a range of a few steps. It takes powers of ten, up to one.
 */
export const leastMoveOf = (pane: Pane): number => {
  const first = Math.max(-9, Math.floor(Math.log10(Math.abs(newestOf(pane)))))
  return 10 ** (pane.kind === 'candles' ? (first < 0 ? first - 3 : -2) : Math.min(0, first - 1))
}

const common = (pane: Pane) => ({
  title: pane.title,
  priceLineVisible: false,
  priceFormat: { type: 'custom' as const, formatter: pane.format, minMove: leastMoveOf(pane) },
})

const THIN = { lineWidth: 1 as const }

function looks({ kind }: Pane, { up, down, accent }: Colours) {
  if (kind === 'candles')
    return { upColor: up, downColor: down, wickUpColor: up, wickDownColor: down, borderVisible: false }
  if (kind === 'line') return { ...THIN, color: accent }
  if (kind === 'steps') return { ...THIN, color: accent, lineType: LineType.WithSteps }
  if (kind === 'area')
    return { ...THIN, lineColor: accent, topColor: faded(accent, 0.25), bottomColor: faded(accent, 0.03) }
  if (kind === 'volume' || kind === 'lines') return {}
  return {
    ...THIN,
    baseValue: { type: 'price' as const, price: 0 },
    topLineColor: up,
    topFillColor1: faded(up, 0.25),
    topFillColor2: faded(up, 0.03),
    bottomLineColor: down,
    bottomFillColor1: faded(down, 0.03),
    bottomFillColor2: faded(down, 0.25),
  }
}
