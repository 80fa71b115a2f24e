// Shows at the top of the window that the data is old, since when and why.
import { refresh, staleSince, trouble } from '../api/live.ts'
import { ShortTime } from './when.tsx'

const BY_PLAN = 'There are newer blocks; your plan leaves the next request for later.'

export function Stale() {
  const since = staleSince.value
  return (
    <div class="warning" role="status">
      {since !== null && (
        <p class="stale">
          <span>
            <b>
              Stale since <ShortTime iso={new Date(since).toISOString()} />.
            </b>{' '}
            {trouble.value ?? BY_PLAN}
          </span>
          <button type="button" onClick={refresh}>
            Refresh
          </button>
        </p>
      )}
    </div>
  )
}
