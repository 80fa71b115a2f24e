// The newest block, its age and its lag: the block of every number on the page. Beside it the colour scheme and the keys.
import { head, refresh, trouble } from '../api/live.ts'
import { blocks, whole } from '../format.ts'
import { ShortcutKeys } from './shortcut-keys.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { DateTime } from './when.tsx'

/** A block that comes is behind for a moment: told each time, the line would jump. */
const USUAL_LAG = 1

export function Footer() {
  const at = head.value
  return (
    <footer class="bottom">
      <p role="status">
        {at ? (
          <>
            Block <strong class="number">{whole(at.block)}</strong> <DateTime iso={at.time} />
            {at.lag > USUAL_LAG && <span>{blocks(at.lag)} behind the source</span>}
          </>
        ) : (
          !trouble.value && 'Waiting for the first block'
        )}
      </p>
      <p>
        <button type="button" class="quiet" onClick={refresh}>
          Refresh
        </button>
        <ThemeChoice />
        <ShortcutKeys />
        <a href="/status">Status</a>
        <a href="/docs" target="_self">
          REST
        </a>
        <a href="/graphql" target="_self">
          GraphiQL
        </a>
      </p>
    </footer>
  )
}
