// The replacement of missing data: loading, a failure with its fix, nothing found.
import type { ComponentChildren } from 'preact'
import { toSnake } from '../../../src/fields/field.ts'
import type { Failure } from '../api/ask.ts'
import { forgetKey } from '../api/key.ts'
import { refresh } from '../api/live.ts'
import type { Query } from '../api/use-query.ts'
import { BOUNDS } from '../filter.ts'
import { duration } from '../format.ts'

/** The fault of the query, with the names in the address: a retry would send the same query. */
function faultsOf({ faults }: Failure): string[] {
  return faults.map(({ field, message }) => {
    const bound = BOUNDS.find((one) => field === `filter.${one.field}`)
    return bound ? `${toSnake(bound.field)} in the address ${message.replace(field, '').trim()}` : message
  })
}

export function FailureNote({ failure }: { failure: Failure }) {
  const faults = faultsOf(failure)
  const isKey = failure.code === 'UNAUTHORIZED'
  return (
    <div class="note bad" role="alert">
      {faults.length > 0 ? faults.map((fault) => <p key={fault}>{fault}.</p>) : <p>{failure.message}</p>}
      {failure.retryAfter !== null && <p>The page asks again in {duration(failure.retryAfter, 'long')}.</p>}
      {faults.length > 0 ? (
        <p>
          <a href={location.pathname}>Leave it out</a>
        </p>
      ) : (
        <button type="button" onClick={isKey ? forgetKey : refresh}>
          {isKey ? 'Use another key' : 'Try again'}
        </button>
      )}
      {failure.requestId && (
        <p class="faint">
          Request <code>{failure.requestId}</code>
        </p>
      )}
    </div>
  )
}

interface LoadedProps<R> {
  query: Query<R>
  /** The loaded thing, for the reader. */
  what: string
  children: (data: R) => ComponentChildren
}

/** Shows the data once it is there, with a note above it when the newest try failed. */
export function Loaded<R>({ query: { data, failure, isLoading }, what, children }: LoadedProps<R>) {
  return (
    <>
      {failure && <FailureNote failure={failure} />}
      {data !== null ? (
        children(data)
      ) : isLoading ? (
        <p class="note" role="status">
          Loading {what}…
        </p>
      ) : null}
    </>
  )
}

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="note">{children}</p>
