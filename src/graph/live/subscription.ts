// Subscriptions: events as they happen, a token or a wallet whenever it changes, the tokens of a list, alerts that
// fire. A root field only selects the stream; graph/run/subscribe.ts runs the document for each message.
import { AssayError } from '../../base/errors.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../base/page.ts'
import type { FiredAlert } from '../../ledger/alerts/fired.ts'
import type { CheckProgress } from '../../ledger/safety/steps.ts'
import { formatFired } from '../../stream/alert-feed.ts'
import type { EventDelivery } from '../../stream/feed.ts'
import type { ScreenUpdate, ToldUpdate } from '../../stream/screens.ts'
import type { ListStep } from '../../stream/token-list.ts'
import type { GraphContext } from '../context.ts'
import { CONNECTION } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject, WalletObject } from '../schema/refs.ts'
import { readEventFilter } from '../types/event-filter.ts'
import { readScreen, TokenFilterInput } from '../types/screen.ts'
import { EventStreamFilterInput, readCursorArgument } from './event-stream-arguments.ts'
import { readScreenQuestion, ScreenSortEnum } from './screen-arguments.ts'
import {
  AlertFiredObject,
  CheckProgressObject,
  EventUpdateObject,
  ScreenUpdateObject,
  TokenUpdateObject,
} from './subscription-messages.ts'

/** The content of a stream: batches of root values, and the reader's place after each. */
export interface RootBatch {
  roots: readonly Root<unknown>[]
  cursor: string | null
  /** Whether other readers may get the same roots; left out: they may. */
  isShared?: boolean
}

/** The root value of one message. */
interface Root<Value> {
  value: Value
}

const messageOf = <Value>(root: unknown): Value => (root as Root<Value>).value

/** All readers share the objects of messages and their roots, so each answer is computed once. */
const rootsOf = new WeakMap<object, Root<unknown>>()
function toRoot<Value extends object>(value: Value): Root<Value> {
  const known = rootsOf.get(value) as Root<Value> | undefined
  const root = known ?? { value }
  rootsOf.set(value, root)
  return root
}

/** Readers of the same messages get the same list. */
const rootLists = new WeakMap<readonly object[], readonly Root<unknown>[]>()
function toRoots(values: readonly object[]): readonly Root<unknown>[] {
  const known = rootLists.get(values)
  const roots = known ?? values.map(toRoot)
  rootLists.set(values, roots)
  return roots
}

/** GraphQL's types know single messages; `subscribe.ts` reads them in batches. */
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

async function* toUpdates(updates: AsyncIterable<ToldUpdate>, after: string | null): AsyncGenerator<RootBatch> {
  yield { roots: [], cursor: after }
  for await (const { update, isShared } of updates) yield { roots: [toRoot(update)], cursor: update.cursor, isShared }
}

async function* toStates(moments: AsyncIterable<void>, address: string): AsyncGenerator<RootBatch> {
  for await (const _ of moments) yield { roots: [{ value: address }], cursor: null }
}

async function* toProgress(steps: AsyncIterable<CheckProgress | null>): AsyncGenerator<RootBatch> {
  for await (const step of steps) yield { roots: [{ value: step }], cursor: null }
}

async function* toFired(messages: AsyncIterable<FiredAlert[]>, after: string | null): AsyncGenerator<RootBatch> {
  yield { roots: [], cursor: after }
  for await (const fired of messages) {
    const last = fired.at(-1)
    yield { roots: fired.map(toRoot), cursor: last ? formatFired(last) : null }
  }
}

builder.subscriptionType({
  description: 'Streams as server-sent events: send `Accept: text/event-stream`. One field at a time.',
})

// What happens.
builder.subscriptionFields((t) => ({
  events: t.field({
    type: EventUpdateObject,
    description: 'Events as they happen. An event that a reorganisation retracts comes again as retracted.',
    args: {
      filter: t.arg({ type: EventStreamFilterInput, description: 'Which events; all if left out.' }),
      after: t.arg.id({
        description: 'Events after this cursor, or after the event with this id; if left out, events from now on.',
      }),
    },
    subscribe: async (_, { filter, after }, context) => {
      const { openEvents, reader } = streamsOf(context)
      const asked = readEventFilter(filter ?? {}, { argument: 'filter', mayBeEmpty: true })
      return asSource<EventDelivery>(toEvents(await openEvents(asked, { after: readCursorArgument(after) }, reader)))
    },
    resolve: (root) => messageOf<EventDelivery>(root),
  }),
  alertFired: t.field({
    type: AlertFiredObject,
    description:
      'The alerts of your API key whenever one fires, at the same time as its mail or webhook. An alert that a reorganisation retracts comes again as retracted.',
    args: {
      after: t.arg.id({
        description:
          'Messages after this cursor, or after the delivery with this id; if left out, messages from now on.',
      }),
    },
    subscribe: async (_, { after }, context) => {
      const { alerts, reader } = streamsOf(context)
      const given = after ?? null
      return asSource<FiredAlert>(toFired(await alerts.follow(context.caller.keyId, given, reader.signal), given))
    },
    resolve: (root) => messageOf<FiredAlert>(root),
  }),
}))

// States of tokens and wallets.
builder.subscriptionFields((t) => ({
  tokens: t.field({
    type: TokenUpdateObject,
    description: 'The changes of a list of tokens from now on: tokens that begin to match, cease to match, or change.',
    args: {
      filter: t.arg({
        type: TokenFilterInput,
        description: 'The filter of the list; all tokens if left out.',
      }),
    },
    subscribe: (_, { filter }, context) => {
      const { tokens, reader } = streamsOf(context)
      return asSource<ListStep>(toSteps(tokens.follow(readScreen(filter ?? {}, 'filter'), reader.signal)))
    },
    resolve: (root) => messageOf<ListStep>(root),
  }),
  screen: t.field({
    type: ScreenUpdateObject,
    description:
      'The first tokens of a list in an order: the whole list, then at each block what enters it, leaves it or changes its order. A reorganisation changes the list back.',
    args: {
      filter: t.arg({ type: TokenFilterInput, description: 'The filter of the list; all tokens if left out.' }),
      orderBy: t.arg({ type: ScreenSortEnum, defaultValue: 'trending', description: 'The order of the list.' }),
      first: t.arg.int({
        description: `How many tokens of the list, ${MAX_LIMIT} at most; ${DEFAULT_LIMIT} if left out.`,
      }),
      after: t.arg.id({ description: 'What changed after this cursor; the whole list if left out.' }),
    },
    extensions: CONNECTION,
    subscribe: (_, asked, context) => {
      const { screens, reader } = streamsOf(context)
      const { question, place } = readScreenQuestion(asked)
      return asSource<ScreenUpdate>(toUpdates(screens.open(question, place, reader.signal), place))
    },
    resolve: (root) => messageOf<ScreenUpdate>(root),
  }),
  token: t.field({
    type: TokenObject,
    nullable: true,
    description: 'The current token, and again whenever it or its score changes; null until it is indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the token.' }) },
    subscribe: (_, { address }, context) => {
      const { rows, reader } = streamsOf(context)
      return asSource<string>(toStates(rows.follow('token', address, reader.signal), address))
    },
    resolve: (root, _, { loaders }) => loaders.tokenByAddress.load(messageOf<string>(root)),
  }),
  wallet: t.field({
    type: WalletObject,
    nullable: true,
    description: 'The current wallet, and again whenever it or its score changes; null until it is indexed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the wallet.' }) },
    subscribe: (_, { address }, context) => {
      const { rows, reader } = streamsOf(context)
      return asSource<string>(toStates(rows.follow('wallet', address, reader.signal), address))
    },
    resolve: (root, _, { loaders }) => loaders.walletByAddress.load(messageOf<string>(root)),
  }),
}))

// What `tokenCheck` does meanwhile.
builder.subscriptionFields((t) => ({
  checkStep: t.field({
    type: CheckProgressObject,
    nullable: true,
    description:
      'What the check of a token does now for which somebody asked, and each later step; null while none goes on.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the token contract.' }) },
    subscribe: (_, { address }, context) => {
      const { checkSteps, reader } = streamsOf(context)
      return asSource<CheckProgress>(toProgress(checkSteps.follow(address, reader.signal)))
    },
    resolve: (root) => messageOf<CheckProgress | null>(root),
  }),
}))
