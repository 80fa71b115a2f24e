// Events by a filter, as a connection.
import { type Fault, invalid } from '../base/errors.ts'
import { formatEventId, parseEventId } from '../base/event-id.ts'
import type { Classification, EventType } from '../base/vocabulary.ts'
import type { EventRow } from '../ledger/read/event.ts'
import {
  countFound,
  type EventSearch,
  isPlain,
  SEARCH_WALK,
  scopesOf,
  searchEvents,
} from '../ledger/read/event-search.ts'
import { atOnce } from '../ledger/read/walks.ts'
import { builder } from './builder.ts'
import { declareConnection, forwardArgs, readForward, toCursor } from './connection.ts'
import type { GraphContext } from './context.ts'
import { CONNECTION } from './list-size.ts'
import { EventObject } from './refs.ts'
import { ClassificationEnum, EventTypeEnum } from './vocabulary.ts'

/** Addresses that a filter may list. */
const MAX_LISTED = 100

const EventFilterInput = builder.inputType('EventFilter', {
  description:
    'Which events. A field that is left out or null sets no condition; a list asks for any of its members. All bounds are inclusive.',
  fields: (t) => ({
    types: t.field({ type: [EventTypeEnum], description: 'Only events of these types.' }),
    tokens: t.field({
      type: ['Address'],
      description: `Only events of these tokens, ${MAX_LISTED} at most; one that is not indexed has none.`,
    }),
    wallets: t.field({
      type: ['Address'],
      description: `Only events of these wallets, transfers to them included, ${MAX_LISTED} at most; one that is not indexed has none.`,
    }),
    walletClassifications: t.field({
      type: [ClassificationEnum],
      description: 'Only events of wallets that are now classified as one of these.',
    }),
    minAmountUsd: t.float({ description: 'Only events of at least this value in USD, such as 1000; 0 or more.' }),
    from: t.field({ type: 'DateTime', description: 'Only events at this time or later.' }),
    to: t.field({ type: 'DateTime', description: 'Only events at this time or earlier.' }),
    fromBlock: t.int({ description: 'Only events of the block with this number or later ones.' }),
    toBlock: t.int({ description: 'Only events of the block with this number or earlier ones.' }),
  }),
})

type Filter = {
  types?: readonly EventType[]
  tokens?: readonly string[]
  wallets?: readonly string[]
  walletClassifications?: readonly Classification[]
  minAmountUsd?: number
  from?: Date
  to?: Date
  fromBlock?: number
  toBlock?: number
}

/** Returns the filter without its null fields. Throws INVALID_PARAMS with every fault. */
function readFilter(given: { [Field in keyof Filter]?: Filter[Field] | null | undefined }): Filter {
  const faults: Fault[] = []
  const blame = (field: keyof Filter, message: string) =>
    faults.push({ location: 'argument', field: `filter.${field}`, message: `filter.${field} ${message}` })
  for (const field of ['types', 'tokens', 'wallets', 'walletClassifications'] as const) {
    const length = given[field]?.length
    if (length === 0) blame(field, 'must name something, or be left out')
    if (length !== undefined && length > MAX_LISTED) blame(field, `must have ${MAX_LISTED} items at most`)
  }
  if ((given.minAmountUsd ?? 0) < 0) blame('minAmountUsd', 'must be a number >= 0')
  for (const field of ['fromBlock', 'toBlock'] as const)
    if ((given[field] ?? 0) < 0) blame(field, 'must be the number of a block, 0 or more')
  if (given.from && given.to && given.from > given.to) blame('to', 'must not be before filter.from')
  if ((given.fromBlock ?? 0) > (given.toBlock ?? Infinity)) blame('toBlock', 'must not be below filter.fromBlock')
  if (faults.length > 0) throw invalid(faults)
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null))
}

/** Finds what the addresses name. */
async function toSearch(filter: Filter, { loaders, reading }: GraphContext): Promise<EventSearch> {
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

builder.objectField(EventConnection, 'totalCount', (t) =>
  t.float({
    nullable: true,
    description:
      'How many events there are in the whole list; null with a bound on their value, a class of wallets, several wallets, or both tokens and wallets, where they would have to be counted one by one.',
    resolve: ({ count }) => count(),
  }),
)

builder.queryField('eventsConnection', (t) =>
  t.field({
    type: EventConnection,
    description: `Events by a filter, newest first. What follows a cursor is older, so new events neither repeat nor hide any. One request looks at ${SEARCH_WALK} events at most: where few pass the filter, there may be fewer edges than \`first\` though \`hasNextPage\` is true.`,
    args: { filter: t.arg({ type: EventFilterInput, description: 'Which events; none means all.' }), ...forwardArgs },
    extensions: CONNECTION,
    resolve: async (_, { filter, ...asked }, context) => {
      const { count, after } = readForward(asked, parseEventId)
      const search = await toSearch(readFilter(filter ?? {}), context)
      const inTurn = isPlain(search) ? atOnce : context.walks
      const { items, next } = await inTurn(() => searchEvents(context.reading, search, { before: after, count }))
      const edges = items.map((node) => ({ node, cursor: toCursor(formatEventId(node)) }))
      return {
        edges,
        pageInfo: {
          hasNextPage: next !== null,
          hasPreviousPage: after !== null,
          startCursor: edges[0]?.cursor ?? null,
          endCursor: next ? toCursor(formatEventId(next)) : (edges.at(-1)?.cursor ?? null),
        },
        count: () => countFound(context.reading, search),
      }
    },
  }),
)
