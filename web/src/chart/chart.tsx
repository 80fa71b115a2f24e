// A chart in a page. It is drawn when the reader comes near it, or prints the page; until then its place is reserved.
// Readers who cannot see it have the same numbers in a table.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Disclosure } from '../parts/disclosure.tsx'
import type { Drawn } from './draw.ts'
import { whenNear } from './near.ts'
import type { ChartData } from './pane.ts'

interface ChartProps {
  /** Its content, in a sentence. */
  label: string
  data: ChartData
  /** Changes when the content is of another subject, which is then drawn anew. */
  of: string
  class?: string
  /** The table with the same numbers. */
  children?: ComponentChildren
}

export function Chart({ label, data, of, class: name = '', children }: ChartProps) {
  const [legend, lane, panes] = [
    useRef<HTMLParagraphElement>(null),
    useRef<HTMLDivElement>(null),
    useRef<HTMLDivElement>(null),
  ]
  const drawn = useRef<Drawn | null>(null)
  const latest = useRef(data)
  latest.current = data
  const [failed, setFailed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` tells that another thing is shown.
  useEffect(() => {
    let forget = () => {}
    let isGone = false
    import('./draw.ts')
      .then(({ draw }) => {
        if (isGone || !legend.current || !lane.current || !panes.current?.isConnected) return
        const places = { legend: legend.current, lane: lane.current, panes: panes.current }
        const start = () => {
          drawn.current ??= draw(places, latest.current)
        }
        const forgetNear = whenNear(places.panes, start)
        const print = () => {
          start()
          drawn.current?.finish()
        }
        addEventListener('beforeprint', print)
        forget = () => {
          forgetNear()
          removeEventListener('beforeprint', print)
        }
      })
      .catch(() => setFailed(true))
    return () => {
      isGone = true
      forget()
      drawn.current?.remove()
      drawn.current = null
    }
  }, [of])
  useEffect(() => drawn.current?.update(data), [data])
  return (
    <>
      {failed && <p class="note bad">The chart could not be loaded. The table below has its numbers.</p>}
      <p ref={legend} class="legend number" aria-hidden="true" />
      <div ref={lane} class="lane" aria-hidden="true" />
      <div ref={panes} class={`chart ${name}`} role="img" aria-label={label} />
      <Zoom onZoom={(by) => drawn.current?.zoom(by)} />
      {children && (
        <Disclosure summary="As a table" class="as-table">
          {children}
        </Disclosure>
      )}
    </>
  )
}

/** For readers without a wheel or two fingers. */
const Zoom = ({ onZoom }: { onZoom(by: 'in' | 'out' | 'all'): void }) => (
  <fieldset class="zoom" aria-label="Time shown">
    <button type="button" class="quiet" aria-label="Less time" title="Less time" onClick={() => onZoom('in')}>
      +
    </button>
    <button type="button" class="quiet" aria-label="More time" title="More time" onClick={() => onZoom('out')}>
      −
    </button>
    <button type="button" class="quiet" onClick={() => onZoom('all')}>
      All
    </button>
  </fieldset>
)
