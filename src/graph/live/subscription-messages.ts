// The messages of subscriptions: an event, a change of a list, an alert that fired.
import { formatEventId } from '../../base/event-id.ts'
import { type FiredAlert, readDelivery } from '../../ledger/alerts/fired.ts'
import type { CheckProgress } from '../../ledger/safety/steps.ts'
import { CHECK_STEPS } from '../../safety/step.ts'
import { formatFired } from '../../stream/alert-feed.ts'
import type { EventDelivery } from '../../stream/feed.ts'
import type { PlacedToken, ScreenUpdate } from '../../stream/screens.ts'
import type { LIST_CHANGES, ListStep } from '../../stream/token-list.ts'
import { PAGE_ITEMS } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { DeliveryObject, EventObject, TokenObject } from '../schema/refs.ts'
import { described, FinalityEnum } from '../schema/vocabulary.ts'
import { AlertObject } from '../types/alert.ts'

export const EventUpdateObject = builder.objectRef<EventDelivery>('EventUpdate').implement({
  description: 'An event that happened, or that a reorganisation of the chain retracted.',
  fields: (t) => ({
    id: t.id({ description: 'The id of the event, such as 5661-12-0.', resolve: ({ event }) => formatEventId(event) }),
    cursor: t.exposeID('cursor', {
      description:
        "The reader's place after this message, such as 5661-12-0.3: the argument `after` of the next stream.",
    }),
    retracted: t.exposeBoolean('retracted', {
      description: 'Whether the event is retracted: its block is no longer part of the chain.',
    }),
    finality: t.field({
      type: FinalityEnum,
      description: 'Whether its block can still be rolled back, as of this message.',
      resolve: async ({ event, retracted }, _, { loaders }) =>
        !retracted && event.blockNumber <= ((await loaders.chain.load(0))?.finalized ?? -1) ? 'final' : 'provisional',
    }),
    event: t.expose('event', {
      type: EventObject,
      nullable: true,
      description: 'The event; null, with an error, if its requested wallet was retracted too.',
    }),
  }),
})

const TokenListChangeEnum = builder.enumType('TokenListChange', {
  description: 'The change of a token in a list.',
  values: {
    enters: { description: 'It began to match.' },
    leaves: { description: 'It ceased to match.' },
    changes: { description: 'It still matches, and a value that filters read has changed.' },
  } satisfies Record<(typeof LIST_CHANGES)[number], { description: string }>,
})

export const TokenUpdateObject = builder.objectRef<ListStep>('TokenUpdate').implement({
  description: 'A change of a list of tokens.',
  fields: (t) => ({
    change: t.expose('change', { type: TokenListChangeEnum, description: 'The kind of change, such as enters.' }),
    tokenAddress: t.expose('address', { type: 'Address', description: 'The address of the token.' }),
    token: t.field({
      type: TokenObject,
      nullable: true,
      description: 'The current token; null if a reorganisation removed it.',
      resolve: ({ address }, _, { loaders }) => loaders.tokenByAddress.load(address),
    }),
  }),
})

const PlacedTokenObject = builder.objectRef<PlacedToken>('PlacedToken').implement({
  description: 'A token in its place of a list.',
  fields: (t) => ({
    place: t.exposeInt('place', { description: 'The number of its place, from 1.' }),
    isNew: t.exposeBoolean('isNew', { description: 'Whether it was not in the list before.' }),
    tokenAddress: t.expose('address', { type: 'Address', description: 'The address of the token.' }),
    token: t.field({
      type: TokenObject,
      nullable: true,
      description: 'The current token; null if a reorganisation removed it.',
      resolve: ({ address }, _, { loaders }) => loaders.tokenByAddress.load(address),
    }),
  }),
})

export const ScreenUpdateObject = builder.objectRef<ScreenUpdate>('ScreenUpdate').implement({
  description:
    'What became of a list of tokens. Take away the tokens of `left` and `placed`, then put those of `placed` in their places, the lowest first.',
  fields: (t) => ({
    blockNumber: t.int({ description: 'The block whose list it now is.', resolve: ({ block }) => block.number }),
    blockHash: t.string({ description: 'The hash of the block.', resolve: ({ block }) => block.hash }),
    cursor: t.exposeID('cursor', {
      description: "The reader's place after this message: the argument `after` of the next stream.",
    }),
    reset: t.exposeBoolean('reset', {
      description: 'Whether to begin with an empty list: the first message, or one after a place that is not known.',
    }),
    retracted: t.exposeBoolean('retracted', {
      description: 'Whether a reorganisation rolled a block back since the message before, or this is not known.',
    }),
    left: t.expose('left', {
      type: ['Address'],
      extensions: PAGE_ITEMS,
      description: 'The tokens that left the list.',
    }),
    placed: t.expose('placed', {
      type: [PlacedTokenObject],
      extensions: PAGE_ITEMS,
      description: 'The tokens that entered the list or changed their order in it, by place.',
    }),
  }),
})

export const AlertFiredObject = builder.objectRef<FiredAlert>('AlertFired').implement({
  description:
    'An alert that fired: its message was written and is on its way. After a reorganisation the message may come again as retracted.',
  fields: (t) => ({
    deliveryId: t.exposeID('id', { description: 'The id of the delivery.' }),
    cursor: t.id({
      description: "The reader's place after this message: the argument `after` of the next stream.",
      resolve: formatFired,
    }),
    retracted: t.exposeBoolean('retracted', {
      description:
        'Whether a reorganisation retracted the whole message: none of its tokens matches on the current chain. A message that was not sent yet is cancelled.',
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
      description: 'The current message with its tokens.',
      resolve: ({ id, keyId }, _, { database }) => readDelivery(database, keyId, id),
    }),
  }),
})

const CheckStepEnum = builder.enumType('CheckStep', {
  description: 'What the check of a contract does now.',
  values: described(CHECK_STEPS, {
    waiting: 'It has not begun: others come before it.',
    reading: "It reads the token's holders and pools.",
    trials: 'It tries transfers and sales of holders, measures the taxes, and reads the code.',
    powers: 'It tries what single accounts can do to holders.',
    storing: 'It is over, and its report is stored after the current blocks.',
    scoring: 'The score takes it in.',
  }),
})

export const CheckProgressObject = builder.objectRef<CheckProgress>('CheckProgress').implement({
  description: 'How far the check of a contract is.',
  fields: (t) => ({
    step: t.expose('step', { type: CheckStepEnum, description: 'What it does now.' }),
    holders: t.exposeInt('holders', {
      nullable: true,
      description: 'How many holders it tries in this step; null in a step without holders.',
    }),
  }),
})
