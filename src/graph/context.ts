// The context of resolvers: the caller, the reading and loaders of the answer, and the caller's alerts.
import DataLoader from 'dataloader'
import type { Caller } from '../access/guard.ts'
import type { Clock } from '../base/clock.ts'
import type { Paged } from '../base/page.ts'
import type { BoardFeed } from '../board/feed.ts'
import type { Database } from '../database/client.ts'
import { openPrisma, type PrismaClient } from '../database/prisma.ts'
import type { Alerts } from '../ledger/account/alert.ts'
import { type Delivery, type DeliveryRange, readDeliveries } from '../ledger/alerts/delivery.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'
import type { InTurn } from '../ledger/read/walks.ts'
import type { Streams } from '../stream/streams.ts'
import { createLists, createLoaders, type Lists, type Loaders } from './loaders.ts'

/** Parts that requests share. */
export interface GraphParts {
  /** Whether webhooks may lead to this machine. */
  allowsLoopback?: boolean | undefined
  database: Database
  prisma: PrismaClient
  alerts: Alerts
  clock: Clock
  /** The tokens in memory; null: lists are read from the database. */
  board: BoardFeed | null
  /** Runs lists that look at many rows. */
  walks: InTurn
}

/** What a subscription opens its stream with. */
export interface SubscriptionStreams extends Pick<Streams, 'openEvents' | 'tokens' | 'rows' | 'alerts'> {
  /** Aborted when the stream has to end. */
  signal: AbortSignal
}

/** What comes with an operation. */
export interface Errand {
  caller: Caller
  /** The id of the alert that the operation creates, if an Idempotency-Key settled it before. */
  newAlertId?: string | undefined
  /** Called when the result comes to depend on more than the block: on the caller, or on what may change within a block. */
  onVaries?: (() => void) | undefined
}

export interface GraphContext extends GraphParts, Errand {
  /** Only while a subscription is opened. */
  streams?: SubscriptionStreams | undefined
  reading: Reading
  /** Reads as of the answer's block, like everything else. Alerts do not belong to a block, so `alerts` has its own client. */
  readonly prisma: PrismaClient
  loaders: Loaders
  lists: Lists
  /** Says that the result depends on more than the block. What belongs to no block says so by itself. */
  varies(): void
  /** Pages of alerts' messages, as they are now, whatever the answer's block. */
  deliveries: DataLoader<DeliveryRange, Paged<Delivery>, string>
}

/** Makes the contexts of executions that share a reading. */
export type ContextOf = (errand: Errand) => GraphContext

/** How many executions share the loaders of lists. Without sharing each needs a statement of its own; if too many share, they wait for each other. */
const LISTS_TOGETHER = 4

/** The Prisma client for a reading: the shared one over the pool, or one on the connection of the snapshot, which needs no disconnect. */
function createPrisma({ database, prisma }: GraphParts, reading: Reading): () => PrismaClient {
  let own: PrismaClient | undefined
  return () => {
    const source = own ? undefined : reading.source()
    if (source === database.requestPool) return prisma
    if (source) own = openPrisma({ requestPool: source })
    return own ?? prisma
  }
}

/** Each reading needs its own loaders, since they cache what they read. */
export function createContexts(parts: GraphParts, reading: Reading): ContextOf {
  const { database, alerts, clock, allowsLoopback, board, walks } = parts
  const prismaOfReading = createPrisma(parts, reading)
  const loaders = createLoaders(reading, board)
  const deliveries = new DataLoader((ranges: readonly DeliveryRange[]) => readDeliveries(database, ranges), {
    cacheKeyFn: ({ alertId, page, limit }: DeliveryRange) => `${alertId} ${page} ${limit}`,
  })
  let lists = createLists(reading, loaders)
  let room = LISTS_TOGETHER
  return ({ caller, newAlertId, onVaries = () => {} }) => {
    if (room === 0) {
      lists = createLists(reading, loaders)
      room = LISTS_TOGETHER
    }
    room -= 1
    const varying = <Value>(value: Value): Value => {
      onVaries()
      return value
    }
    return {
      get database() {
        return varying(database)
      },
      get prisma() {
        return prismaOfReading()
      },
      get alerts() {
        return varying(alerts)
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
      varies: onVaries,
      allowsLoopback,
      board,
      walks,
      newAlertId,
      reading,
      loaders,
      lists,
    }
  }
}
