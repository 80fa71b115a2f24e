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
  /** What the sign and its words cover. */
  room: readonly [from: number, to: number]
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
  let placed = placeSigns(marks, toX, width)
  for (const one of [...placed]) {
    if (!placed.includes(one)) continue
    if (isWordless(one, placed, width, measure)) {
      // Lesser signs beside a bad one yield its words the room. They stay in the list below the chart.
      const yielding = placed.filter((other) => yields(other, one, placed))
      one.title = [one, ...yielding].map(({ title }) => title).join('; ')
      placed = placed.filter((other) => !yielding.includes(other))
    }
    const { side, text } = wordsBeside(one, placed, width, measure)
    if (text === '') continue
    const used = measure(` ${text}`)
    const [left, right] = one.room
    Object.assign(one, { words: side, text, room: side === 'right' ? [left, right + used] : [left - used, right] })
  }
  return placed
}

function placeSigns(marks: readonly Mark[], toX: (time: number) => number | null, width: number): Placed[] {
  const placed: Placed[] = []
  for (const mark of marks) {
    const x = toX(mark.time)
    if (x === null || x < 0 || x > width) continue
    const [left, right] = [Math.max(0, x - SIGN_PX / 2), Math.min(width, x + SIGN_PX / 2)]
    if (placed.some(({ room: [from, to] }) => to > left && from < right)) continue
    const together = marks.filter(({ time }) => time === mark.time).map(({ text }) => text)
    placed.push({ mark, x, words: null, text: '', title: together.join('; '), room: [left, right] })
  }
  return placed
}

const isWordless = (one: Placed, placed: readonly Placed[], width: number, measure: Measure): boolean =>
  one.mark.tone === 'bad' && wordsBeside(one, placed, width, measure).text === ''

/** A less important sign that takes the room of a bad mark's words. */
const yields = (other: Placed, one: Placed, placed: readonly Placed[]): boolean =>
  other.mark.tone !== 'bad' &&
  placed.indexOf(other) > placed.indexOf(one) &&
  Math.abs(other.x - one.x) < LEAST_WORDS_PX + SIGN_PX

/** The words of a mark in the free room beside its sign. */
function wordsBeside(
  { room: [left, right], mark }: Placed,
  placed: readonly Placed[],
  width: number,
  measure: Measure,
) {
  const rooms = placed.map(({ room }) => room)
  const most = {
    right: Math.min(width, ...rooms.filter(([from]) => from >= right).map(([from]) => from)) - right,
    left: left - Math.max(0, ...rooms.filter(([, to]) => to <= left).map(([, to]) => to)),
  }
  const whole = measure(` ${mark.text}`)
  const side: 'right' | 'left' = most.right >= whole || most.right >= most.left ? 'right' : 'left'
  return { side, text: whole <= most[side] ? mark.text : shorten(mark.text, most[side], measure) }
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
