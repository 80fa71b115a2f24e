// The indexer through faults in the middle of its work: it waits, and ends with the complete index.
import { expect, test } from 'vitest'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import type { Call, Endpoint } from '../../src/chain/rpc/endpoint.ts'
import { RpcError, type RpcErrorKind } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { logSpell } from '../../src/chain/rpc/trouble.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { acquireWriter } from '../../src/database/writer-lock.ts'
import { createIndexer, type IndexerDeps } from '../../src/indexing/indexer.ts'
import type { Progress } from '../../src/indexing/progress.ts'
import { createWriter } from '../../src/ledger/write/writer.ts'
import { SCORE_VERSION } from '../../src/scoring/score-version.ts'
import { FIRST_BUYS } from '../../src/scoring/weights.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { silentLog } from '../support/access.ts'
import { createTestClock } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { demoRecording } from '../support/demo.ts'

const UNTIL = 270
const recording = demoRecording()

/** Indexes the first blocks of the demo chain; the first `faults` calls of a method fail. Returns the warnings. */
async function index(
  database: TestDatabase,
  method: string,
  faults: number,
  kind: RpcErrorKind = 'transient',
  until: number | 'head' = UNTIL,
  more: Partial<IndexerDeps> = {},
) {
  const replay = createReplay(recording, { head: () => UNTIL })
  let left = faults
  const endpoint: Endpoint = {
    name: 'node',
    send: async (calls: readonly Call[]) => {
      if (calls[0]?.method !== method || left === 0) return replay.send(calls)
      left -= 1
      throw new RpcError(kind, 'node: nobody there')
    },
  }
  const clock = createTestClock()
  const preset = loadPreset(recording.chainId)
  const warnings: string[] = []
  const warn = (...said: unknown[]) => void warnings.push(String(said[1]))
  const onSpell = logSpell({ ...silentLog, warn })
  const rpc = createRpc({ endpoints: [endpoint], clock, chainId: recording.chainId, onSpell })
  const shown: Progress[] = []
  const metrics = createMetrics()
  await createIndexer({
    database,
    clock,
    metrics,
    log: { ...silentLog, warn },
    signal: new AbortController().signal,
    source: createSource({ rpc, preset, clock }),
    createWriter: (lock) =>
      createWriter({ lock, reader: createChainReader(rpc, preset), preset, firstBuys: FIRST_BUYS }),
    rescore: { run: async () => ({ tokens: 0, wallets: 0, isLeft: false }), forget: () => {} },
    startBlock: undefined,
    until,
    reindexFrom: undefined,
    onProgress: (progress) => void shown.push(progress),
    ...more,
  }).run()
  return { warnings, left, last: shown.at(-1), metrics: await metrics.text() }
}

const readEvents = async ({ pool }: TestDatabase) =>
  (await pool.query(`SELECT count(*)::int AS events, md5(string_agg(e::text, '' ORDER BY n)) AS rows FROM event e`))
    .rows

const straight = await createTestDatabase()
const { metrics } = await index(straight, 'eth_call', 0)
const events = await readEvents(straight)

// A transient fault is tried again where it is met; a key that is refused is not, so that each of these begins anew.
test.each([
  ['eth_call', 'while a batch is written', 'transient', 300, / fails: its calls are sent again/],
  ['eth_getBlockByNumber', 'before anything was read', 'transient', 300, / fails: its calls are sent again/],
  ['eth_call', 'because its key was refused for a while', 'auth', 40, / refuses its key: it is asked again/],
] as const)(
  'the indexer waits for a provider that does not answer %s for long, %s',
  async (method, _, kind, faults, sentence) => {
    const shaken = await createTestDatabase()
    const { warnings, left } = await index(shaken, method, faults, kind)
    expect(left).toBe(0)
    expect(warnings).toEqual([expect.stringMatching(sentence)])
    expect(events[0].events).toBeGreaterThan(30)
    expect(await readEvents(shaken)).toEqual(events)
  },
)

test.each(['head', UNTIL, UNTIL - 50] as const)(
  'indexing up to %s ends as soon as the block is reached, also when another process indexed it and holds the lock',
  async (until) => {
    const lock = await acquireWriter({ database: straight })
    const { last } = await index(straight, 'eth_call', 0, 'transient', until)
    await lock.release()
    expect(last).toMatchObject({ block: UNTIL, logs: 0 })
  },
)

test('the time of the newest block is a metric from the start, so that a silent source is noticed', async () => {
  const { rows } = await straight.pool.query('SELECT extract(epoch FROM max(time))::int AS seconds FROM block')
  const line = `\nassay_indexed_block_time_seconds ${rows[0].seconds}\n`
  expect(metrics).toContain(line)
  expect((await index(straight, 'eth_call', 0)).metrics).toContain(line)
  expect(await createMetrics().text()).toContain('\nassay_indexed_block_time_seconds Nan\n')
})

test('a full disk of the database is one sentence when it begins and one when it ends, and no event is lost', async () => {
  const full = await createTestDatabase()
  await full.pool.query(`CREATE TABLE disk AS SELECT true AS is_full;
    CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF (SELECT is_full FROM disk) THEN
      RAISE EXCEPTION 'could not extend file "base/5/1259": No space left on device' USING ERRCODE = '53100';
    END IF; RETURN NULL; END $$;
    CREATE TRIGGER fill BEFORE INSERT ON event FOR EACH STATEMENT EXECUTE FUNCTION fill()`)
  const said: string[] = []
  const tell = (_: unknown, text?: string) => void said.push(String(text))
  let tries = 0
  const free = () => {
    tries += 1
    if (tries === 5) void full.pool.query('UPDATE disk SET is_full = false')
  }
  const log = { ...silentLog, warn: tell, info: tell, debug: free }
  await index(full, 'eth_call', 0, 'transient', UNTIL, { log })
  expect(said.filter((text) => /space|goes on/.test(text))).toEqual([
    'no space left on the disk of the database: free some to continue; nothing is lost',
    'the index goes on',
  ])
  expect(tries).toBeGreaterThan(4)
  expect(await readEvents(full)).toEqual(events)
})

test('the metric of indexed blocks includes blocks without logs', () => {
  expect(metrics).toContain(`\nassay_blocks_indexed_total ${UNTIL + 1}\n`)
})

const deferrals = { after: 10, lists: 150, scores: 150 }
const LISTS = ['event_token', 'event_type', 'position_holder', 'position_wallet']
const readLists = async ({ pool }: TestDatabase): Promise<string[]> =>
  (await pool.query('SELECT indexname FROM pg_indexes WHERE indexname = ANY($1) ORDER BY 1', [LISTS])).rows.map(
    ({ indexname }) => indexname,
  )

test('a long first backfill builds the indexes of lists only after its last block, and scores after that', async () => {
  const database = await createTestDatabase()
  const lists: string[][] = []
  const look = async () => void lists.push(await readLists(database))
  const run = () => look().then(() => ({ tokens: 0, wallets: 0, isLeft: false }))
  const rescore: IndexerDeps['rescore'] = { run, forget: () => {} }
  const onProgress = () => void look()
  await index(database, 'eth_call', 0, 'transient', UNTIL, { deferrals, rescore, onProgress })
  expect(lists.at(-1)).toEqual(LISTS)
  expect(lists.slice(0, -1)).toContainEqual([])
  expect(await readEvents(database)).toEqual(events)
})

test('an interrupted long backfill continues without the indexes and builds them at its end', async () => {
  const database = await createTestDatabase()
  const stopping = new AbortController()
  let scored = 0
  const rescore: IndexerDeps['rescore'] = {
    run: async () => ({ tokens: ++scored, wallets: 0, isLeft: false }),
    forget: () => {},
  }
  const onProgress = ({ block }: Progress) => {
    if (block > 20) stopping.abort()
  }
  const { signal } = stopping
  await index(database, 'eth_call', 0, 'transient', UNTIL, { deferrals, rescore, onProgress, signal })
  expect([await readLists(database), scored]).toEqual([[], 0])
  await index(database, 'eth_call', 0, 'transient', UNTIL, { deferrals, rescore })
  expect(await readLists(database)).toEqual(LISTS)
  expect(scored).toBeGreaterThan(0)
  expect(await readEvents(database)).toEqual(events)
})

test('a short backfill, and one that continues with existing indexes, keep the indexes', async () => {
  const database = await createTestDatabase()
  const missing: string[][] = []
  const onProgress = () => void readLists(database).then((lists) => missing.push(lists))
  await index(database, 'eth_call', 0, 'transient', 60, { deferrals, onProgress })
  await index(database, 'eth_call', 0, 'transient', UNTIL, { deferrals, onProgress })
  expect(missing.length).toBeGreaterThan(3)
  expect(new Set(missing.map(String))).toEqual(new Set([String(LISTS)]))
})

test('an index keeps what its scores are computed by from its first start on; a start that scores otherwise marks all and says so', async () => {
  const database = await createTestDatabase()
  const said: string[] = []
  const log = { ...silentLog, info: (...told: unknown[]) => void said.push(String(told[0])) }
  const start = () => index(database, 'eth_call', 0, 'transient', 120, { log })
  const due = async () => (await database.pool.query('SELECT kind, id FROM score_due WHERE id = 7')).rows
  await start()
  expect((await database.pool.query('SELECT score_form FROM chain')).rows).toEqual([{ score_form: SCORE_VERSION }])
  await database.pool.query('TRUNCATE score_due')
  await database.pool.query(
    `INSERT INTO token_score VALUES (7, 100, now(), 1, 'low', 0, 0, 0, 0, 0, 'neutral', 50, 'plain', 'facts', '[]')`,
  )
  await start()
  expect([await due(), said]).toEqual([[], []])
  await database.pool.query("UPDATE chain SET score_form = 'another'")
  await start()
  expect(await due()).toEqual([{ kind: 1, id: 7 }])
  expect(said).toEqual(['the scores are of a version with other formulas: all of them are computed anew'])
})

test('reindexing from a block above the newest says that there is nothing to undo, and changes nothing', async () => {
  const before = await readEvents(straight)
  const { warnings } = await index(straight, 'eth_call', 0, 'transient', UNTIL, { reindexFrom: UNTIL + 2 })
  expect(warnings).toEqual([`nothing to undo: the newest indexed block is ${UNTIL}`])
  expect(await readEvents(straight)).toEqual(before)
})

test('a start at a provider that has dropped the first blocks ends with exit code 78, the block and the ways out', async () => {
  const database = await createTestDatabase()
  await expect(index(database, 'eth_getLogs', Number.POSITIVE_INFINITY, 'pruned')).rejects.toMatchObject({
    exitCode: 78,
    message: expect.stringMatching(/^RPC_URL does not give block \d+: .*HISTORY_FILES.*START/),
  })
})

test.each(['unsupported', 'rejected', 'pruned', 'size', 'range'] satisfies RpcErrorKind[])(
  'a provider that refuses logs for a moment (%s) ends nothing, and no event is lost',
  async (kind) => {
    const shaken = await createTestDatabase()
    const { left } = await index(shaken, 'eth_getLogs', 10, kind)
    expect(left).toBe(0)
    expect(await readEvents(shaken)).toEqual(events)
  },
)
