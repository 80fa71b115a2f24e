// SIGTERM at bad moments, to real processes: each ends with 0 within 5 s, whatever it waits for. All are started at once, and
// ended one after another.
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Running, readBlock, startProgram } from './program.ts'
import { type StormSource, startStormSource } from './source.ts'

const WITHIN_MS = 5_000
const PATIENCE = { timeout: 30_000 }
const HEAD = 100

interface Stage {
  source: StormSource
  database: TestDatabase
  program: Running
  /** The provider's first question. */
  asked: Promise<void>
  /** Another one like it. */
  start(): Running
}

/** A provider, a database, and the program that indexes the one into the other. */
async function setStage({ isSilent = false } = {}): Promise<Stage> {
  const [source, database] = [await startStormSource(), await createTestDatabase()]
  source.release(HEAD, HEAD)
  if (isSilent) source.silence()
  const start = () => startProgram(['index', '--until', '5000'], { RPC_URL: source.url, DATABASE_URL: database.url })
  return { source, database, asked: source.asked(), program: start(), start }
}

const [hanging, locked, scoring, doubled, deaf] = await Promise.all([
  ...[setStage(), setStage(), setStage(), setStage()],
  setStage({ isSilent: true }),
] as const)
afterAll(() => {
  for (const { source } of [hanging, locked, scoring, doubled, deaf]) source.close()
})

async function expectToEnd({ child, ended, complaints }: Running): Promise<void> {
  const startedMs = performance.now()
  child.kill('SIGTERM')
  const code = await ended
  expect([code, complaints()]).toEqual([0, expect.not.stringMatching(/should not|"level":"error"/)])
  expect(performance.now() - startedMs).toBeLessThan(WITHIN_MS)
}

/** Locks tables in a session of its own. */
async function lockTables({ url }: TestDatabase, tables: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`)
  return client
}

const reaches = ({ database }: Stage, block: number) =>
  expect.poll(() => readBlock(database.pool), PATIENCE).toBeGreaterThanOrEqual(block)

/** Somebody waits for a table of the stage's database. */
const waits = ({ database }: Stage) =>
  expect
    .poll(async () => {
      const asked = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      return (await database.pool.query(asked)).rowCount
    }, PATIENCE)
    .toBeGreaterThan(0)

test('while no provider answers at the start', async () => {
  await deaf.asked
  await expectToEnd(deaf.program)
})

test('in a backfill from a provider that takes questions and answers none', async () => {
  await reaches(hanging, HEAD)
  hanging.source.release(3_000, 3_000)
  await reaches(hanging, HEAD + 1)
  hanging.source.silence()
  await hanging.source.asked()
  await expectToEnd(hanging.program)
})

test('while a batch waits for a table', async () => {
  await reaches(locked, HEAD)
  const holder = await lockTables(locked.database, 'token')
  locked.source.release(200, 200)
  await waits(locked)
  await expectToEnd(locked.program)
  await holder.end()
})

test('while scores are computed', async () => {
  await reaches(scoring, HEAD)
  const holder = await lockTables(scoring.database, 'token_score, wallet_score')
  scoring.source.release(200, 200)
  await waits(scoring)
  await expectToEnd(scoring.program)
  await holder.end()
})

test('while it waits for another indexer, and at the head', async () => {
  await reaches(doubled, HEAD)
  const second = doubled.start()
  await expect.poll(second.complaints, PATIENCE).toMatch(/waits to take over/)
  await expectToEnd(second)
  await expectToEnd(doubled.program)
})

test('while a database takes the connection and answers nothing', async () => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => mute.once('listening', resolve))
  const connected = new Promise((resolve) => mute.once('connection', resolve))
  const { port } = mute.address() as AddressInfo
  const program = startProgram(['index'], {
    RPC_URL: doubled.source.url,
    DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c`,
  })
  await connected
  await expectToEnd(program)
  mute.close()
})
