// A graph over a test's database that runs documents and counts their SQL statements.
import type { Caller } from '../../src/access/guard.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import type { BoardFeed } from '../../src/board/feed.ts'
import { openPrisma, type PrismaClient } from '../../src/database/prisma.ts'
import { createGraph } from '../../src/graph/http/graph.ts'
import { createHead, type HeadWatch } from '../../src/ledger/head.ts'
import type { Log } from '../../src/telemetry/log.ts'
import { openBoard } from './board.ts'
import type { TestDatabase } from './database.ts'

const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** The graph with its head, and `count`: the number of statements that a run sent to the pool. */
export async function openGraph(
  database: TestDatabase,
  watch?: HeadWatch,
  extend = (prisma: PrismaClient): PrismaClient => prisma,
  given?: BoardFeed,
  clock: Clock = systemClock,
) {
  const head = watch ?? (await createHead(database, systemClock))
  const board = given ?? (await openBoard(database, head))
  let statements = 0
  const pool = new Proxy(database.pool, {
    get: (target, name) => {
      // A statement of a reading takes a connection of its own.
      if (name === 'query' || name === 'connect') statements += 1
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const graph = createGraph({
    database: { ...database, pool, requestPool: pool },
    // Over the pool that counts, which stays open without it.
    prisma: extend(openPrisma({ requestPool: pool })),
    head,
    clock,
    log: SILENT,
    board,
  })
  const count = async (run: () => Promise<unknown>) => {
    const before = statements
    await run()
    return statements - before
  }
  return { ...graph, head, count }
}

/** A charge that records its additions. */
export function fakeCharge() {
  const added: number[] = []
  return {
    limits: [],
    remaining: { minute: null, day: null },
    get requests() {
      return added.reduce((sum, requests) => sum + requests, 1)
    },
    add: async (requests: number) => void added.push(requests),
    refund: async () => {},
    added,
  }
}

export const SOMEBODY: Caller = {
  accountId: 1,
  keyId: 1,
  email: 'somebody@example.com',
  plan: 'pro',
  requestsPerMinute: null,
  requestsPerDay: null,
}
