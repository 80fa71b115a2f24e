// The values of one time, in words: what the crosshair points at, or else the newest.
import { percent, timeFormat } from '../format.ts'
import { type ChartData, isFlat, type Pane, type VolumePoint } from './pane.ts'

const toMinute = timeFormat({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })

/** The words by time; the last are those of the newest time. */
export function createLegend({ panes }: ChartData): { at(time: number): string[]; newest(): string[] } {
  const places = panes.map(({ points }) => new Map(points.map(({ time }, index) => [time, index])))
  const newest = Math.max(...panes.flatMap(({ points }) => points.at(-1)?.time ?? []))
  const at = (time: number) => [
    toMinute(time * 1_000),
    ...panes.flatMap((pane, index) => tell(pane, places[index]?.get(time))),
  ]
  return { at, newest: () => (Number.isFinite(newest) ? at(newest) : []) }
}

/** In pieces that are short enough for a line of a phone. */
function tell(pane: Pane, index: number | undefined): string[] {
  if (index === undefined) return []
  const { format, title } = pane
  if (pane.kind === 'candles') {
    const point = pane.points[index]
    if (point?.open === undefined) return []
    const { open, high, low, close } = point
    if (isFlat(point)) return [format(close)]
    const change = open > 0 ? ` (${percent(100 * (close / open - 1), true)})` : ''
    return [`O ${format(open)}`, `H ${format(high)}`, `L ${format(low)}`, `C ${format(close)}${change}`]
  }
  if (pane.kind === 'volume') {
    const point = pane.points[index]
    if (!point) return []
    return [`${title} ${format(point.all)}${tellSides(point, format)}`]
  }
  if (pane.kind === 'lines')
    return pane.names.flatMap((name, at) => {
      const value = pane.points[index]?.values[at]
      return typeof value === 'number' ? [`${name} ${format(value)}`] : []
    })
  const point = pane.points[index]
  return point ? [`${title} ${format(point.value)}`] : []
}

/** From this share of the volume on it is told that others were paid with the token. */
const TOLD_SHARE = 0.01

/** Trades that paid with the token are neither its purchases nor its sales. */
function tellSides({ all, bought, sold }: VolumePoint, format: Pane['format']): string {
  if (all <= 0) return ''
  const paid = all - bought - sold
  const rest = paid > TOLD_SHARE * all ? `, ${format(paid)} paid with it` : ''
  return `: ${format(bought)} bought, ${format(sold)} sold${rest}`
}
