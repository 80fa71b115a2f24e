// `npm run rehearse:cluster -- [--requests PER_SECOND]`: the whole program as it runs past one machine, with each part killed once under load. PostgreSQL with two
// streaming replicas, PgBouncer, Redis, three API processes behind HAProxy, an indexer with a standby, two alert workers.
// Prints which requests failed and for how long, and compares every table with an undisturbed run. Needs the programs haproxy,
// pgbouncer and redis-server. Exits with 1 if anything was lost or doubled.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readRecording } from '../../src/chain/replay/recording.ts'
import { openDatabase } from '../../src/database/client.ts'
import { chooseAccount } from '../../src/database/embedded/account.ts'
import { migrate } from '../../src/database/migrate.ts'
import { findPort, startPrimary } from '../support/servers.ts'
import { startSmtp } from '../support/smtp.ts'
import { type Follower, followEvents, startLoad } from './cluster/load.ts'
import { listens, startBalancer, startBouncer, startRedis } from './cluster/parts.ts'
import { describeLimit, describeTrouble } from './cluster/report.ts'
import { findDifferences, takePicture } from './picture.ts'
import { indexTo, type Running, readBlock, startProgram } from './program.ts'
import { startStormSource } from './source.ts'

const { values } = parseArgs({ options: { requests: { type: 'string', default: '60' } } })
const perSecond = Number(values.requests)
/** Requests a minute that the limited key may send; it tries three times as many. */
const LIMIT = 120
/** How long each disturbance is watched, at least. */
const WATCH_MS = 12_000
const BLOCK_MS = 500

const say = (line: string) => process.stdout.write(`${line}\n`)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const folder = mkdtempSync(join(tmpdir(), 'assay-cluster-'))
// PostgreSQL and PgBouncer run as another user.
chmodSync(folder, 0o755)
const { owner } = chooseAccount(join(folder, 'of-nobody'))
const closing: (() => unknown)[] = []
async function close(): Promise<void> {
  for (const step of closing.splice(0).reverse()) await step()
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void close().finally(() => process.exit(130)))

/** A process of the program, started again as often as needed. */
function keepProcess(args: readonly string[], environment: Record<string, string>) {
  let program: Running = startProgram(args, environment)
  const complaints: Running[] = [program]
  closing.push(() => program.child.kill('SIGKILL'))
  return {
    kill: async () => {
      program.child.kill('SIGKILL')
      await program.ended
    },
    start: () => {
      program = startProgram(args, environment)
      complaints.push(program)
    },
    end: async () => {
      program.child.kill('SIGTERM')
      return program.ended
    },
    said: () => complaints.map((each) => each.complaints()).join(''),
  }
}

async function main(): Promise<boolean> {
  const until = readRecording().blocks.length - 1
  const source = await startStormSource(BLOCK_MS)
  closing.push(source.close)
  const primary = await startPrimary(folder)
  closing.push(primary.kill)

  // The undisturbed run, on a database of its own of the same server.
  const calm = openDatabase(primary.url.replace(/assay$/, 'calm'), { size: 2 })
  const admin = openDatabase(primary.url, { size: 2 })
  await admin.pool.query('CREATE DATABASE calm')
  source.release(until, until)
  await indexTo(until, { RPC_URL: source.url, DATABASE_URL: primary.url.replace(/assay$/, 'calm') })
  const straight = await takePicture(calm)
  await calm.close()
  say(`undisturbed: ${until} blocks, ${straight.found.event?.length} events; load ${loadavg()[0]?.toFixed(1)}`)

  await migrate(admin.pool)
  const keyring = createKeyring(admin.pool, systemClock)
  const { key } = await keyring.create({ email: 'reader@example.com', plan: 'api' })
  const limited = await keyring.create({ email: 'limited@example.com', plan: 'api', requestsPerMinute: LIMIT })
  const first = await primary.copy('one')
  const second = await primary.copy('two')
  closing.push(first.kill, second.kill)
  await admin.pool.query(`ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (one, two)'`)
  await admin.pool.query('SELECT pg_reload_conf()')
  await admin.close()

  const redis = await startRedis()
  const ports = [await findPort(), await findPort(), await findPort()]
  const balancer = await startBalancer(folder, ports, primary.port)
  const bouncer = await startBouncer(folder, balancer.databasePort, owner)
  closing.push(redis.kill, balancer.kill, bouncer.kill)
  const smtp = await startSmtp()
  closing.push(smtp.close)
  const environment = {
    RPC_URL: source.url,
    DATABASE_URL: `postgres://assay@127.0.0.1:${balancer.databasePort}/assay`,
    DATABASE_POOL_URL: `postgres://assay@127.0.0.1:${bouncer.port}/assay`,
    DATABASE_REPLICA_URL: `${first.url},${second.url}`,
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    SMTP_URL: smtp.url,
    PUBLIC_URL: 'http://assay.example',
    TRUST_PROXY: 'loopback',
    ACCESS_LOG: 'none',
  }
  const behind = Math.floor(until / 2)
  source.release(behind, until)
  const indexers = [0, 1].map(() => keepProcess(['serve', '--roles', 'index'], environment))
  const apis = ports.map((port) => keepProcess(['serve', '--roles', 'api'], { ...environment, PORT: String(port) }))
  const workers = [0, 1].map(() => keepProcess(['serve', '--roles', 'alerts'], environment))
  for (const port of ports) while (!(await listens(port))) await pause(100)
  const url = `http://127.0.0.1:${balancer.port}`
  let writing = openDatabase(environment.DATABASE_URL, { size: 1 })
  closing.push(() => writing.close())
  while ((await readBlock(writing.pool)) < behind) await pause(200)
  // The balancer asks /readyz too.
  while (!(await fetch(`${url}/readyz`)).ok) await pause(200)
  // An alert sends a mail in five minutes at most.
  for (const n of Array(40).keys()) {
    const conditions = { max_risk_score: 20 + 2 * n, min_liquidity_usd: 500 * (n % 10) }
    const body = JSON.stringify({ name: 'Any', conditions, notification_channel: 'email' })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const made = await fetch(`${url}/v1/alerts`, { method: 'POST', body, headers })
    if (made.status !== 201) throw new Error(`an alert was refused: ${await made.text()}`)
  }
  const { data } = (await (
    await fetch(`${url}/v1/tokens?limit=20`, { headers: { authorization: `Bearer ${key}` } })
  ).json()) as {
    data: { address: string }[]
  }
  const paths = ['/v1/tokens', '/v1/tokens?sort=volume&max_risk_score=29', '/v1/events', '/v1/events?type=swap'].concat(
    data.flatMap(({ address }) => [`/v1/tokens/${address}`, `/v1/scores/token/${address}`]),
  )
  const load = startLoad({
    url,
    key,
    paths,
    clients: 12,
    perSecond,
    limited: { key: limited.key, perSecond: (3 * LIMIT) / 60 },
  })
  const followers = [1, 2, 3].map(() => followEvents(url, key))
  const startedMs = performance.now()
  const marks: [name: string, atMs: number][] = []
  const watch = async (name: string, disturb: () => Promise<unknown>, mend: () => unknown = () => {}) => {
    const fromMs = performance.now()
    marks.push([name, fromMs])
    const block = await readBlock(writing.pool)
    await disturb()
    let moved = 0
    const moving = (async () => {
      while ((await readBlock(writing.pool)) <= block + 2 && performance.now() - fromMs < 30_000) await pause(50)
      moved = performance.now() - fromMs
    })()
    await Promise.all([moving, pause(WATCH_MS)])
    const trouble = describeTrouble(load.samples, fromMs, performance.now())
    say(`${name}: ${trouble}; the index had moved on after ${(moved / 1000).toFixed(1)} s`)
    await mend()
    await pause(4_000)
  }
  await pause(5_000)
  await watch('nothing', async () => {})
  await watch('a replica is killed', second.kill, second.start)
  await watch('Redis is killed', redis.kill, redis.start)
  await watch(
    'an API process is killed',
    async () => apis[1]?.kill(),
    () => apis[1]?.start(),
  )
  await watch(
    'an alert worker is killed',
    async () => workers[0]?.kill(),
    () => workers[0]?.start(),
  )
  await watch(
    'the indexer is killed',
    async () => indexers[0]?.kill(),
    () => indexers[0]?.start(),
  )
  await watch('the primary is killed, and a replica takes its place', async () => {
    await primary.kill()
    // What an orchestrator does; it would need some seconds to be sure.
    await first.promote()
    await balancer.movePrimary(first.port)
    await second.follow(first)
  })
  const readers = load.samples.length
  await load.stop()
  const endedMs = performance.now()
  say(
    `all: ${describeTrouble(load.samples, startedMs, endedMs)} (${readers} requests in ${Math.round((endedMs - startedMs) / 1000)} s)`,
  )
  say(`limit of ${LIMIT} a minute: ${describeLimit(load.granted, LIMIT, marks)}`)

  source.release(until, until)
  await writing.close()
  writing = openDatabase(first.url, { size: 2 })
  while ((await readBlock(writing.pool)) < until) await pause(200)
  const due = `SELECT FROM score_due WHERE due_at <= (SELECT max(time) FROM block)`
  while ((await writing.pool.query(due)).rowCount) await pause(200)
  const { rows: events } = await writing.pool.query<{ id: string }>(
    `SELECT block_number || '-' || log_index || '-' || coalesce(part, 0) AS id FROM event`,
  )
  for (let tries = 0; followers.some(({ seen }) => seen.size < events.length) && tries < 100; tries += 1)
    await pause(100)
  await Promise.all(followers.map((follower) => follower.stop()))
  const sum = (count: (follower: Follower) => number) => followers.reduce((all, follower) => all + count(follower), 0)
  const lost = sum(({ seen }) => events.filter(({ id }) => !seen.has(id)).length)
  const twice = sum(({ seen }) => [...seen.values()].filter((times) => times > 1).length)
  const opened = sum((follower) => follower.opened())
  say(`three streams of ${events.length} events: ${lost} lost, ${twice} came twice; they were opened ${opened} times`)

  const { rows: sent } = await writing.pool.query<{ id: string }>(
    `SELECT id FROM alert_message WHERE sent_at IS NOT NULL`,
  )
  const mails = smtp.received.map(({ mail }) => /<([^@]+)@/.exec(mail.messageId ?? '')?.[1] ?? '')
  const missing = sent.filter(({ id }) => !mails.includes(id)).length
  say(
    `mails: ${mails.length} arrived, ${mails.length - new Set(mails).size} twice, ${missing} that count as sent did not arrive`,
  )
  const codes = await Promise.all([...indexers, ...apis, ...workers].map((each) => each.end()))
  if (codes.some((code) => code !== 0)) say(`processes ended with ${codes.join(', ')}`)
  const differences = findDifferences(straight, await takePicture(writing))
  say(differences.length === 0 ? 'every table equals the undisturbed run' : `DIFFERS:\n  ${differences.join('\n  ')}`)
  return differences.length === 0 && lost === 0 && twice === 0 && missing === 0
}

const isRight = await main().finally(close)
process.exit(isRight ? 0 : 1)
