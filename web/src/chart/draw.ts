// Draws panes with lightweight-charts, in the colours of the style sheet: a legend, a lane of marks, the panes. Loaded
// only by pages with a chart.
import {
  createChart,
  type IChartApi,
  type ISeriesApi,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { timeFormat } from '../format.ts'
import { theme } from '../kept/theme.ts'
import { type Colours, frame, readColours } from './colours.ts'
import { fillLane } from './lane.ts'
import { createLegend } from './legend.ts'
import type { ChartData } from './pane.ts'
import { addSeries, fillSeries } from './series.ts'
import { inSteps } from './steps.ts'

export interface Drawn {
  update(data: ChartData): void
  /** Draws the remaining panes at once. */
  finish(): void
  /** Shows less or more time around the middle; `all` shows everything. */
  zoom(by: 'in' | 'out' | 'all'): void
  remove(): void
}

/** The elements that it draws into. */
interface Places {
  legend: HTMLElement
  lane: HTMLElement
  panes: HTMLElement
}

const toMinute = timeFormat({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
const toDay = timeFormat({ month: 'short', day: 'numeric' })
const toHour = timeFormat({ hour: '2-digit', minute: '2-digit' })
const inMs = (time: Time): number => Number(time) * 1_000

/** Fewer bars than this do not fill the chart: they stand at its right. */
const MANY_BARS = 30
/** At first a bar is at least as wide as this; dragging and the button "All" show the earlier ones. */
const BAR_PX = 8
/** A step of the zoom. */
const ZOOM = 1.6

const create = (place: HTMLElement): IChartApi =>
  createChart(place, {
    autoSize: true,
    // Its logo brings its own style element, which the policy forbids; the page names the library in words.
    layout: { attributionLogo: false },
    timeScale: {
      timeVisible: true,
      secondsVisible: false,
      rightOffset: 2,
      maxBarSpacing: 40,
      // From its third kind on, a tick is a time of the day.
      tickMarkFormatter: (time: Time, kind: number) => (kind >= 3 ? toHour : toDay)(inMs(time)),
    },
    localization: { timeFormatter: (time: Time) => toMinute(inMs(time)) },
    // A finger that moves up or down scrolls the page.
    handleScroll: { mouseWheel: true, pressedMouseMove: true, horzTouchDrag: true, vertTouchDrag: false },
    handleScale: { mouseWheel: true, pinch: true, axisPressedMouseMove: true },
  })

/** How many bars are shown at first: all, where the newest that have room have no price, as after a pull. */
function firstBars({ panes: [first] }: ChartData, width: number): number {
  const bars = Math.max(MANY_BARS, Math.floor(width / BAR_PX))
  const isPriced = first?.kind !== 'candles' || first.points.slice(-bars).some(({ open }) => open !== undefined)
  return isPriced ? bars : Number.POSITIVE_INFINITY
}

const toSpan = (text: string): HTMLElement =>
  Object.assign(document.createElement('span'), { textContent: `${text}   ` })

/** Draws into elements, and follows their size and the colour scheme until `remove`. */
export function draw(places: Places, data: ChartData): Drawn {
  const chart = create(places.panes)
  const scale = chart.timeScale()
  const series: ISeriesApi<SeriesType>[][] = []
  let shown = data
  let colours: Colours = readColours(places.panes)
  let legend = createLegend(data)
  const show = (index: number) => {
    const pane = shown.panes[index]
    if (pane && series[index]) fillSeries(series[index], pane, colours)
  }
  const mark = () =>
    fillLane(places.lane, shown.marks, (time) => scale.timeToCoordinate(time as UTCTimestamp), scale.width())
  const tell = (pieces: readonly string[]) => {
    // Each is a block of its own: as one, they would be the largest text of a phone's screen, and come last.
    places.legend.replaceChildren(...pieces.map(toSpan))
  }
  const paint = () => {
    // The page was left, and nothing outside a page has colours.
    if (!places.panes.isConnected) return
    colours = readColours(places.panes)
    chart.applyOptions(frame(colours))
    for (const index of series.keys()) show(index)
    mark()
    legend = createLegend(shown)
    tell(legend.newest())
  }
  const showLast = (bars: number) => {
    const count = shown.panes[0]?.points.length ?? 0
    scale.setVisibleLogicalRange({ from: Math.min(count - MANY_BARS, Math.max(-1, count - bars)), to: count + 1 })
  }
  const showAll = () => showLast(Number.POSITIVE_INFINITY)
  places.panes.setAttribute('aria-busy', 'true')
  const steps = inSteps([
    () => preparePanes(chart, data, colours),
    ...data.panes.map((pane, index) => () => {
      series[index] = addSeries(chart, pane, index)
      show(index)
      fitScale(series[index], pane.kind)
      // The times of each series become times of the one axis.
      showLast(firstBars(data, places.panes.clientWidth))
    }),
    () => {
      paint()
      places.panes.removeAttribute('aria-busy')
    },
  ])
  // Which texts have room depends on the visible part of the time axis, and its width.
  scale.subscribeVisibleLogicalRangeChange(mark)
  scale.subscribeSizeChange(mark)
  chart.subscribeCrosshairMove(({ time }) => tell(time === undefined ? legend.newest() : legend.at(Number(time))))
  const forget = followColours(paint)
  return {
    update(next) {
      shown = next
      paint()
    },
    finish() {
      steps.finish()
      // Only a picture of it is drawn without waiting for a frame.
      chart.takeScreenshot()
    },
    zoom: (by) => (by === 'all' ? showAll() : zoomBy(chart, by === 'in' ? 1 / ZOOM : ZOOM)),
    remove() {
      steps.stop()
      forget()
      chart.remove()
      places.lane.replaceChildren()
      tell([])
    },
  }
}

/**
 * Calls `paint` when the system's scheme or the reader's choice changes, and for paper: a printed page is light, and a
 * canvas keeps its colours. Returns a function that stops it.
 */
function followColours(paint: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', paint)
  let isFirst = true
  // The first call comes at once, before the chart has a series to paint.
  const forget = theme.now.subscribe(() => {
    if (!isFirst) paint()
    isFirst = false
  })
  return () => {
    for (const query of queries) query.removeEventListener('change', paint)
    forget()
  }
}

function preparePanes(chart: IChartApi, { panes }: ChartData, colours: Colours): void {
  chart.applyOptions(frame(colours))
  chart.panes()[0]?.setStretchFactor(panes[0]?.height ?? 1)
  for (const { height } of panes.slice(1)) chart.addPane(true).setStretchFactor(height)
}

/** Candles and lines fill their pane; a bar stands on its floor. */
function fitScale([first]: readonly ISeriesApi<SeriesType>[], kind: string): void {
  first?.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: kind === 'volume' ? 0 : 0.06 } })
}

function zoomBy(chart: IChartApi, factor: number): void {
  const range = chart.timeScale().getVisibleLogicalRange()
  if (!range) return
  const [middle, half] = [(range.from + range.to) / 2, (factor * (range.to - range.from)) / 2]
  chart.timeScale().setVisibleLogicalRange({ from: middle - half, to: middle + half })
}
