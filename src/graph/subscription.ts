// Subscriptions: events as they happen, a token or a wallet whenever it changes, the tokens of a list, alerts that fire.
// A root field only says which stream it is; graph/subscribe.ts runs the document for each message.
import { AssayError, invalid } from '../base/errors.ts'
import { formatEventId } from '../base/event-id.ts'
import { type FiredAlert, readDelivery } from '../ledger/alerts/fired.ts'
import { parseCursor } from '../stream/cursor.ts'
import type { EventFilter } from '../stream/event-filter.ts'
import type { EventDelivery } from '../stream/feed.ts'
import type { LIST_CHANGES, ListStep } from '../stream/token-list.ts'
import { AlertObject } from './alert.ts'
import { builder } from './builder.ts'
import type { GraphContext } from './context.ts'
import { DeliveryObject, EventObject, TokenObject, WalletObject } from './refs.ts'
import { parseConditions, TokenFilterInput } from './screen.ts'
import { EventTypeEnum } from './vocabulary.ts'

/** What a subscription has: the root values of the messages of a moment, and where their reader goes on after them. */
export interface RootBatch {
  roots: readonly Root<unknown>[]
  cursor: string | null
}

/** The root value of one message. */
interface Root<Value> {
  value: Value
}

/** Messages are the same objects for all their readers, and so are their roots: what is made of one is made once. */
const rootsOf = new WeakMap<object, Root<unknown>>()
function toRoot<Value extends object>(value: Value): Root<Value> {
  const known = rootsOf.get(value) as Root<Value> | undefined
  const root = known ?? { value }
  rootsOf.set(value, root)
  return root
}

/** GraphQL's types know messages one by one; `subscribe.ts` reads them as they are, in batches. */
const asSource = <Value>(batches: AsyncIterable<RootBatch>) => batches as unknown as AsyncIterable<Root<Value>>

/** Words, addresses and so on that a filter of a stream may list. */
const MAX_LISTED = 100

const EventStreamFilterInput = builder.inputType('EventStreamFilter', {
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

function readEventFilter({ types, tokens, wallets, minAmountUsd }: GivenEventFilter): EventFilter {
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

function readCursorArgument(after: string | null | undefined) {
  if (after === null || after === undefined) return undefined
  const cursor = parseCursor(after)
  if (cursor) return cursor
  const message = 'after must be the cursor of a message or the id of an event, such as 5661-12-0'
  throw invalid([{ location: 'argument', field: 'after', message }])
}

const EventUpdateObject = builder.objectRef<EventDelivery>('EventUpdate').implement({
  description: 'An event that happened, or that a reorganisation of the chain took back.',
  fields: (t) => ({
    id: t.id({ description: 'The id of the event, such as 5661-12-0.', resolve: ({ event }) => formatEventId(event) }),
    cursor: t.exposeID('cursor', {
      description:
        'Where a reader stands after this message, such as 5661-12-0.3: the argument `after` of the next stream.',
    }),
    retracted: t.exposeBoolean('retracted', {
      description: 'Whether the event is taken back: its block is no longer part of the chain.',
    }),
    event: t.field({
      type: EventObject,
      nullable: true,
      description: 'The event; null, with an error, when it was taken back together with a wallet that is asked for.',
      resolve: ({ event }) => event,
    }),
  }),
})

const TokenListChangeEnum = builder.enumType('TokenListChange', {
  description: 'What became of a token in a list.',
  values: {
    enters: { description: 'It matches now, and did not before.' },
    leaves: { description: 'It matched before, and does not now.' },
    changes: { description: 'It matched before and matches now; something that filters read has changed.' },
  } satisfies Record<(typeof LIST_CHANGES)[number], { description: string }>,
})

const TokenUpdateObject = builder.objectRef<ListStep>('TokenUpdate').implement({
  description: 'A change of a list of tokens.',
  fields: (t) => ({
    change: t.expose('change', { type: TokenListChangeEnum, description: 'What became of it, such as enters.' }),
    tokenAddress: t.expose('address', { type: 'Address', description: 'The address of the token.' }),
    token: t.field({
      type: TokenObject,
      nullable: true,
      description: 'The token as it is now; null when a reorganisation took it away.',
      resolve: ({ address }, _, { loaders }) => loaders.tokenByAddress.load(address),
    }),
  }),
})

const AlertFiredObject = builder.objectRef<FiredAlert>('AlertFired').implement({
  description: 'An alert that fired: its message was written and is on its way.',
  fields: (t) => ({
    deliveryId: t.exposeID('id', {
      description: 'The id of the delivery, which is the argument `after` of the next stream.',
    }),
    alert: t.field({
      type: AlertObject,
      nullable: true,
      description: 'The alert; null if it was deleted meanwhile.',
      resolve: ({ alertId, keyId }, _, { alerts }) => alerts.find(keyId, alertId),
    }),
    delivery: t.field({
      type: DeliveryObject,
      nullable: true,
      description: 'The message with its tokens, as it is now.',
      resolve: ({ id, keyId }, _, { database }) => readDelivery(database, keyId, id),
    }),
  }),
})

const streamsOf = ({ streams }: GraphContext) => {
  if (!streams) throw new AssayError('INVALID_PARAMS', 'There are no subscriptions here.')
  return streams
}

async function* toEvents(
  stream: Awaited<ReturnType<ReturnType<typeof streamsOf>['openEvents']>>,
): AsyncGenerator<RootBatch> {
  yield { roots: [], cursor: stream.cursor }
  for await (const { deliveries, cursor } of stream.batches) yield { roots: deliveries.map(toRoot), cursor }
}

async function* toSteps(batches: AsyncIterable<ListStep[]>): AsyncGenerator<RootBatch> {
  for await (const steps of batches) yield { roots: steps.map(toRoot), cursor: null }
}

async function* toStates(moments: AsyncIterable<void>, address: string): AsyncGenerator<RootBatch> {
  for await (const _ of moments) yield { roots: [{ value: address }], cursor: null }
}

async function* toFired(messages: AsyncIterable<FiredAlert[]>, after: string | null): AsyncGenerator<RootBatch> {
  yield { roots: [], cursor: after }
  for await (const fired of messages) yield { roots: fired.map(toRoot), cursor: fired.at(-1)?.id ?? null }
}

builder.subscriptionType({
  description: 'What can be followed, as server-sent events: send `Accept: text/event-stream`. One field at a time.',
})

builder.subscriptionFields((t) => ({
  events: t.field({
    type: EventUpdateObject,
    description: 'Events as they happen; those that a reorganisation takes back come again as retracted.',
    args: {
      filter: t.arg({ type: EventStreamFilterInput, description: 'Which events; none means all.' }),
      after: t.arg.id({
        description:
          'What comes after this cursor, or after the event of this id; none means what happens from now on.',
      }),
    },
    subscribe: async (_, { filter, after }, context) => {
      const { openEvents, signal } = streamsOf(context)
      return asSource<EventDelivery>(
        toEvents(await openEvents(readEventFilter(filter ?? {}), { after: readCursorArgument(after) }, signal)),
      )
    },
    resolve: (root) => (root as Root<EventDelivery>).value,
  }),
  alertFired: t.field({
    type: AlertFiredObject,
    description: 'The alerts of your API key whenever one fires: together with its mail or webhook, and as seldom.',
    args: {
      after: t.arg.id({ description: 'What was written after the delivery of this id; none means from now on.' }),
    },
    subscribe: async (_, { after }, context) => {
      const { alerts, signal } = streamsOf(context)
      const given = after ?? null
      return asSource<FiredAlert>(toFired(await alerts.follow(context.caller.keyId, given, signal), given))
    },
    resolve: (root) => (root as Root<FiredAlert>).value,
  }),
  tokens: t.field({
    type: TokenUpdateObject,
    description: 'What becomes of a list of tokens from now on: those that begin to match, cease to, or change.',
    args: {
      filter: t.arg({
        type: TokenFilterInput,
        description: 'What tokens must satisfy, by the fields of GET /v1/tokens; none means all tokens.',
      }),
    },
    subscribe: (_, { filter }, context) => {
      const { tokens, signal } = streamsOf(context)
      const read = parseConditions(filter ?? {}, 'filter')
      if (read.faults.length > 0) throw invalid(read.faults)
      return asSource<ListStep>(toSteps(tokens.follow(read.filter, signal)))
    },
    resolve: (root) => (root as Root<ListStep>).value,
  }),
  token: t.field({
    type: TokenObject,
    nullable: true,
    description: 'A token: as it is now, and again whenever it or its score changes; null while it is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the token.' }) },
    subscribe: (_, { address }, context) => {
      const { rows, signal } = streamsOf(context)
      return asSource<string>(toStates(rows.follow('token', address, signal), address))
    },
    resolve: (root, _, { loaders }) => loaders.tokenByAddress.load((root as Root<string>).value),
  }),
  wallet: t.field({
    type: WalletObject,
    nullable: true,
    description: 'A wallet: as it is now, and again whenever it or its score changes; null while it is not indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the wallet.' }) },
    subscribe: (_, { address }, context) => {
      const { rows, signal } = streamsOf(context)
      return asSource<string>(toStates(rows.follow('wallet', address, signal), address))
    },
    resolve: (root, _, { loaders }) => loaders.walletByAddress.load((root as Root<string>).value),
  }),
}))
