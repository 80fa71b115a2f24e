// The lane of marks above the panes: each mark stands over its bar, with its words if there is room for them.
import type { Mark } from './pane.ts'

const SIGNS: Readonly<Record<Mark['tone'], string>> = { good: '▲', bad: '▼', neutral: '●' }

/** Characters of a mark's text are about this wide. */
const CHARACTER_PX = 6.2
/** The width of a mark without words. */
const SIGN_PX = 16

interface Placed {
  mark: Mark
  x: number
  /** On which side of the sign the words stand; null: there is no room for them. */
  words: 'right' | 'left' | null
  /** All that happened at its bar. */
  title: string
}

/** Puts the marks into the lane, at the places of their bars; `toX` gives null for a bar out of sight. */
export function fillLane(
  lane: HTMLElement,
  marks: readonly Mark[],
  toX: (time: number) => number | null,
  width: number,
): void {
  lane.replaceChildren(...placeAll(marks, toX, width).map((placed) => draw(placed, width)))
}

/** Signs come first: one for each bar, and none over another. Then the more important mark takes the room for its words. */
function placeAll(marks: readonly Mark[], toX: (time: number) => number | null, width: number): Placed[] {
  const placed: Placed[] = []
  const rooms: [from: number, to: number][] = []
  const isFree = (from: number, to: number, own = -1) =>
    from >= 0 && to <= width && rooms.every(([start, end], index) => index === own || to <= start || from >= end)
  for (const mark of marks) {
    const x = toX(mark.time)
    if (x === null || x < 0 || x > width) continue
    const [left, right] = [Math.max(0, x - SIGN_PX / 2), Math.min(width, x + SIGN_PX / 2)]
    if (!isFree(left, right)) continue
    rooms.push([left, right])
    const together = marks.filter(({ time }) => time === mark.time).map(({ text }) => text)
    placed.push({ mark, x, words: null, title: together.join('; ') })
  }
  for (const [at, one] of placed.entries()) {
    const [left, right] = rooms[at] ?? [0, 0]
    const length = one.mark.text.length * CHARACTER_PX
    const sides = [
      [left, right + length, 'right'],
      [left - length, right, 'left'],
    ] as const
    const side = sides.find(([from, to]) => isFree(from, to, at))
    if (!side) continue
    rooms[at] = [side[0], side[1]]
    one.words = side[2]
  }
  return placed
}

function draw({ mark: { tone, text }, x, words, title }: Placed, width: number): HTMLElement {
  const element = document.createElement('span')
  const sign = SIGNS[tone]
  element.className = `mark mark-${tone}`
  element.title = title
  element.textContent = words === 'right' ? `${sign} ${text}` : words === 'left' ? `${text} ${sign}` : sign
  if (words === 'left') element.style.right = `calc(100% - ${Math.round(Math.min(width, x + SIGN_PX / 2))}px)`
  else element.style.left = `${Math.round(Math.max(0, x - SIGN_PX / 2))}px`
  return element
}
