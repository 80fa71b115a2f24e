// The arguments of the stream of events: which events, and where a reader goes on. What they must not be is named.
import { invalid } from '../base/errors.ts'
import { parseCursor } from '../stream/cursor.ts'
import type { EventFilter } from '../stream/event-filter.ts'
import { builder } from './builder.ts'
import { EventTypeEnum } from './vocabulary.ts'

/** Words, addresses and so on that a filter of a stream may list. */
const MAX_LISTED = 100

export const EventStreamFilterInput = builder.inputType('EventStreamFilter', {
  description:
    'Which events a stream has. A field that is left out or null asks for nothing; a list asks for any of its members.',
  fields: (t) => ({
    types: t.field({ type: [EventTypeEnum], description: 'Only events of these types.' }),
    tokens: t.field({ type: ['Address'], description: `Only events of these tokens, ${MAX_LISTED} at most.` }),
    wallets: t.field({
      type: ['Address'],
      description: `Only events of these wallets, transfers to them included, ${MAX_LISTED} at most.`,
    }),
    minAmountUsd: t.float({ description: 'Only events of at least this value in USD, such as 1000; 0 or more.' }),
  }),
})

type GivenEventFilter = { [F in keyof EventFilter]?: EventFilter[F] | null | undefined }

export function readEventFilter({ types, tokens, wallets, minAmountUsd }: GivenEventFilter): EventFilter {
  const faults = Object.entries({ tokens, wallets })
    .filter(([, list]) => (list?.length ?? 0) > MAX_LISTED)
    .map(([name]) => ({
      location: 'argument' as const,
      field: `filter.${name}`,
      message: `filter.${name} may list ${MAX_LISTED} addresses`,
    }))
  if ((minAmountUsd ?? 0) < 0) {
    faults.push({
      location: 'argument',
      field: 'filter.minAmountUsd',
      message: 'filter.minAmountUsd must be a number >= 0',
    })
  }
  if (faults.length > 0) throw invalid(faults)
  return {
    ...(types && { types }),
    ...(tokens && { tokens }),
    ...(wallets && { wallets }),
    ...(minAmountUsd && { minAmountUsd }),
  }
}

export function readCursorArgument(after: string | null | undefined) {
  if (after === null || after === undefined) return undefined
  const cursor = parseCursor(after)
  if (cursor) return cursor
  const message = 'after must be the cursor of a message or the id of an event, such as 5661-12-0'
  throw invalid([{ location: 'argument', field: 'after', message }])
}
