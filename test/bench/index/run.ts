// `npm run bench:index -- [--logs N] [--source anvil|encoded|slices] [--managed] [--seed N] [--ponder LOGS] [--ponder-database
// postgres|pglite] [--derived-only] [--cpu-prof FOLDER]`: measures how fast this machine reads a source's logs alone,
// and how fast the built program indexes them completely on the embedded PostgreSQL, with its start and end. Then it
// runs Ponder on the same logs, and reports whether the goals are met.
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { anvilBinary } from '../../support/anvil.ts'
import { comparePonder, type PonderDatabase } from './against-ponder.ts'
import { readAlone } from './alone.ts'
import { fillAnvil } from './anvil-chain.ts'
import type { Chain } from './chain.ts'
import { serveGenerated } from './generated-chain.ts'
import { runProgram } from './program.ts'
import { type Goal, report, reportAlone, say } from './report.ts'

/** As many logs as anvil holds comfortably. */
const ANVIL_LOGS = 1_000_000
/** Default number of logs for Ponder, which takes some minutes. */
const PONDER_LOGS = 300_000

const { values } = parseArgs({
  options: {
    logs: { type: 'string', default: '300000' },
    seed: { type: 'string', default: '1' },
    source: { type: 'string' },
    ponder: { type: 'string' },
    'ponder-database': { type: 'string', default: 'postgres' },
    managed: { type: 'boolean', default: false },
    'derived-only': { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
  },
})
const [logs, seed] = [Number(values.logs), Number(values.seed)]
const source = values.source ?? (anvilBinary && logs <= ANVIL_LOGS && !values.managed ? 'anvil' : 'encoded')
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
const most = Number(values.ponder ?? (chain.logs <= PONDER_LOGS * 1.1 ? chain.logs : 0))
if (most > 0) {
  const database = values['ponder-database'] as PonderDatabase
  const derivedOnly = values['derived-only']
  const options = { place, folder, most, database, derivedOnly, seconds: run.seconds, idleSeconds: idle.seconds }
  goals.push(...(await comparePonder(chain, options)))
}
say('')
for (const { name, value, goal, isMet } of goals)
  say(`${isMet ? 'met   ' : 'MISSED'} ${name}: ${value} (goal: ${goal})`)
process.exit(0)
