// Assay against Ponder on the same blocks: rates, their ratio, and whether both get the same results. The comparison
// that counts is the one with derived data; the other shows what these cost Ponder.
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { createLog } from '../../../src/telemetry/log.ts'
import type { Chain } from './chain.ts'
import { installPonder, type PonderProject, runPonder } from './ponder.ts'
import { check, type Sample } from './ponder-check.ts'
import { runProgram, type Surroundings } from './program.ts'
import { type Goal, perSecond, say } from './report.ts'

export type PonderDatabase = 'pglite' | 'postgres'

const log = createLog({ level: 'warn', pretty: true })
const LEAST_FACTOR = 20
/** Ponder reads blocks near the head one by one, so the backfill ends this many blocks before the head. */
const NOT_FINAL = 40
const DERIVES: Record<PonderProject, string> = {
  events: 'balances, reserves and events only',
  derived:
    'also holders, supplies, prices in dollars, candles, days of pools, average-cost positions with profit, wallets, weeks, links',
}

interface Options {
  place: Surroundings
  /** Folder for temporary files. */
  folder: string
  /** Approximate number of logs that both index. */
  most: number
  database: PonderDatabase
  /** Run only the project with derived data; the other takes almost as long. */
  derivedOnly: boolean
  /** Assay's time for the whole chain, in the data folder of `place`. */
  seconds: number
  /** Assay's time for a start and stop with nothing to do. */
  idleSeconds: number
}

/** Runs Ponder's projects. */
export async function comparePonder(
  chain: Chain,
  { place, folder, most, database, derivedOnly, seconds, idleSeconds }: Options,
): Promise<Goal[]> {
  if (!installPonder()) {
    say('Ponder: could not be installed here')
    return [
      { name: 'rate against Ponder', value: 'not measured', goal: `at least ${LEAST_FACTOR} times`, isMet: false },
    ]
  }
  const asked = Math.ceil((most * chain.blocks) / chain.logs)
  const end = Math.min(chain.blocks - 1, chain.head - NOT_FINAL, asked)
  const isWhole = end === chain.blocks - 1
  const logs = Math.round((chain.readableLogs * (end + 1)) / chain.blocks)
  const own = isWhole ? place : { ...place, dataDir: join(folder, 'same-blocks') }
  const ours = isWhole ? seconds : (await runProgram(own, 'index', '--until', String(end))).seconds
  const working = ours - idleSeconds
  say(`Ponder 0.16.10 on ${isWhole ? 'all' : `the first ${end + 1}`} blocks; Assay there: ${perSecond(logs, ours)}`)
  let factor = 0
  for (const project of derivedOnly ? (['derived'] as const) : (['events', 'derived'] as const)) {
    const dataDir = join(folder, `ponder-${project}`)
    const server = database === 'postgres' ? await startEmbedded({ dataDir, log }) : null
    const run = await runPonder(project, chain, { end, database: server?.url }).finally(() => server?.stop())
    const same = await checkSample(own.dataDir, run.sample as Sample)
    factor = run.seconds / ours
    say(
      `  ${DERIVES[project]}: ${run.seconds.toFixed(1)} s, ${perSecond(logs, run.seconds)}, without its start (ours includes it)`,
    )
    const micros = Math.round((run.processorSeconds / logs) * 1e6)
    say(
      `    Assay ${factor.toFixed(1)} times as fast (${(run.seconds / working).toFixed(1)} without its start); Ponder's processor per log ${micros} µs; ` +
        `${same} sampled values are the same in both`,
    )
  }
  say(
    `  Ponder's database: ${database === 'postgres' ? 'embedded PostgreSQL, the faster of its two options' : 'PGlite'}`,
  )
  return [
    {
      name: 'rate against Ponder with the same derived data',
      value: `${factor.toFixed(1)} times`,
      goal: `at least ${LEAST_FACTOR} times`,
      isMet: factor >= LEAST_FACTOR,
    },
  ]
}

/** Compares the sample with the database that Assay left. */
async function checkSample(dataDir: string, sample: Sample): Promise<number> {
  const ledger = await startEmbedded({ dataDir, log })
  const client = new pg.Client({ connectionString: ledger.url })
  try {
    await client.connect()
    return await check(client, sample)
  } finally {
    await client.end()
    await ledger.stop()
  }
}
