// `npm run bench -- index [--logs N] [--source anvil|encoded|slices] [--managed] [--files [--requests N]] [--seed N]
// [--cpu-prof FOLDER]`. It measures how fast this machine reads a source's logs alone. It also measures how fast the
// built program indexes them completely on the embedded PostgreSQL, with its start and end. It prints which goals are
// met. `--files` reads a generated chain from Parquet files too, and from a node that answers N requests a second, as a
// provider does.
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { anvilBinary } from '../../support/anvil.ts'
import { readAlone } from './alone.ts'
import { fillAnvil } from './anvil-chain.ts'
import type { Chain } from './chain.ts'
import { serveGenerated } from './generated-chain.ts'
import { readThrough, writeChainFiles } from './history-files.ts'
import { runProgram } from './program.ts'
import { type Goal, perSecond, report, reportAlone, say } from './report.ts'

/** As many logs as anvil holds comfortably. */
const ANVIL_LOGS = 1_000_000

const { values } = parseArgs({
  options: {
    logs: { type: 'string', default: '300000' },
    seed: { type: 'string', default: '1' },
    source: { type: 'string' },
    managed: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    requests: { type: 'string', default: '100' },
    'cpu-prof': { type: 'string' },
  },
})
const [logs, seed] = [Number(values.logs), Number(values.seed)]
const source =
  values.source ?? (anvilBinary && logs <= ANVIL_LOGS && !values.managed && !values.files ? 'anvil' : 'encoded')
const children = new Set<ChildProcess>()
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
// The database server may run as another user, which must be able to enter this folder.
if (process.getuid?.() === 0) chmodSync(folder, 0o711)
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

async function open(): Promise<Chain> {
  if (source === 'anvil') return fillAnvil(logs, seed)
  if (source !== 'encoded' && source !== 'slices') throw new Error(`no such source: ${source}`)
  return serveGenerated(folder, { logs, seed, answers: source, isManaged: values.managed }, (child) =>
    children.add(child),
  )
}

/** How much faster files are read than the node, and what an index from files takes. */
async function compareFiles(): Promise<Goal> {
  if (source === 'anvil') throw new Error('--files needs --source encoded or slices')
  const historyFiles = writeChainFiles(folder, chain)
  const seconds = { node: [] as number[], files: [] as number[] }
  for (let round = 0; round < 2; round++) {
    seconds.node.push(await readThrough(chain))
    seconds.files.push(await readThrough(chain, historyFiles))
  }
  chain.limit?.(Number(values.requests))
  const provider = await readThrough(chain)
  chain.limit?.(undefined)
  const [node, files] = [Math.min(...seconds.node), Math.min(...seconds.files)]
  say(`read, checked and decoded by the reading thread: ${perSecond(chain.logs, node)} from the node,`)
  say(`  ${perSecond(chain.logs, provider)} from one that answers ${values.requests} requests a second,`)
  say(`  ${perSecond(chain.logs, files)} from files`)
  const there = { ...place, historyFiles, dataDir: join(folder, 'from-files') }
  await runProgram(there, 'migrate')
  const fromFiles = await runProgram(there, 'index', '--until', String(last))
  const micros = Math.round((fromFiles.processor.indexer / chain.logs) * 1e6)
  say(
    `indexed from files: ${perSecond(chain.logs, fromFiles.seconds)}; the indexer's processor time ${micros} µs a log;`,
  )
  say(`  memory ${Math.round(Math.max(...fromFiles.samples.map(({ memoryMb }) => memoryMb)))} MB at most`)
  const ratio = provider / files
  return {
    name: `files against a provider of ${values.requests} requests a second, read alone`,
    value: ratio.toFixed(2),
    goal: 'at least 5',
    isMet: ratio >= 5,
  }
}

const started = performance.now()
const chain = await open()
say(`chain: ${chain.logs.toLocaleString('en')} logs in ${chain.blocks.toLocaleString('en')} blocks; ${chain.about}`)
say(`  made in ${((performance.now() - started) / 1000).toFixed(0)} s, seed ${seed}`)
const alone = reportAlone(chain, await readAlone(chain))
const place = { url: chain.url, preset: join(folder, 'preset.json'), dataDir: join(folder, 'data') }
writeFileSync(place.preset, JSON.stringify(chain.preset))
const profiled = { ...place, profiles: values['cpu-prof'] }
await runProgram(place, 'migrate')
const last = chain.blocks - 1
const run = await runProgram(profiled, 'index', '--until', String(last))
const idle = await runProgram(place, 'index', '--until', String(last))
const goals: Goal[] = report(chain, alone, { run, idle })
if (values.files) goals.push(await compareFiles())
say('')
for (const { name, value, goal, isMet } of goals)
  say(`${isMet ? 'met   ' : 'MISSED'} ${name}: ${value} (goal: ${goal})`)
process.exit(0)
