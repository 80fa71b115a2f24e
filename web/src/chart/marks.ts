// The marks of a chart in the library's form, with words if there is room for them.
import type { ISeriesMarkersPluginApi, Time, UTCTimestamp } from 'lightweight-charts'
import type { Mark } from './pane.ts'

const at = (time: number): UTCTimestamp => time as UTCTimestamp

/** Characters of a mark's text are about this wide. */
const CHARACTER_PX = 6
/** The width of a mark without a text on the axis. */
const SHAPE_PX = 14
/** The most marks of one bar on one side: more would take the room of the candles. The list in words has all. */
const MOST_STACKED = 1
/** A mark with its text is about this high. */
const STACKED_PX = 34
/** The candles keep more than half of their pane, however many marks there are. */
const MOST_MARGIN = 0.22

/** The marks that are drawn: of each bar and side the most important. */
export function drawnOf(marks: readonly Mark[]): Mark[] {
  const stacked = new Map<string, number>()
  return marks.filter(({ time, tone }) => {
    const side = `${time} ${tone === 'good'}`
    const count = (stacked.get(side) ?? 0) + 1
    stacked.set(side, count)
    return count <= MOST_STACKED
  })
}

/** Room above and below the candles of a pane, as shares of its height: as much as the highest stack of marks takes. */
export function marginsOf(marks: readonly Mark[], height: number): { top: number; bottom: number } {
  const share = (isBelow: boolean): number => {
    const times = marks.filter(({ tone }) => (tone === 'good') === isBelow).map(({ time }) => time)
    const most = Math.max(0, ...times.map((time) => times.filter((other) => other === time).length))
    return Math.max(0.1, (most * STACKED_PX + SHAPE_PX) / Math.max(1, height))
  }
  return { top: Math.min(MOST_MARGIN, share(false)), bottom: Math.min(MOST_MARGIN, share(true)) }
}

export function setMarks(
  plugin: ISeriesMarkersPluginApi<Time>,
  marks: readonly Mark[],
  toX: (time: Time) => number | null,
  { up, down, accent }: Readonly<Record<'up' | 'down' | 'accent', string>>,
): void {
  plugin.setMarkers(
    withRoom(marks, toX)
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

/** The marks, without texts that would run into those of earlier marks. The library stacks marks of one bar. */
function withRoom(marks: readonly Mark[], toX: (time: Time) => number | null): Mark[] {
  const taken: { time: number; isBelow: boolean; x: number; half: number }[] = []
  return marks.map((mark) => {
    const x = toX(at(mark.time))
    if (x === null) return { ...mark, text: '' }
    const isBelow = mark.tone === 'good'
    const half = (mark.text.length * CHARACTER_PX) / 2
    const isFree = taken.every(
      (other) =>
        other.isBelow !== isBelow ||
        other.time === mark.time ||
        Math.abs(other.x - x) > other.half + half + SHAPE_PX / 2,
    )
    taken.push({ time: mark.time, isBelow, x, half: isFree ? half : SHAPE_PX / 2 })
    return isFree ? mark : { ...mark, text: '' }
  })
}
