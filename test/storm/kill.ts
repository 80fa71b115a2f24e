// `npm run storm -- kill [--kills N] [--seed N]`: indexes the whole demo chain under random SIGKILLs, on an external
// and on the embedded database. It compares each table by table with an undisturbed run. Exits with 1 if anything
// differs.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { readRecording } from '../../src/chain/replay/recording.ts'
import { openLedger } from '../../src/database/open.ts'
import { openExternal } from './external.ts'
import { type KillReport, runKillStorm } from './kill-storm.ts'
import { findDifferences, takePicture } from './picture.ts'
import { indexTo, readBlock } from './program.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
})
const storm = { kills: Number(values.kills), seed: Number(values.seed), until: readRecording().blocks.length - 1 }
const say = (line: string) => process.stdout.write(`${line}\n`)
const { folder, log, source, clear, createDatabase } = await openExternal()

function judge(name: string, { kills, early, blocks }: KillReport, differences: string[]): boolean {
  const moved = blocks.filter((block, i) => block > (blocks[i - 1] ?? -1)).length
  say(
    `${name}: ${kills} kills, ${early} of them while it started${blocks.length > 0 ? `, ${moved} after it had written blocks` : ''}; ` +
      (differences.length === 0 ? 'every table equals the undisturbed run' : `DIFFERS:\n  ${differences.join('\n  ')}`),
  )
  return differences.length === 0
}

let isRight = false
try {
  source.release(storm.until, storm.until)
  const calm = await createDatabase('calm', source.url, 2)
  await indexTo(storm.until, calm.environment)
  const straight = await takePicture(calm)
  await calm.close()
  const rows = Object.values(straight.found).reduce((sum, table) => sum + table.length, 0)
  say(`undisturbed: ${storm.until} blocks, ${straight.found.event?.length} events, ${rows} rows (seed ${storm.seed})`)

  const shaken = await createDatabase('shaken', source.url, 2)
  const external = await runKillStorm({
    ...storm,
    source,
    environment: shaken.environment,
    readBlock: () => readBlock(shaken.pool),
  })
  const first = judge('external database', external, findDifferences(straight, await takePicture(shaken)))
  await shaken.close()

  const dataDir = join(folder, 'embedded')
  const embedded = await runKillStorm({ ...storm, source, environment: { RPC_URL: source.url, DATA_DIR: dataDir } })
  const ledger = await openLedger({ databaseUrl: undefined, dataDir, log, clock: systemClock, size: 2 })
  const picture = await takePicture(ledger.database).finally(ledger.close)
  isRight = judge('embedded database', embedded, findDifferences(straight, picture)) && first
} finally {
  await clear()
}
process.exit(isRight ? 0 : 1)
