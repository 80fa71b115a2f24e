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
  prisma: PrismaClient
  close(): Promise<void>
}

/** Opens lazily: the first statement connects. `size` is the number of connections at most. */
export function openDatabase(url: string, { size = 10 }: { size?: number } = {}): Database {
  const pool = new pg.Pool({ connectionString: url, max: size, types, application_name: 'assay' })
  // A connection that dies while idle is replaced by the next query; without a listener it would end the process.
  pool.on('error', () => {})
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) })
  return {
    pool,
    prisma,
    close: async () => {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}
