// `npm run bench -- checks [--hours N] [--seconds N]`: the cost of contract checks at the head. The first part prints the
// calls per token and day for 100, 1,000 and 10,000 live tokens, with the default bound. A check sends as many calls as
// the zoo's table in docs/safety.md says. In the second part two programs follow one live chain, and one of them checks
// contracts. It prints the time of writing a block, the processor time, and the time of a request. An hour passes with
// each block, so that every token is due, and the calls reach their bound.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { parseArgs } from 'node:util'
import { CASES } from '../../research/zoo/cases.ts'
import { headOf, openMarket, openZoo, trade } from '../../research/zoo/market.ts'
import { type Program, startProgram } from '../../research/zoo/program.ts'
import { createWorld } from '../../research/zoo/world.ts'
import type { Address } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { type Database, openDatabase } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createContractChecks } from '../../src/indexing/contract-checks.ts'
import type { CodeFacts, SafetyReport } from '../../src/safety/report.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { createReport } from '../support/safety-report.ts'
import { HEAD_NUMBER, HEAD_TIME, seedLedger, tokenAddress } from '../support/seed.ts'
import { findDatabase } from './database.ts'

const { values } = parseArgs({
  options: { hours: { type: 'string', default: '24' }, seconds: { type: 'string', default: '150' } },
})
const [hours, seconds] = [values.hours, values.seconds].map(Number) as [number, number]
const say = (line: string) => process.stdout.write(`${line}\n`)
const MINUTE = 60
const CALLS_PER_MINUTE = 600

/** The medians of the calls of first checks, and of later ones. A token that was checked once has the same number twice. */
function measuredCalls(): { first: number; later: number } {
  const text = readFileSync(new URL('../../docs/safety.md', import.meta.url), 'utf8')
  const [, table = ''] = /<!-- zoo -->(.*)<!-- \/zoo -->/s.exec(text) ?? []
  const pairs = [...table.matchAll(/\| (\d+), (\d+) \|$/gm)].map(([, first, later]) => [Number(first), Number(later)])
  const middle = (counts: number[]) => counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? 0
  const again = pairs.filter(([first, later]) => first !== later)
  return { first: middle(pairs.map(([first = 0]) => first)), later: middle(again.map(([, later = 0]) => later)) }
}

const LIVE = [100, 1_000, 10_000]
/** Live tokens trade in each of these steps. */
const STEP_MINUTES = 10

async function measureCalls(database: Database): Promise<void> {
  const calls = measuredCalls()
  say(
    `a first check sends ${calls.first} calls, a later one ${calls.later}; ${CALLS_PER_MINUTE} calls a minute at most`,
  )
  for (const live of LIVE) {
    await database.pool.query('TRUNCATE token_safety, safety_due, undo')
    await database.pool.query(
      `UPDATE token SET indexed = id <= $1, kind = 'erc20', buyer_count = 10, liquidity_usd = 5000`,
      [live],
    )
    const spent = await runDay(database, calls)
    const perDay = (spent.calls * 24) / hours
    const perToken = Math.round(perDay / live)
    const every = spent.checks === 0 ? 0 : (live * hours * MINUTE) / spent.checks
    say(
      `${live} live tokens: ${Math.round(perDay)} calls a day, ${perToken} per token and day; each is checked every ${Math.round(every)} minutes`,
    )
  }
}

async function runDay(database: Database, calls: { first: number; later: number }) {
  const [at] = (await database.pool.query<{ number: number; time: number }>(NEWEST)).rows
  const now = { number: at?.number ?? HEAD_NUMBER, time: at?.time ?? HEAD_TIME, ms: 0 }
  const spent = { calls: 0, checks: 0 }
  const checks = createContractChecks({
    ...{ database, quotes: [], everySeconds: 3_600, callsPerMinute: CALLS_PER_MINUTE, metrics: createMetrics() },
    rules: { wrappedNative: tokenAddress(1) as Address, venues: new Map() },
    ...{ seedOf: () => 'bench', log: { info: () => {}, warn: () => {}, debug: () => {} } },
    clock: { ...systemClock, monotonicMs: () => now.ms },
    check: async ({ token, known }): Promise<SafetyReport> => {
      const cost = known ? calls.later : calls.first
      spent.calls += cost
      spent.checks += 1
      return { ...createReport({ block: now.number, at: now.time }), token, code: CODE, calls: cost }
    },
  })
  const signal = new AbortController().signal
  for (let minute = 0; minute < hours * MINUTE; minute++) {
    now.ms += 60_000
    now.time += MINUTE
    await database.pool.query('UPDATE block SET time = to_timestamp($1)', [now.time])
    if (minute % STEP_MINUTES === 0) {
      now.number += 1
      await database.pool.query('UPDATE block SET number = $1', [now.number])
      await database.pool.query('UPDATE token SET updated_block = $1 WHERE indexed', [now.number])
      await database.pool.query(
        `UPDATE token_hour h SET hour = $1 FROM (SELECT token_id, max(hour) AS hour FROM token_hour GROUP BY 1) n
         WHERE n.token_id = h.token_id AND n.hour = h.hour`,
        [Math.floor(now.time / 3_600)],
      )
    }
    await checks.drain(600_000, signal)
    await checks.store()
  }
  return spent
}

const NEWEST = 'SELECT number::int, extract(epoch FROM time)::int AS time FROM block ORDER BY number DESC LIMIT 1'
const CODE: CodeFacts = {
  ...{ hash: `0x${'0'.repeat(64)}`, proxy: null, implementation: null, implementationHash: `0x${'0'.repeat(64)}` },
  ...{ owner: null, admin: null, verifiedClone: false, selectors: [], unread: null, native: null },
}

interface Written {
  seconds: number
  batches: number
  calls: number
  /** Seconds of the processor. */
  busy: number
}

async function readMetrics(port: number): Promise<Written> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
  return {
    seconds: read('assay_batch_seconds_sum'),
    batches: read('assay_batch_seconds_count'),
    calls: read('assay_contract_calls_total'),
    busy: read('process_cpu_seconds_total'),
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Two programs at once, so that whatever else the machine does slows both. */
async function measureIndexing(): Promise<void> {
  const world = await createWorld()
  const preset = await openMarket(world)
  const animals = await openZoo(world, CASES.slice(0, ANIMALS))
  const ways = ['on', 'off'] as const
  const ports = [await findPort(), await findPort()]
  const programs: Program[] = []
  for (const [at, way] of ways.entries())
    programs.push(
      await startProgram(world.anvil.url, preset, {
        METRICS_PORT: String(ports[at]),
        ...(way === 'off' ? { CONTRACT_CHECKS: 'off' } : {}),
      }),
    )
  const settle = async () => {
    const head = await headOf(world)
    for (const program of programs) await program.reach(head)
  }
  await settle()
  const before = await Promise.all(ports.map(readMetrics))
  const asked: number[][] = [[], []]
  const startedMs = performance.now()
  for (let round = 200; performance.now() - startedMs < seconds * 1_000; round++) {
    await trade(world, animals, round)
    await world.mine(HOUR)
    await settle()
    for (const [at, program] of programs.entries()) {
      const sentMs = performance.now()
      await program.ask(REQUEST)
      asked[at]?.push(performance.now() - sentMs)
    }
  }
  const after = await Promise.all(ports.map(readMetrics))
  const [on, off] = ways.map((way, at) => {
    const [first, last] = [before[at], after[at]]
    if (!first || !last) throw new Error('a program told no metrics')
    const [batches, calls] = [last.batches - first.batches, last.calls - first.calls]
    if (way === 'on' && calls === 0) throw new Error('nothing was checked, so nothing was measured')
    const ms = (1_000 * (last.seconds - first.seconds)) / batches
    const busyMs = (1_000 * (last.busy - first.busy)) / batches
    const times = (asked[at] ?? []).toSorted((a, b) => a - b)
    const most = times.at(-1) ?? 0
    say(
      `checks ${way}: ${ms.toFixed(1)} ms to write a block, ${busyMs.toFixed(1)} ms of the processor a block; ${calls} calls, ${batches} blocks in ${seconds} s; a request ${(times[times.length >> 1] ?? 0).toFixed(1)} ms, at most ${most.toFixed(1)}`,
    )
    return { ms, busyMs, most }
  })
  if (!on || !off) throw new Error('there are two programs')
  const added = (a: number, b: number) => `${(100 * (a / b - 1)).toFixed(1)} %`
  say(
    `checks add ${added(on.ms, off.ms)} to the time of a block, ${added(on.busyMs, off.busyMs)} to the processor time`,
  )
  say(`checks add ${(on.most - off.most).toFixed(1)} ms to the slowest of ${asked[0]?.length} requests`)
  for (const program of programs) await program.stop()
  await world.stop()
}

const ANIMALS = 16
const HOUR = 3_600
const REQUEST = '{ tokens(first: 20) { nodes { symbol reasons { text points } } } }'
const ends: (() => unknown)[] = []
const database = openDatabase(await findDatabase(undefined, ends))
await migrate(database.pool)
await seedLedger(database.pool, { tokens: Math.max(...LIVE), wallets: 60, events: 600 })
await measureCalls(database)
await database.close()
for (const end of ends) await end()
await measureIndexing()
process.exit(0)
