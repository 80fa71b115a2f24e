// SIGTERM at bad moments, to real processes: each exits with 0 within 5 s, whatever it is waiting for. All are started
// together and ended one by one.
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Running, readBlock, startProgram } from './program.ts'
import { type StormSource, startStormSource } from './source.ts'

const WITHIN_MS = 5_000
const HEAD = 100

interface Stage {
  source: StormSource
  database: TestDatabase
  program: Running
  /** Resolves at the provider's first request. */
  asked: Promise<void>
  /** Starts another program on the same source and database. */
  start(): Running
}

/** Starts a provider, a database, and a program that indexes one into the other. */
async function setStage({ isSilent = false } = {}): Promise<Stage> {
  const [source, database] = [await startStormSource(), await createTestDatabase()]
  source.release(HEAD, HEAD)
  if (isSilent) source.silence()
  const start = () => startProgram(['index', '--until', '5000'], { RPC_URL: source.url, DATABASE_URL: database.url })
  return { source, database, asked: source.asked(), program: start(), start }
}

const [hanging, locked, scoring, doubled, deaf] = await Promise.all([
  setStage(),
  setStage(),
  setStage(),
  setStage(),
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
  expect.poll(() => readBlock(database.pool)).toBeGreaterThanOrEqual(block)

/** Waits until a session of the stage's database waits for a lock. */
const waits = ({ database }: Stage) =>
  expect
    .poll(async () => {
      const asked = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      return (await database.pool.query(asked)).rowCount
    })
    .toBeGreaterThan(0)

test('SIGTERM ends the program while no provider answers at startup', async () => {
  await deaf.asked
  await expectToEnd(deaf.program)
})

test('SIGTERM ends a backfill from a provider that accepts requests and answers none', async () => {
  await reaches(hanging, HEAD)
  hanging.source.release(3_000, 3_000)
  await reaches(hanging, HEAD + 1)
  hanging.source.silence()
  await hanging.source.asked()
  await expectToEnd(hanging.program)
})

test('SIGTERM ends the indexer while a batch waits for a locked table', async () => {
  await reaches(locked, HEAD)
  const holder = await lockTables(locked.database, 'token')
  locked.source.release(200, 200)
  await waits(locked)
  await expectToEnd(locked.program)
  await holder.end()
})

test('SIGTERM ends the indexer while scores are written', async () => {
  await reaches(scoring, HEAD)
  const holder = await lockTables(scoring.database, 'token_score, wallet_score')
  scoring.source.release(200, 200)
  await waits(scoring)
  await expectToEnd(scoring.program)
  await holder.end()
})

test('SIGTERM ends an indexer that waits for another one, and an indexer at the head', async () => {
  await reaches(doubled, HEAD)
  const second = doubled.start()
  await expect.poll(second.complaints).toMatch(/waits to take over/)
  await expectToEnd(second)
  await expectToEnd(doubled.program)
})

test('SIGTERM ends the program while the database accepts the connection and answers nothing', async () => {
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
