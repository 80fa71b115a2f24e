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
import type { ChartData, Mark, Pane } from './pane.ts'

export interface Drawn {
  update(data: ChartData): void
  remove(): void
}

const TIME = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const inMs = (time: Time): number => Number(time) * 1_000
const at = (time: number): UTCTimestamp => time as UTCTimestamp

const SERIES = {
  candles: CandlestickSeries,
  bars: HistogramSeries,
  line: LineSeries,
  area: AreaSeries,
  profit: BaselineSeries,
} as const

/** Draws into an element, and follows its size and the colour scheme until `remove`. */
export function draw(place: HTMLElement, data: ChartData): Drawn {
  const chart = createChart(place, {
    autoSize: true,
    // Its logo brings a style element of its own, which the policy forbids; the page names the library in words.
    layout: { attributionLogo: false },
    timeScale: {
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 2,
      // From its third kind on, a tick is a time of the day.
      tickMarkFormatter: (time: Time, kind: number) => (kind >= 3 ? HOUR : DAY).format(inMs(time)),
    },
    localization: { timeFormatter: (time: Time) => TIME.format(inMs(time)) },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  })
  const series = data.panes.map((pane, index) => addPane(chart, pane, index))
  for (const [index, { height }] of data.panes.entries()) chart.panes()[index]?.setStretchFactor(height)
  const marks = series[0] && createSeriesMarkers(series[0], [])
  let shown = data
  const paint = () => {
    const colours = readColours(place)
    chart.applyOptions(frame(colours))
    shown.panes.forEach((pane, index) => {
      series[index]?.applyOptions(toOptions(pane, colours))
      setPoints(series[index], pane, colours)
    })
    if (marks) setMarks(marks, shown.marks, colours)
  }
  paint()
  // Some room on the left, for the text of a first mark.
  chart.timeScale().setVisibleLogicalRange({ from: -4, to: (data.panes[0]?.points.length ?? 0) + 2 })
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', paint)
  return {
    update(next) {
      shown = next
      paint()
    },
    remove() {
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

const addPane = (chart: IChartApi, { kind }: Pane, index: number): ISeriesApi<SeriesType> =>
  chart.addSeries(SERIES[kind], {}, index)

function toOptions({ title, format, kind }: Pane, { up, down, accent }: Colours) {
  const common = {
    title,
    priceLineVisible: false,
    priceFormat: { type: 'custom' as const, formatter: format, minMove: 1e-12 },
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

function setMarks(plugin: ISeriesMarkersPluginApi<Time>, marks: readonly Mark[], { up, down, accent }: Colours): void {
  plugin.setMarkers(
    [...marks]
      .sort((a, b) => a.time - b.time)
      .map(({ time, text, tone }) => ({
        time: at(time),
        text,
        position: tone === 'good' ? ('belowBar' as const) : ('aboveBar' as const),
        shape: tone === 'good' ? ('arrowUp' as const) : tone === 'bad' ? ('arrowDown' as const) : ('circle' as const),
        color: tone === 'good' ? up : tone === 'bad' ? down : accent,
      })),
  )
}
