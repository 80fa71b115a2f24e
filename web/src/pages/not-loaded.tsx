import { Panel } from '../parts/panel.tsx'
import { useTitle } from '../parts/use-title.ts'

/** Replaces a part of the page that could not be loaded. */
export function NotLoaded() {
  useTitle('Not loaded')
  return (
    <Panel title="This page could not be loaded" level={1} class="narrow">
      <div class="note bad" role="alert">
        <p>The server cannot be reached. Is it still running?</p>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    </Panel>
  )
}
