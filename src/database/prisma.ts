// Prisma over the connections for requests. A separate file, because Prisma takes 0.1 s to load and only the graph
// needs it.
import { PrismaPg } from '@prisma/adapter-pg'
import type { Database } from './client.ts'
import { PrismaClient } from './generated/client.ts'

export type { PrismaClient }

/**
 * Disconnect the client before the database is closed. It is made when it is first asked for something, since each one keeps 13 MB and
 * many processes never ask.
 */
export function openPrisma({ requestPool }: Pick<Database, 'requestPool'>): PrismaClient {
  let made: PrismaClient | undefined
  const client = () =>
    (made ??= new PrismaClient({ adapter: new PrismaPg(requestPool, { disposeExternalPool: false }) }))
  const disconnect = async () => made?.$disconnect()
  return new Proxy({} as PrismaClient, {
    get: (_, name) => {
      if (name === '$disconnect') return disconnect
      const target = client()
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
    has: (_, name) => Reflect.has(client(), name),
  })
}
