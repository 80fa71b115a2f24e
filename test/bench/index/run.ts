// `npm run bench:index -- [--logs N] [--seed N] [--source encoded|slices] [--ponder LOGS] [--cpu-prof FOLDER]`: how fast this machine reads the source alone, and how fast it
// indexes the same logs with everything derived written to the embedded PostgreSQL. Prints both, their ratio, the two
// halves of the run and the memory of the indexer.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { type GeneratedChain, generateChain } from './generate.ts'
import { runPonder } from './ponder.ts'

const { values } = parseArgs({
  options: {
    logs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    source: { type: 'string', default: 'encoded' },
    ponder: { type: 'string' },
    'cpu-prof': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const children = new Set<ChildProcess>()
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (from: number) => (performance.now() - from) / 1000
const perSecond = (count: number, time: number) => `${Math.round(count / time).toLocaleString('en')} logs/s`

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

async function serve(): Promise<string> {
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', new URL('server.ts', import.meta.url).pathname, folder, values.source],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  children.add(server)
  const [line] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return line.toString().trim()
}

/** Reads and parses every log, ten thousand or so a call, one call at a time, and does nothing with them. */
async function readAlone(url: string, chain: GeneratedChain): Promise<number> {
  const started = performance.now()
  let read = 0
  for (let from = 0; from < chain.blocks; from += 50) {
    const range = {
      fromBlock: `0x${from.toString(16)}`,
      toBlock: `0x${Math.min(chain.blocks - 1, from + 49).toString(16)}`,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: from, method: 'eth_getLogs', params: [range] })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    read += ((JSON.parse(await response.text()) as { result: unknown[] }).result ?? []).length
  }
  if (read !== chain.logs) throw new Error(`read ${read} logs of ${chain.logs}`)
  return seconds(started)
}

const readMemoryMb = (pid: number): number => {
  try {
    const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kb ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Seconds of processor that a process, and those of its children that have ended, took. */
const readProcessorSeconds = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  } catch {
    return 0
  }
}

/** The same of the embedded server with all its connections. */
const readServerSeconds = (): number => {
  try {
    const [server] = readFileSync(join(folder, 'data', 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').split(' ').filter(Boolean)
    return [server, ...children].reduce((sum, pid) => sum + readProcessorSeconds(Number(pid)), 0)
  } catch {
    return 0
  }
}

interface Run {
  /** Seconds, the program's start included. */
  time: number
  /** Seconds of it that went into scores. */
  scoring: number
  /** Sampled twice a second. */
  memoryMb: number[]
  /** Seconds of processor, but for the last half second. */
  processor: { indexer: number; server: number }
}

/** Runs the program itself; its log tells how long it scored. */
async function assay(url: string, ...command: string[]): Promise<Run> {
  const started = performance.now()
  const environment = {
    ...process.env,
    RPC_URL: url,
    CHAIN_CONFIG: join(folder, 'preset.json'),
    DATA_DIR: join(folder, 'data'),
  }
  delete (environment as NodeJS.ProcessEnv).DATABASE_URL
  const main = new URL('../../../src/main.ts', import.meta.url).pathname
  const profile = values['cpu-prof'] ? ['--cpu-prof', `--cpu-prof-dir=${values['cpu-prof']}`] : []
  const child = spawn(process.execPath, [...profile, '--import', 'tsx', main, ...command], {
    env: { ...environment, LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.add(child)
  let scoringMs = 0
  let complaint = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    scoringMs += Number(/"ms":(\d+),"msg":"rescored"/.exec(line)?.[1] ?? 0)
    complaint = line
  })
  const memoryMb: number[] = []
  const processor = { indexer: 0, server: 0 }
  const sampling = setInterval(() => {
    memoryMb.push(readMemoryMb(child.pid ?? 0))
    processor.indexer = Math.max(processor.indexer, readProcessorSeconds(child.pid ?? 0))
    processor.server = Math.max(processor.server, readServerSeconds())
  }, 500)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(sampling)
  children.delete(child)
  if (code !== 0) throw new Error(`assay ${command.join(' ')} ended with ${code}: ${complaint}`)
  return { time: seconds(started), scoring: scoringMs / 1000, memoryMb, processor }
}

/** The highest value of each of ten parts of the run. */
const toCurve = (samples: readonly number[]): string =>
  Array.from({ length: 10 }, (_, i) => {
    const part = samples.slice(Math.floor((i * samples.length) / 10), Math.ceil(((i + 1) * samples.length) / 10))
    return Math.round(Math.max(0, ...part))
  }).join(' ')

const generating = performance.now()
const chain = generateChain(folder, Number(values.logs), Number(values.seed))
writeFileSync(join(folder, 'preset.json'), JSON.stringify(chain.preset))
const tokens = Object.keys(chain.tokens).length
say(
  `chain: ${chain.logs} logs in ${chain.blocks} blocks, ${tokens} tokens, made in ${seconds(generating).toFixed(0)} s (seed ${values.seed})`,
)
const url = await serve()
const alone = await readAlone(url, chain)
say(`source: ${values.source === 'encoded' ? 'written anew for each answer, as a node does' : 'slices of files'}`)
say(`eth_getLogs and JSON.parse alone: ${alone.toFixed(1)} s, ${perSecond(chain.logs, alone)}`)
await assay(url, 'migrate')
const half = Math.floor(chain.blocks / 2)
const first = await assay(url, 'index', '--until', String(half))
const second = await assay(url, 'index', '--until', String(chain.blocks - 1))
const time = first.time + second.time
say(`indexed, all derived data written:  ${time.toFixed(1)} s, ${perSecond(chain.logs, time)}`)
const scoring = first.scoring + second.scoring
const events = time - scoring
say(`  of which scores: ${scoring.toFixed(1)} s; events, balances and prices alone: ${perSecond(chain.logs, events)}`)
const micros = (part: 'indexer' | 'server') =>
  `${Math.round(((first.processor[part] + second.processor[part]) / chain.logs) * 1e6)} µs`
say(`processor per log, scores included: indexer ${micros('indexer')}, PostgreSQL ${micros('server')}`)
say(`ratio: ${(alone / time).toFixed(3)} of reading alone; ${(alone / events).toFixed(3)} without scores`)
const [firstEvents, secondEvents] = [first.time - first.scoring, second.time - second.scoring]
say(
  `second half over first half: ${(second.time / first.time).toFixed(2)} (${first.time.toFixed(1)} s, ${second.time.toFixed(1)} s); ` +
    `without scores ${(secondEvents / firstEvents).toFixed(2)} (${firstEvents.toFixed(1)} s, ${secondEvents.toFixed(1)} s)`,
)
say(
  `indexer's memory in MB, peaks of ten parts: first half ${toCurve(first.memoryMb)}; second half ${toCurve(second.memoryMb)}`,
)
if (values.ponder) {
  const end = Math.min(chain.blocks - 1, Math.ceil((Number(values.ponder) * chain.blocks) / chain.logs))
  const ponder = await runPonder(url, chain, end)
  if (!ponder) say('Ponder: could not be installed or run here')
  else {
    const factor = chain.logs / time / (ponder.events / ponder.seconds)
    say(
      `Ponder, ${ponder.events} logs of the same chain (PGlite, start not counted): ${perSecond(ponder.events, ponder.seconds)}`,
    )
    say(`${factor.toFixed(1)} times Ponder`)
  }
}
if (values.json)
  say(
    JSON.stringify({
      logs: chain.logs,
      aloneSeconds: alone,
      indexSeconds: time,
      ratio: alone / time,
      halves: [first.time, second.time],
    }),
  )
process.exit(0)
