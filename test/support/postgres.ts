// One PostgreSQL for the whole run, with a migrated template that each test file clones: TEST_DATABASE_URL's server, or
// an embedded one in its own folder with durability turned off.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { systemClock } from '../../src/base/clock.ts'
import { findBinaries } from '../../src/database/embedded/binaries.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { shutDown } from '../../src/database/embedded/postmaster.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { buildProgram } from './build.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    template: string
  }
}

/** All data is temporary, so nothing needs to be flushed to disk. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  const removeBuild = await buildProgram()
  try {
    const template = `assay_template_${process.pid}`
    await run(server.url, `CREATE DATABASE ${template}`)
    await fill(server.url, template)
    project.provide('postgresUrl', server.url)
    project.provide('template', template)
    return async () => {
      await run(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`).catch(() => {})
      removeBuild()
      await server.stop()
    }
  } catch (error) {
    removeBuild()
    await server.stop()
    throw error
  }
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  await sweep()
  const dataDir = mkdtempSync(join(tmpdir(), `assay-test-${process.pid}-`))
  // The server may run as another user, which must be able to enter this closed folder.
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

/** Stops servers left over from killed runs, and removes their folders. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^assay-test-(\d+)-/.exec(name)?.[1])
    if (!pid || isAlive(pid)) continue
    const folder = join(tmpdir(), name)
    const { pgCtl } = findBinaries()
    await shutDown(join(folder, 'postgres', 'data'), { pgCtl, clock: systemClock, timeoutMs: 5_000 })
    rmSync(folder, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
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
