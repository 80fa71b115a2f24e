// One pool of connections to PostgreSQL, shared by hand-written statements and by Prisma.
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from './generated/client.ts'

// 64-bit integers here are counters far below 2^53: read them as numbers. Numeric stays text: raw amounts need bigint.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export interface Database {
  /** For hot statements: named prepared ones through `pool.query({ name, text, values })`. */
  pool: pg.Pool
  /** For the writer's transactions: their statements travel together, without waiting for each other's answers. */
  writePool: pg.Pool
  /** For statements that answers are read with: a named one is planned once per connection, whatever its values. */
  readPool: pg.Pool
  prisma: PrismaClient
  close(): Promise<void>
}

// Left to itself PostgreSQL plans a prepared look-up anew each time: one of a single key looks cheaper than the usual ten.
// Planning takes longer than the look-up. Rows are mostly in memory, so an index costs little more than reading in order.
const PLAN_ONCE = `SET plan_cache_mode = force_generic_plan; SET random_page_cost = 1.1; SET jit = off`

// Not in the driver's types yet. `onConnect` is waited for before a statement gets the connection.
const PIPELINE = { pipeline: true }
const PREPARE = { onConnect: (client: pg.Client) => client.query(PLAN_ONCE) }

/** A server that says nothing for so long is asked whether it is still there: a machine that vanished says nothing at all. */
const ALIVE_AFTER_MS = 10_000

/** Opens lazily: the first statement connects. `size` is the number of connections at most, and half as many for reading. */
export function openDatabase(url: string, { size = 10 }: { size?: number } = {}): Database {
  const options = {
    connectionString: url,
    types,
    application_name: 'assay',
    keepAlive: true,
    keepAliveInitialDelayMillis: ALIVE_AFTER_MS,
  }
  const pool = new pg.Pool({ ...options, max: size })
  const writePool = new pg.Pool({ ...options, ...PIPELINE, max: size })
  const readPool = new pg.Pool({ ...options, ...PREPARE, max: Math.max(Math.ceil(size / 2), 1) })
  for (const each of [pool, writePool, readPool]) ignoreBreaks(each)
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) })
  return {
    pool,
    writePool,
    readPool,
    prisma,
    close: async () => {
      await prisma.$disconnect()
      await Promise.all([pool.end(), writePool.end(), readPool.end()])
    },
  }
}

/** A connection that breaks ends the statement at hand and is replaced; without listeners, between two statements of a transaction too, it would end the process. */
function ignoreBreaks(pool: pg.Pool): void {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}
