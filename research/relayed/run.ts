// `npm run research -- relayed [--show FACT]`: the demo chain as if all its calls were relayed, in each way. Prints how many of
// the index's facts differ from those of the demo chain. With --show it lists the differences of one fact.
import { parseArgs } from 'node:util'
import { readRecording } from '../../src/chain/replay/recording.ts'
import { openDatabase } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import { findDatabase } from '../../test/bench/database.ts'
import { FORWARDER, relay, WAYS } from '../../test/support/relayed.ts'
import { compareTellings, FACT_NAMES, type Fact, indexRecording } from '../../test/support/relayed-demo.ts'

const { values } = parseArgs({ options: { show: { type: 'string' }, way: { type: 'string' } } })
const say = (line: string) => process.stdout.write(`${line}\n`)
const ends: (() => unknown)[] = []
const url = await findDatabase(undefined, ends)

async function open(schema: string) {
  const database = openDatabase(url, { schema })
  await migrate(database.pool, schema)
  ends.unshift(() => database.close())
  return database
}

try {
  const recording = readRecording()
  const plain = await open('plain')
  await indexRecording(plain, recording)
  const columns: string[][] = []
  for (const way of WAYS.filter((each) => !values.way || each === values.way)) {
    const database = await open(way)
    await indexRecording(database, relay(recording, way).relayed, way === 'unnamed' ? {} : { forwarders: [FORWARDER] })
    const differences = await compareTellings(plain, database)
    columns.push([way, ...FACT_NAMES.map((fact) => `${differences[fact].differ.length} of ${differences[fact].count}`)])
    for (const fact of (values.show ?? '').split(',') as Fact[])
      for (const { subject, plain: before, relayed } of (differences[fact]?.differ ?? []).slice(0, 60))
        say(`${way}: ${fact}: ${subject}: ${before} -> ${relayed}`)
  }
  for (const [at, name] of ['fact', ...FACT_NAMES].entries())
    say(`| ${name} | ${columns.map((column) => column[at]).join(' | ')} |`)
} finally {
  for (const end of ends) await end()
}
