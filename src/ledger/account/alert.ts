// Alerts of a key: create, list, find, update, remove. A lock on the account's row guards the activation of an alert.
// Concurrent requests in any process thus never make more active alerts than the plan allows.
import { randomUUID } from 'node:crypto'
import { isAlertId } from '../../base/alert.ts'
import type { Clock } from '../../base/clock.ts'
import { AssayError } from '../../base/errors.ts'
import type { EventFilter } from '../../base/event-filter.ts'
import type { Page, Paged } from '../../base/page.ts'
import type { AlertStatus } from '../../base/vocabulary.ts'
import type { Alert, Prisma } from '../../database/generated/client.ts'
import type { PrismaClient } from '../../database/prisma.ts'
import type { ChatChannel } from '../../fields/channels.ts'
import type { TokenFilter } from '../../fields/filter.ts'

export type { Alert }

/** The owner of alerts: their key, and the account whose plan limits them. */
interface AlertOwner {
  keyId: number
  accountId: number
}

/** The subject of an alert's conditions. */
interface Conditions {
  tokens: TokenFilter
  events: EventFilter
}
type Subject = keyof Conditions

interface NewAlert<Filter> {
  /** The id that a claim chose before (see idempotency.ts); random if left out. */
  id?: string | undefined
  name: string
  conditions: Filter
  /** Without a webhook and a chat, the alert sends mails. */
  chat?: { channel: ChatChannel; url: string } | undefined
  webhook?: { url: string; secret: string } | undefined
}

/** The changeable fields. A property that is left out stays the same. */
interface AlertChange<Filter> {
  name?: string
  conditions?: Filter
  status?: AlertStatus
  /** Only of an alert that has one. */
  webhookUrl?: string
}

export interface Alerts<Filter = TokenFilter> {
  /**
   * Creates an active alert, or returns the key's existing one with this `id`. Throws FORBIDDEN if the account already has
   * `limit` active alerts; null means no limit.
   */
  create(owner: AlertOwner, alert: NewAlert<Filter>, limit: number | null): Promise<Alert>
  /** Newest first. Status null: all of them. */
  list(keyId: number, status: AlertStatus | null, page: Page): Promise<Paged<Alert>>
  find(keyId: number, id: string): Promise<Alert | null>
  /** Returns null if the key has no such alert. Throws FORBIDDEN if the alert would become active beyond the limit. */
  update(owner: AlertOwner, id: string, change: AlertChange<Filter>, limit: number | null): Promise<Alert | null>
  /**
   * Gives the alert's webhook a new secret; until then the previous one signs too. Returns null if the key has no such
   * webhook.
   */
  rotateSecret(keyId: number, id: string, secret: string, oldUntil: Date): Promise<Alert | null>
  /** Returns whether the key had such an alert. */
  remove(keyId: number, id: string): Promise<boolean>
  /** How many alerts of all the account's keys are active, on all chains. */
  countActive(accountId: number): Promise<number>
}

type Client = Prisma.TransactionClient

/** Concurrent requests of one account wait in a queue for its lock: milliseconds for waiting, and for the transaction. */
const QUEUE = { maxWait: 15_000, timeout: 15_000 }

/** Conditions as Prisma stores them. */
export const toStored = (conditions: object) => conditions as Prisma.InputJsonObject

/** Alerts about tokens, stored in the table `alert`. */
export const createAlertRows = (prisma: PrismaClient, clock: Clock): Alerts => createRows(prisma, clock, 'tokens')

/** Webhooks of events: rows of the same table. An account has at most `MAX_EVENT_WEBHOOKS`. */
export const createEventWebhookRows = (prisma: PrismaClient, clock: Clock): Alerts<EventFilter> =>
  createRows(prisma, clock, 'events')

/** The rows of one subject. */
interface Rows {
  prisma: PrismaClient
  clock: Clock
  subject: Subject
}

function createRows<S extends Subject>(prisma: PrismaClient, clock: Clock, subject: S): Alerts<Conditions[S]> {
  const rows: Rows = { prisma, clock, subject }
  return {
    create: (owner, alert, limit) => insert(rows, owner, alert, limit),
    list: async (keyId, status, { offset, limit }) => {
      const where = { keyId, subject, ...(status && { status }) }
      const total = await prisma.alert.count({ where })
      if (offset >= total) return { total, items: [] }
      const orderBy = [{ createdAt: 'desc' as const }, { id: 'asc' as const }]
      return { total, items: await prisma.alert.findMany({ where, orderBy, skip: offset, take: limit }) }
    },
    find: async (keyId, id) => (isAlertId(id) ? prisma.alert.findFirst({ where: { id, keyId, subject } }) : null),
    update: async (owner, id, change, limit) => (isAlertId(id) ? alter(rows, { ...owner, id }, change, limit) : null),
    rotateSecret: async (keyId, id, secret, oldUntil) => {
      if (!isAlertId(id)) return null
      const where = { id, keyId, subject, notificationChannel: 'webhook' }
      return prisma.$transaction(async (client) => {
        const alert = await client.alert.findFirst({ where })
        if (!alert) return null
        const data = { webhookSecret: secret, webhookOldSecret: alert.webhookSecret, webhookOldUntil: oldUntil }
        const [changed] = await client.alert.updateManyAndReturn({ where, data })
        return changed ?? null
      })
    },
    remove: async (keyId, id) =>
      isAlertId(id) && (await prisma.alert.deleteMany({ where: { id, keyId, subject } })).count > 0,
    countActive: (accountId) => countActive(prisma, accountId, subject),
  }
}

function insert(
  { prisma, clock, subject }: Rows,
  { keyId, accountId }: AlertOwner,
  { id = randomUUID(), name, conditions, webhook, chat }: NewAlert<object>,
  limit: number | null,
): Promise<Alert> {
  return prisma.$transaction(async (client) => {
    await lock(client, { keyId, accountId })
    const made = await client.alert.findFirst({ where: { id, keyId, subject } })
    if (made) return made
    await refuseBeyond(client, accountId, limit)
    await refuseTooMany(client, accountId, subject)
    const now = clock.now()
    return client.alert.create({
      data: {
        id,
        keyId,
        accountId,
        name,
        status: 'active',
        subject,
        conditions: toStored(conditions),
        // Events are sent from now on; for tokens, existing matches are reported.
        ...(subject === 'events' && { start: null }),
        notificationChannel: webhook ? 'webhook' : (chat?.channel ?? 'email'),
        ...(chat && { webhookUrl: chat.url }),
        ...(webhook && { webhookUrl: webhook.url, webhookSecret: webhook.secret }),
        createdAt: now,
        updatedAt: now,
      },
    })
  }, QUEUE)
}

function alter(
  { prisma, clock, subject }: Rows,
  { keyId, accountId, id }: AlertOwner & { id: string },
  change: AlertChange<object>,
  limit: number | null,
): Promise<Alert | null> {
  return prisma.$transaction(async (client) => {
    if (change.status === 'active') await lock(client, { keyId, accountId })
    const alert = await client.alert.findFirst({ where: { id, keyId, subject } })
    if (!alert) return null
    if (change.status === 'active' && alert.status !== 'active') await refuseBeyond(client, accountId, limit)
    const { name, conditions, status, webhookUrl } = change
    const data = {
      updatedAt: clock.now(),
      ...(name !== undefined && { name }),
      ...(status !== undefined && { status }),
      // Activating it, or changing its URL, fixes the fault for which it was paused.
      ...((status === 'active' || webhookUrl !== undefined) && { webhookFailures: 0, webhookDisabledAt: null }),
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(conditions !== undefined && { conditions: toStored(conditions) }),
    }
    const [changed] = await client.alert.updateManyAndReturn({ where: { id, keyId }, data })
    return changed ?? null
  }, QUEUE)
}

/**
 * Locks the account until the transaction ends. This lock does not block inserts of rows that refer to the account.
 * Throws UNAUTHORIZED for a key that was revoked meanwhile: its alerts are paused.
 */
async function lock(client: Client, { keyId, accountId }: AlertOwner): Promise<void> {
  await client.$queryRaw`SELECT id FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`
  const keys = await client.$queryRaw<unknown[]>`SELECT id FROM api_key WHERE id = ${keyId} AND revoked_at IS NULL`
  if (keys.length === 0) throw new AssayError('UNAUTHORIZED', 'The API key is not valid.', { reason: 'bad_key' })
}

/** Counts those of all chains. */
async function countActive(client: Client, accountId: number, subject: Subject): Promise<number> {
  const rows = await client.$queryRaw<{ active: number }[]>`
    SELECT count(*)::int AS active FROM active_alerts(${accountId}::int) WHERE subject = ${subject}`
  return rows[0]?.active ?? 0
}

async function refuseBeyond(client: Client, accountId: number, limit: number | null): Promise<void> {
  if (limit === null) return
  const active = await countActive(client, accountId, 'tokens')
  if (active < limit) return
  throw new AssayError(
    'FORBIDDEN',
    `Your plan allows ${limit} active alerts, and you have ${active}: pause or delete one, or change the plan.`,
  )
}

/** Alerts of an account on one chain, including paused ones: far above normal use, so that no account fills the database. */
export const MAX_ALERTS = 10_000

/** Webhooks of events of an account on one chain: each is matched against every event. */
export const MAX_EVENT_WEBHOOKS = 100

const MOST: Record<Subject, [number, string]> = {
  tokens: [MAX_ALERTS, 'alerts'],
  events: [MAX_EVENT_WEBHOOKS, 'webhooks of events'],
}

async function refuseTooMany(client: Client, accountId: number, subject: Subject): Promise<void> {
  const [most, what] = MOST[subject]
  if ((await client.alert.count({ where: { accountId, subject } })) < most) return
  throw new AssayError('FORBIDDEN', `An account keeps ${most} ${what} at most, including paused ones: delete one.`)
}
