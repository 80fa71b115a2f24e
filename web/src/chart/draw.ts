// Draws panes with lightweight-charts, in the colours of the style sheet. Loaded only by pages with a chart.
import {
  AreaSeries,
  BaselineSeries,
  CandlestickSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { timeFormat } from '../format.ts'
import { drawnOf, marginsOf, setMarks } from './marks.ts'
import type { ChartData, Pane } from './pane.ts'
import { inSteps } from './steps.ts'

export interface Drawn {
  update(data: ChartData): void
  remove(): void
}

const toMinute = timeFormat({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
const toDay = timeFormat({ month: 'short', day: 'numeric' })
const toHour = timeFormat({ hour: '2-digit', minute: '2-digit' })
const inMs = (time: Time): number => Number(time) * 1_000
const at = (time: number): UTCTimestamp => time as UTCTimestamp

const SERIES = {
  candles: CandlestickSeries,
  bars: HistogramSeries,
  line: LineSeries,
  area: AreaSeries,
  profit: BaselineSeries,
} as const

/** Fewer bars than this do not fill the chart. */
const MANY_BARS = 16
/** Half of a mark's text, and the scale on the right. */
const MARK_PX = 64
const SCALE_PX = 80

/** All bars, with room at either end for the text of a mark there. */
function rangeOf({ panes: [first], marks }: ChartData, width: number): { from: number; to: number } {
  const times = first?.points.map(({ time }) => time) ?? []
  const count = Math.max(MANY_BARS, times.length)
  const room = (count * MARK_PX) / Math.max(MARK_PX, width - SCALE_PX - 2 * MARK_PX)
  const near = Math.ceil(room)
  const isMarked = (some: readonly number[]) => marks.some(({ time }) => some.includes(time))
  return { from: isMarked(times.slice(0, near)) ? -room : -1, to: count + (isMarked(times.slice(-near)) ? room : 2) }
}

/** Draws into an element, and follows its size and the colour scheme until `remove`. */
export function draw(place: HTMLElement, data: ChartData): Drawn {
  const chart = createChart(place, {
    autoSize: true,
    // Its logo brings its own style element, which the policy forbids; the page names the library in words.
    layout: { attributionLogo: false },
    timeScale: {
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 2,
      maxBarSpacing: 24,
      // From its third kind on, a tick is a time of the day.
      tickMarkFormatter: (time: Time, kind: number) => (kind >= 3 ? toHour : toDay)(inMs(time)),
    },
    localization: { timeFormatter: (time: Time) => toMinute(inMs(time)) },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  })
  const series: ISeriesApi<SeriesType>[] = []
  let shown = data
  let colours = readColours(place)
  const show = (index: number) => {
    const [one, pane] = [series[index], shown.panes[index]]
    if (!one || !pane) return
    one.applyOptions(toOptions(pane, colours))
    setPoints(one, pane, colours)
  }
  let marks: ISeriesMarkersPluginApi<Time> | undefined
  const mark = () => {
    const drawn = drawnOf(shown.marks)
    if (marks) setMarks(marks, drawn, (time) => chart.timeScale().timeToCoordinate(time), colours)
    if (marks && drawn.length > 0)
      series[0]?.priceScale().applyOptions({ scaleMargins: marginsOf(drawn, firstHeight()) })
  }
  const paint = () => {
    colours = readColours(place)
    chart.applyOptions(frame(colours))
    series.forEach((_, index) => {
      show(index)
    })
    mark()
  }
  chart.applyOptions(frame(colours))
  const all = data.panes.reduce((sum, { height }) => sum + height, 0)
  /** Of the first pane, once all are there. */
  const firstHeight = () => (place.clientHeight * (data.panes[0]?.height ?? 1)) / Math.max(1, all)
  const addPanes = () => {
    chart.panes()[0]?.setStretchFactor(data.panes[0]?.height ?? 1)
    for (const { height } of data.panes.slice(1)) chart.addPane(true).setStretchFactor(height)
  }
  const fill = (pane: Pane, index: number) => {
    const one = addSeries(chart, pane, index)
    series[index] = one
    show(index)
    // The times of each series become times of the one axis.
    chart.timeScale().setVisibleLogicalRange(rangeOf(data, place.clientWidth))
    if (index > 0) return
    // The margins below are their room. The library's own would grow with the bars until a young token's few candles have none.
    marks = createSeriesMarkers(one, [], { autoScale: false })
    mark()
  }
  place.setAttribute('aria-busy', 'true')
  const stop = inSteps([
    addPanes,
    ...data.panes.map((pane, index) => () => fill(pane, index)),
    () => place.removeAttribute('aria-busy'),
  ])
  // Which texts have room depends on the visible part of the time axis, and its width.
  chart.timeScale().subscribeVisibleLogicalRangeChange(mark)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', paint)
  return {
    update(next) {
      shown = next
      paint()
    },
    remove() {
      stop()
      scheme.removeEventListener('change', paint)
      chart.remove()
    },
  }
}

type Colours = ReturnType<typeof readColours>

function readColours(place: HTMLElement) {
  const style = getComputedStyle(place)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    panel: read('--panel'),
    text: read('--soft'),
    line: read('--line'),
    up: read('--up'),
    down: read('--down'),
    accent: read('--accent'),
  }
}

const frame = ({ panel, text, line }: Colours) => ({
  layout: {
    background: { type: ColorType.Solid, color: panel },
    textColor: text,
    fontSize: 11,
    panes: { separatorColor: line, enableResize: false },
  },
  grid: { vertLines: { color: `${line}80` }, horzLines: { color: `${line}80` } },
  rightPriceScale: { borderColor: line, minimumWidth: 70 },
  timeScale: { borderColor: line },
})

const addSeries = (chart: IChartApi, { kind }: Pane, index: number): ISeriesApi<SeriesType> =>
  chart.addSeries(SERIES[kind], {}, index)

/**
 * Around a series of one value the library draws a range of a few of these. A range that is lost beside the value draws
 * nothing.
 */
function leastMoveOf(pane: Pane): number {
  const values = pane.kind === 'candles' ? pane.points.map(({ close }) => close) : pane.points.map(({ value }) => value)
  const value = Math.abs(values.at(-1) ?? 0)
  // It takes powers of ten, up to a cent.
  return 10 ** Math.min(-2, Math.max(-12, Math.floor(Math.log10(value)) - 6))
}

function toOptions(pane: Pane, { up, down, accent }: Colours) {
  const { title, format, kind } = pane
  const common = {
    title,
    priceLineVisible: false,
    priceFormat: { type: 'custom' as const, formatter: format, minMove: leastMoveOf(pane) },
  }
  if (kind === 'candles')
    return { ...common, upColor: up, downColor: down, wickUpColor: up, wickDownColor: down, borderVisible: false }
  if (kind === 'line') return { ...common, color: accent, lineWidth: 1 as const }
  if (kind === 'area')
    return { ...common, lineColor: accent, lineWidth: 1 as const, topColor: `${accent}40`, bottomColor: `${accent}08` }
  if (kind === 'profit')
    return {
      ...common,
      lineWidth: 1 as const,
      baseValue: { type: 'price' as const, price: 0 },
      topLineColor: up,
      topFillColor1: `${up}40`,
      topFillColor2: `${up}08`,
      bottomLineColor: down,
      bottomFillColor1: `${down}08`,
      bottomFillColor2: `${down}40`,
    }
  return common
}

function setPoints(series: ISeriesApi<SeriesType> | undefined, pane: Pane, { up, down }: Colours): void {
  if (pane.kind === 'candles') {
    series?.setData(pane.points.map(({ time, ...candle }) => ({ time: at(time), ...candle })))
    return
  }
  series?.setData(
    pane.points.map(({ time, value, isUp }) => ({
      time: at(time),
      value,
      ...(pane.kind === 'bars' && { color: isUp ? `${up}99` : `${down}99` }),
    })),
  )
}
