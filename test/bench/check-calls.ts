// `npm run bench -- check-calls [--lacks simulate,override]`: what a provider bills for a contract check, and how long
// one takes. Each token of both zoos is checked while it is open, then again after its trap closed, by the same code
// that the program runs. A request is a JSON-RPC call: providers bill each call of a batch. The times are those of
// anvil on this machine, at once and with 50 ms before each answer.
import { parseArgs } from 'node:util'
import { CASES } from '../../research/zoo/cases.ts'
import { HELD_OUT } from '../../research/zoo/held-out.ts'
import { type Animal, openMarket, openZoo } from '../../research/zoo/market.ts'
import { createWorld } from '../../research/zoo/world.ts'
import { type Address, type Hash, toAddress } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { TRANSFER_TOPIC } from '../../src/chain/contracts/topics.ts'
import type { Call, Endpoint } from '../../src/chain/rpc/endpoint.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety, SAFETY_ENDPOINT } from '../../src/safety/check/safety.ts'
import type { SafetyReport } from '../../src/safety/report.ts'
import type { RecentTrade, SafetyTarget } from '../../src/safety/target.ts'
import { limitedNode } from '../safety/node.ts'

const { values } = parseArgs({
  options: { lacks: { type: 'string', default: '' }, only: { type: 'string', default: '' } },
})
const lacks = Object.fromEntries(values.lacks.split(',').map((each) => [each, true]))
const say = (line: string) => process.stdout.write(`${line}\n`)
const signal = new AbortController().signal
const DELAY_MS = 50

interface Counted {
  requests: number
  http: number
  /** `eth_call`s, and calls inside of simulations. */
  inside: number
}

function innerCalls({ method, params }: Call): number {
  if (method === 'eth_call') return 1
  if (method !== 'eth_simulateV1') return 0
  const [{ blockStateCalls }] = params as [{ blockStateCalls: { calls: unknown[] }[] }]
  return blockStateCalls.reduce((sum, { calls }) => sum + calls.length, 0)
}

/** Counts what passes, and delays each answer. */
function counting(node: Endpoint, delayMs: number) {
  const counted: Counted & { methods: Map<string, number> } = { requests: 0, http: 0, inside: 0, methods: new Map() }
  const endpoint: Endpoint = {
    name: node.name,
    async send(calls, stop) {
      counted.http += 1
      counted.requests += calls.length
      for (const call of calls) {
        counted.inside += innerCalls(call)
        counted.methods.set(call.method, (counted.methods.get(call.method) ?? 0) + 1)
      }
      const answers = await node.send(calls, stop)
      if (delayMs > 0) await systemClock.sleep(delayMs)
      return answers
    },
  }
  return { endpoint, counted }
}

interface Measured extends Counted {
  ms: number
  /** With `DELAY_MS` before each answer. */
  slowMs: number
  methods: ReadonlyMap<string, number>
  report: SafetyReport
}

const world = await createWorld()
const preset = await openMarket(world)
void preset
const animals = await openZoo(
  world,
  [...CASES, ...HELD_OUT].filter(({ name }) => name.includes(values.only)),
)

function open(delayMs: number) {
  const { endpoint, counted } = counting(limitedNode(world.anvil.url, lacks), delayMs)
  const rpc = createRpc({ endpoints: [endpoint], clock: systemClock, ...SAFETY_ENDPOINT })
  return { counted, safety: createSafety({ rpc }) }
}
const [quick, slow] = [open(0), open(DELAY_MS)]

async function measure(target: SafetyTarget): Promise<Measured> {
  const run = async ({ counted, safety }: typeof quick) => {
    Object.assign(counted, { requests: 0, http: 0, inside: 0, methods: new Map() })
    const startedMs = performance.now()
    const report = await safety.check(target, signal)
    return { ...counted, ms: performance.now() - startedMs, report }
  }
  const one = await run(quick)
  return { ...one, slowMs: (await run(slow)).ms }
}

const BALANCE = 'function balanceOf(address) view returns (uint256)'
const SALES = 6
const PURCHASES = 4

/** The newest trades of strangers with the pool. */
async function tradesOf({ stage }: Animal): Promise<RecentTrade[]> {
  const { token, pool, deployer } = stage
  type Log = { topics: string[]; transactionHash: Hash; blockNumber: string }
  const logs = await world.anvil.rpc<Log[]>('eth_getLogs', [
    { address: token, topics: [TRANSFER_TOPIC], fromBlock: '0x0', toBlock: 'latest' },
  ])
  const trades = logs.toReversed().flatMap(({ topics, transactionHash, blockNumber }): RecentTrade[] => {
    const [from, to] = topics.slice(1).map((topic) => toAddress(`0x${topic.slice(26)}`)) as [Address, Address]
    const trader = from === pool.address ? to : from
    if ((from !== pool.address && to !== pool.address) || trader === deployer) return []
    return [{ txHash: transactionHash, block: Number(blockNumber), time: 0, trader, isBuy: from === pool.address }]
  })
  return [
    ...trades.filter(({ isBuy }) => !isBuy).slice(0, SALES),
    ...trades.filter(({ isBuy }) => isBuy).slice(0, PURCHASES),
  ]
}

async function targetOf(animal: Animal, seed: string, holders?: SafetyTarget['holders']): Promise<SafetyTarget> {
  const target = await animal.stage.target(seed)
  const now = await Promise.all(
    target.holders.map(async (holder) => ({
      ...holder,
      balance: await world.ask<bigint>(animal.stage.token, BALANCE, holder.address),
    })),
  )
  return { ...target, holders: holders ?? now, trades: await tradesOf(animal) }
}

const rows: { name: string; first: Measured; later: Measured }[] = []
const firsts = new Map<Animal, { target: SafetyTarget; first: Measured }>()
for (const animal of animals) {
  const target = await targetOf(animal, `open ${animal.one.name}`)
  firsts.set(animal, { target, first: await measure(target) })
}
for (const { one, stage } of animals) await one.spring?.(stage)
await world.mine()
await world.mine(3_600)
for (const [animal, { target, first }] of firsts) {
  const { code, powers, powersTried, powersRead } = first.report
  const known = code && powers && { code, powers, powersTried, powersRead }
  const again = { ...(await targetOf(animal, `closed ${animal.one.name}`, target.holders)), known }
  rows.push({ name: animal.one.name, first, later: await measure(again) })
}
await world.stop()

const middle = (of: (row: (typeof rows)[number]) => number, part = 0.5): number =>
  rows.map(of).toSorted((a, b) => a - b)[Math.min(rows.length - 1, Math.floor(rows.length * part))] ?? 0
const listMethods = (methods: ReadonlyMap<string, number>) =>
  [...methods].map(([method, count]) => `${count} ${method.replace('eth_', '')}`).join(' ')
const findings = ({ report }: Measured) => report.findings.map(({ name }) => name).join(' ')
const powersOf = ({ report }: Measured) =>
  report.powers?.map(({ kind, proven }) => (proven ? kind : `(${kind})`)).join(' ') ?? '-'
for (const { name, first, later } of rows)
  say(
    `${name}: ${first.requests}, ${later.requests} | ${listMethods(first.methods)} | ${listMethods(later.methods)} | ${powersOf(first)} | ${findings(first)} > ${findings(later)}`,
  )
say(`${rows.length} tokens | First check | Later check`)
const line = (name: string, of: (measured: Measured) => number, part?: number) =>
  say(
    `${name} | ${Math.round(middle(({ first }) => of(first), part))} | ${Math.round(middle(({ later }) => of(later), part))}`,
  )
line('requests, median', ({ requests }) => requests)
line('requests, p95', ({ requests }) => requests, 0.95)
line('HTTP requests, median', ({ http }) => http)
line('calls inside, median', ({ inside }) => inside)
line('ms, p95', ({ ms }) => ms, 0.95)
line(`ms with ${DELAY_MS} ms before each answer, p95`, ({ slowMs }) => slowMs, 0.95)
process.exit(0)
