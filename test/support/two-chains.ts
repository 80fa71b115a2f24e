// The whole program with two chains in one database. The default chain is the demo. The index of the second one is ahead
// of a provider that does not answer.
import { onTestFinished } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { openApp } from '../../src/app.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import type { AppOptions } from '../../src/cli/context.ts'
import { createChainDatabase } from './database.ts'
import { createDemoDatabase } from './demo.ts'
import { makeFolder } from './folder.ts'
import { seedLedger } from './seed.ts'

const CHAINS = 'first=demo,second=http://127.0.0.1:9/secret-key'

/** Fills both indexes. `open` starts a program that ends with the test. */
export async function createTwoChains() {
  const database = await createDemoDatabase()
  const second = await createChainDatabase(database, 'second')
  await seedLedger(second.pool)
  // A demo whose contracts were not checked is not ready.
  await database.pool.query(`UPDATE chain SET checks_off = 'checks_off'`)
  const { key } = await createKeyring(database.pool, systemClock).create({
    email: 'chains@example.com',
    plan: 'api',
    requestsPerMinute: 1_000,
  })
  const open = async (environment: Record<string, string> = {}, more: Partial<AppOptions> = {}) => {
    const lines: unknown[] = []
    const note = (...line: unknown[]) => void lines.push(line)
    const dataDir = makeFolder('chains')
    const app = await openApp({
      config: readConfig({
        DATABASE_URL: database.url,
        PORT: '0',
        DEMO: 'still',
        DATA_DIR: dataDir,
        METRICS_PORT: '0',
        CHAINS,
        ...environment,
      }),
      log: { debug: note, info: note, warn: note, error: note },
      clock: systemClock,
      signal: new AbortController().signal,
      roles: ['api', 'index', 'alerts'],
      onProgress: () => {},
      ...more,
    })
    onTestFinished(app.stop)
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(`${app.address}${path}`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...init,
      })
      // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects.
      return { status: response.status, headers: response.headers, json: (await response.json()) as any }
    }
    return { app, ask, lines, dataDir }
  }
  return { database, second, key, open }
}
