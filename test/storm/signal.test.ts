// SIGTERM at bad moments, to real processes: each ends with 0 within 5 s, whatever it waits for.
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Running, readBlock, startProgram } from './program.ts'
import { type StormSource, startStormSource } from './source.ts'

const WITHIN_MS = 5_000
const PATIENCE = { timeout: 30_000 }

let source: StormSource
const silent: StormSource[] = []
beforeAll(async () => {
  source = await startStormSource()
  source.release(300, 300)
})
afterAll(() => {
  for (const each of [source, ...silent]) each.close()
})

/** A database, and the program that indexes the source into it. */
async function startIndexing(from = source) {
  const database = await createTestDatabase()
  const start = () => startProgram(['index', '--until', '5000'], { RPC_URL: from.url, DATABASE_URL: database.url })
  return { database, start, program: start() }
}

async function expectToEnd({ child, ended, complaints }: Running): Promise<void> {
  const startedMs = performance.now()
  child.kill('SIGTERM')
  expect([await ended, complaints()]).toEqual([0, expect.not.stringMatching(/should not|"level":"error"/)])
  expect(performance.now() - startedMs).toBeLessThan(WITHIN_MS)
}

/** Takes a lock of a table, or the writer's, in a session of its own until the test is over. */
async function hold({ url }: TestDatabase, statement: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query('BEGIN')
  await client.query(statement)
  return client
}

const reaches = (database: TestDatabase, block: number) =>
  expect.poll(() => readBlock(database.pool), PATIENCE).toBeGreaterThanOrEqual(block)

test.concurrent('in a backfill from a provider that takes questions and answers none', async () => {
  const provider = await startStormSource()
  silent.push(provider)
  provider.release(300, 300)
  const { database, program } = await startIndexing(provider)
  await reaches(database, 20)
  provider.silence()
  await provider.asked()
  await expectToEnd(program)
})

test.concurrent('while a batch waits for a lock in the database', async () => {
  const provider = await startStormSource()
  silent.push(provider)
  provider.release(100, 100)
  const { database, program } = await startIndexing(provider)
  await reaches(database, 100)
  const holder = await hold(database, 'LOCK TABLE token IN ACCESS EXCLUSIVE MODE')
  provider.release(200, 200)
  await waits(database)
  await expectToEnd(program)
  await holder.end()
})

test.concurrent('while scores are computed', async () => {
  const { database, program } = await startIndexing()
  const holder = await holdWhenThere(database, 'LOCK TABLE token_score, wallet_score IN ACCESS EXCLUSIVE MODE')
  await waits(database)
  await expectToEnd(program)
  await holder.end()
})

test.concurrent('while it waits for another indexer', async () => {
  const { database, program, start } = await startIndexing()
  await reaches(database, 300)
  const second = start()
  await expect.poll(second.complaints, PATIENCE).toMatch(/waits to take over/)
  await expectToEnd(second)
  await expectToEnd(program)
})

test.concurrent('while the database takes connections and answers nothing', async () => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => mute.once('listening', resolve))
  const connected = new Promise((resolve) => mute.once('connection', resolve))
  const { port } = mute.address() as AddressInfo
  const program = startProgram(['index'], { RPC_URL: source.url, DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c` })
  await connected
  await expectToEnd(program)
  mute.close()
})

/** Somebody waits for a lock in the database. */
const waits = ({ pool }: TestDatabase) =>
  expect
    .poll(async () => (await pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount, PATIENCE)
    .toBeGreaterThan(0)

async function holdWhenThere(database: TestDatabase, statement: string): Promise<pg.Client> {
  await reaches(database, 1)
  return hold(database, statement)
}
