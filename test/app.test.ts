// The whole program on the demo chain. It indexes, survives an unavailable database, shares the work between processes,
// and indexes again. It reports in one sentence why it cannot start.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyring } from '../src/access/keyring.ts'
import { openApp } from '../src/app.ts'
import { systemClock } from '../src/base/clock.ts'
import { readConfig } from '../src/base/config.ts'
import type { AppOptions } from '../src/cli/context.ts'
import { acquireWriter } from '../src/database/writer-lock.ts'
import type { Progress } from '../src/indexing/progress.ts'
import { startStormSource } from './storm/source.ts'
import { silentLog } from './support/access.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { createDemoDatabase, demoRecording } from './support/demo.ts'
import { makeFolder } from './support/folder.ts'
import { writeHistoryFiles } from './support/history-files.ts'

/** For a test that indexes twice; a busy machine takes three times as long as a quiet one. */
const INDEX_MS = 90_000
/** Where tests stop that would show nothing else on the whole chain, four times as long. */
const UNTIL = 1_500
const database = await createDemoDatabase()
/** A started program leaves the blocks that its demo has added in the usual folder. */
const DATA_DIR = makeFolder('app')

interface Setup extends Partial<AppOptions> {
  on?: TestDatabase
  environment?: Record<string, string>
}

/** Opens the program on the test's database; it ends with the signal or with `stop`. */
function open({ on = database, environment = {}, ...more }: Setup = {}) {
  return openApp({
    config: readConfig({ DATABASE_URL: on.url, PORT: '0', DEMO: 'still', DATA_DIR, ...environment }),
    log: silentLog,
    clock: systemClock,
    signal: new AbortController().signal,
    roles: ['index'],
    until: 'head',
    onProgress: () => {},
    ...more,
  })
}

async function index(setup: Setup = {}): Promise<void> {
  const app = await open(setup)
  await app.done.finally(app.stop)
}

/** A digest of the index, to compare two runs. */
async function digest({ pool }: TestDatabase): Promise<Record<string, unknown>> {
  const { rows } = await pool.query(
    `SELECT (SELECT max(number) FROM block) AS block,
      (SELECT md5(string_agg(e::text, '' ORDER BY n)) FROM event e) AS events,
      (SELECT md5(string_agg(p::text, '' ORDER BY token_id, wallet_id)) FROM position p) AS positions,
      (SELECT md5(string_agg((address, price_usd, holder_count, volume_24h_micro_usd)::text, '' ORDER BY id)) FROM token) AS tokens,
      (SELECT count(*) FROM token_score) AS scores`,
  )
  return rows[0]
}

const straight = await digest(database)
const short = await createTestDatabase()
await index({ on: short, until: UNTIL })
const beginning = await digest(short)

test('indexing a demo chain again that is indexed and scored to its head changes nothing', async () => {
  expect(straight).toMatchObject({ block: expect.any(Number), events: expect.any(String) })
  expect(straight.scores).toBeGreaterThanOrEqual(30)
  await index()
  expect(await digest(database)).toEqual(straight)
})

test('database connections cut during indexing do not change the result', async () => {
  const other = await createTestDatabase()
  const cuts = [200, 600, 1_000]
  const onProgress = ({ block }: Progress) => {
    if (block < (cuts[0] ?? Number.POSITIVE_INFINITY)) return
    cuts.shift()
    void database.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [
      new URL(other.url).pathname.slice(1),
    ])
  }
  await index({ on: other, until: UNTIL, onProgress })
  expect(cuts.length).toBeLessThan(3)
  expect(await digest(other)).toEqual(beginning)
})

test(
  'a second indexer of the same database waits, and takes over when the first ends',
  async () => {
    const other = await createTestDatabase()
    const stopFirst = new AbortController()
    const first = await open({ on: other, signal: stopFirst.signal, until: 1_000 })
    const second = await open({ on: other, until: UNTIL })
    await first.done.finally(first.stop)
    await second.done.finally(second.stop)
    expect(await digest(other)).toEqual(beginning)
  },
  INDEX_MS,
)

test(
  'reindexing from a final block, or from one that can be undone, gives the same rows',
  async () => {
    await index({ on: short, reindexFrom: 100, until: UNTIL })
    expect(await digest(short)).toEqual(beginning)
    await index({ reindexFrom: Number(straight.block) })
    expect(await digest(database)).toEqual(straight)
  },
  INDEX_MS,
)

test(
  'an index of another recording of the demo is made anew, and its keys stay',
  async () => {
    await createKeyring(short.pool, systemClock).create({ email: 'a@example.com', plan: 'free' })
    await short.pool.query('UPDATE block SET hash = parent_hash')
    const warnings: string[] = []
    const log = { ...silentLog, warn: (...said: unknown[]) => void warnings.push(String(said.at(-1))) }
    await index({ on: short, until: UNTIL, log })
    expect(warnings).toEqual([expect.stringMatching(/^the demo was recorded anew/)])
    expect(await digest(short)).toEqual(beginning)
    expect((await short.pool.query('SELECT email FROM account')).rows).toEqual([{ email: 'a@example.com' }])
    await index({ on: short, until: UNTIL, log })
    expect(warnings.filter((warning) => /recorded anew/.test(warning))).toHaveLength(1)
  },
  INDEX_MS,
)

test('a process with only the role api serves the index of another process', async () => {
  const stopping = new AbortController()
  const app = await open({ roles: ['api'], signal: stopping.signal })
  expect((await fetch(`${app.address}/healthz`)).status).toBe(200)
  // It is ready once its board has loaded.
  await expect.poll(async () => (await fetch(`${app.address}/readyz`)).status).toBe(200)
  expect((await fetch(`${app.address}/v1/tokens`)).status).toBe(401)
  stopping.abort()
  await app.done
  await app.stop()
  await expect(fetch(`${app.address}/healthz`)).rejects.toThrow()
})

test('with METRICS_PORT, metrics of the index and of requests are served on that port only', async () => {
  const stopping = new AbortController()
  const environment = { METRICS_PORT: '0' }
  const app = await open({ roles: ['api', 'index'], signal: stopping.signal, environment })
  await app.ready
  await fetch(`${app.address}/v1/tokens`)
  expect((await fetch(`${app.address}/metrics`)).status).toBe(404)
  const address = app.metricsAddress ?? ''
  const text = await (await fetch(address)).text()
  expect(text).toContain(`\nassay_indexed_block ${straight.block}\n`)
  expect(text).toContain(`\nassay_source_block ${straight.block}\n`)
  expect(text).toContain('\nassay_seconds_left 0\n')
  expect(text).toContain('\nassay_http_request_seconds_count{route="none",status="401"} 1\n')
  expect(text).toMatch(/\nprocess_resident_memory_bytes \d/)
  expect(text).toContain('\nassay_edge_refusals_total{kind="overload_lag"} 0\n')
  expect(text).toMatch(/\nassay_http_connections \d/)
  expect(text).toContain('\nassay_http_requests_in_flight 0\n')
  expect(text).toMatch(/\nnodejs_eventloop_lag_p99_seconds \d/)
  expect((await fetch(`${address}/x`)).status).toBe(404)
  stopping.abort()
  await app.done
  await app.stop()
})

test('the log of the start names the blocks that come from files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'))
  const node = await startStormSource()
  onTestFinished(() => {
    node.close()
    rmSync(folder, { recursive: true })
  })
  node.release(60, 60)
  writeHistoryFiles(demoRecording(), { folder, from: 0, to: 49 })
  const lines: unknown[][] = []
  const log = { ...silentLog, info: (...line: unknown[]) => void lines.push(line) }
  const environment = { RPC_URL: node.url, HISTORY_FILES: folder }
  await index({ on: await createTestDatabase(), environment, log })
  expect(lines).toContainEqual([
    { files: 3, from: 0, to: 49, blocks: 50 },
    'blocks that files of HISTORY_FILES have are not asked of RPC_URL',
  ])
})

test("a taken port, another chain's database and an unreachable provider each give one sentence", async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await expect(open({ roles: ['api'], environment: { PORT: String(port) } })).rejects.toThrow(/listen.*PORT/)
  server.close()
  await expect(open({ environment: { RPC_URL: `http://127.0.0.1:${port}` } })).rejects.toThrow(/RPC_URL/)
  const other = await createTestDatabase()
  await other.pool.query(
    `INSERT INTO chain (id, chain_id, name, start_block, source_head, finalized) VALUES (1, 1, 'ethereum', 0, 0, 0)`,
  )
  await expect(index({ on: other })).rejects.toThrow(/holds chain 1 \(ethereum\).*727390/)
  // Also while another process indexes it.
  const lock = await acquireWriter({ database: other })
  await expect(index({ on: other })).rejects.toThrow(/holds chain 1 \(ethereum\).*727390/)
  await lock.release()
})
