// The lane of marks above the panes: each mark stands over its bar, with its words if there is room for them.
import type { Mark } from './pane.ts'

const SIGNS: Readonly<Record<Mark['tone'], string>> = { good: '▲', care: '!', bad: '▼', neutral: '●' }

/** The width of a mark without words. */
const SIGN_PX = 16
/** Shortened words need so many pixels: fewer say nothing. */
const LEAST_WORDS_PX = 70

interface Placed {
  mark: Mark
  x: number
  /** On which side of the sign the words stand; null: there is no room for them. */
  words: 'right' | 'left' | null
  /** The words, whole or shortened to their room. */
  text: string
  /** All that happened at its bar. */
  title: string
}

/** The width of words in pixels. */
export type Measure = (text: string) => number

/** Puts the marks into the lane, at the places of their bars; `toX` gives null for a bar out of sight. */
export function fillLane(
  lane: HTMLElement,
  marks: readonly Mark[],
  toX: (time: number) => number | null,
  width: number,
): void {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = `11px ${getComputedStyle(lane).fontFamily}`
  const measure: Measure = (text) => context?.measureText(text).width ?? 0
  lane.replaceChildren(...placeAll(marks, toX, width, measure).map((placed) => draw(placed, width)))
}

/**
 * Signs come first: one for each bar, and none over another. Then the more important mark takes the room for its words.
 * They are shortened where the lane ends or another mark begins: on a phone few whole sentences have room.
 */
export function placeAll(
  marks: readonly Mark[],
  toX: (time: number) => number | null,
  width: number,
  measure: Measure,
): Placed[] {
  const placed: Placed[] = []
  const rooms: [from: number, to: number][] = []
  for (const mark of marks) {
    const x = toX(mark.time)
    if (x === null || x < 0 || x > width) continue
    const [left, right] = [Math.max(0, x - SIGN_PX / 2), Math.min(width, x + SIGN_PX / 2)]
    if (rooms.some(([from, to]) => to > left && from < right)) continue
    rooms.push([left, right])
    const together = marks.filter(({ time }) => time === mark.time).map(({ text }) => text)
    placed.push({ mark, x, words: null, text: '', title: together.join('; ') })
  }
  for (const [at, one] of placed.entries()) {
    const [left, right] = rooms[at] ?? [0, 0]
    const others = rooms.filter((_, index) => index !== at)
    const most = {
      right: Math.min(width, ...others.filter(([from]) => from >= right).map(([from]) => from)) - right,
      left: left - Math.max(0, ...others.filter(([, to]) => to <= left).map(([, to]) => to)),
    }
    const whole = measure(` ${one.mark.text}`)
    const side = most.right >= whole || most.right >= most.left ? 'right' : 'left'
    const text = whole <= most[side] ? one.mark.text : shorten(one.mark.text, most[side], measure)
    if (text === '') continue
    const used = measure(` ${text}`)
    rooms[at] = side === 'right' ? [left, right + used] : [left - used, right]
    Object.assign(one, { words: side, text })
  }
  return placed
}

/** The first words that fit, with a sign that more follow; empty without room for a few. */
function shorten(text: string, room: number, measure: Measure): string {
  if (room < LEAST_WORDS_PX) return ''
  const words = text.split(' ')
  while (words.length > 1) {
    words.pop()
    const short = `${words.join(' ')}…`
    if (measure(` ${short}`) <= room) return short
  }
  return ''
}

function draw({ mark: { tone }, x, words, text, title }: Placed, width: number): HTMLElement {
  const element = document.createElement('span')
  const sign = SIGNS[tone]
  element.className = `mark mark-${tone}`
  element.title = title
  element.textContent = words === 'right' ? `${sign} ${text}` : words === 'left' ? `${text} ${sign}` : sign
  if (words === 'left') element.style.right = `calc(100% - ${Math.round(Math.min(width, x + SIGN_PX / 2))}px)`
  else element.style.left = `${Math.round(Math.max(0, x - SIGN_PX / 2))}px`
  return element
}
