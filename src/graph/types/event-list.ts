// Lists of events by a filter: of all tokens and wallets, of a token, or of a wallet.
import { type Fault, invalid } from '../../base/errors.ts'
import type { EventFilter } from '../../base/event-filter.ts'
import { type EventId, formatEventId, parseEventId } from '../../base/event-id.ts'
import { SEARCH_WALK } from '../../ledger/read/event-search.ts'
import type { WalletRow } from '../../ledger/read/wallet.ts'
import type { GraphContext } from '../context.ts'
import { CONNECTION } from '../cost/list-size.ts'
import type { EventQuestion } from '../event-loader.ts'
import { builder } from '../schema/builder.ts'
import {
  type AskedSlice,
  connectionArgs,
  implementConnection,
  parseSlice,
  toCursor,
  toWalkedSlice,
} from '../schema/connection.ts'
import { EventConnection, EventObject } from '../schema/refs.ts'
import { checkEventFilter, type GivenEventFilter, listFilterFields, toEventFilter } from './event-filter.ts'
import { SortDirectionEnum } from './screen.ts'

const EventFilterInput = builder.inputType('EventFilter', {
  description:
    'Which events. A field that is left out or null sets no condition; a list asks for any of its members. Bounds are inclusive but for `afterEvent` and `beforeEvent`.',
  fields: (t) => ({
    ...listFilterFields(t),
    afterEvent: t.id({ description: 'Only events after the one with this `id` in the order of the chain.' }),
    beforeEvent: t.id({ description: 'Only events before the one with this `id` in the order of the chain.' }),
  }),
})

/** The arguments of a list of events. */
export const eventListArgs = builder.args((t) => ({
  filter: t.field({ type: EventFilterInput, description: 'Which events; all if left out.' }),
  direction: t.field({
    type: SortDirectionEnum,
    defaultValue: 'desc',
    description: 'The order of the list: `desc` is newest first, `asc` oldest first.',
  }),
  ...connectionArgs,
}))

interface Asked extends AskedSlice {
  filter?: (GivenEventFilter & GivenPlaces) | null | undefined
  direction?: 'asc' | 'desc' | null | undefined
}

interface GivenPlaces {
  afterEvent?: string | null | undefined
  beforeEvent?: string | null | undefined
}

/** The tokens or wallets of the field that has the list; its filter cannot name others. */
interface Owners {
  tokens?: readonly { id: number }[]
  wallets?: readonly WalletRow[]
}

const WHERE = { argument: 'filter', mayBeEmpty: false }

/** Reads the filter and the slice. Throws INVALID_PARAMS with every fault. */
function readAsked({ filter, direction, ...asked }: Asked, owners: Owners) {
  const { afterEvent, beforeEvent, ...given } = filter ?? {}
  const { slice, faults } = parseSlice(asked, parseEventId)
  faults.unshift(...checkEventFilter(given, WHERE))
  const addFault = (field: string, message: string) =>
    faults.push({ location: 'argument', field, message: `${field} ${message}` } satisfies Fault)
  const readPlace = (field: string, text: string | null | undefined): EventId | null => {
    const place = typeof text === 'string' ? parseEventId(text) : null
    if (typeof text === 'string' && !place) addFault(field, 'must be the id of an event, such as 5661-12-0')
    return place
  }
  const places = {
    after: readPlace('filter.afterEvent', afterEvent),
    before: readPlace('filter.beforeEvent', beforeEvent),
  }
  for (const field of ['tokens', 'wallets'] as const)
    if (owners[field] && given[field]) addFault(`filter.${field}`, 'must be left out, because the list has one already')
  if (faults.length > 0) throw invalid(faults)
  return { filter: toEventFilter(given), places, slice, oldestFirst: direction === 'asc' }
}

/** The known tokens and wallets of the filter. */
async function findOwners({ tokens, wallets }: EventFilter, given: Owners, { loaders }: GraphContext) {
  const known = async <Row>(asked: readonly string[] | undefined, load: (address: string) => Promise<Row | null>) =>
    asked && (await Promise.all([...new Set(asked)].map(load))).filter((row) => row !== null)
  const [ofTokens, ofWallets] = await Promise.all([
    given.tokens ?? known(tokens, (address) => loaders.tokenByAddress.load(address)),
    given.wallets ?? known(wallets, (address) => loaders.walletByAddress.load(address)),
  ])
  return { tokenIds: ofTokens?.map(({ id }) => id), wallets: ofWallets }
}

/** The slice of a list of events. */
export async function readEventSlice(asked: Asked, context: GraphContext, owners: Owners = {}) {
  const { filter, places, slice, oldestFirst } = readAsked(asked, owners)
  const { count, ...beginning } = slice
  const { lists } = context
  const { types, walletClassifications: classifications, minAmountUsd, from, to, fromBlock, toBlock } = filter
  const whole: Omit<EventQuestion, 'count'> = {
    ...(await findOwners(filter, owners, context)),
    ...{ types, classifications, minAmountUsd, from, to, fromBlock, toBlock, ...places },
    ...{ oldestFirst, place: null, skip: 0 },
  }
  const question = { ...whole, oldestFirst: oldestFirst !== slice.backwards, place: slice.place, skip: slice.skip }
  const { items, hasMore, walkedTo, total } = await lists.events.load({ ...question, count }, context.walks)
  const cursorOf = (event: EventId) => toCursor(formatEventId(event))
  return toWalkedSlice(items, cursorOf, { ...beginning, hasMore, walkedTo: walkedTo && cursorOf(walkedTo) }, () =>
    slice.place === null
      ? total()
      : lists.events.load({ ...whole, count: 0 }, context.walks).then((all) => all.total()),
  )
}

implementConnection(EventConnection, EventObject, {
  one: 'An event',
  many: 'events',
  unknownTotal:
    'with a bound on their value, a class of wallets, or several wallets or tokens beside a wallet. Counting these would read each of them.',
})

builder.queryField('events', (t) =>
  t.field({
    type: EventConnection,
    description: `Events by a filter, in the order of the chain. Newest first, a later page is older, so new events neither repeat nor hide any. One request reads ${SEARCH_WALK} events at most. If few match, a page may have fewer nodes than \`first\` or \`last\` although there are more pages.`,
    args: eventListArgs,
    extensions: CONNECTION,
    resolve: (_, asked, context) => readEventSlice(asked, context),
  }),
)
