// The kill storm in short; `npm run storm -- kill` runs it in full.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openLedger } from '../../src/database/open.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { runKillStorm } from './kill-storm.ts'
import { findDifferences, type Picture, takePicture } from './picture.ts'
import { indexTo, readBlock, startProgram } from './program.ts'
import { type StormSource, startStormSource } from './source.ts'

const UNTIL = 900
const KILLS = 5

let source: StormSource
let straight: Picture
const folders: string[] = []

beforeAll(async () => {
  source = await startStormSource()
  const database = await createTestDatabase()
  source.release(UNTIL, UNTIL)
  await indexTo(UNTIL, toEnvironment(database))
  straight = await takePicture(database)
  expect(straight.found.event?.length).toBeGreaterThan(100)
})
afterAll(() => {
  source.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const toEnvironment = ({ url }: TestDatabase) => ({ RPC_URL: source.url, DATABASE_URL: url })

test('an indexer killed at random moments leaves the external database of an undisturbed run', async () => {
  const database = await createTestDatabase()
  const report = await runKillStorm({
    source,
    environment: toEnvironment(database),
    kills: KILLS,
    until: UNTIL,
    seed: 7,
    readBlock: () => readBlock(database.pool),
  })
  expect(report.blocks.at(-1)).toBeGreaterThan(0)
  expect(findDifferences(straight, await takePicture(database))).toEqual([])
})

test('an indexer killed at random moments leaves the embedded database of an undisturbed run', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-storm-'))
  folders.push(dataDir)
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  const environment = { RPC_URL: source.url, DATA_DIR: dataDir }
  await runKillStorm({ source, environment, kills: 3, until: UNTIL, seed: 11 })
  const log = createLog({ level: 'silent', pretty: false })
  const ledger = await openLedger({ databaseUrl: undefined, dataDir, log, clock: systemClock, size: 2 })
  const picture = await takePicture(ledger.database).finally(ledger.close)
  expect(findDifferences(straight, picture)).toEqual([])
})

test('of two indexers one works, and the other takes over within 10 s when the first is killed', async () => {
  const database = await createTestDatabase()
  source.release(300, 300)
  const start = () => startProgram(['index', '--until', String(UNTIL)], toEnvironment(database))
  const first = start()
  await expect.poll(() => readBlock(database.pool)).toBe(300)
  const second = start()
  await expect.poll(() => second.complaints()).toMatch(/waits to take over/)
  source.release(300, 400)
  await expect.poll(() => readBlock(database.pool)).toBe(400)
  first.child.kill('SIGKILL')
  expect(await first.ended).toBe(null)
  source.release(UNTIL, UNTIL)
  await expect.poll(() => readBlock(database.pool)).toBeGreaterThan(400)
  expect(await second.ended).toBe(0)
  expect(findDifferences(straight, await takePicture(database))).toEqual([])
})
