// A database that fails under the running program: the server is killed, or it cannot be reached for a while.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readPostmaster } from '../../src/database/embedded/postmaster.ts'
import { openLedger } from '../../src/database/open.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createTestDatabase } from '../support/database.ts'
import { startGate } from '../support/gate.ts'
import { findDifferences, type Picture, takePicture } from './picture.ts'
import { indexTo, readBlock, startProgram } from './program.ts'
import { type StormSource, startStormSource } from './source.ts'

const UNTIL = 240
const PATIENCE = { timeout: 40_000 }

let source: StormSource
let straight: Picture
const folders: string[] = []

beforeAll(async () => {
  source = await startStormSource()
  const database = await createTestDatabase()
  source.release(UNTIL, UNTIL)
  await indexTo(UNTIL, { RPC_URL: source.url, DATABASE_URL: database.url })
  straight = await takePicture(database)
})
afterAll(() => {
  source.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('the indexer waits for an unreachable database, and a signal ends the wait', async () => {
  const database = await createTestDatabase()
  const gate = await startGate(database.url)
  source.release(100, 100)
  const program = startProgram(['index', '--until', String(UNTIL)], { RPC_URL: source.url, DATABASE_URL: gate.url })
  await expect.poll(() => readBlock(database.pool), PATIENCE).toBe(100)
  gate.cut()
  source.release(170, 170)
  await expect.poll(program.complaints, PATIENCE).toMatch(/the database is unavailable; retrying/)
  await gate.open()
  await expect.poll(() => readBlock(database.pool), PATIENCE).toBe(170)
  gate.cut()
  source.release(UNTIL, UNTIL)
  await expect.poll(() => program.complaints().match(/database is unavailable/g)?.length, PATIENCE).toBeGreaterThan(2)
  const startedMs = performance.now()
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(5_000)
}, 120_000)

test('an embedded server that is killed under all roles is restarted, and no data is lost', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-storm-'))
  folders.push(dataDir)
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  source.release(0, UNTIL)
  const program = startProgram(['serve'], { RPC_URL: source.url, DATA_DIR: dataDir, PORT: '0' })
  const postmaster = () => readPostmaster(join(dataDir, 'postgres', 'data'))?.pid ?? 0
  const log = createLog({ level: 'silent', pretty: false })
  const open = () => openLedger({ databaseUrl: undefined, dataDir, log, clock: systemClock, size: 2 })
  await expect.poll(program.complaints, PATIENCE).toMatch(/./)
  for (const [block, signal] of [
    [40, 'SIGKILL'],
    [130, 'SIGQUIT'],
  ] as const) {
    const watching = await open()
    await expect.poll(() => readBlock(watching.database.pool), PATIENCE).toBeGreaterThan(block)
    await watching.close()
    process.kill(postmaster(), signal)
  }
  source.release(UNTIL, UNTIL)
  const ledger = await open()
  const { pool } = ledger.database
  const due = async () =>
    (await pool.query('SELECT FROM score_due WHERE due_at <= (SELECT max(time) FROM block)')).rowCount
  await expect.poll(() => readBlock(pool), PATIENCE).toBe(UNTIL)
  await expect.poll(due, PATIENCE).toBe(0)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  const picture = await takePicture(ledger.database).finally(ledger.close)
  expect(findDifferences(straight, picture)).toEqual([])
}, 120_000)
