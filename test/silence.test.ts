// Jobs on a network that falls silent without closing connections: each recovers by itself and loses nothing.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSmtpMailer } from '../src/alerts/email.ts'
import { systemClock } from '../src/base/clock.ts'
import { readConfig } from '../src/base/config.ts'
import { createChainReader } from '../src/chain/contracts/contracts.ts'
import { loadPreset } from '../src/chain/presets/presets.ts'
import { createReplay } from '../src/chain/replay/replay.ts'
import { createRpc } from '../src/chain/rpc/rpc.ts'
import { createSource } from '../src/chain/source/source.ts'
import { type Database, openDatabase } from '../src/database/client.ts'
import { createIndexer } from '../src/indexing/indexer.ts'
import { createAlertRows } from '../src/ledger/account/alert.ts'
import { createWriter } from '../src/ledger/write/writer.ts'
import { startAlerting } from '../src/roles/alerts.ts'
import { createSummaryModel } from '../src/scoring/summary-model.ts'
import { FIRST_BUYS } from '../src/scoring/weights.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { silentLog } from './support/access.ts'
import { createTestDatabase } from './support/database.ts'
import { demoRecording } from './support/demo.ts'
import { type Gate, startGate } from './support/gate.ts'
import { seedCaller, seedLedger } from './support/seed.ts'

const HASTE = { patience: { silentMs: 300, answerMs: 400 } }
const UNTIL = 270
const recording = demoRecording()

const readEvents = async ({ pool }: Pick<Database, 'pool'>) =>
  (await pool.query(`SELECT count(*)::int AS events, md5(string_agg(e::text, '' ORDER BY n)) AS rows FROM event e`))
    .rows

/** Indexes the first blocks of the demo chain; `onCall` runs at each contract call. Returns the warnings. */
async function index(database: Database, onCall: () => void = () => {}): Promise<unknown[]> {
  const replay = createReplay(recording, { head: () => UNTIL })
  const clock = systemClock
  const endpoint = {
    name: 'node',
    send: (calls: Parameters<typeof replay.send>[0]) => {
      if (calls[0]?.method === 'eth_call') onCall()
      return replay.send(calls)
    },
  }
  const rpc = createRpc({ endpoints: [endpoint], clock, chainId: recording.chainId })
  const preset = loadPreset(recording.chainId)
  const warnings: unknown[] = []
  const warn = (...said: unknown[]) => void warnings.push(said[1])
  await createIndexer({
    database,
    clock,
    metrics: createMetrics(),
    log: { ...silentLog, warn },
    signal: new AbortController().signal,
    source: createSource({ rpc, preset, clock }),
    createWriter: (lock) =>
      createWriter({ lock, reader: createChainReader(rpc, preset), preset, firstBuys: FIRST_BUYS }),
    rescore: { run: async () => ({ tokens: 0, wallets: 0, isLeft: false }), forget: () => {} },
    startBlock: undefined,
    until: UNTIL,
    reindexFrom: undefined,
    onProgress: () => {},
  }).run()
  return warnings
}

const gates: Gate[] = []
const openGate = async (url: string) => {
  const gate = await startGate(url)
  gates.push(gate)
  return gate
}
afterAll(() => {
  for (const gate of gates) gate.cut()
})

test('an indexer whose database falls silent during a batch warns, recovers, and loses nothing', async () => {
  const [straight, shaken] = [await createTestDatabase(), await createTestDatabase()]
  await index(straight)
  const gate = await openGate(shaken.url)
  const database = openDatabase(gate.url, HASTE)
  let calls = 0
  const running = index(database, () => {
    calls += 1
    if (calls === 3) gate.hold()
  })
  await expect.poll(() => calls).toBeGreaterThan(2)
  // The indexer has given up its connections and opens no new one: now the network comes back.
  await expect.poll(() => database.writePool.totalCount).toBe(0)
  gate.resume()
  expect(new Set(await running)).toEqual(new Set(['the database is unavailable; retrying']))
  const events = await readEvents(straight)
  expect(events[0].events).toBeGreaterThan(30)
  expect(await readEvents(shaken)).toEqual(events)
  await database.close()
})

test('alerts whose database falls silent log each outage once, recover, and send what matched', async () => {
  const straight = await createTestDatabase()
  await seedLedger(straight.pool)
  const owner = await seedCaller(straight.pool, 'pro')
  const gate = await openGate(straight.url)
  const database = openDatabase(gate.url, HASTE)
  const folder = mkdtempSync(join(tmpdir(), 'assay-silence-'))
  const told: string[] = []
  const tell = (_fields: unknown, message: string) => void told.push(message)
  const alerting = await startAlerting({
    config: readConfig({ DATA_DIR: folder }),
    log: { ...silentLog, warn: tell, info: tell } as typeof silentLog,
    clock: systemClock,
    ledger: { database, url: gate.url, migrated: [], close: database.close },
    address: 'http://127.0.0.1:1',
  })
  try {
    gate.hold()
    await createAlertRows(straight.prisma, systemClock).create(owner, { name: 'Any', conditions: {} }, null)
    await expect.poll(() => told).toContain('the database is unavailable; retrying')
    gate.resume()
    const mails = () => readdirSync(join(folder, 'mail')).filter((name) => name.endsWith('.eml'))
    await expect.poll(() => told).toContain('the database answers again')
    await expect.poll(() => mails().length).toBe(1)
    // One line when an outage begins and one when it ends, never the same line twice in a row.
    const lines = told.filter((line) => line.startsWith('the database'))
    expect(lines.filter((line, at) => line === lines[at - 1])).toEqual([])
    expect(told.filter((line) => line.includes('sweep') || line.includes('sending'))).toEqual([])
  } finally {
    await alerting.stop()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a mail server and a summary model that accept a connection but do not answer time out', async () => {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'a@b.example', timeoutMs: 200 })
  const mail = {
    to: 'c@d.example',
    id: 'x',
    unsubscribe: 'http://x',
    date: new Date(0),
    subject: 's',
    text: 't',
    html: 'h',
  }
  expect(await mailer.send(mail)).toMatchObject({ status: 'failed' })
  mailer.close()
  const model = createSummaryModel({ url: `http://127.0.0.1:${port}`, model: 'm', timeoutMs: 200 })
  await expect(model.ask('brief')).rejects.toThrow(/timeout/)
  server.close()
})
