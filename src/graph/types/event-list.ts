// Events by a filter, as a connection.
import type { EventFilter } from '../../base/event-filter.ts'
import { type EventId, formatEventId, parseEventId } from '../../base/event-id.ts'
import { atOnce } from '../../base/turns.ts'
import type { EventRow } from '../../ledger/read/event.ts'
import {
  countFound,
  type EventSearch,
  isPlain,
  SEARCH_WALK,
  scopesOf,
  searchEvents,
} from '../../ledger/read/event-search.ts'
import type { GraphContext } from '../context.ts'
import { CONNECTION } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { connectionArgs, declareConnection, readSlice, toCursor, toWalkedSlice } from '../schema/connection.ts'
import { EventObject } from '../schema/refs.ts'
import { listFilterFields, readEventFilter } from './event-filter.ts'

const EventFilterInput = builder.inputType('EventFilter', {
  description:
    'Which events. A field that is left out or null sets no condition; a list asks for any of its members. All bounds are inclusive.',
  fields: listFilterFields,
})

/** Finds the tokens and wallets of the addresses. */
async function toSearch(filter: EventFilter, { loaders, reading }: GraphContext): Promise<EventSearch> {
  const { tokens, wallets, types = null, walletClassifications, minAmountUsd, from, to, fromBlock, toBlock } = filter
  const known = async <Row>(asked: readonly string[] | undefined, load: (address: string) => Promise<Row | null>) =>
    (await Promise.all([...new Set(asked ?? [])].map(load))).filter((row) => row !== null)
  const [tokenRows, walletRows] = await Promise.all([
    known(tokens, (address) => loaders.tokenByAddress.load(address)),
    known(wallets, (address) => loaders.walletByAddress.load(address)),
  ])
  const rest = {
    classifications: walletClassifications,
    // Every event is worth 0 or more.
    minAmountUsd: minAmountUsd === 0 ? undefined : minAmountUsd,
    from,
    to,
    fromBlock,
    toBlock,
  }
  if (wallets) {
    const owners = walletRows.map((row) => ({ ...row, tokenId: null, walletId: row.id }))
    return { ...rest, scopes: scopesOf(owners, types), tokenIds: tokens && tokenRows.map(({ id }) => id) }
  }
  if (!tokens) return { ...rest, scopes: scopesOf([{ ...reading.head, tokenId: null, walletId: null }], types) }
  const details = await loaders.tokenDetail.loadMany(tokenRows.map(({ id }) => id))
  const owners = details.map((row) => {
    if (row instanceof Error) throw row
    return { ...row, tokenId: row.id, walletId: null }
  })
  return { ...rest, scopes: scopesOf(owners, types) }
}

const EventConnection = declareConnection<EventRow, EventRow>('Event', EventObject as never, {
  one: 'An event',
  many: 'events',
})

builder.objectField(EventConnection, 'total', (t) =>
  t.float({
    nullable: true,
    description:
      'How many events there are in the whole list. Null with a bound on their value, a class of wallets, several wallets, or both tokens and wallets. Counting these would read each of them.',
    resolve: ({ count }) => count(),
  }),
)

builder.queryField('eventsConnection', (t) =>
  t.field({
    type: EventConnection,
    description: `Events by a filter, newest first. A later page is older, so new events neither repeat nor hide any. One request reads ${SEARCH_WALK} events at most. If few match, a page may have fewer edges than \`first\` or \`last\` although there are more pages.`,
    args: {
      filter: t.arg({ type: EventFilterInput, description: 'Which events; all if left out.' }),
      ...connectionArgs,
    },
    extensions: CONNECTION,
    resolve: async (_, { filter, ...asked }, context) => {
      const { count, ...beginning } = readSlice(asked, parseEventId)
      const { place, backwards } = beginning
      const search = await toSearch(readEventFilter(filter ?? {}, { argument: 'filter', mayBeEmpty: false }), context)
      const inTurn = isPlain(search) ? atOnce : context.walks
      const { items, next } = await inTurn(() =>
        searchEvents(context.reading, search, { place, oldestFirst: backwards, count }),
      )
      const cursorOf = (event: EventId) => toCursor(formatEventId(event))
      return toWalkedSlice(
        items,
        cursorOf,
        { ...beginning, hasMore: next !== null, walkedTo: next && cursorOf(next) },
        () => countFound(context.reading, search),
      )
    },
  }),
)
