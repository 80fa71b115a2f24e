// `npm run bench -- streams [--subscribers N] [--graphql SHARE] [--blocks N] [--events N] [--every MS]
// [--screens]`: measures the delay from a block's commit to the readers of streams, and the resources of one process.
// The program serves only the API, in its own process, over a seeded ledger. This process reads all streams over
// loopback, and writes the blocks as SQL.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { migrate } from '../../src/database/migrate.ts'
import { seedLedger, tokenAddress } from '../support/seed.ts'
import { findDatabase } from './database.ts'

const { values } = parseArgs({
  options: {
    subscribers: { type: 'string', default: '1000' },
    graphql: { type: 'string', default: '0.5' },
    blocks: { type: 'string', default: '40' },
    events: { type: 'string', default: '150' },
    every: { type: 'string', default: '2000' },
    // Each reader follows a list of its own instead of events.
    screens: { type: 'boolean', default: false },
  },
})
const [subscribers, share, blocks, events, every] = [
  values.subscribers,
  values.graphql,
  values.blocks,
  values.events,
  values.every,
].map(Number) as [number, number, number, number, number]

/** Tokens that the blocks trade, in turn; each reader follows one. */
const TOKENS = 25
/** Blocks at the start that are not counted: the code runs for the first time. */
const COLD = 5

const say = (line: string) => process.stdout.write(`${line}\n`)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const ends: (() => unknown)[] = []
let program: ChildProcess | undefined
process.on('exit', () => program?.kill('SIGKILL'))

const url = await findDatabase(undefined, ends)
const pool = new pg.Pool({ connectionString: url, max: 2 })
await migrate(pool)
await seedLedger(pool)
const { key } = await createKeyring(pool, systemClock).create({
  email: 'bench@example.com',
  plan: 'api',
  streams: subscribers,
})
const address = await start()

async function start(): Promise<string> {
  const main = new URL('../../src/main.ts', import.meta.url).pathname
  program = spawn(process.execPath, ['--import', 'tsx', main, 'serve', '--roles', 'api'], {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of program.stdout as NodeJS.ReadableStream) {
    text += String(chunk)
    const found = /REST +(http\S+)\/v1/.exec(text)?.[1]
    if (found) {
      program.stdout?.resume()
      return found
    }
  }
  throw new Error(`the program ended with: ${text}`)
}

const memory = (field: string): number => {
  const [, kilobytes = '0'] =
    new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${program?.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** When each block was committed, and the delays of what its readers got. */
const committedMs = new Map<number, number>()
const delays: number[] = []
let received = 0

const QUERY = `subscription ($t: [Address!]) { events(filter: { tokens: $t }) { id cursor retracted event { type amountUsd tokenSymbol blockNumber } } }`

function subscribe(index: number): Promise<ClientRequest> {
  const token = tokenAddress(1 + (index % TOKENS))
  const isGraphql = !values.screens && index % 10 < share * 10
  const path = values.screens ? `tokens?sort=liquidity&min_liquidity_usd=${index}` : `events?token_address=${token}`
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream', 'content-type': 'application/json' }
  const target = isGraphql ? `${address}/graphql` : `${address}/v1/stream/${path}`
  return new Promise((resolve, reject) => {
    const sent = request(target, { method: isGraphql ? 'POST' : 'GET', headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`a stream was refused with ${response.statusCode}`))
      resolve(sent)
      response.setEncoding('utf8')
      response.on('error', () => {})
      response.on('data', (chunk: string) => {
        const nowMs = performance.now()
        for (const [, block] of chunk.matchAll(/"(?:id|block_number)":"?(\d+)/g)) {
          const atMs = committedMs.get(Number(block))
          received += 1
          if (atMs !== undefined) delays.push(nowMs - atMs)
        }
      })
    })
    sent.on('error', reject)
    sent.end(isGraphql ? JSON.stringify({ query: QUERY, variables: { t: [token] } }) : undefined)
  })
}

/** Writes a block with events of all tokens, and tells it as the indexer does. */
async function writeBlock(): Promise<number> {
  const { rows } = await pool.query<{ number: number }>(
    `WITH last AS (SELECT * FROM block ORDER BY number DESC LIMIT 1), made AS (
       INSERT INTO event (n, type_n, block_number, log_index, token_id, token_n, token_type_n, wallet_id, wallet_n, wallet_type_n, type,
         direction, quantity, amount_usd, time, tx_hash)
       SELECT b.event_count + i, 1e6 + b.event_count + i, b.number + 1, i, 1 + i % ${TOKENS}, 1e6 + b.event_count + i, 1e6 + b.event_count + i,
         3, 1e6 + b.event_count + i, 1e6 + b.event_count + i, 1, 1, 1, 100, b.time + interval '12 seconds', decode(repeat('ab', 32), 'hex')
       FROM last b, generate_series(1, $1) i)
     INSERT INTO block SELECT number + 1, md5(number::text), hash, time + interval '12 seconds', event_count + $1, swap_count + $1,
       liquidity_add_count, liquidity_remove_count, transfer_count, token_count, wallet_count, last_token_id, last_wallet_id, last_pool_id
     FROM last RETURNING number, pg_notify('assay_head', number::text)`,
    [events],
  )
  const number = rows[0]?.number ?? 0
  if (values.screens)
    await pool.query(
      `WITH moved AS (UPDATE token SET liquidity_usd = liquidity_usd * (0.5 + random()), updated_block = $1 WHERE id <= ${TOKENS})
       SELECT pg_notify('assay_head', $1::text)`,
      [number],
    )
  return number
}

/** Seconds of processor time that the process has used. */
const processor = (): number => {
  const fields = readFileSync(`/proc/${program?.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const idle = memory('VmRSS')
const readers: ClientRequest[] = []
for (let index = 0; index < subscribers; index += 50) {
  const some = Array.from({ length: Math.min(50, subscribers - index) }, (_, offset) => subscribe(index + offset))
  readers.push(...(await Promise.all(some)))
}
await pause(2_000)
say(
  `${subscribers} streams are open; the process has ${memory('VmRSS')} MB (${idle} MB without); load ${loadavg()[0]?.toFixed(1)}`,
)

const usedBefore = processor()
let next = (await pool.query<{ n: number }>('SELECT max(number)::int AS n FROM block')).rows[0]?.n ?? 0
for (let n = 0; n < blocks; n += 1) {
  next += 1
  // Before the statement: its commit is what readers wait for.
  if (n >= COLD) committedMs.set(next, performance.now())
  await writeBlock()
  await pause(every)
}
await pause(2_000)
const used = ((processor() - usedBefore) * 1000) / blocks
const sorted = [...delays].sort((a, b) => a - b)
const part = (share: number) =>
  `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)} ms`
say(
  `block to reader: p50 ${part(0.5)}, p95 ${part(0.95)}, p99 ${part(0.99)}, most ${part(1)} (${sorted.length} messages)`,
)
say(
  `${received} of ${(subscribers * events * blocks) / TOKENS} messages arrived; the process has ${memory('VmRSS')} MB, ${memory('VmHWM')} MB at most, and used ${Math.round(used)} ms of a processor per block; load ${loadavg()[0]?.toFixed(1)}`,
)
for (const reader of readers) reader.destroy()
const exited = new Promise((resolve) => program?.once('exit', resolve))
program?.kill('SIGTERM')
await exited
await pool.end()
for (const end of ends) await end()
process.exit(0)
