// A guard over a test database, with a clock that only tests move, and keys to call it with.
import { type Access, createAccess } from '../../src/access/access.ts'
import { createKeyring, type KeyTerms } from '../../src/access/keyring.ts'
import { connectRedis } from '../../src/access/redis.ts'
import { createTestClock, type TestClock } from './clock.ts'
import type { TestDatabase } from './database.ts'

export const silentLog = { debug() {}, info() {}, warn() {}, error() {} }

export interface TestAccess extends Access {
  clock: TestClock
  /** Creates a key and returns its Authorization header. */
  knock(terms?: Partial<KeyTerms>): Promise<{ id: number; key: string; authorization: string }>
}

let accounts = 0

/** With `redisUrl`, the rate-limit windows are kept in Redis. */
export function createTestAccess(database: TestDatabase, redisUrl?: string): TestAccess {
  const clock = createTestClock('2026-03-05T12:00:30Z')
  const keyring = createKeyring(database.pool, clock)
  return {
    ...createAccess({
      pool: database.pool,
      connectRedis: redisUrl === undefined ? undefined : (on) => connectRedis(redisUrl, on),
      clock,
      log: silentLog,
    }),
    clock,
    knock: async (terms = {}) => {
      accounts += 1
      const made = await keyring.create({ email: `k${process.pid}-${accounts}@example.com`, plan: 'free', ...terms })
      return { ...made, authorization: `Bearer ${made.key}` }
    },
  }
}
