// The context of resolvers: the caller, the reading and loaders of the answer, and the caller's alerts.
import DataLoader from 'dataloader'
import type { Caller } from '../access/guard.ts'
import { createOwnKeys, type OwnKeys } from '../access/own-keys.ts'
import type { AlertTests } from '../alerts/test-message.ts'
import type { WebhookReach } from '../alerts/webhook-url.ts'
import type { Clock } from '../base/clock.ts'
import type { EventFilter } from '../base/event-filter.ts'
import type { Paged } from '../base/page.ts'
import type { InTurn, Turns } from '../base/turns.ts'
import type { BoardFeed } from '../board/feed.ts'
import type { Database } from '../database/client.ts'
import { poolThat } from '../database/diverted-pool.ts'
import { type PrismaClient, sendPrismaWith } from '../database/prisma.ts'
import type { Signer } from '../gate/sign.ts'
import { type Alerts, createAlertRows, createEventWebhookRows } from '../ledger/account/alert.ts'
import { createGatePolicies, type GatePolicies } from '../ledger/account/gate-policy.ts'
import { type Delivery, type DeliveryRange, readDeliveries } from '../ledger/alerts/delivery.ts'
import type { Backlog } from '../ledger/backlog.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'
import type { Replicas } from '../ledger/read/replicas.ts'
import type { CheckDesk } from '../ledger/safety/desk.ts'
import type { SqlService } from '../sql/sql.ts'
import type { StreamReader, Streams } from '../stream/streams.ts'
import { createLists, createLoaders, type Lists, type Loaders } from './loaders.ts'
import { createRowBudget, MOST_POSITIONS_READ } from './row-budget.ts'
import type { SharedRows } from './shared-rows.ts'

/** A chain of the installation, as all its chains see it. */
export interface Sibling {
  name: string
  /** Before `/v1`; empty for the default chain. */
  path: string
  /** Runs one of our own documents for nobody in particular. */
  ask(document: string, variables: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>>
}

/** Parts that requests share. */
export interface GraphParts {
  /** The rules for the URLs of webhooks. */
  webhookReach?: WebhookReach | undefined
  database: Database
  /** Replicas that answer queries about the chain; without any, the primary does. */
  replicas?: Pick<Replicas, 'choose' | 'leave'> | undefined
  prisma: PrismaClient
  clock: Clock
  /** The tokens in memory. */
  board: BoardFeed
  /** Runs lists that look at many rows. */
  walks: Turns
  /** Runs backtests: no list waits for one. */
  backtests: Turns
  /** Runs SQL of callers; none: it is off. */
  sql?: SqlService | undefined
  /** Signs answers of the gate. */
  signer: Signer
  /** Takes requests for contract checks; none: nobody can ask. */
  checks?: CheckDesk | undefined
  /** Sends test messages of alerts; none: nobody can ask. */
  alertTests?: AlertTests | undefined
  /** The work that waits; null if it cannot be read. */
  backlog: () => Promise<Backlog | null>
  /** All chains of the installation, the default one first. */
  siblings: readonly Sibling[]
}

/** The parts with which a subscription opens its stream. */
export interface SubscriptionStreams
  extends Pick<Streams, 'openEvents' | 'tokens' | 'screens' | 'rows' | 'alerts' | 'checkSteps'> {
  /** The account, and the signal that is aborted when the stream has to end. */
  reader: StreamReader
}

/** The data that comes with an operation. */
export interface Errand {
  caller: Caller
  /** The id of the alert that the operation creates, if an Idempotency-Key settled it before. */
  newAlertId?: string | undefined
  /** Aborts when nobody waits for the result any more. */
  signal?: AbortSignal | undefined
  /**
   * Called when the result depends on more than the block: on the caller, or on data that may change within a block.
   */
  onUncacheable?: (() => void) | undefined
}

export interface GraphContext extends Omit<GraphParts, 'database' | 'walks' | 'backtests'>, Errand {
  /** The caller's turns. */
  walks: InTurn
  backtests: InTurn
  /** Only while a subscription is opened. */
  streams?: SubscriptionStreams | undefined
  reading: Reading
  /** Reads at the answer's block, like every other loader. */
  readonly prisma: PrismaClient
  /** Account data belongs to no block, so it is read from the primary in its current state. */
  readonly database: Pick<Database, 'requestPool'>
  readonly alerts: Alerts
  readonly eventWebhooks: Alerts<EventFilter>
  readonly ownKeys: OwnKeys
  readonly gatePolicies: GatePolicies
  loaders: Loaders
  lists: Lists
  /** Of this answer alone. */
  rowBudget: ReturnType<typeof createRowBudget>
  /** Marks the result as dependent on more than the block. Data of the primary marks it by itself. */
  markUncacheable(): void
  /** Pages of alerts' messages in their current state, whatever the answer's block. */
  deliveries: DataLoader<DeliveryRange, Paged<Delivery>, string>
}

/** Makes the contexts of executions that share a reading. */
export type ContextOf = (errand: Errand) => GraphContext

/**
 * How many executions share the loaders of lists. Without sharing, each needs its own statement; if too many share,
 * they wait for each other.
 */
const LISTS_TOGETHER = 4

/** Makes a value on first use. */
function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}

/** Returns the lists of the next answer: a number of answers share theirs. */
function createSharedLists(reading: Reading, loaders: Loaders) {
  let lists = createLists(reading, loaders)
  let room = LISTS_TOGETHER
  return () => {
    if (room === 0) {
      lists = createLists(reading, loaders)
      room = LISTS_TOGETHER
    }
    room -= 1
    return lists
  }
}

const createDeliveryLoader = (database: GraphContext['database']): GraphContext['deliveries'] =>
  new DataLoader((ranges: readonly DeliveryRange[]) => readDeliveries(database, ranges), {
    cacheKeyFn: ({ alertId, offset, limit }: DeliveryRange) => `${alertId} ${offset} ${limit}`,
  })

/** Each reading needs its own loaders, because they cache the rows they read. */
export function createContexts(parts: GraphParts, reading: Reading, rows: SharedRows): ContextOf {
  const { clock, board, walks, backtests } = parts
  const database = { requestPool: poolThat(reading.queryPrimary) }
  const ownKeys = createOwnKeys(parts.database.requestPool, clock)
  const prismaOfBlock = once(() => sendPrismaWith(parts.prisma, reading.send))
  const prismaPrimary = once(() => sendPrismaWith(parts.prisma, reading.queryPrimary))
  const loaders = createLoaders(reading, board, rows)
  const deliveries = createDeliveryLoader(database)
  const listsOf = createSharedLists(reading, loaders)
  return ({ caller, newAlertId, signal, onUncacheable = () => {} }) => {
    const varying = <Value>(value: Value): Value => {
      onUncacheable()
      return value
    }
    return {
      ...parts,
      get database() {
        return varying(database)
      },
      get prisma() {
        return prismaOfBlock()
      },
      get alerts() {
        return varying(createAlertRows(prismaPrimary(), clock))
      },
      get eventWebhooks() {
        return varying(createEventWebhookRows(prismaPrimary(), clock))
      },
      get ownKeys() {
        return varying(ownKeys)
      },
      get gatePolicies() {
        return varying(createGatePolicies(prismaPrimary(), clock))
      },
      get clock() {
        return varying(clock)
      },
      get caller() {
        return varying(caller)
      },
      get deliveries() {
        return varying(deliveries)
      },
      markUncacheable: onUncacheable,
      walks: walks(caller.accountId),
      backtests: backtests(caller.accountId),
      signal,
      newAlertId,
      reading,
      loaders,
      lists: listsOf(),
      rowBudget: createRowBudget(MOST_POSITIONS_READ),
    }
  }
}
