// A database that fails under the running program: the server is killed, or it cannot be reached for a while.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
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
  await expect.poll(() => readBlock(database.pool)).toBe(100)
  gate.cut()
  source.release(170, 170)
  await expect.poll(program.complaints).toMatch(/the database is unavailable; retrying/)
  await gate.open()
  await expect.poll(() => readBlock(database.pool)).toBe(170)
  await expect.poll(program.complaints).toMatch(/the database answers again/)
  gate.cut()
  source.release(UNTIL, UNTIL)
  await expect.poll(() => program.complaints().match(/database is unavailable/g)?.length).toBe(2)
  const startedMs = performance.now()
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(5_000)
})

/** Asks in every way that reads the database, until the program ends. Returns the statuses of failures. */
async function askOn({ answers, ended }: ReturnType<typeof startProgram>, key: string): Promise<Set<number>> {
  const failures = new Set<number>()
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  const base = () => /REST +(http:\S+)\/v1/.exec(answers())?.[1]
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query: '{ alerts(first: 1) { total } }' })
  while (!isOver) {
    const asked = [
      fetch(`${base()}/graphql`, { method: 'POST', headers, body }),
      fetch(`${base()}/v1/events?limit=1`, { headers }),
      fetch(`${base()}/v1/alerts`, { headers }),
    ]
    for (const answer of await Promise.allSettled(asked))
      if (answer.status === 'fulfilled' && answer.value.status >= 500) failures.add(answer.value.status)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return failures
}

test('an embedded server that is killed under all roles is restarted, no data is lost, and the log tells it in two lines', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-storm-'))
  folders.push(dataDir)
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  source.release(0, UNTIL)
  const program = startProgram(['serve'], { RPC_URL: source.url, DATA_DIR: dataDir, PORT: '0', ACCESS_LOG: 'none' })
  const postmaster = () => readPostmaster(join(dataDir, 'postgres', 'data'))?.pid ?? 0
  const log = createLog({ level: 'silent', pretty: false })
  const open = () => openLedger({ databaseUrl: undefined, dataDir, log, clock: systemClock, size: 2 })
  await expect.poll(program.complaints).toMatch(/./)
  await expect.poll(program.answers).toMatch(/REST/)
  const first = await open()
  const { key } = await createKeyring(first.database.pool, systemClock).create({ email: 'a@b.example', plan: 'api' })
  await first.close()
  const asking = askOn(program, key)
  const told = (sentence: string) => program.complaints().split(sentence).length - 1
  let restarts = 0
  for (const [block, signal] of [
    [40, 'SIGKILL'],
    [130, 'SIGQUIT'],
  ] as const) {
    const watching = await open()
    await expect.poll(() => readBlock(watching.database.pool)).toBeGreaterThan(block)
    await watching.close()
    process.kill(postmaster(), signal)
    restarts += 1
    await expect.poll(() => told('the database answers again')).toBe(restarts)
  }
  source.release(UNTIL, UNTIL)
  const ledger = await open()
  const { pool } = ledger.database
  const due = async () =>
    (await pool.query('SELECT FROM score_due WHERE due_at <= (SELECT max(time) FROM block)')).rowCount
  await expect.poll(() => readBlock(pool)).toBe(UNTIL)
  await expect.poll(due).toBe(0)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect([...(await asking)]).toEqual([503])
  const linesWith = (text: string) =>
    program
      .complaints()
      .split('\n')
      .filter((line) => line.includes(text))
  const outages = linesWith('the database is unavailable; retrying')
  expect(outages.length, outages.join('\n')).toBe(restarts)
  expect(linesWith('"stack"')).toEqual([])
  const picture = await takePicture(ledger.database).finally(ledger.close)
  expect(findDifferences(straight, picture)).toEqual([])
})
