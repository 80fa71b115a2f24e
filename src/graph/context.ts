// What resolvers get: who asks, what the answer is read through, and the account's own things.
import DataLoader from 'dataloader'
import type { Caller } from '../access/guard.ts'
import type { Clock } from '../base/clock.ts'
import type { Paged } from '../base/page.ts'
import type { Database } from '../database/client.ts'
import { openPrisma, type PrismaClient } from '../database/prisma.ts'
import type { Alerts } from '../ledger/account/alert.ts'
import { type Delivery, type DeliveryRange, readDeliveries } from '../ledger/alerts/delivery.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'
import type { Streams } from '../stream/streams.ts'
import { createLists, createLoaders, type Lists, type Loaders } from './loaders.ts'

/** Parts that outlive a request. */
export interface GraphParts {
  database: Database
  prisma: PrismaClient
  alerts: Alerts
  clock: Clock
}

/** What a subscription opens its stream with. */
export interface SubscriptionStreams extends Pick<Streams, 'openEvents' | 'tokens' | 'rows'> {
  /** Aborted when the stream has to end. */
  signal: AbortSignal
}

/** What an operation brings along. */
export interface Errand {
  caller: Caller
  /** Of the alert that the operation makes, where it was settled before. */
  newAlertId?: string | undefined
}

export interface GraphContext extends GraphParts, Errand {
  /** Only while a subscription is opened. */
  streams?: SubscriptionStreams | undefined
  reading: Reading
  /** As of the answer's block, like everything else; the account's own things are not of a block, and go past it. */
  readonly prisma: PrismaClient
  loaders: Loaders
  lists: Lists
  /** Pages of what alerts have sent; of the database as it is, not of the answer's block. */
  deliveries: DataLoader<DeliveryRange, Paged<Delivery>, string>
}

/** The contexts of executions that share a reading. */
export type ContextOf = (errand: Errand) => GraphContext

/** Executions whose lists are read together: alone each would cost a statement more, and many would wait for each other. */
const LISTS_TOGETHER = 4

/** Prisma as the reading reads: over the pool, or on the connection of its snapshot, where there is nothing to disconnect. */
function createPrisma({ database, prisma }: GraphParts, reading: Reading): () => PrismaClient {
  let own: PrismaClient | undefined
  return () => {
    const source = own ? undefined : reading.source()
    if (source === database.requestPool) return prisma
    if (source) own = openPrisma({ requestPool: source })
    return own ?? prisma
  }
}

/** New ones for each reading, since loaders keep what they read. */
export function createContexts(parts: GraphParts, reading: Reading): ContextOf {
  const { database, alerts, clock } = parts
  const prismaOfReading = createPrisma(parts, reading)
  const loaders = createLoaders(reading)
  const deliveries = new DataLoader((ranges: readonly DeliveryRange[]) => readDeliveries(database, ranges), {
    cacheKeyFn: ({ alertId, page, limit }: DeliveryRange) => `${alertId} ${page} ${limit}`,
  })
  let lists = createLists(reading, loaders)
  let room = LISTS_TOGETHER
  return ({ caller, newAlertId }) => {
    if (room === 0) {
      lists = createLists(reading, loaders)
      room = LISTS_TOGETHER
    }
    room -= 1
    return {
      database,
      get prisma() {
        return prismaOfReading()
      },
      alerts,
      clock,
      caller,
      newAlertId,
      reading,
      loaders,
      lists,
      deliveries,
    }
  }
}
