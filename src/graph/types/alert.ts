// Alerts of the caller's key: list, create, update, delete. Alerts of other keys are treated as missing.
import { limitsOf } from '../../access/plan.ts'
import { type Fault, invalid } from '../../base/errors.ts'
import { isChat, NOTIFICATION_CHANNELS, type NotificationChannel } from '../../fields/channels.ts'
import { checkChatUrl, maskChatUrl, toChatUrl } from '../../fields/chat/chats.ts'
import { WORDS } from '../../fields/field.ts'
import { ALERT_ROWS, type TokenFilter } from '../../fields/filter.ts'
import type { Alert } from '../../ledger/account/alert.ts'
import type { GraphContext } from '../context.ts'
import { CONNECTION, listOf, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { connectionArgs, connectionRef, implementConnection, readPlaced } from '../schema/connection.ts'
import { ConditionsObject, NodeInterface } from '../schema/refs.ts'
import { AlertStatusEnum, NotificationChannelEnum, WORD_ENUMS } from '../schema/vocabulary.ts'
import { DeliveryConnection } from './delivery.ts'
import {
  checkUrl,
  conditionsOf,
  inputFault,
  NAME_TEXT,
  readName,
  requireWebhooks,
  savedResolvers,
  shownSecretOf,
  statusOf,
} from './saved-filter.ts'
import { declareMutations } from './saved-mutations.ts'
import { type GivenScreen, parseConditions, TokenFilterInput } from './screen.ts'

builder.objectType(ConditionsObject, {
  extensions: PART,
  description: 'The conditions under which the alert fires for a token. A field that is null sets no condition.',
  fields: (t) =>
    Object.fromEntries(
      ALERT_ROWS.map(([name, row]) => {
        const shown = { nullable: true, description: row.text } as const
        if (row.is === 'yes') return [name, t.exposeBoolean(name as 'sellable', shown)]
        if (row.is === 'among') {
          const resolve = (conditions: TokenFilter) => conditions[name as 'tokens']
          return [name, t.field({ ...shown, type: ['Address'], extensions: listOf(row.most), resolve })]
        }
        if (row.is !== 'none' && row.is !== 'any') return [name, t.exposeFloat(name as 'minLiquidityUsd', shown)]
        const resolve = (conditions: TokenFilter) => {
          const words = conditions[name as 'excludeFlags']
          return words && [...new Set(words)]
        }
        const type: [typeof WORD_ENUMS.flags] = [WORD_ENUMS[row.of] as typeof WORD_ENUMS.flags]
        return [name, t.field({ ...shown, type, extensions: listOf(WORDS[row.of].length), resolve })]
      }),
    ),
})

export const channelOf = ({ notificationChannel }: Pick<Alert, 'notificationChannel'>): NotificationChannel =>
  NOTIFICATION_CHANNELS.find((channel) => channel === notificationChannel) ?? 'email'

function shownUrlOf(alert: Alert): string | null {
  const channel = channelOf(alert)
  return isChat(channel) && alert.webhookUrl !== null ? maskChatUrl(channel, alert.webhookUrl) : alert.webhookUrl
}

export const AlertObject = builder.prismaObject('Alert', {
  interfaces: [NodeInterface],
  description: 'A saved token filter that sends a message when a token begins to match.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The identifier that the service assigned.' }),
    name: t.exposeString('name', { description: 'The label that the owner of the alert chose.' }),
    status: t.field({
      type: AlertStatusEnum,
      description: 'Whether the alert is active or paused.',
      resolve: statusOf,
    }),
    conditions: t.field({
      type: ConditionsObject,
      description: 'The conditions for a token.',
      resolve: conditionsOf,
    }),
    notificationChannel: t.field({
      type: NotificationChannelEnum,
      description: 'How messages reach the owner of the alert.',
      resolve: channelOf,
    }),
    url: t.string({
      nullable: true,
      description:
        'The URL of the webhook. The URL of a chat is a secret, of which this is the host and the last four characters. Null for the channel email.',
      resolve: shownUrlOf,
    }),
    secret: t.string({
      nullable: true,
      description:
        'The secret that signs the messages of a webhook. Only the answer that made it shows it; null in all others.',
      resolve: shownSecretOf,
    }),
    disabledAt: t.expose('webhookDisabledAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it was paused because its webhook or chat failed again and again, or is gone; null if it was not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the alert was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the owner last changed the alert.' }),
    lastTriggeredAt: t.expose('lastTriggeredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the alert last fired; null if it never did.',
    }),
    deliveries: t.field({
      type: DeliveryConnection,
      description: 'The messages that the alert has sent or tried to send, newest first.',
      args: connectionArgs,
      extensions: CONNECTION,
      resolve: ({ id: alertId }, asked, { deliveries }) =>
        readPlaced(asked, (page) => deliveries.load({ alertId, ...page })),
    }),
  }),
})

const AlertConnection = connectionRef<Alert>('Alert')
implementConnection(AlertConnection, AlertObject as never, { one: 'An alert', many: 'alerts' })

const URL_TEXT =
  'The receiver. Of a webhook: https on the public internet. Of a chat: the URL that its service gives for messages. Left out for email.'

const CreateAlertInput = builder.inputType('CreateAlertInput', {
  description: 'A new alert.',
  fields: (t) => ({
    name: t.string({ required: true, description: NAME_TEXT }),
    conditions: t.field({
      type: TokenFilterInput,
      required: true,
      description: 'The conditions for a token; {} matches every token.',
    }),
    notificationChannel: t.field({
      type: NotificationChannelEnum,
      defaultValue: 'email',
      description: 'How messages reach the owner of the alert.',
    }),
    url: t.string({ description: URL_TEXT }),
  }),
})

const UpdateAlertInput = builder.inputType('UpdateAlertInput', {
  description: 'Changes of an alert. A field that is left out or null stays as it is.',
  fields: (t) => ({
    name: t.string({ description: NAME_TEXT }),
    conditions: t.field({ type: TokenFilterInput, description: 'The conditions that replace the old ones.' }),
    status: t.field({
      type: AlertStatusEnum,
      description: 'Whether the alert is active or paused. The plan limits how many alerts are active.',
    }),
    url: t.string({ description: URL_TEXT }),
  }),
})

/** Returns the trimmed name and the conditions. Throws INVALID_PARAMS that names every fault of both. */
function readInput(given: string | null | undefined, conditions: GivenScreen) {
  const { name, faults: ofName } = readName(given)
  const { filter, faults } = parseConditions(conditions, 'input.conditions')
  if (ofName.length + faults.length > 0) throw invalid([...ofName, ...faults])
  return { name, conditions: filter }
}

/** The faults of a channel's URL; empty if it has none. */
function checkReceiver(channel: NotificationChannel, url: string | null | undefined, context: GraphContext): Fault[] {
  if (channel === 'email') return typeof url === 'string' ? [inputFault('url', 'must be left out for email')] : []
  if (typeof url !== 'string') return [inputFault('url', `is required with the channel ${channel}`)]
  if (!isChat(channel)) return checkUrl(url, context)
  const fault = checkChatUrl(channel, url)
  return fault === null ? [] : [inputFault('url', fault)]
}

const toStoredUrl = (channel: NotificationChannel, url: string): string =>
  isChat(channel) ? toChatUrl(channel, url) : url

const limitOf = ({ caller }: GraphContext) => limitsOf(caller.plan, caller).activeAlerts

const saved = savedResolvers('alert', ({ alerts }) => alerts)

builder.queryFields((t) => ({
  alerts: t.field({
    type: AlertConnection,
    description: 'The alerts of your API key, newest first.',
    args: {
      status: t.arg({ type: AlertStatusEnum, description: 'Only alerts of this status; all if left out.' }),
      ...connectionArgs,
    },
    extensions: CONNECTION,
    resolve: (_, { status, ...asked }, context) =>
      readPlaced(asked, (page) => saved.list(status ?? null, page, context)),
  }),
  alert: t.field({
    type: AlertObject,
    nullable: true,
    description: 'One alert of your API key; null if the key has no alert with this identifier.',
    args: { id: t.arg.id({ required: true, description: 'The identifier of the alert.' }) },
    resolve: (_, { id }, context) => saved.find(id, context),
  }),
}))

async function create(_: unknown, { input }: { input: typeof CreateAlertInput.$inferInput }, context: GraphContext) {
  const { url } = input
  const channel = input.notificationChannel ?? 'email'
  const read = readInput(input.name, input.conditions)
  const faults = checkReceiver(channel, url, context)
  if (faults.length > 0) throw invalid(faults)
  if (channel !== 'email') requireWebhooks(context, 'use the channel email')
  return saved.create({ ...read, channel, url: url && toStoredUrl(channel, url) }, limitOf(context), context)
}

async function update(
  _: unknown,
  { id, input }: { id: string; input: typeof UpdateAlertInput.$inferInput },
  context: GraphContext,
) {
  // For a field that is left out, any valid value passes the check; the field is not changed below.
  const { name, conditions } = readInput(input.name, input.conditions ?? {})
  const change = {
    ...(typeof input.name === 'string' && { name }),
    ...(input.conditions && { conditions }),
    ...(input.status && { status: input.status }),
    ...(typeof input.url === 'string' && { webhookUrl: input.url }),
  }
  if (change.webhookUrl !== undefined) {
    const known = await saved.find(id, context)
    const channel = known ? channelOf(known) : 'webhook'
    const faults = checkReceiver(channel, change.webhookUrl, context)
    if (faults.length > 0) throw invalid(faults)
    change.webhookUrl = toStoredUrl(channel, change.webhookUrl)
  }
  return saved.update(id, change, limitOf(context), context)
}

declareMutations({
  name: 'Alert',
  object: AlertObject as never,
  noun: 'alert',
  inputs: { create: CreateAlertInput, update: UpdateAlertInput },
  texts: {
    create: 'Creates an active alert. Fails with FORBIDDEN if the plan allows no more active alerts.',
    update: 'Changes an alert of your API key. Fails with NOT_FOUND if the key has no alert with this identifier.',
    rotate:
      'Gives a webhook a new secret, which the answer shows. The previous one also signs for 24 hours. Fails with NOT_FOUND if the key has no such webhook.',
    remove: 'Deletes an alert of your API key. Fails with NOT_FOUND if the key has no such alert.',
  },
  resolvers: { create, update },
  saved,
})
