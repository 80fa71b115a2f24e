// Prisma over the connections for requests. A separate file, because Prisma takes 0.1 s to load and only the graph
// needs it.
import { PrismaPg } from '@prisma/adapter-pg'
import type { Database } from './client.ts'
import { divertPool, type Send, sendingWith } from './diverted-pool.ts'
import { PrismaClient } from './generated/client.ts'

export type { PrismaClient }

/**
 * Disconnect the client before the database is closed. It is created at its first query, because each one takes 13 MB
 * and many processes never query.
 */
export function openPrisma({ requestPool, schema }: Pick<Database, 'requestPool' | 'schema'>): PrismaClient {
  // Prisma names the schema of each table.
  const options = { disposeExternalPool: false, ...(schema && { schema }) }
  let made: PrismaClient | undefined
  const client = () => (made ??= new PrismaClient({ adapter: new PrismaPg(divertPool(requestPool), options) }))
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

/**
 * The same client, with its statements sent in this way; transactions have their own connection. Creating a client by
 * Prisma's `$extends` takes as long as a query.
 */
export function sendPrismaWith(prisma: PrismaClient, send: Send): PrismaClient {
  const direct = (call: unknown) =>
    typeof call === 'function' ? (...given: unknown[]) => sendingWith(send, async () => call(...given)) : call
  return watchGets(prisma, (name, part) => {
    if (name === '$queryRaw') return direct(part)
    return typeof part === 'object' && part !== null && /^[a-z]/.test(name)
      ? watchGets(part, (_, call) => direct(call))
      : part
  })
}

/** The object with properties converted by `toShown`. */
const watchGets = <Whole extends object>(whole: Whole, toShown: (name: string, value: unknown) => unknown): Whole =>
  new Proxy(whole, { get: (target, name) => toShown(String(name), Reflect.get(target, name)) })
