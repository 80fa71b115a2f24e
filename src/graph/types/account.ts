// The account behind the caller's key: its plan, limits, usage and open streams.
import { limitsOf } from '../../access/plan.ts'
import { listOwnStreams, MOST_STREAMS_SHOWN, type OwnStream } from '../../ledger/account/stream.ts'
import { type OwnUsageDay, readOwnUsage } from '../../ledger/account/usage.ts'
import { listOf, PART, seriesOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { MeObject } from '../schema/refs.ts'
import { PlanEnum } from '../schema/vocabulary.ts'

/** How many days of usage are listed by default, and at most. */
const DAYS = 30
const MAX_DAYS = 366
/** More than the routes that the API has. */
const MOST_ROUTES = 60

const addDays = (time: Date, days: number) => new Date(time.getTime() + days * 86_400_000)

const LimitsObject = builder.objectRef<ReturnType<typeof limitsOf>>('Limits').implement({
  description: 'The limits of an account.',
  extensions: PART,
  fields: (t) => ({
    requestsPerMinute: t.exposeInt('requestsPerMinute', {
      nullable: true,
      description: 'Requests per minute; null when they are not limited.',
    }),
    requestsPerDay: t.exposeInt('requestsPerDay', {
      nullable: true,
      description: 'Requests per UTC day; null when they are not limited.',
    }),
    activeAlerts: t.exposeInt('activeAlerts', {
      nullable: true,
      description: 'Active alerts of all keys together; null when they are not limited.',
    }),
    webhooks: t.exposeBoolean('webhooks', { description: 'Whether alerts may go to a webhook or a chat.' }),
    gatePolicies: t.exposeInt('gatePolicies', {
      description: 'The number of saved policies of the gate that it may have.',
    }),
    streams: t.exposeInt('streams', {
      description: 'How many streams may be open at the same time, over all keys.',
    }),
  }),
})

const RouteUsageObject = builder.objectRef<OwnUsageDay['routes'][number]>('RouteUsage').implement({
  description: 'The usage of a route on one day.',
  fields: (t) => ({
    route: t.exposeString('route', {
      description: 'Its method and path, such as GET /v1/tokens/{address}; other for paths that do not exist.',
    }),
    requests: t.exposeInt('requests', { description: 'How many requests were counted for it on that day.' }),
  }),
})

const UsageDayObject = builder.objectRef<OwnUsageDay>('UsageDay').implement({
  description: 'The usage of an account on one day.',
  fields: (t) => ({
    date: t.expose('day', { type: 'Date', description: 'The UTC day.' }),
    requests: t.exposeInt('requests', { description: 'How many requests were counted on that day.' }),
    routes: t.expose('routes', {
      type: [RouteUsageObject],
      description: 'The requests of each route on that day, the most first.',
      extensions: seriesOf(MOST_ROUTES),
    }),
  }),
})

const OpenStreamObject = builder.objectRef<OwnStream>('OpenStream').implement({
  description: 'A stream that is open.',
  fields: (t) => ({
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'When it was opened.' }),
    keyId: t.id({
      description: 'The identifier of the API key that opened it.',
      resolve: ({ keyId }) => String(keyId),
    }),
    keyName: t.exposeString('keyName', { description: 'The name of that key.' }),
  }),
})

builder.prismaObjectFields(MeObject, (t) => ({
  email: t.exposeString('email'),
  plan: t.expose('plan', { type: PlanEnum }),
  limits: t.field({
    type: LimitsObject,
    description: 'The limits of the account.',
    resolve: (account) => limitsOf(account.plan, account),
  }),
  activeAlertCount: t.int({
    description: 'How many active alerts the account has, over all its keys.',
    resolve: ({ id }, _, { alerts }) => alerts.countActive(id),
  }),
  usage: t.field({
    type: [UsageDayObject],
    description: 'The requests of the newest UTC days, newest first; days without any are left out.',
    args: limitArgs(DAYS, MAX_DAYS),
    extensions: listOf('limit', MAX_DAYS),
    resolve: ({ id }, { limit }, { clock, database }) =>
      readOwnUsage(database.requestPool, id, addDays(clock.now(), -readLimit(limit, DAYS, MAX_DAYS))),
  }),
  openStreams: t.field({
    type: [OpenStreamObject],
    description: `The streams that are open, newest first; ${MOST_STREAMS_SHOWN} at most.`,
    extensions: listOf(MOST_STREAMS_SHOWN),
    resolve: ({ id }, _, { database }) => listOwnStreams(database.requestPool, id),
  }),
}))

builder.queryField('me', (t) =>
  t.field({
    type: MeObject,
    description: 'The account behind your API key.',
    resolve: (
      _,
      __,
      { caller: { accountId: id, email, plan, requestsPerMinute, requestsPerDay, streams = null } },
    ) => ({
      id,
      email,
      plan,
      requestsPerMinute,
      requestsPerDay,
      streams,
    }),
  }),
)
