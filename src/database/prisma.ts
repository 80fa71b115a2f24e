// Prisma over a database's connections for requests. A file of its own, since Prisma takes a tenth of a second to load, and only
// the graph needs it.
import { PrismaPg } from '@prisma/adapter-pg'
import type { Database } from './client.ts'
import { PrismaClient } from './generated/client.ts'

export type { PrismaClient }

/** Disconnect it before the database is closed. */
export const openPrisma = ({ requestPool }: Pick<Database, 'requestPool'>): PrismaClient =>
  new PrismaClient({ adapter: new PrismaPg(requestPool, { disposeExternalPool: false }) })
