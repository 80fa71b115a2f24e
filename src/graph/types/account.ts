// The account behind the caller's key: its plan, limits and usage.
import { limitsOf } from '../../access/plan.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/page.ts'
import { MeObject } from '../schema/refs.ts'
import { PlanEnum } from '../schema/vocabulary.ts'

/** How many days of usage are listed by default, and at most. */
const DAYS = 30
const MAX_DAYS = 366

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
    streams: t.exposeInt('streams', {
      description: 'How many streams may be open at the same time, over all keys.',
    }),
  }),
})

builder.prismaObject('UsageDay', {
  description: 'The usage of an account on one day.',
  select: { day: true, requests: true },
  fields: (t) => ({
    date: t.expose('day', { type: 'Date', description: 'The UTC day.' }),
    requests: t.int({
      description: 'How many requests were counted on that day.',
      resolve: ({ requests }) => Number(requests),
    }),
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
  usage: t.relation('usage', {
    description: 'The requests of the newest UTC days, newest first; days without any are left out.',
    args: limitArgs(DAYS, MAX_DAYS),
    extensions: listOf('limit', MAX_DAYS),
    query: ({ limit }, { clock }) => {
      const days = readLimit(limit, DAYS, MAX_DAYS)
      return { where: { day: { gt: addDays(clock.now(), -days) } }, orderBy: { day: 'desc' as const } }
    },
    // The parent comes from the caller's key, not from the plugin. Loading it by the plugin would cost one more
    // statement.
    resolve: ({ where, ...query }, { id: accountId }, _, { prisma }) =>
      prisma.usageDay.findMany({ ...query, where: { ...where, accountId } }),
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
