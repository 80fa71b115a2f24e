// Webhooks of events: a filter of the caller's key, and the URL that receives matching events. Webhooks of other keys
// are treated as missing.
import { invalid } from '../../base/errors.ts'
import type { EventFilter } from '../../base/event-filter.ts'
import type { Alert } from '../../ledger/account/alert.ts'
import type { GraphContext } from '../context.ts'
import { CONNECTION, listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { connectionArgs, connectionRef, implementConnection, readPlaced } from '../schema/connection.ts'
import { NodeInterface } from '../schema/refs.ts'
import { AlertStatusEnum, ClassificationEnum, EventTypeEnum } from '../schema/vocabulary.ts'
import { DeliveryConnection } from './delivery.ts'
import {
  checkEventFilter,
  type GivenEventFilter,
  MAX_LISTED,
  toEventFilter,
  webhookFilterFields,
} from './event-filter.ts'
import {
  checkUrl,
  NAME_TEXT,
  readName,
  requireWebhooks,
  savedResolvers,
  shownSecretOf,
  statusOf,
} from './saved-filter.ts'
import { declareMutations } from './saved-mutations.ts'

const ConditionsObject = builder.objectRef<EventFilter>('EventConditions').implement({
  extensions: PART,
  description: 'The events that a webhook receives. A field that is null sets no condition.',
  fields: (t) => ({
    types: t.field({
      type: [EventTypeEnum],
      nullable: true,
      extensions: listOf(MAX_LISTED),
      description: 'The types.',
      resolve: ({ types }) => types && [...types],
    }),
    tokens: t.field({
      type: ['Address'],
      nullable: true,
      extensions: listOf(MAX_LISTED),
      description: 'The tokens.',
      resolve: ({ tokens }) => tokens && [...tokens],
    }),
    wallets: t.field({
      type: ['Address'],
      nullable: true,
      extensions: listOf(MAX_LISTED),
      description: 'The wallets, on either side of a transfer.',
      resolve: ({ wallets }) => wallets && [...wallets],
    }),
    walletClassifications: t.field({
      type: [ClassificationEnum],
      nullable: true,
      extensions: listOf(MAX_LISTED),
      description: 'The classes of the wallet.',
      resolve: ({ walletClassifications }) => walletClassifications && [...walletClassifications],
    }),
    minAmountUsd: t.exposeFloat('minAmountUsd', { nullable: true, description: 'The least value in USD.' }),
  }),
})

const EventWebhookObject = builder.prismaObject('Alert', {
  variant: 'EventWebhook',
  interfaces: [NodeInterface],
  description: 'A saved filter of events, and a URL that receives matching events as they happen.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier that the service assigned.' }),
    name: t.exposeString('name', { description: 'The label that the owner of the webhook chose.' }),
    status: t.field({
      type: AlertStatusEnum,
      description: 'Whether the webhook is active or paused.',
      resolve: statusOf,
    }),
    filter: t.field({
      type: ConditionsObject,
      description: 'Which events.',
      resolve: ({ conditions }) => conditions as EventFilter,
    }),
    url: t.string({ description: 'The URL of the webhook.', resolve: ({ webhookUrl }) => webhookUrl ?? '' }),
    secret: t.string({
      nullable: true,
      description: 'The secret that signs the messages. Only the answer that made it shows it; null in all others.',
      resolve: shownSecretOf,
    }),
    disabledAt: t.expose('webhookDisabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was paused because its receiver failed again and again; null if it was not.',
    }),
    droppedCount: t.int({
      description: 'How many events were dropped since it was made, because 200 messages of it waited.',
      resolve: ({ webhookDropped }) => webhookDropped,
    }),
    droppedAt: t.expose('webhookDroppedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When an event was last dropped; null if none ever was.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the webhook was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the owner last changed the webhook.' }),
    lastTriggeredAt: t.expose('lastTriggeredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a message was last written; null if none ever was.',
    }),
    deliveries: t.field({
      type: DeliveryConnection,
      description: 'The messages of the past seven days, sent or waiting, newest first.',
      args: connectionArgs,
      extensions: CONNECTION,
      resolve: ({ id: alertId }, asked, { deliveries }) =>
        readPlaced(asked, (page) => deliveries.load({ alertId, ...page })),
    }),
  }),
})

const EventWebhookConnection = connectionRef<Alert>('EventWebhook')
implementConnection(EventWebhookConnection, EventWebhookObject as never, { one: 'A webhook', many: 'webhooks' })

const URL_TEXT = 'The URL of the webhook: https on the public internet.'

const FilterInput = builder.inputType('EventWebhookFilter', {
  description:
    'The events that a webhook receives. A field that is left out or null sets no condition; a list asks for any of its members.',
  fields: webhookFilterFields,
})

const CreateInput = builder.inputType('CreateEventWebhookInput', {
  description: 'A new webhook of events.',
  fields: (t) => ({
    name: t.string({ required: true, description: NAME_TEXT }),
    filter: t.field({ type: FilterInput, required: true, description: 'Which events; {} means all.' }),
    url: t.string({ required: true, description: URL_TEXT }),
  }),
})

const UpdateInput = builder.inputType('UpdateEventWebhookInput', {
  description: 'Changes of a webhook of events. A field that is left out or null stays as it is.',
  fields: (t) => ({
    name: t.string({ description: NAME_TEXT }),
    filter: t.field({ type: FilterInput, description: 'The filter that replaces the old one.' }),
    url: t.string({ description: URL_TEXT }),
    status: t.field({
      type: AlertStatusEnum,
      description: 'Whether the webhook is active or paused. After a pause it does not catch up.',
    }),
  }),
})

interface Given {
  name?: string | null | undefined
  filter?: GivenEventFilter | null | undefined
  url?: string | null | undefined
}

/** Returns the checked input. Throws INVALID_PARAMS with every fault. */
function readInput({ name: given, filter, url }: Given, context: GraphContext) {
  const { name, faults } = readName(given)
  const ofUrl = typeof url === 'string' ? checkUrl(url, context) : []
  const ofFilter = checkEventFilter(filter ?? {}, { argument: 'input.filter', mayBeEmpty: false })
  const all = [...faults, ...ofUrl, ...ofFilter]
  if (all.length > 0) throw invalid(all)
  return { name, conditions: toEventFilter(filter ?? {}) }
}

const INSTEAD = 'follow the events as a stream'

const saved = savedResolvers('webhook', ({ eventWebhooks }) => eventWebhooks)
const ID = 'The identifier of the webhook.'

builder.queryFields((t) => ({
  eventWebhooks: t.field({
    type: EventWebhookConnection,
    description: 'The webhooks of events of your API key, newest first.',
    args: {
      status: t.arg({ type: AlertStatusEnum, description: 'Only webhooks of this status; all if left out.' }),
      ...connectionArgs,
    },
    extensions: CONNECTION,
    resolve: (_, { status, ...asked }, context) =>
      readPlaced(asked, (page) => saved.list(status ?? null, page, context)),
  }),
  eventWebhook: t.field({
    type: EventWebhookObject,
    nullable: true,
    description: 'One webhook of events of your API key; null if the key has none with this identifier.',
    args: { id: t.arg.id({ required: true, description: ID }) },
    resolve: (_, { id }, context) => saved.find(id, context),
  }),
}))

async function create(_: unknown, { input }: { input: typeof CreateInput.$inferInput }, context: GraphContext) {
  const read = readInput(input, context)
  requireWebhooks(context, INSTEAD)
  return saved.create({ ...read, channel: 'webhook', url: input.url }, null, context)
}

async function update(
  _: unknown,
  { id, input }: { id: string; input: typeof UpdateInput.$inferInput },
  context: GraphContext,
) {
  const { name, conditions } = readInput(input, context)
  if (input.status === 'active') requireWebhooks(context, INSTEAD)
  const change = {
    ...(typeof input.name === 'string' && { name }),
    ...(input.filter && { conditions }),
    ...(input.status && { status: input.status }),
    ...(typeof input.url === 'string' && { webhookUrl: input.url }),
  }
  return saved.update(id, change, null, context)
}

declareMutations({
  name: 'EventWebhook',
  object: EventWebhookObject as never,
  noun: 'webhook',
  inputs: { create: CreateInput, update: UpdateInput },
  texts: {
    create:
      'Creates an active webhook of events, and shows its secret. Fails with FORBIDDEN if the plan has no webhooks, or no more of them.',
    update:
      'Changes a webhook of events of your API key. Fails with NOT_FOUND if the key has none with this identifier.',
    rotate:
      'Gives a webhook of events a new secret, which the answer shows. The previous one also signs for 24 hours. Fails with NOT_FOUND if the key has no such webhook.',
    remove: 'Deletes a webhook of events of your API key. Fails with NOT_FOUND if the key has no such webhook.',
  },
  resolvers: { create, update },
  saved,
})
