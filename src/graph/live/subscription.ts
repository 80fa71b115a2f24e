// Subscriptions: events as they happen, a token or a wallet whenever it changes, the tokens of a list, alerts that fire.
// A root field only says which stream it is; graph/run/subscribe.ts runs the document for each message.
import { AssayError } from '../../base/errors.ts'
import type { FiredAlert } from '../../ledger/alerts/fired.ts'
import { formatFired } from '../../stream/alert-feed.ts'
import type { EventDelivery } from '../../stream/feed.ts'
import type { ListStep } from '../../stream/token-list.ts'
import type { GraphContext } from '../context.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject, WalletObject } from '../schema/refs.ts'
import { readEventFilter } from '../types/event-filter.ts'
import { readScreen, TokenFilterInput } from '../types/screen.ts'
import { EventStreamFilterInput, readCursorArgument } from './event-stream-arguments.ts'
import { AlertFiredObject, EventUpdateObject, TokenUpdateObject } from './subscription-messages.ts'

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

/** The same lists of messages, for readers who get the same. */
const rootLists = new WeakMap<readonly object[], readonly Root<unknown>[]>()
function toRoots(values: readonly object[]): readonly Root<unknown>[] {
  const known = rootLists.get(values)
  const roots = known ?? values.map(toRoot)
  rootLists.set(values, roots)
  return roots
}

/** GraphQL's types know messages one by one; `subscribe.ts` reads them as they are, in batches. */
const asSource = <Value>(batches: AsyncIterable<RootBatch>) => batches as unknown as AsyncIterable<Root<Value>>

const streamsOf = ({ streams }: GraphContext) => {
  if (!streams) throw new AssayError('INVALID_PARAMS', 'There are no subscriptions here.')
  return streams
}

async function* toEvents(
  stream: Awaited<ReturnType<ReturnType<typeof streamsOf>['openEvents']>>,
): AsyncGenerator<RootBatch> {
  yield { roots: [], cursor: stream.cursor }
  for await (const { deliveries, cursor } of stream.batches) yield { roots: toRoots(deliveries), cursor }
}

async function* toSteps(batches: AsyncIterable<ListStep[]>): AsyncGenerator<RootBatch> {
  for await (const steps of batches) yield { roots: toRoots(steps), cursor: null }
}

async function* toStates(moments: AsyncIterable<void>, address: string): AsyncGenerator<RootBatch> {
  for await (const _ of moments) yield { roots: [{ value: address }], cursor: null }
}

async function* toFired(messages: AsyncIterable<FiredAlert[]>, after: string | null): AsyncGenerator<RootBatch> {
  yield { roots: [], cursor: after }
  for await (const fired of messages) {
    const last = fired.at(-1)
    yield { roots: fired.map(toRoot), cursor: last ? formatFired(last) : null }
  }
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
      const asked = readEventFilter(filter ?? {}, { argument: 'filter', mayBeEmpty: true })
      return asSource<EventDelivery>(toEvents(await openEvents(asked, { after: readCursorArgument(after) }, signal)))
    },
    resolve: (root) => (root as Root<EventDelivery>).value,
  }),
  alertFired: t.field({
    type: AlertFiredObject,
    description:
      'The alerts of your API key whenever one fires: together with its mail or webhook, and as seldom. What a reorganisation takes back comes again as retracted.',
    args: {
      after: t.arg.id({
        description: 'What came after this cursor, or after the delivery of this id; none means from now on.',
      }),
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
        description: 'What tokens must satisfy; none means all tokens.',
      }),
    },
    subscribe: (_, { filter }, context) => {
      const { tokens, signal } = streamsOf(context)
      return asSource<ListStep>(toSteps(tokens.follow(readScreen(filter ?? {}, 'filter'), signal)))
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
