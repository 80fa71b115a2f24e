// `npm run bench -- head [--seconds N] [--rate BLOCKS/S] [--warm BLOCKS] [--unfinal BLOCKS] [--logs LOGS/BLOCK]
// [--reads HEAD_READS] [--cpu-prof FOLDER]`: measures the delay from a block at the node to its events in GET
// /v1/events, and the age of the scores of touched tokens. A profile is of the program alone. The node is a separate
// process that makes blocks at a steady rate, those of one second with one timestamp. The program serves and indexes in
// one process, on the embedded PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { generateChain } from './index/generate.ts'
import { processorMs } from './processor.ts'
import { hear } from './servers.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '5' },
    warm: { type: 'string', default: '500' },
    unfinal: { type: 'string', default: '64' },
    logs: { type: 'string', default: '200' },
    reads: { type: 'string', default: 'latency' },
    'cpu-prof': { type: 'string' },
  },
})
const [seconds = 0, rate = 0, warm = 0, logs = 0] = [values.seconds, values.rate, values.warm, values.logs].map(Number)
const say = (line: string) => process.stdout.write(`${line}\n`)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const folder = mkdtempSync(join(tmpdir(), 'assay-head-'))
if (process.getuid?.() === 0) chmodSync(folder, 0o711)
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

function start(script: string, args: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const path = new URL(script, import.meta.url).pathname
  const profile = values['cpu-prof'] && args[0] === 'serve' ? ['--cpu-prof', '--cpu-prof-dir', values['cpu-prof']] : []
  const child = spawn(process.execPath, [...profile, '--import', 'tsx', path, ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_OPTIONS: process.env.NODE_OPTIONS ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  children.add(child)
  child.on('exit', () => children.delete(child))
  return child
}

/** The block of each transaction, from the chain's file, which may be longer than a string can be. */
async function readTransactions(path: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 2 ** 24 })) {
    const text = rest + chunk
    for (const [, hash = '', block] of text.matchAll(/\{"hash":"(0x\w{64})","blockNumber":"(0x\w+)"/g))
      found.set(hash, Number(block))
    rest = text.slice(-LONGEST_START)
  }
  return found
}

/** Waits until the program has done what the warm-up left: its scores, its contract checks, its indexes. */
async function rests(): Promise<void> {
  for (let [busy, quiet, n] = [usedMs(), 0, 0]; quiet < QUIET_SECONDS && n < MOST_REST_SECONDS; n++) {
    await pause(1_000)
    const now = usedMs()
    quiet = now[0] - busy[0] + now[1] - busy[1] < QUIET_MS ? quiet + 1 : 0
    busy = now
  }
}

const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
function summarise(name: string, samples: readonly number[]): void {
  const sorted = [...samples].sort((a, b) => a - b)
  const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((part) => `${Math.round(percentile(sorted, part))} ms`)
  say(`${name}: p50 ${p50}, p95 ${p95}, p99 ${p99}, most ${most} (${sorted.length} blocks)`)
}

/** More than the length of a transaction's start, which two parts of the file may share. */
const LONGEST_START = 200
/** Time between two looks at the API, which cost the program time, too. */
const LOOK_MS = 25
/** The program rests when it and PostgreSQL use less processor time than this a second, for so many seconds. */
const [QUIET_MS, QUIET_SECONDS, MOST_REST_SECONDS] = [100, 3, 120]
/** Seconds at the start that are not counted, because the code that follows the head runs for the first time. */
const COLD_SECONDS = 5
const cold = COLD_SECONDS * rate
const blocks = warm + Math.ceil(seconds * rate) + 1
const chain = generateChain(folder, blocks * (logs + 10), 3, 1 / rate, false, logs)
writeFileSync(join(folder, 'preset.json'), JSON.stringify(chain.preset))
const environment = {
  CHAIN_CONFIG: join(folder, 'preset.json'),
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
  LOG_LEVEL: 'warn',
  HEAD_READS: values.reads,
}
const blockOf = await readTransactions(join(folder, 'blocks.bin'))
const node = start('./index/server.ts', [folder, 'slices', String(warm), values.unfinal])
const rpc = await new Promise<string>((resolve) => node.stdout?.once('data', (line) => resolve(String(line).trim())))
const program = start('../../src/main.ts', ['serve'], { ...environment, RPC_URL: rpc })
const base = await hear(program, /REST +(http\S+)\/v1/)
const keys = start(
  '../../src/main.ts',
  ['keys', 'create', '--email', 'bench@example.com', '--plan', 'api', '--quiet'],
  environment,
)
const key = await hear(keys, /(\S{30,})\n/)
const authorization = `Bearer ${key}`
const database = new pg.Client({
  connectionString: readFileSync(join(folder, 'data', 'postgres', 'url'), 'utf8').trim(),
})
await database.connect()
const postmaster = Number(
  readFileSync(join(folder, 'data', 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
)
/** Of the program without the embedded PostgreSQL, which is its child, and of PostgreSQL. */
function usedMs(): readonly [number, number] {
  const postgres = processorMs(postmaster)
  return [processorMs(program.pid ?? 0) - postgres, postgres]
}

/** The newest block in an answer of the API: that of its newest event, found in the ledger by the transaction hash. */
async function look(): Promise<number> {
  const response = await fetch(`${base}/v1/events?limit=1`, { headers: { authorization } })
  const body = (await response.json()) as { data: { tx_hash: string }[] }
  if (!response.ok) throw new Error(JSON.stringify(body))
  const [newest] = body.data
  return newest ? (blockOf.get(newest.tx_hash) ?? 0) : 0
}

while ((await look()) < warm) await pause(200)
await rests()
say(
  `${warm} blocks indexed; now ${rate} blocks/s of ${Math.round(chain.logs / chain.blocks)} logs for ${seconds} s; load ${loadavg()[0]?.toFixed(1)}`,
)

const usedBefore = usedMs()
const availableMs = new Map<number, number>()
const seenMs: number[] = []
const ages: number[] = []
let [head, seen, scored] = [warm, warm, warm]
const producing = (async () => {
  const startedMs = performance.now()
  for (let n = 1; n <= seconds * rate; n++) {
    await pause(Math.max(0, startedMs + (n * 1000) / rate - performance.now()))
    head = warm + n
    node.send({ head })
    availableMs.set(head, performance.now())
  }
})()
const isOver = () => head >= warm + seconds * rate
const looking = (async () => {
  while (!isOver() || seen < head) {
    const block = await look()
    const now = performance.now()
    for (; seen < block; seen++) seenMs.push(now - (availableMs.get(seen + 1) ?? now))
    await pause(LOOK_MS)
  }
})()
/** The newest block up to which no score is due: what it touched is scored. Blocks of one second count together. */
const DUE = `WITH head AS (SELECT time FROM block ORDER BY number DESC LIMIT 1), due AS (
    SELECT min(due_at) AS at FROM score_due WHERE due_at <= (SELECT time FROM head))
  SELECT number FROM block WHERE (SELECT at FROM due) IS NULL OR time < (SELECT at FROM due)
  ORDER BY number DESC LIMIT 1`
const scoring = (async () => {
  while (!isOver() || scored < head) {
    const { rows } = await database.query<{ number: number }>(DUE)
    const now = performance.now()
    for (const to = rows[0]?.number ?? 0; scored < to; scored++) ages.push(now - (availableMs.get(scored + 1) ?? now))
    await pause(20)
  }
})()
await Promise.race([Promise.all([producing, looking, scoring]), pause((seconds + 60) * 1000)])
summarise('from the block at the node to its events in GET /v1/events', seenMs.slice(cold))
summarise('from the block at the node to the scores of everything that it touched', ages.slice(cold))
say(
  `the first ${COLD_SECONDS} s, while the program's code is compiled, are not counted: most ${Math.round(Math.max(...seenMs.slice(0, cold)))} ms`,
)
const [ours, postgres] = usedMs().map((used, at) => (used - (usedBefore[at] ?? 0)) / (seconds * rate))
say(
  `processor time a block: ${ours?.toFixed(0)} ms of the program, with the answers that ask for it, and ${postgres?.toFixed(0)} ms of PostgreSQL`,
)
if (seen < head) say(`the index fell behind: ${head - seen} blocks were missing a minute later`)
say(`load ${loadavg()[0]?.toFixed(1)}`)
await database.end()
program.kill('SIGTERM')
await once(program, 'exit')
process.exit(0)
