// `npm run bench -- chains [--parts memory,beside,pairs] [--chains 1,2,3,5] [--seconds N] [--pairs N]`. `memory`: that of
// each further chain. `beside`: the times of all chains under load together. `pairs`: the times of one chain alone and
// beside the load of another, by turns, in one process and in a process for each chain. All chains have the recorded
// demo, read over HTTP like a network.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readRecording } from '../../src/chain/replay/recording.ts'
import { openDatabase } from '../../src/database/client.ts'
import { startStormSource } from '../storm/source.ts'
import { findDatabase } from './database.ts'

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'memory,beside,pairs' },
    chains: { type: 'string', default: '1,2,3,5' },
    seconds: { type: 'string', default: '10' },
    pairs: { type: 'string', default: '9' },
  },
})
const parts = values.parts.split(',')
const counts = values.chains.split(',').map(Number)
const [seconds, pairs] = [values.seconds, values.pairs].map(Number) as [number, number]
const say = (line: string) => process.stdout.write(`${line}\n`)
const MAIN = new URL('../../dist/main.js', import.meta.url).pathname
/** Memory is read when the program has rested. */
const REST_MS = 25_000
const STEP_MS = 250
/** Requests a second: of the chain that is measured, and of the other one. Together they leave a core half idle. */
const RATES = { measured: 25, other: 100 }
/** Seconds of requests that are not measured. */
const WARM_S = 5
const NAMES = ['a', 'b', 'c', 'd', 'e']

const ends: (() => unknown)[] = []
const folder = mkdtempSync(join(tmpdir(), 'assay-chains-'))
ends.push(() => rmSync(folder, { recursive: true, force: true }))
const url = await findDatabase(undefined, ends)
const head = readRecording().blocks.length - 1
const source = await startStormSource()
ends.unshift(() => source.close())
source.release(head, head)

interface Program {
  child: ChildProcess
  address: string
}

async function start(chains: readonly string[], more: Record<string, string> = {}): Promise<Program> {
  const port = String(20_000 + Math.floor(Math.random() * 20_000))
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: url,
      DATA_DIR: join(folder, port),
      PORT: port,
      LOG_LEVEL: 'warn',
      CHAINS: chains.map((name) => `${name}=${source.url}`).join(),
      ...more,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const address = `http://127.0.0.1:${port}`
  ends.unshift(() => child.kill())
  const isReady = async (path: string) =>
    fetch(`${address}${path}/readyz`).then(
      async (response) => {
        const { lag_blocks: lag } = (await response.json()) as { lag_blocks?: number }
        return response.ok && lag === 0
      },
      () => false,
    )
  const paths = more.CHAIN === undefined ? chains.map((name, at) => (at === 0 ? '' : `/${name}`)) : ['']
  while (!(await Promise.all(paths.map(isReady))).every(Boolean)) await systemClock.sleep(STEP_MS)
  return { child, address }
}

async function stop({ child }: Program): Promise<void> {
  child.kill()
  await once(child, 'exit')
}

const megabytesOf = ({ child }: Program): number => {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

if (parts.includes('memory'))
  for (const count of counts) {
    const program = await start(NAMES.slice(0, count))
    await systemClock.sleep(REST_MS)
    say(`${count} chains in one process: ${megabytesOf(program)} MB`)
    await stop(program)
  }

if (!parts.includes('memory')) await stop(await start(['a']))
const database = openDatabase(url)
const { key } = await createKeyring(database.pool, systemClock).create({ email: 'bench@example.com', plan: 'api' })
const { rows } = await database.pool.query<{ address: string }>('SELECT address FROM wallet WHERE indexed LIMIT 2000')
await database.close()

const pathOf = (name: string): string => (name === NAMES[0] ? '/v1' : `/${name}/v1`)

let sentSoFar = 0
/** No answer is asked for twice, so none is a kept one. */
const nextPath = (): string => {
  const [at, limit] = [sentSoFar % rows.length, 1 + Math.floor(sentSoFar / rows.length)]
  sentSoFar += 1
  return `/wallets/${rows[at]?.address}/events?limit=${limit}`
}

/**
 * Sends requests as many independent clients do, at random moments. Returns how long each took from its moment on, in
 * milliseconds. With autocannon a second begins with all of its requests, so their own queue would be measured.
 */
async function fire(base: string, rate: number, duration = seconds): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const asked: Promise<number>[] = []
  const startMs = performance.now()
  for (let atMs = startMs; ; atMs += (-Math.log(1 - Math.random()) / rate) * 1_000) {
    if (atMs > startMs + duration * 1_000) break
    await systemClock.sleep(Math.max(0, atMs - performance.now()))
    asked.push(ask(`${base}${nextPath()}`, agent).then(() => performance.now() - atMs))
  }
  const times = await Promise.all(asked)
  agent.destroy()
  return times
}

const ask = (url: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
      response.resume().once('end', resolve)
    })
    sent.once('error', reject)
  })

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(Math.floor(times.length * share), times.length - 1)] ?? 0
const median = (values: readonly number[]): number => quantile(values, 0.5)
const ms = (value: number): string => `${value.toFixed(1)} ms`
const percent = (value: number): string => `${value >= 0 ? '+' : ''}${Math.round(value * 100)} %`

/** All chains of one process under load together. */
async function loadTogether(count: number): Promise<void> {
  const names = NAMES.slice(0, count)
  const program = await start(names)
  const bases = names.map((name) => `${program.address}${pathOf(name)}`)
  for (const base of bases) await fire(base, RATES.other, WARM_S)
  const times = await Promise.all(bases.map((base) => fire(base, RATES.measured)))
  const each = times.map((own, at) => `${names[at]} ${ms(quantile(own, 0.5))} and ${ms(quantile(own, 0.99))}`)
  say(`${count} chains, ${RATES.measured} requests a second each, p50 and p99: ${each.join(', ')}`)
  await stop(program)
}

/** Measures one chain alone and beside the other, in pairs whose order changes, so that a slow minute hits both. */
async function compare(what: string, own: string, other: string): Promise<void> {
  for (const base of [own, other]) await fire(base, RATES.other, WARM_S)
  const alone: number[] = []
  const beside: number[] = []
  const differences: number[] = []
  const measure = {
    alone: () => fire(own, RATES.measured),
    beside: async () => (await Promise.all([fire(own, RATES.measured), fire(other, RATES.other)]))[0],
  }
  for (let pair = 1; pair <= pairs; pair += 1) {
    const order = pair % 2 === 1 ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)
    const times: Record<string, number[]> = {}
    for (const name of order) times[name] = await measure[name]()
    const [quiet = [], loaded = []] = [times.alone, times.beside]
    alone.push(...quiet)
    beside.push(...loaded)
    differences.push(quantile(loaded, 0.99) / quantile(quiet, 0.99) - 1)
  }
  say(
    `${what}, ${pairs} pairs: p50 ${ms(median(alone))} alone, ${ms(median(beside))} beside; ` +
      `p99 ${ms(quantile(alone, 0.99))} alone, ${ms(quantile(beside, 0.99))} beside; ` +
      `differences of p99 in a pair: median ${percent(median(differences))}, ` +
      `from ${percent(Math.min(...differences))} to ${percent(Math.max(...differences))}`,
  )
}

if (parts.includes('beside')) await loadTogether(Math.max(...counts))
if (parts.includes('pairs')) {
  const both = await start(['a', 'b'])
  await compare('one process', `${both.address}/v1`, `${both.address}/b/v1`)
  await stop(both)
  const [first, second] = [await start(['a', 'b'], { CHAIN: 'a' }), await start(['a', 'b'], { CHAIN: 'b' })]
  await compare('a process each', `${first.address}/v1`, `${second.address}/v1`)
  await Promise.all([stop(first), stop(second)])
}
for (const end of ends) await end()
process.exit(0)
