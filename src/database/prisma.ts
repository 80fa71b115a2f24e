// Prisma over the connections for requests. A separate file, because Prisma takes 0.1 s to load and only the graph
// needs it.
import { PrismaPg } from '@prisma/adapter-pg'
import type { Database } from './client.ts'
import { divertPool, type Send, sendingWith } from './diverted-pool.ts'
import { PrismaClient } from './generated/client.ts'

export type { PrismaClient }

/** Disconnect the client before the database is closed. */
export const openPrisma = ({ requestPool }: Pick<Database, 'requestPool'>): PrismaClient =>
  new PrismaClient({ adapter: new PrismaPg(divertPool(requestPool), { disposeExternalPool: false }) })

/** The same client, whose statements are sent in this way; transactions have a connection of their own. */
export const sendPrismaWith = (prisma: PrismaClient, send: Send): PrismaClient =>
  prisma.$extends({
    query: { $allOperations: ({ args, query }) => sendingWith(send, () => query(args)) },
  }) as unknown as PrismaClient
