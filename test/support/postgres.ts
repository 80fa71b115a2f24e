// One PostgreSQL for the whole run, with one migrated template that each test file clones: TEST_DATABASE_URL's, or an
// embedded one in a folder of its own that needs no disk to be safe.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/ledger/embedded.ts'
import { migrate } from '../../src/ledger/migrate.ts'
import { createLog } from '../../src/telemetry/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    template: string
  }
}

/** Everything here is thrown away: nothing needs to reach the disk. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  try {
    const template = `assay_template_${process.pid}`
    await run(server.url, `CREATE DATABASE ${template}`)
    await fill(server.url, template)
    project.provide('postgresUrl', server.url)
    project.provide('template', template)
    return async () => {
      await run(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`).catch(() => {})
      await server.stop()
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-test-'))
  // The folder is closed to others; the server, which may run as another user, has to pass through it.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  const server = await startEmbedded({ dataDir, log: createLog({ level: 'warn', pretty: true }), settings: SETTINGS })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

async function fill(url: string, template: string): Promise<void> {
  const target = new URL(url)
  target.pathname = template
  const pool = new pg.Pool({ connectionString: target.href })
  await migrate(pool).finally(() => pool.end())
}
