// `npm run storm -- faults [--minutes N] [--seed N]`: indexes and serves the demo chain through a proxy that gives each
// fault of the list. Each round gives them in another order. Every table is compared with an undisturbed run. Exits with
// 1 if anything differs, if the API did not answer, or if the log repeated itself.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/database/client.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createRandom } from '../support/market/random.ts'
import type { Fault } from './faults/fault.ts'
import { FAULTS } from './faults/list.ts'
import { startFaultProxy } from './faults/proxy.ts'
import { blocksFor, runFaultStorm } from './faults/storm.ts'
import { findDifferences, takePicture } from './picture.ts'
import { indexTo } from './program.ts'
import { startStormSource } from './source.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})
const endsMs = performance.now() + Number(values.minutes) * 60_000
const random = createRandom(Number(values.seed))
const until = blocksFor(FAULTS)
const say = (line: string) => process.stdout.write(`${line}\n`)

const folder = mkdtempSync(join(tmpdir(), 'assay-storm-'))
if (process.getuid?.() === 0) chmodSync(folder, 0o711)
const log = createLog({ level: 'warn', pretty: true })
const server = await startEmbedded({ dataDir: join(folder, 'external'), log, settings: { fsync: 'off' } })
const source = await startStormSource()
const proxy = await startFaultProxy(source.url)

async function clear(): Promise<void> {
  proxy.close()
  source.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void clear().finally(() => process.exit(130)))

/** Creates a database on the external server, as DATABASE_URL would name it. */
async function createDatabase(name: string) {
  const admin = openDatabase(server.url, { size: 1 })
  await admin.pool.query(`CREATE DATABASE ${name}`).finally(admin.close)
  const url = new URL(server.url)
  url.pathname = name
  return { ...openDatabase(url.href, { size: 4 }), environment: { RPC_URL: proxy.url, DATABASE_URL: url.href } }
}

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

const tell = ({ name }: Fault, seconds: number, sentences: readonly string[]) =>
  say(`  ${name}: ${seconds.toFixed(1)} s${sentences.map((sentence) => `; ${sentence}`).join('')}`)

let isRight = true
try {
  source.release(until, until)
  const calm = await createDatabase('calm')
  await indexTo(until, calm.environment)
  const straight = await takePicture(calm)
  await calm.close()
  say(`undisturbed: ${until} blocks, ${straight.found.event?.length} events (seed ${values.seed})`)
  for (let round = 1; round === 1 || performance.now() < endsMs; round++) {
    const database = await createDatabase(`round_${round}`)
    const isOver = () => performance.now() > endsMs
    const { environment, pool } = database
    const startedMs = performance.now()
    const report = await runFaultStorm({
      source,
      proxy,
      environment,
      pool,
      faults: shuffled(FAULTS),
      until,
      isOver,
      onFault: tell,
    })
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    const differences = findDifferences(straight, await takePicture(database))
    await database.close()
    const repeated = report.said.filter(({ sentences }) => new Set(sentences).size < sentences.length)
    say(
      `round ${round}: ${report.met.length} faults met in ${seconds} s, ${report.unmet.length} not (${report.unmet.join('; ')})`,
    )
    say(`  ${report.asked} requests to the API, not 200: ${JSON.stringify(report.refused)}`)
    say(
      differences.length === 0
        ? '  every table equals the undisturbed run'
        : `  DIFFERS:\n  ${differences.join('\n  ')}`,
    )
    isRight &&= differences.length === 0 && repeated.length === 0 && Object.keys(report.refused).length === 0
  }
} finally {
  await clear()
}
process.exit(isRight ? 0 : 1)
