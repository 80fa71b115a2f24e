// `npm run research -- payments [--seed N] [--runs N]`: sybils with known owners on generated chains, by what a node shows
// of payments. Prints the means of precision, recall and F1 over all runs, and the recall by the way of funding.
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import { createHttpEndpoint } from '../../src/chain/rpc/endpoint.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { openDatabase } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import { findDatabase } from '../../test/bench/database.ts'
import { createLive, indexToHead } from '../../test/support/live.ts'
import { type Judged, judge } from './judge.ts'
import { drawPeople, WAYS } from './people.ts'
import { play } from './play.ts'
import { VIEWS } from './views.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '3' } },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const ends: (() => unknown)[] = []
const url = await findDatabase(undefined, ends)
const told = new Map<string, Judged[]>()

async function run(seed: number): Promise<void> {
  const people = drawPeople(seed)
  const live = await createLive()
  try {
    await play(live, people, seed)
    const sybils = people.holders.filter(({ owner }) => owner !== null).length
    say(`seed ${seed}: ${people.holders.length} holders, ${sybils} of them of owners with several wallets`)
    for (const [name, { show, hasTraces }] of Object.entries(VIEWS)) {
      const schema = `seed_${seed}_${name.toLowerCase().replace(/\W/g, '_')}`
      const database = openDatabase(url, { schema })
      try {
        await migrate(database.pool, schema)
        const rpc = createRpc({ endpoints: [show(createHttpEndpoint(live.anvil.url))], clock: systemClock })
        const source = createSource({ rpc, preset: live.preset, clock: systemClock, hasTraces })
        await indexToHead(database, { source, reader: createChainReader(rpc, live.preset), preset: live.preset })
        told.set(name, [...(told.get(name) ?? []), await judge(database, people.holders)])
      } finally {
        await database.close()
      }
    }
  } finally {
    await live.anvil.stop()
  }
}

const mean = (all: readonly (number | null)[]): string => {
  const known = all.filter((each) => each !== null)
  return known.length === 0
    ? '-'
    : (known.reduce((sum, each) => sum + each, 0) / known.length).toFixed(3).replace(/^0/, '')
}

try {
  const first = Number(values.seed)
  for (let seed = first; seed < first + Number(values.runs); seed++) await run(seed)
  say(`| The node shows | Precision | Recall | F1 | ${WAYS.join(' | ')} | Clusters of one owner |`)
  say(`|---|---|---|---|${WAYS.map(() => '---|').join('')}---|`)
  for (const [name, all] of told) {
    const by = WAYS.map((way) => mean(all.map(({ recallBy }) => recallBy[way])))
    const sum = (of: (each: Judged) => number) => all.reduce((total, each) => total + of(each), 0)
    const [precision, recall, f1] = (['precision', 'recall', 'f1'] as const).map((of) =>
      mean(all.map((each) => each[of])),
    )
    const pure = `${sum((each) => each.pure)} of ${sum(({ clusters }) => clusters)}`
    say(`| ${[name, precision, recall, f1, ...by, pure].join(' | ')} |`)
  }
} finally {
  for (const end of ends) await end()
}
