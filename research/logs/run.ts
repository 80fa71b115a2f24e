// `npm run research -- logs FOLDER`: measures how well logs alone show whether buyers could sell. FOLDER has
// trapdoor/labels.csv, and the folders that it names with their events.csv.gz. None of it belongs to the project.
// Prints the AUC of the share of sales, and the precision of the flags.
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { toAddress } from '../../src/base/address.ts'
import type { LogFacts } from '../../src/safety/log-facts.ts'
import { measureLogs } from '../../src/safety/logs/measure.ts'
import type { TokenTrade } from '../../src/safety/logs/window.ts'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: npm run research -- logs FOLDER')
const say = (line: string) => process.stdout.write(`${line}\n`)

interface Sample {
  set: string
  facts: LogFacts
  isTrap: boolean
}

const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','))
const labels = rowsOf(readFileSync(join(folder, 'trapdoor', 'labels.csv'), 'utf8')).map(
  ([set = '', id = '', , , trap]) => ({
    set,
    id,
    isTrap: trap === '1',
  }),
)

/** The trades of each labelled token. The sources keep no traders, so each trade has its own. */
async function readTrades(set: string, ids: ReadonlySet<string>): Promise<Map<string, TokenTrade[]>> {
  const lines = createInterface({
    input: createReadStream(join(folder as string, set, 'events.csv.gz')).pipe(createGunzip()),
  })
  const found = new Map<string, TokenTrade[]>()
  let at = 0
  for await (const line of lines) {
    const [id = '', event, direction, , , , , , , time] = line.split(',')
    if (!ids.has(id)) continue
    const list = found.get(id) ?? []
    found.set(id, list)
    const trader = toAddress(`0x${(++at).toString(16).padStart(40, '0')}`)
    // A first event that is no swap gives the time of the token's launch.
    const trade = {
      time: Number(time),
      trader,
      isBuy: direction === 'buy',
      left: event === 'swap' ? 1n : 0n,
      arrived: 1n,
    }
    list.push(trade)
  }
  return found
}

function factsAt(events: readonly TokenTrade[], hours: number): LogFacts | null {
  const [first] = events.toSorted((a, b) => a.time - b.time)
  if (!first) return null
  const to = first.time + 3_600 * hours
  const trades = events.filter(({ time, left }) => time <= to && left > 0n).toSorted((a, b) => a.time - b.time)
  return measureLogs({
    ...{ from: first.time, to, launchedAt: first.time, launchedBlock: 0, trades, supplyMoves: [], supplyBefore: 0n },
    ...{ insiders: new Set(), minters: new Set() },
  })
}

/** The chance that a trap has the larger number. */
function areaUnder(samples: readonly Sample[], measure: (facts: LogFacts) => number): number {
  const others = samples.filter(({ isTrap }) => !isTrap).map(({ facts }) => measure(facts))
  const traps = samples.filter(({ isTrap }) => isTrap).map(({ facts }) => measure(facts))
  const wins = traps.map((trap) =>
    others.reduce((sum, other) => sum + (trap > other ? 1 : trap === other ? 0.5 : 0), 0),
  )
  return wins.reduce((sum, each) => sum + each, 0) / (traps.length * others.length)
}

/** Few sales of few trades tell little, so each token has ten trades more, 3.5 of them sales. */
const shareOfBuys = ({ buys, sells }: LogFacts): number => 1 - (sells + 3.5) / (buys + sells + 10)
const RARE = 1e-6
const FLAGS: readonly [string, (facts: LogFacts) => boolean][] = [
  ['a run of buys beyond chance', ({ buyRunChance }) => buyRunChance < RARE],
  ['under 12 % sales of 20 trades or more', ({ buys, sells }) => buys + sells >= 20 && sells < 0.12 * (buys + sells)],
]

const sets = [...new Set(labels.map(({ set }) => set))]
const trades = new Map<string, Map<string, TokenTrade[]>>()
for (const set of sets)
  trades.set(set, await readTrades(set, new Set(labels.filter((each) => each.set === set).map(({ id }) => id))))
for (const hours of [1, 24, 72]) {
  const samples = labels.flatMap(({ set, id, isTrap }): Sample[] => {
    const facts = factsAt(trades.get(set)?.get(id) ?? [], hours)
    return facts ? [{ set, facts, isTrap }] : []
  })
  for (const name of ['all', ...sets]) {
    const chosen = samples.filter(({ set }) => name === 'all' || set === name)
    const flags = FLAGS.map(([flag, holds]) => {
      const flagged = chosen.filter(({ facts }) => holds(facts))
      return `${flag}: ${flagged.filter(({ isTrap }) => isTrap).length} of ${flagged.length} are traps`
    })
    const traps = chosen.filter(({ isTrap }) => isTrap).length
    say(
      `${hours} h, ${name}: ${traps} of ${chosen.length} are traps; AUC ${areaUnder(chosen, shareOfBuys).toFixed(3)}; ${flags.join('; ')}`,
    )
  }
}
