// Webhooks of events: a filter of events of the caller's key, and a URL that is called with what passes it. Those of other keys are
// answered as if they did not exist.
import { limitsOf } from '../access/plan.ts'
import { newWebhookSecret, SECRET_OVERLAP_HOURS } from '../alerts/webhook-secret.ts'
import { checkWebhookUrl } from '../alerts/webhook-url.ts'
import { checkAlertName } from '../base/alert.ts'
import { AssayError, type Fault, invalid } from '../base/errors.ts'
import type { EventFilter } from '../base/event-filter.ts'
import type { Paged } from '../base/page.ts'
import type { Alert } from '../ledger/account/alert.ts'
import { builder } from './builder.ts'
import type { GraphContext } from './context.ts'
import { DeliveryPageObject } from './delivery.ts'
import { type GivenEventFilter, MAX_LISTED, readEventFilter, webhookFilterFields } from './event-filter.ts'
import { listOf, PART } from './list-size.ts'
import { implementPage, pageArgs } from './page.ts'
import { readPage } from './page-arguments.ts'
import { NodeInterface } from './refs.ts'
import { AlertStatusEnum, ClassificationEnum, EventTypeEnum } from './vocabulary.ts'

const ConditionsObject = builder.objectRef<EventFilter>('EventConditions').implement({
  extensions: PART,
  description: 'Which events a webhook is called with. A field that is null sets no condition.',
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

/** A webhook with the secret that its owner is shown once. */
interface Shown {
  shownSecret?: string | null
}

const EventWebhookObject = builder.prismaObject('Alert', {
  variant: 'EventWebhook',
  interfaces: [NodeInterface],
  description: 'A saved filter of events, and a URL that is called with the events that pass it as they happen.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier that the service assigned.' }),
    name: t.exposeString('name', { description: 'The label that the owner of the webhook chose.' }),
    status: t.field({
      type: AlertStatusEnum,
      description: 'Whether the webhook is active or paused.',
      resolve: ({ status }) => (status === 'paused' ? 'paused' : 'active'),
    }),
    filter: t.field({
      type: ConditionsObject,
      description: 'Which events.',
      resolve: ({ conditions }) => conditions as EventFilter,
    }),
    url: t.string({ description: 'Where it is sent.', resolve: ({ webhookUrl }) => webhookUrl ?? '' }),
    secret: t.string({
      nullable: true,
      description: 'What signs the messages: shown only in the answer that made it, null in all others.',
      resolve: (webhook) => (webhook as Alert & Shown).shownSecret ?? null,
    }),
    disabledAt: t.expose('webhookDisabledAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it was paused because its receiver failed again and again, or was too slow; null if it was not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the webhook was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the owner last changed the webhook.' }),
    lastTriggeredAt: t.expose('lastTriggeredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a message was last written; null if none ever was.',
    }),
    deliveries: t.field({
      type: DeliveryPageObject,
      description: 'The messages of the past seven days that were sent or are to be sent, newest first.',
      args: pageArgs(),
      extensions: listOf('limit'),
      resolve: ({ id: alertId }, args, { deliveries }) => deliveries.load({ alertId, ...readPage(args) }),
    }),
  }),
})

const EventWebhookPageObject = builder.objectRef<Paged<Alert>>('EventWebhookPage')
implementPage(EventWebhookPageObject, EventWebhookObject as never, 'webhooks')

const NAME = 'A label of 1 to 100 characters without control characters.'
const URL_TEXT = 'Where it is sent: an https URL on the public internet.'

const FilterInput = builder.inputType('EventWebhookFilter', {
  description:
    'Which events a webhook is called with. A field that is left out or null sets no condition; a list asks for any of its members.',
  fields: webhookFilterFields,
})

const CreateInput = builder.inputType('CreateEventWebhookInput', {
  description: 'A new webhook of events.',
  fields: (t) => ({
    name: t.string({ required: true, description: NAME }),
    filter: t.field({ type: FilterInput, required: true, description: 'Which events; {} means all.' }),
    url: t.string({ required: true, description: URL_TEXT }),
  }),
})

const UpdateInput = builder.inputType('UpdateEventWebhookInput', {
  description: 'Changes of a webhook of events. A field that is left out or null stays as it is.',
  fields: (t) => ({
    name: t.string({ description: NAME }),
    filter: t.field({ type: FilterInput, description: 'The filter that replaces the old one.' }),
    url: t.string({ description: URL_TEXT }),
    status: t.field({
      type: AlertStatusEnum,
      description: 'Whether the webhook is active or paused. A paused one does not catch up later.',
    }),
  }),
})

interface Given {
  name?: string | null | undefined
  filter?: GivenEventFilter | null | undefined
  url?: string | null | undefined
}

/** Returns what is given, checked. Throws INVALID_PARAMS with the faults. */
function readInput({ name, filter, url }: Given, { allowsLoopback = false }: GraphContext) {
  const faults: Fault[] = []
  const blame = (field: string, message: string) =>
    faults.push({ location: 'argument', field: `input.${field}`, message: `input.${field} ${message}` })
  const checked = checkAlertName(name ?? 'unchanged')
  if ('fault' in checked) blame('name', checked.fault)
  const fault = typeof url === 'string' ? checkWebhookUrl(url, allowsLoopback) : null
  if (fault !== null) blame('url', fault)
  if (faults.length > 0) throw invalid(faults)
  return {
    name: 'name' in checked ? checked.name : '',
    conditions: readEventFilter(filter ?? {}, { argument: 'input.filter', mayBeEmpty: false }),
  }
}

/** Throws FORBIDDEN where the plan has no webhooks. */
function requireWebhooks({ caller }: GraphContext): void {
  if (limitsOf(caller.plan, caller).webhooks) return
  throw new AssayError('FORBIDDEN', 'Your plan has no webhooks: follow the events as a stream, or change the plan.')
}

const gone = () => new AssayError('NOT_FOUND', 'There is no such webhook.')
const ID = 'The identifier of the webhook.'

builder.queryFields((t) => ({
  eventWebhooks: t.field({
    type: EventWebhookPageObject,
    description: 'The webhooks of events of your API key, newest first.',
    args: {
      status: t.arg({ type: AlertStatusEnum, description: 'Only webhooks of this status; all if left out.' }),
      ...pageArgs(),
    },
    extensions: listOf('limit'),
    resolve: (_, { status, ...args }, { caller, eventWebhooks }) =>
      eventWebhooks.list(caller.keyId, status ?? null, readPage(args)),
  }),
  eventWebhook: t.field({
    type: EventWebhookObject,
    nullable: true,
    description: 'One webhook of events of your API key; null if the key has none with this identifier.',
    args: { id: t.arg.id({ required: true, description: ID }) },
    resolve: (_, { id }, { caller, eventWebhooks }) => eventWebhooks.find(caller.keyId, id),
  }),
}))

builder.mutationFields((t) => ({
  createEventWebhook: t.field({
    type: EventWebhookObject,
    description:
      'Creates an active webhook of events, and shows its secret. Fails with FORBIDDEN if the plan has no webhooks, or the account has all that it may have.',
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The webhook.' }) },
    resolve: async (_, { input }, context) => {
      const read = readInput(input, context)
      requireWebhooks(context)
      const webhook = { url: input.url, secret: newWebhookSecret() }
      const made = await context.eventWebhooks.create(
        context.caller,
        { id: context.newAlertId, ...read, webhook },
        null,
      )
      return { ...made, shownSecret: made.webhookSecret }
    },
  }),
  updateEventWebhook: t.field({
    type: EventWebhookObject,
    description:
      'Changes a webhook of events of your API key. Fails with NOT_FOUND if the key has none with this identifier.',
    args: {
      id: t.arg.id({ required: true, description: ID }),
      input: t.arg({ type: UpdateInput, required: true, description: 'What to change.' }),
    },
    resolve: async (_, { id, input }, context) => {
      const { name, conditions } = readInput(input, context)
      if (input.status === 'active') requireWebhooks(context)
      const change = {
        ...(typeof input.name === 'string' && { name }),
        ...(input.filter && { conditions }),
        ...(input.status && { status: input.status }),
        ...(typeof input.url === 'string' && { webhookUrl: input.url }),
      }
      const changed = await context.eventWebhooks.update(context.caller, id, change, null)
      if (!changed) throw gone()
      return changed
    },
  }),
  rotateEventWebhookSecret: t.field({
    type: EventWebhookObject,
    description:
      'Gives a webhook of events a new secret, which the answer shows. The one before signs too for 24 hours. Fails with NOT_FOUND if the key has no such webhook.',
    args: { id: t.arg.id({ required: true, description: ID }) },
    resolve: async (_, { id }, { caller, eventWebhooks, clock }) => {
      const oldUntil = new Date(clock.now().getTime() + SECRET_OVERLAP_HOURS * 3_600_000)
      const changed = await eventWebhooks.rotateSecret(caller.keyId, id, newWebhookSecret(), oldUntil)
      if (!changed) throw gone()
      return { ...changed, shownSecret: changed.webhookSecret }
    },
  }),
  deleteEventWebhook: t.field({
    type: 'ID',
    description:
      'Deletes a webhook of events of your API key and returns its identifier. Fails with NOT_FOUND if the key has no such webhook.',
    args: { id: t.arg.id({ required: true, description: ID }) },
    resolve: async (_, { id }, { caller, eventWebhooks }) => {
      if (!(await eventWebhooks.remove(caller.keyId, id))) throw gone()
      return id
    },
  }),
}))
