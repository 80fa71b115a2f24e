// The colours of the style sheet, as a canvas takes them.
import { ColorType } from 'lightweight-charts'

export type Colours = ReturnType<typeof readColours>

/** A property has the colours of both schemes; as the colour of an element it becomes the one that is shown. */
export function readColours(place: HTMLElement) {
  const probe = document.createElement('span')
  place.append(probe)
  const read = (name: string) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const colours = {
    panel: read('--panel'),
    text: read('--soft'),
    line: read('--line'),
    up: read('--up'),
    down: read('--down'),
    accent: read('--accent'),
    series: ['--series-1', '--series-2', '--series-3', '--series-4'].map(read),
  }
  probe.remove()
  return colours
}

/** A colour, `rgb(1, 2, 3)`, that shows through. */
export const faded = (colour: string, opacity: number): string =>
  colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${opacity})`)

export const frame = ({ panel, text, line }: Colours) => ({
  layout: {
    background: { type: ColorType.Solid, color: panel },
    textColor: text,
    fontSize: 11,
    panes: { separatorColor: line, enableResize: false },
  },
  grid: { vertLines: { color: faded(line, 0.5) }, horzLines: { color: faded(line, 0.5) } },
  rightPriceScale: { borderColor: line, minimumWidth: 70, entireTextOnly: true },
  timeScale: { borderColor: line },
})
