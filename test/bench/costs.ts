// `npm run bench -- costs`: the monthly cost of an index of five chains, by measured bytes and times, at stated prices.
// With `-- --headers FILE` it counts logs a block in recorded headers instead: lines of JSON, compressed by gzip.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { simulateHead } from '../support/provider-bill.ts'
import { CHAIN_RATES, type ChainName } from './chain-rates.ts'

const { values } = parseArgs({
  options: {
    headers: { type: 'string' },
    // Euros a month for a core, for a GB of memory, for a GB of disk; euros for a million units of a provider.
    core: { type: 'string', default: '10' },
    memory: { type: 'string', default: '2' },
    disk: { type: 'string', default: '0.08' },
    units: { type: 'string', default: '0.40' },
    // Days that stay in PostgreSQL; years in the history.
    days: { type: 'string', default: '30' },
    years: { type: 'string', default: '1' },
  },
})

/** Measured: docs/scaling.md and docs/history.md say by which bench. */
const MEASURED = {
  eventsPerLog: 0.5,
  postgresBytes: 349,
  historyBytes: 66.9,
  /** Processor time of a log at the head with scores: the program's and PostgreSQL's. */
  headMsPerLog: 1.7,
  moveUsPerEvent: 19.5,
  /** Checks of contracts with 1,000 live tokens or more: the bound of 600 calls a minute. */
  checkCallsADay: 656_640,
  /** Memory of the process with all roles, and of a further chain. */
  baseMb: 400,
  chainMb: 46,
  postgresMb: 1_024,
}

/** As `assay check` counts a call of a contract. */
const UNITS_PER_CALL = 26
const DAY_MS = 86_400_000
const MONTH_DAYS = 30
const say = (...cells: (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
const round = (number: number) => Math.round(number).toLocaleString('en')

/** The distinct addresses and topics of a block, by the bits of its bloom: three of 2,048 each. */
function itemsOf(bloom: string): number {
  const bits = BigInt(bloom).toString(2).replaceAll('0', '').length
  return (-2_048 / 3) * Math.log(1 - Math.min(bits, 2_047) / 2_048)
}

/** 16 whole recorded blocks have 0.79 to 0.85 logs for each distinct address or topic. */
const LOGS_PER_ITEM = 0.82

function countLogs(path: string): void {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n')
  const headers = lines.map(
    (line) => JSON.parse(line) as { chain: string; block: { timestamp: string; logsBloom: string } },
  )
  say('Chain', 'Headers of the newer half', 'Since', 'Logs a block, median')
  for (const name of Object.keys(CHAIN_RATES)) {
    const own = headers
      .filter(({ chain }) => chain === name.toLowerCase())
      .sort((a, b) => Number(a.block.timestamp) - Number(b.block.timestamp))
    const newer = own.slice(Math.floor(own.length / 2))
    const items = newer.map(({ block }) => itemsOf(block.logsBloom)).sort((a, b) => a - b)
    const [low = 0, high = 0] = [items[Math.floor((items.length - 1) / 2)], items[Math.ceil((items.length - 1) / 2)]]
    const since = new Date(Number(newer[0]?.block.timestamp) * 1_000).toISOString().slice(0, 7)
    say(name, newer.length, since, round((LOGS_PER_ITEM * (low + high)) / 2))
  }
}

interface Cost {
  logsADay: number
  postgresGb: number
  historyGb: number
  cores: number
  requestsADay: number
  unitsADay: number
  checkUnitsADay: number
}

async function costOf(name: ChainName): Promise<Cost> {
  const { blockMs, logsPerBlock } = CHAIN_RATES[name]
  const logsADay = (DAY_MS / blockMs) * logsPerBlock
  const eventsADay = logsADay * MEASURED.eventsPerLog
  const hours = 0.25
  const bill = await simulateHead({ blockMs, logsPerBlock: 1 }, hours, { kind: 'interval', ms: 16_000 }, {})
  return {
    logsADay,
    postgresGb: (eventsADay * Number(values.days) * MEASURED.postgresBytes) / 1e9,
    historyGb: (eventsADay * 365 * Number(values.years) * MEASURED.historyBytes) / 1e9,
    cores: (logsADay * MEASURED.headMsPerLog + (eventsADay * MEASURED.moveUsPerEvent) / 1_000) / DAY_MS,
    requestsADay: (bill.requests * 24) / hours,
    unitsADay: (bill.units * 24) / hours,
    checkUnitsADay: MEASURED.checkCallsADay * UNITS_PER_CALL,
  }
}

/** A month's, in millions. */
const toMillions = (unitsADay: number): number => (unitsADay * MONTH_DAYS) / 1e6

function eurosOf({ postgresGb, historyGb, cores, unitsADay, checkUnitsADay }: Cost, memoryMb: number): number[] {
  return [
    (postgresGb + historyGb) * Number(values.disk),
    cores * Number(values.core),
    (memoryMb / 1_024) * Number(values.memory),
    toMillions(unitsADay) * Number(values.units),
    toMillions(checkUnitsADay) * Number(values.units),
  ]
}

async function tellCosts(): Promise<void> {
  say(
    ...['Chain', 'Logs a day', 'PostgreSQL', 'History', 'Cores', 'Memory', 'Requests a day'],
    ...['Million units a month: blocks, checks', 'Euros a month: disk, cores, memory, blocks, checks'],
  )
  const all: Cost = {
    ...{ logsADay: 0, postgresGb: 0, historyGb: 0, cores: 0 },
    ...{ requestsADay: 0, unitsADay: 0, checkUnitsADay: 0 },
  }
  const tell = (name: string, cost: Cost, memoryMb: number) => {
    const euros = eurosOf(cost, memoryMb)
    const sum = euros.reduce((total, each) => total + each, 0)
    const units = [cost.unitsADay, cost.checkUnitsADay].map((each) => round(toMillions(each)))
    say(
      ...[name, `${(cost.logsADay / 1e6).toFixed(1)} million`, `${round(cost.postgresGb)} GB`],
      ...[`${round(cost.historyGb)} GB`, cost.cores.toFixed(2), `${round(memoryMb)} MB`, round(cost.requestsADay)],
      ...[units.join(', '), `${round(sum)}: ${euros.map(round).join(', ')}`],
    )
  }
  for (const name of Object.keys(CHAIN_RATES) as ChainName[]) {
    const cost = await costOf(name)
    for (const key of Object.keys(all) as (keyof Cost)[]) all[key] += cost[key]
    tell(name, cost, MEASURED.baseMb + MEASURED.postgresMb)
  }
  tell('all five', all, MEASURED.baseMb + MEASURED.postgresMb + 4 * MEASURED.chainMb)
}

if (values.headers) countLogs(values.headers)
else await tellCosts()
