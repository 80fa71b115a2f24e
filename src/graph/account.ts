// The caller: plan, limits and usage of the account behind the key.
import { limitsOf } from '../access/plan.ts'
import { dayOf } from '../base/clock.ts'
import { readUsage, type UsageDay } from '../ledger/account/usage.ts'
import { builder } from './builder.ts'
import { listOf, PART } from './list-size.ts'
import { limitArgs } from './page.ts'
import { readLimit } from './page-arguments.ts'
import { MeObject } from './refs.ts'
import { PlanEnum } from './vocabulary.ts'

/** Days of usage unless asked otherwise, and at most. */
const DAYS = 30
const MAX_DAYS = 366

const LimitsObject = builder.objectRef<ReturnType<typeof limitsOf>>('Limits').implement({
  description: 'What an account may do.',
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
  }),
})

const UsageDayObject = builder.objectRef<UsageDay>('UsageDay').implement({
  description: 'What an account used on one day.',
  fields: (t) => ({
    day: t.exposeString('date', { description: 'The UTC day as YYYY-MM-DD.' }),
    requests: t.exposeInt('requests', { description: 'The requests that were counted.' }),
  }),
})

builder.objectType(MeObject, {
  description: 'The account behind the key that asks.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address that alerts are sent to.' }),
    plan: t.expose('plan', { type: PlanEnum, description: 'The plan of the account.' }),
    limits: t.field({
      type: LimitsObject,
      description: 'What the account may do.',
      resolve: (caller) => limitsOf(caller.plan, caller),
    }),
    activeAlertCount: t.int({
      description: 'How many active alerts the account has, over all its keys.',
      resolve: (caller, _, { alerts }) => alerts.countActive(caller.accountId),
    }),
    usage: t.field({
      type: [UsageDayObject],
      description: 'The requests of the newest UTC days, newest first; days without any are left out.',
      args: limitArgs(DAYS, MAX_DAYS),
      extensions: listOf('limit', MAX_DAYS),
      resolve: (caller, { limit }, { database, clock }) => {
        const today = dayOf(clock.now().getTime() / 1000)
        return readUsage(database.requestPool, today - readLimit(limit, DAYS, MAX_DAYS) + 1, caller.accountId)
      },
    }),
  }),
})

builder.queryField('me', (t) =>
  t.field({
    type: MeObject,
    description: 'The account behind the key that asks.',
    resolve: (_, __, { caller }) => caller,
  }),
)
