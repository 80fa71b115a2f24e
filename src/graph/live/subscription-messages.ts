// What the messages of subscriptions hold: an event, a change of a list, an alert that fired.
import { formatEventId } from '../../base/event-id.ts'
import { type FiredAlert, readDelivery } from '../../ledger/alerts/fired.ts'
import { formatFired } from '../../stream/alert-feed.ts'
import type { EventDelivery } from '../../stream/feed.ts'
import type { LIST_CHANGES, ListStep } from '../../stream/token-list.ts'
import { builder } from '../schema/builder.ts'
import { DeliveryObject, EventObject, TokenObject } from '../schema/refs.ts'
import { FinalityEnum } from '../schema/vocabulary.ts'
import { AlertObject } from '../types/alert.ts'

export const EventUpdateObject = builder.objectRef<EventDelivery>('EventUpdate').implement({
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
    finality: t.field({
      type: FinalityEnum,
      description: 'Whether its block can still be rolled back, as of this message.',
      resolve: async ({ event, retracted }, _, { loaders }) =>
        !retracted && event.blockNumber <= ((await loaders.chain.load(0))?.finalized ?? -1) ? 'final' : 'provisional',
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

export const TokenUpdateObject = builder.objectRef<ListStep>('TokenUpdate').implement({
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

export const AlertFiredObject = builder.objectRef<FiredAlert>('AlertFired').implement({
  description:
    'An alert that fired: its message was written and is on its way. Or a message of which a reorganisation of the chain took back all that it is about.',
  fields: (t) => ({
    deliveryId: t.exposeID('id', { description: 'The id of the delivery.' }),
    cursor: t.id({
      description: 'Where a reader stands after this message: the argument `after` of the next stream.',
      resolve: formatFired,
    }),
    retracted: t.exposeBoolean('retracted', {
      description:
        'Whether a reorganisation took back all that the message is about: none of its tokens matches on the chain that is there now. A message that was not sent yet is cancelled.',
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
