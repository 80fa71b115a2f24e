// The common fields of an alert and a webhook of events: a saved filter with a name, a status and an optional URL.
// Their types and arguments are in `alert.ts` and `event-webhook.ts`.
import { limitsOf } from '../../access/plan.ts'
import { newWebhookSecret, SECRET_OVERLAP_HOURS } from '../../alerts/webhook-secret.ts'
import { checkWebhookUrl } from '../../alerts/webhook-url.ts'
import { checkName } from '../../base/alert.ts'
import { AssayError, type Fault } from '../../base/errors.ts'
import type { Page } from '../../base/page.ts'
import type { AlertStatus } from '../../base/vocabulary.ts'
import { isChat, type NotificationChannel } from '../../fields/channels.ts'
import type { TokenFilter } from '../../fields/filter.ts'
import type { Alert, Alerts } from '../../ledger/account/alert.ts'
import type { GraphContext } from '../context.ts'

export const NAME_TEXT = 'A label of 1 to 100 characters without control characters.'

/** A saved filter with the secret that its owner sees once. */
export interface Shown extends Alert {
  shownSecret?: string | null
}

const show = (saved: Alert): Shown => ({ ...saved, shownSecret: saved.webhookSecret })

/** The secret, only in the answer that made it. */
export const shownSecretOf = (saved: Shown): string | null => saved.shownSecret ?? null

export const statusOf = ({ status }: Pick<Alert, 'status'>): AlertStatus => (status === 'paused' ? 'paused' : 'active')

/** The stored conditions of an alert or a policy. */
export const conditionsOf = ({ conditions }: Pick<Alert, 'conditions'>) => conditions as TokenFilter

/** A fault of a field of `input`. */
export const inputFault = (field: string, text: string): Fault => ({
  location: 'argument',
  field: `input.${field}`,
  message: `input.${field} ${text}`,
})

/** The trimmed name, and its fault. A missing name has no fault. */
export function readName(name: string | null | undefined): { name: string; faults: Fault[] } {
  const checked = checkName(name ?? 'unchanged')
  return 'fault' in checked
    ? { name: '', faults: [inputFault('name', checked.fault)] }
    : { name: checked.name, faults: [] }
}

/** The fault of a webhook's URL. */
export function checkUrl(url: string, { webhookReach = {} }: GraphContext): Fault[] {
  const fault = checkWebhookUrl(url, webhookReach)
  return fault === null ? [] : [inputFault('url', fault)]
}

/** Throws FORBIDDEN if the plan has no webhooks; `instead` names the alternative. */
export function requireWebhooks({ caller }: GraphContext, instead: string): void {
  if (limitsOf(caller.plan, caller).webhooks) return
  throw new AssayError('FORBIDDEN', `Your plan has no webhooks: ${instead}, or change the plan.`)
}

type New<Conditions> = Parameters<Alerts<Conditions>['create']>[1]
type Change<Conditions> = Parameters<Alerts<Conditions>['update']>[2]

/**
 * The resolvers of one kind. `noun` names it in errors; `rowsOf` returns the rows of all keys, and the caller sees its
 * own.
 */
export function savedResolvers<Conditions>(noun: string, rowsOf: (context: GraphContext) => Alerts<Conditions>) {
  const found = <Row>(row: Row | null): Row => {
    if (!row) throw new AssayError('NOT_FOUND', `There is no such ${noun}.`)
    return row
  }
  return {
    list: (status: AlertStatus | null, page: Page, context: GraphContext) =>
      rowsOf(context).list(context.caller.keyId, status, page),
    find: (id: string, context: GraphContext) => rowsOf(context).find(context.caller.keyId, id),
    create: async (
      {
        channel,
        url,
        ...made
      }: Pick<New<Conditions>, 'name' | 'conditions'> & {
        channel: NotificationChannel
        url: string | null | undefined
      },
      limit: number | null,
      context: GraphContext,
    ): Promise<Shown> => {
      const webhook = url && channel === 'webhook' ? { url, secret: newWebhookSecret() } : undefined
      const chat = url && isChat(channel) ? { channel, url } : undefined
      const alert = { id: context.newAlertId, ...made, webhook, chat }
      return show(await rowsOf(context).create(context.caller, alert, limit))
    },
    update: async (id: string, change: Change<Conditions>, limit: number | null, context: GraphContext) =>
      found(await rowsOf(context).update(context.caller, id, change, limit)),
    rotateSecret: async (id: string, context: GraphContext): Promise<Shown> => {
      const oldUntil = new Date(context.clock.now().getTime() + SECRET_OVERLAP_HOURS * 3_600_000)
      return show(found(await rowsOf(context).rotateSecret(context.caller.keyId, id, newWebhookSecret(), oldUntil)))
    },
    remove: async (id: string, context: GraphContext): Promise<string> => {
      found((await rowsOf(context).remove(context.caller.keyId, id)) || null)
      return id
    },
  }
}
