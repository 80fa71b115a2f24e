// The marks of a chart as the library draws them, with words where there is room for them.
import type { ISeriesMarkersPluginApi, Time, UTCTimestamp } from 'lightweight-charts'
import type { Mark } from './pane.ts'

const at = (time: number): UTCTimestamp => time as UTCTimestamp

/** Characters of a mark's text are about this wide. */
const CHARACTER_PX = 6
/** What a mark without a text takes of the axis. */
const SHAPE_PX = 14

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

/** The marks, without the texts that would run into those of marks before them. Marks of one bar are stacked by the library. */
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
