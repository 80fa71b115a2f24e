// One PostgreSQL for the whole run, with a migrated template that each test file clones: TEST_DATABASE_URL's server, or
// an embedded one in the run's folder with durability turned off.
import { tmpdir } from 'node:os'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { buildProgram } from './build.ts'
import { openScratch } from './scratch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The end of `CREATE DATABASE x TEMPLATE`. */
    template: string
    /** The same for the demo chain, indexed to its head. The first test file that asks for it makes it: `support/demo.ts`. */
    demoTemplate: string
    /** The same, indexed with stops on the way. */
    stoppedTemplate: string
  }
}

/** All data is temporary, so nothing needs to be flushed to disk. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '500',
  shared_buffers: '128MB',
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The created resources, in order; they are removed from the last to the first, even after a failure.
  const undo: (() => void | Promise<void>)[] = []
  const tearDown = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    undo.push(await openScratch())
    const server = await startServer()
    undo.push(server.stop)
    undo.push(await buildProgram())
    const template = `assay_template_${process.pid}`
    await run(server.url, `CREATE DATABASE ${template}`)
    const made = [`${template}_demo`, `${template}_stopped`]
    for (const name of [template, ...made, ...made.map((each) => `${each}_unready`)])
      undo.push(() => run(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => {}))
    await fill(server.url, template)
    project.provide('postgresUrl', server.url)
    project.provide('template', `${template}${server.cloning}`)
    project.provide('demoTemplate', `${template}_demo${server.cloning}`)
    project.provide('stoppedTemplate', `${template}_stopped${server.cloning}`)
    return tearDown
  } catch (error) {
    await tearDown()
    throw error
  }
}

/** `cloning` is how a clone of the template is best made: copying its files is ten times as fast as logging its pages. */
async function startServer(): Promise<{ url: string; cloning: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  // PostgreSQL 14 knows no other way and not the word.
  if (given) return { url: given, cloning: '', stop: async () => {} }
  const log = createLog({ level: 'warn', pretty: true })
  return { ...(await startEmbedded({ dataDir: tmpdir(), log, settings: SETTINGS })), cloning: ' STRATEGY file_copy' }
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
