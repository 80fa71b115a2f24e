// `npm run storm -- faults [--minutes N] [--seed N]`: indexes and serves the demo chain through a proxy that gives each
// fault of the list. Each round gives them in another order. Every table is compared with an undisturbed run. Exits with
// 1 if anything differs, if the API did not answer, or if the log repeated itself.
import { parseArgs } from 'node:util'
import { createRandom } from '../support/market/random.ts'
import { openExternal } from './external.ts'
import type { Fault } from './faults/fault.ts'
import { FAULTS } from './faults/list.ts'
import { startFaultProxy } from './faults/proxy.ts'
import { blocksFor, runFaultStorm } from './faults/storm.ts'
import { findDifferences, takePicture } from './picture.ts'
import { indexTo } from './program.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
})
const endsMs = performance.now() + Number(values.minutes) * 60_000
const random = createRandom(Number(values.seed))
const until = blocksFor(FAULTS)
const say = (line: string) => process.stdout.write(`${line}\n`)

const { source, clear, onClear, createDatabase } = await openExternal()
const proxy = await startFaultProxy(source.url)
onClear(() => proxy.close())

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
  const calm = await createDatabase('calm', proxy.url, 2)
  await indexTo(until, calm.environment)
  const straight = await takePicture(calm)
  await calm.close()
  say(`undisturbed: ${until} blocks, ${straight.found.event?.length} events (seed ${values.seed})`)
  for (let round = 1; round === 1 || performance.now() < endsMs; round++) {
    const database = await createDatabase(`round_${round}`, proxy.url, 4)
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
