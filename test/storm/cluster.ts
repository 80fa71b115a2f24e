// `npm run storm -- cluster [--requests PER_SECOND] [--asynchronous] [--redis-keeps-memory]`: the whole program as it
// runs past one machine, with each part killed once under load, while events move to the history. Three PostgreSQL servers under Patroni with three members
// of etcd, PgBouncer, Redis, three API processes behind HAProxy, an indexer with a standby, two alert workers. Prints
// which requests failed and for how long, and compares every table and list with an undisturbed run. Exits with 1 if anything was
// lost or doubled, or a program is not installed.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readRecording } from '../../src/chain/replay/recording.ts'
import { openDatabase } from '../../src/database/client.ts'
import { chooseAccount } from '../../src/database/embedded/account.ts'
import { migrate } from '../../src/database/migrate.ts'
import { putBack } from '../support/put-back.ts'
import { findPort } from '../support/servers.ts'
import { startSmtp } from '../support/smtp.ts'
import { compareCopies } from './cluster/copies.ts'
import { compareLists, type ListDifference } from './cluster/lists.ts'
import { type Follower, followEvents, startLoad } from './cluster/load.ts'
import { readMoved, untilMoved, untilMoving } from './cluster/moves.ts'
import { makeNetwork } from './cluster/network.ts'
import { listens, type Part, startBalancer, startBouncer, startRedis } from './cluster/parts.ts'
import {
  findMissingPrograms,
  MEMBER_NAMES,
  type Member,
  startPatroniCluster,
  whyNotSuspended,
} from './cluster/patroni.ts'
import { describeLimit, describeMails, describeTrouble, internalFaultsIn, troublesIn } from './cluster/report.ts'
import { type TracedEvent, traceList } from './cluster/trace.ts'
import { findDifferences, takePicture } from './picture.ts'
import { indexTo, type Running, readBlock, startProgram } from './program.ts'
import { startStormSource } from './source.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '60' },
    asynchronous: { type: 'boolean', default: false },
    'redis-keeps-memory': { type: 'boolean', default: false },
  },
})
const perSecond = Number(values.requests)
const isSynchronous = !values.asynchronous
const keepsMemory = values['redis-keeps-memory']
/** Requests a minute that the limited key may send; it tries three times as many. */
const LIMIT = 120
/** How long each disturbance is watched, at least; Patroni waits 20 s for a leader that says nothing. */
const WATCH_MS = 10_000
const LONGEST_WATCH_MS = 90_000
const BLOCK_MS = 500
/** Such a disturbance waits until a segment is being written. */
const WHILE_MOVING = 'while events move'
const MOVES_EARLY = ['--import', 'tsx', fileURLToPath(new URL('./cluster/moves-early.ts', import.meta.url))]

const say = (line: string) => process.stdout.write(`${line}\n`)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const folder = mkdtempSync(join(tmpdir(), 'assay-cluster-'))
// PostgreSQL and PgBouncer run as another user.
chmodSync(folder, 0o755)
const { owner } = chooseAccount(join(folder, 'of-nobody'))
const closing: (() => unknown)[] = []
/** What the parts said, for a rehearsal that fails. */
const ends: (() => string)[] = []
async function close(): Promise<void> {
  for (const step of closing.splice(0).reverse()) await step()
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void close().finally(() => process.exit(130)))

/** A process of the program, started again as often as needed. */
function keepProcess(args: readonly string[], environment: Record<string, string>, entry?: readonly string[]) {
  let program: Running = startProgram(args, environment, entry)
  const complaints: Running[] = [program]
  closing.push(() => program.child.kill('SIGKILL'))
  return {
    kill: async () => {
      program.child.kill('SIGKILL')
      await program.ended
    },
    start: () => {
      program = startProgram(args, environment, entry)
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
  const network = makeNetwork(MEMBER_NAMES)
  closing.push(network.remove)
  const cluster = await startPatroniCluster({ folder, owner, isSynchronous, network })
  closing.push(() => Promise.all([...cluster.members, ...cluster.etcd].map((each) => each.kill())))
  ends.push(cluster.lastWords)
  const first = await cluster.findLeader()
  say(
    `synchronous_mode is ${isSynchronous ? 'on' : 'off'}, and Redis ${keepsMemory ? 'keeps' : 'loses'} its memory at its kill`,
  )

  // The undisturbed run, on a database of its own of the same server.
  const inDatabase = (name: string) => first.url.replace(/assay$/, name)
  const server = openDatabase(inDatabase('postgres'), { size: 1 })
  for (const name of ['assay', 'calm']) await server.pool.query(`CREATE DATABASE ${name}`)
  await server.close()
  const calm = openDatabase(inDatabase('calm'), { size: 2 })
  const admin = openDatabase(first.url, { size: 2 })
  source.release(until, until)
  await indexTo(until, { RPC_URL: source.url, DATABASE_URL: inDatabase('calm') })
  const straight = await takePicture(calm)
  const other = (await createKeyring(calm.pool, systemClock).create({ email: 'calm@example.com', plan: 'api' })).key
  await calm.close()
  say(`undisturbed: ${until} blocks, ${straight.found.event?.length} events; load ${loadavg()[0]?.toFixed(1)}`)

  await migrate(admin.pool)
  const keyring = createKeyring(admin.pool, systemClock)
  const { key } = await keyring.create({ email: 'reader@example.com', plan: 'api' })
  const limited = await keyring.create({ email: 'limited@example.com', plan: 'api', requestsPerMinute: LIMIT })
  await admin.close()

  const redis = await startRedis(folder, keepsMemory)
  const ports = [await findPort(), await findPort(), await findPort()]
  const balancer = await startBalancer(folder, ports, cluster.members)
  const bouncer = await startBouncer(folder, balancer.databasePort, owner)
  closing.push(redis.kill, balancer.kill, bouncer.kill)
  const smtp = await startSmtp()
  closing.push(smtp.close)
  const history = join(folder, 'history')
  mkdirSync(history)
  const environment = {
    RPC_URL: source.url,
    DATABASE_URL: `postgres://assay@127.0.0.1:${balancer.databasePort}/assay`,
    DATABASE_POOL_URL: `postgres://assay@127.0.0.1:${bouncer.port}/assay`,
    DATABASE_REPLICA_URL: cluster.members.map(({ url: at }) => at).join(','),
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    SMTP_URL: smtp.url,
    PUBLIC_URL: 'http://assay.example',
    TRUST_PROXY: 'loopback',
    ACCESS_LOG: 'none',
    HISTORY_DIR: history,
    HISTORY_AFTER_DAYS: '8',
  }
  const behind = Math.floor(until / 2)
  source.release(behind, until)
  const indexers = [0, 1].map(() => keepProcess(['serve', '--roles', 'index'], environment, MOVES_EARLY))
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
    if (name.endsWith(WHILE_MOVING) && !(await untilMoving(history))) say('no event moved')
    const fromMs = performance.now()
    marks.push([name, fromMs])
    const block = await readBlock(writing.pool)
    await disturb()
    let moved = 0
    const moving = (async () => {
      while ((await readBlock(writing.pool)) <= block + 2 && performance.now() - fromMs < LONGEST_WATCH_MS)
        await pause(50)
      moved = performance.now() - fromMs
    })()
    await Promise.all([moving, pause(WATCH_MS)])
    const trouble = describeTrouble(load.samples, fromMs, performance.now())
    const { segments, old, kept } = await readMoved(writing.pool)
    const moves = `${old} events in ${segments} segments, ${kept} in the database`
    say(`${name}: ${trouble}; the index had moved on after ${(moved / 1000).toFixed(1)} s; ${moves}`)
    await mend()
    await pause(3_000)
  }
  await pause(5_000)
  await watch('nothing', async () => {})
  const replicaOf = async () => {
    const leader = await cluster.findLeader()
    const [replica = leader] = cluster.members.filter((member) => member !== leader)
    return replica
  }
  const killed: { kill(): Promise<void>; start(): unknown }[] = []
  /** Kills it until the end of the watch. */
  const kill = async (part: { kill(): Promise<void>; start(): unknown }) => {
    killed.push(part)
    await part.kill()
  }
  const mend = async () => {
    for (const part of killed.splice(0)) await part.start()
    await cluster.whole()
  }
  await watch('a replica is killed', async () => kill(await replicaOf()), mend)
  await watch('a replica is rebuilt from the leader', async () => cluster.rebuild(await replicaOf()), mend)
  await watch('a member of etcd is killed', async () => kill(cluster.etcd[0] as Part), mend)
  await watch('Redis is killed', redis.kill, redis.start)
  await watch('PgBouncer is killed for a second', async () => {
    await bouncer.kill()
    await pause(1_000)
    await bouncer.start()
  })
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
    `the indexer is killed ${WHILE_MOVING}`,
    async () => indexers[0]?.kill(),
    () => indexers[0]?.start(),
  )
  await watch(
    `its standby, which leads now, is killed ${WHILE_MOVING}`,
    async () => indexers[1]?.kill(),
    () => indexers[1]?.start(),
  )
  await watch(
    `the leader is killed with its Patroni ${WHILE_MOVING}`,
    async () => kill(await cluster.findLeader()),
    mend,
  )
  let paused: Member | undefined
  const reason = whyNotSuspended()
  if (reason) say(`no leader is suspended: ${reason}`)
  else
    await watch(
      'the leader is suspended for as long',
      async () => {
        paused = await cluster.findLeader()
        paused.pause()
      },
      async () => {
        paused?.resume()
        await cluster.whole()
      },
    )
  if (network.whyWhole) say(`no network is cut: ${network.whyWhole}`)
  else
    await watch(
      'the network of the leader is cut for as long',
      async () => {
        paused = await cluster.findLeader()
        paused.machine.cut?.()
      },
      async () => {
        paused?.machine.rejoin()
        await cluster.whole()
      },
    )
  await watch(
    'the server of the leader is killed, and its Patroni lives',
    async () => (await cluster.findLeader()).crash(),
    mend,
  )
  const readers = load.samples.length
  await load.stop()
  const endedMs = performance.now()
  say(
    `all: ${describeTrouble(load.samples, startedMs, endedMs)} (${readers} requests in ${Math.round((endedMs - startedMs) / 1000)} s)`,
  )
  say(`limit of ${LIMIT} a minute: ${describeLimit(load.granted, LIMIT, marks)}`)

  source.release(until, until)
  await writing.close()
  writing = openDatabase((await cluster.findLeader()).url, { size: 2 })
  while ((await readBlock(writing.pool)) < until) await pause(200)
  const due = `SELECT FROM score_due WHERE due_at <= (SELECT max(time) FROM block)`
  while ((await writing.pool.query(due)).rowCount) await pause(200)
  const { segments, old, kept } = await untilMoved(writing.pool)
  say(`moved in the end: ${old} events in ${segments} segments, ${kept} in the database`)
  const events = (straight.found.event ?? []).map((row) => {
    const event = JSON.parse(row) as TracedEvent
    return { id: `${event.block_number}-${event.log_index}-${event.part ?? 0}`, event }
  })
  const eventOf = new Map(events.map(({ id, event }) => [id, event]))
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
  const { line, missing } = describeMails(
    mails,
    sent.map(({ id }) => id),
  )
  say(`mails: ${line}`)
  const port = await findPort()
  const ofCalm = { DATABASE_URL: environment.DATABASE_URL.replace(/assay$/, 'calm'), PORT: String(port) }
  const calmApi = keepProcess(['serve', '--roles', 'api'], ofCalm)
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) await pause(200)
  const lists = await compareLists(
    { url, key },
    { url: `http://127.0.0.1:${port}`, key: other },
    data.map(({ address }) => address),
  )
  say(`${lists.lists} lists of ${lists.events} events: ${lists.differences.length} differ`)
  const trace = async (differences: readonly ListDifference[]) => {
    const alone = await Promise.all(
      [...cluster.members, null].map(async (member) => {
        const own = await findPort()
        const { DATABASE_REPLICA_URL: _, ...common } = environment
        const replica = member ? { DATABASE_REPLICA_URL: member.url } : {}
        keepProcess(['serve', '--roles', 'api'], { ...common, ...replica, PORT: String(own) })
        while (!(await fetch(`http://127.0.0.1:${own}/readyz`).catch(() => null))?.ok) await pause(200)
        return {
          name: `a process that reads from ${member?.name ?? 'no replica'}`,
          url: `http://127.0.0.1:${own}`,
          key,
        }
      }),
    )
    const ours = ports.map((each, at) => ({ name: `API process ${at + 1}`, url: `http://127.0.0.1:${each}`, key }))
    const lines: string[] = []
    for (const { path, line, wanted } of differences)
      lines.push(
        line,
        ...(await traceList(path, {
          wanted,
          processes: [...ours, ...alone],
          members: cluster.members,
          history,
          events: eventOf,
        })),
      )
    return lines
  }
  await cluster.whole()
  const leader = await cluster.findLeader()
  const unlike = await compareCopies(leader, cluster.members)
  say(unlike.length === 0 ? 'both replicas equal the leader' : `REPLICAS DIFFER:\n  ${unlike.join('\n  ')}`)
  if (lists.differences.length > 0) say(`why:\n  ${(await trace(lists.differences)).join('\n  ')}`)
  for (const each of [calmApi, ...indexers, ...apis, ...workers]) {
    const code = await each.end()
    if (code !== 0) say(`a process ended with ${code}:\n  ${troublesIn(each.said()).join('\n  ')}`)
  }
  const faults = internalFaultsIn([calmApi, ...apis].map((each) => each.said()).join('\n'))
  if (faults.length > 0) say(`INTERNAL FAULTS:\n  ${faults.join('\n  ')}`)
  say(`put back: ${await putBack(writing.pool, history)} events`)
  const differences = [
    ...lists.differences.map(({ line }) => line),
    ...findDifferences(straight, await takePicture(writing)),
  ]
  say(
    differences.length === 0
      ? 'every table and list equals the undisturbed run'
      : `DIFFERS:\n  ${differences.join('\n  ')}`,
  )
  return unlike.length === 0 && differences.length === 0 && lost === 0 && twice === 0 && missing === 0
}

const missing = findMissingPrograms()
if (missing.length > 0) {
  say(`The rehearsal needs programs that this machine lacks: ${missing.join(', ')}. Debian has them all.`)
  process.exit(1)
}
const isRight = await main()
  .catch((error) => {
    for (const lastWords of ends) say(lastWords())
    throw error
  })
  .finally(close)
process.exit(isRight ? 0 : 1)
