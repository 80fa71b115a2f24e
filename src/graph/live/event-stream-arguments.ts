// The arguments of the stream of events: a filter, and the place where a reader continues. Errors name every fault.
import { invalid } from '../../base/errors.ts'
import { parseCursor } from '../../stream/cursor.ts'
import { builder } from '../schema/builder.ts'
import { streamFilterFields } from '../types/event-filter.ts'

export const EventStreamFilterInput = builder.inputType('EventStreamFilter', {
  description:
    'The events of a stream. A field that is left out or null sets no condition; a list asks for any of its members. All bounds are inclusive. Without `after` the stream begins at the start of the filter. It ends once every block up to the end of the filter is final.',
  fields: streamFilterFields,
})

export function readCursorArgument(after: string | null | undefined) {
  if (after === null || after === undefined) return undefined
  const cursor = parseCursor(after)
  if (cursor) return cursor
  const message = 'after must be the cursor of a message or the id of an event, such as 5661-12-0'
  throw invalid([{ location: 'argument', field: 'after', message }])
}
