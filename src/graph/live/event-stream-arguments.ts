// The arguments of the stream of events: which events, and where a reader goes on. What they must not be is named.
import { invalid } from '../../base/errors.ts'
import { parseCursor } from '../../stream/cursor.ts'
import { builder } from '../schema/builder.ts'
import { streamFilterFields } from '../types/event-filter.ts'

export const EventStreamFilterInput = builder.inputType('EventStreamFilter', {
  description:
    'Which events a stream has. A field that is left out or null asks for nothing; a list asks for any of its members. All bounds are inclusive. Without `after` the stream begins where the filter does, and it ends once the chain is finally past the end of the filter.',
  fields: streamFilterFields,
})

export function readCursorArgument(after: string | null | undefined) {
  if (after === null || after === undefined) return undefined
  const cursor = parseCursor(after)
  if (cursor) return cursor
  const message = 'after must be the cursor of a message or the id of an event, such as 5661-12-0'
  throw invalid([{ location: 'argument', field: 'after', message }])
}
