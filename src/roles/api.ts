// Starts the role `api`: guard, GraphQL and REST over a ledger, on a socket. Output: its address, and how to stop it.
import { join } from 'node:path'
import { type AccessDeps, createAccess } from '../access/access.ts'
import { readDemoKey } from '../access/demo-key.ts'
import type { Clock } from '../base/clock.ts'
import { type Config, chainPathOf, chainPathsOf, readCertificate, signupModeOf } from '../base/config.ts'
import { rootUrlOf } from '../base/page-url.ts'
import { createBoardFeed } from '../board/feed.ts'
import { DEMO_CHAIN_ID } from '../chain/replay/demo.ts'
import { openDatabase, type pg } from '../database/client.ts'
import type { Ledger } from '../database/open.ts'
import { tellOutages } from '../database/outage.ts'
import { openPrisma } from '../database/prisma.ts'
import { choosePages } from '../describe/pages.ts'
import { createSigner } from '../gate/sign.ts'
import type { Sibling } from '../graph/context.ts'
import { createGraph } from '../graph/http/graph.ts'
import { createClaims } from '../ledger/account/idempotency.ts'
import { readGateSecret, readUnsubscribeSecret } from '../ledger/account/secret.ts'
import { createHead } from '../ledger/head.ts'
import { findChain } from '../ledger/read/chain.ts'
import { createFirstChecks } from '../ledger/read/first-checks.ts'
import { createReadiness, type Readiness } from '../ledger/read/readiness.ts'
import { createReplicas } from '../ledger/read/replicas.ts'
import { type CheckDesk, createCheckDesk } from '../ledger/safety/desk.ts'
import type { Payments } from '../payment/payments.ts'
import { isLoopback } from '../rest/edge/connections.ts'
import type { SharedPort } from '../rest/edge/leave.ts'
import { createListener } from '../rest/edge/listen.ts'
import { keepReadiness, withBoard, withFirstChecks } from '../rest/edge/readiness.ts'
import { watchLateness } from '../rest/edge/shed.ts'
import { type Certificate, createReload } from '../rest/edge/tls.ts'
import { createTraffic, REFUSALS } from '../rest/edge/traffic.ts'
import { createUnsubscribe } from '../rest/edge/unsubscribe.ts'
import { createHttp, type HttpDeps } from '../rest/http.ts'
import { createSignupBounds } from '../signup/bounds.ts'
import { createSignup, type Signup } from '../signup/signup.ts'
import type { SnapshotsDeps } from '../sql/snapshots.ts'
import type { SqlService } from '../sql/sql.ts'
import { createStreams } from '../stream/streams.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { startWatchdog } from '../telemetry/watchdog.ts'
import { openAbsentChain } from './absent-chain.ts'
import { createAlertTests } from './alert-tests.ts'
import type { ServedChain } from './chains.ts'
import { webhookReachOf } from './senders.ts'

/** How long connections are accepted after the signal: load balancers poll `/readyz` about once a second. */
const DRAIN_MS = 1_000
/** The connections for keys and limits of a process with several chains. */
const ACCOUNTS_POOL_SIZE = 4
/** How often the certificate files are checked. */
const CERTIFICATE_MS = 10_000

export interface ApiDeps {
  config: Config
  log: Log
  clock: Clock
  ledger: Ledger
  /** Undefined: requests are not measured. */
  metrics: Metrics | undefined
  /** Aborted when the process is about to end; /readyz then answers 503 at once. */
  signal?: AbortSignal
  /** A person reads the log as it is written, so requests are not logged unless ACCESS_LOG asks for it. */
  terminal?: boolean
  /** For a port that other processes listen on too. */
  shared?: SharedPort
  /** The chains besides the default one. */
  further?: readonly ServedChain[]
  /** Reads the certificate from its files. */
  readCertificate?: () => Certificate | null
}

export interface Api {
  address: string
  /** Resolves when the tokens in memory are at the newest block of the database. */
  settle(): Promise<void>
  /** Reads the certificate files and uses the certificate if it changed. */
  reload(): void
  stop(): Promise<void>
}

/** The client of Redis takes a tenth of a second and 5 MB to load. */
async function loadRedis(url: string | undefined): Promise<AccessDeps['connectRedis']> {
  if (url === undefined) return undefined
  const { connectRedis } = await import('../access/redis.ts')
  return (on) => connectRedis(url, on)
}

/** The check of tokens is loaded only where the operator has an authorization server. `config` is the installation's. */
async function loadOauth(config: Config, pool: pg.Pool, clock: Clock, log: Log): Promise<HttpDeps['oauth']> {
  const { OAUTH_ISSUER: issuer, OAUTH_SCOPE: scope, OAUTH_PLAN: plan, OAUTH_ACCOUNTS: most } = config
  if (issuer === undefined || config.PUBLIC_URL === undefined) return undefined
  const { createSubjects } = await import('../access/subjects.ts')
  const subjects = createSubjects({ issuer, scope, plan, most, pool, clock, log })
  return { subjects, audience: config.OAUTH_AUDIENCE, rootUrl: rootUrlOf(config.PUBLIC_URL, chainPathOf(config)) }
}

/** Payments are loaded only where the operator takes them. `config` is the installation's. */
async function loadPayments(
  { config, clock, log }: ApiDeps,
  pool: pg.Pool,
  parts: Parts,
): Promise<Payments | undefined> {
  if (config.X402_PAY_TO === undefined) return undefined
  const { openPayments } = await import('../payment/open.ts')
  const payments = openPayments(config, { pool, clock, log })
  payments?.start()
  parts.push(() => payments?.stop())
  return payments
}

/** The parts started so far; the newest is stopped first. */
type Parts = (() => unknown)[]

async function stopParts(parts: Parts): Promise<void> {
  for (const stop of parts.splice(0).toReversed()) await stop()
}

/** Starts the server. If it cannot start, throws (a `StartupError` for the port or the certificate) and leaves nothing running. */
export async function startApi(deps: ApiDeps): Promise<Api> {
  const parts: Parts = []
  try {
    return await start(deps, parts)
  } catch (error) {
    await stopParts(parts)
    throw error
  }
}

async function start(deps: ApiDeps, parts: Parts): Promise<Api> {
  const { config, log, clock, ledger, metrics, further: chainsBeside = [] } = deps
  const { database } = ledger
  const traffic = createTraffic((kind) => metrics?.edgeRefusals.inc({ kind }))
  metrics?.watchTraffic(REFUSALS, traffic)
  const connectRedis = await loadRedis(config.REDIS_URL)
  // With several chains, keys have connections of their own: no chain's load delays the requests of another.
  const accounts = chainsBeside.length > 0 ? openDatabase(ledger.url, { size: ACCOUNTS_POOL_SIZE }) : null
  if (accounts) parts.push(() => accounts.close())
  const pool = (accounts ?? database).requestPool
  const access = createAccess({ pool, connectRedis, clock, log: tellOutages(log, database, clock) })
  parts.push(() => access.stop())
  if (config.REDIS_URL) metrics?.watchRedis(() => access.isRedisAsked() ?? true)
  const lateness = watchLateness(clock)
  parts.push(() => lateness.stop())
  const watchdog = startWatchdog()
  parts.push(() => watchdog.stop())
  const oauth = await loadOauth(config, pool, clock, log)
  const payments = await loadPayments(deps, pool, parts)
  const shared: Shared = { traffic, access, oauth, payments, lateness, watchdog, siblings: [] }
  const others: [string, ChainServices][] = []
  for (const { name, ...chain } of chainsBeside) {
    const own = { ...deps, ...chain, metrics: metrics && chain.metrics }
    others.push([name, await startChain(own, shared, parts)])
  }
  const readiness = new Map(others.map(([name, { checkReadiness }]) => [name, checkReadiness]))
  const { app, ...services } = await startChain(deps, shared, parts, readiness)
  const served = new Set(shared.siblings.map(({ name }) => name))
  for (const place of config.CHAINS ?? []) {
    if (served.has(place.name)) continue
    const absent = openAbsentChain({ url: ledger.url, place, clock, log })
    parts.push(absent.close)
    shared.siblings.push(absent)
  }
  const order = config.CHAINS?.map(({ name }) => name) ?? []
  shared.siblings.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  const all = [services, ...others.map(([, each]) => each)]
  const chains = new Map(others.map(([name, each]) => [name, each.app]))
  // The process of one further chain answers at the paths that it has beside the others, too.
  if (config.schema !== undefined) chains.set(config.schema, app)
  return listen(deps, { app, chains }, { parts, access, all, watchdog, traffic })
}

/** The parts that all chains share. */
interface Shared {
  traffic: ReturnType<typeof createTraffic>
  access: ReturnType<typeof createAccess>
  oauth: HttpDeps['oauth']
  /** Undefined: every request needs a key. */
  payments: Payments | undefined
  lateness: ReturnType<typeof watchLateness>
  watchdog: ReturnType<typeof startWatchdog>
  /** The chains of the installation, as answers about all of them see them. */
  siblings: Sibling[]
}

/** The parts of one chain. */
interface ChainServices {
  app: ReturnType<typeof createHttp>
  board: ReturnType<typeof createBoardFeed>
  streams: ReturnType<typeof createStreams>
  checkReadiness: () => Promise<Readiness>
}

/** `others`: the readiness of the further chains, for the default one. */
async function startChain(
  deps: ApiDeps,
  shared: Shared,
  parts: Parts,
  others?: HttpDeps['others'],
): Promise<ChainServices> {
  const { config, log, clock, ledger, metrics } = deps
  const { access } = shared
  const { database } = ledger
  const { requestPool: pool } = database
  const replicas = ledger.replicas?.length
    ? createReplicas({ primary: pool, replicas: ledger.replicas, clock, log })
    : undefined
  parts.push(() => replicas?.stop())
  if (replicas) metrics?.watchReplicas(replicas.count)
  const told = tellOutages(log, database, clock)
  const prisma = openPrisma(database)
  parts.push(() => prisma.$disconnect())
  const head = await createHead(database, clock, replicas?.reach)
  parts.push(() => head.stop())
  const board = createBoardFeed({ database, head, clock, log })
  parts.push(() => board.stop())
  const streams = createStreams({ database, head, board, guard: access.guard, clock, log: told })
  parts.push(() => streams.stop())
  const sql = config.SQL === 'on' ? await openSql({ database, folder: join(config.DATA_DIR, 'sql'), clock }) : undefined
  parts.push(() => sql?.stop())
  const checks = createCheckDesk(database, clock)
  parts.push(() => checks.stop())
  const indexed = withBoard(createReadiness(pool, config.READY_MAX_LAG, database.schema), board)
  const firstChecks = { areDone: createFirstChecks(pool, DEMO_CHAIN_ID), settle: board.settle }
  const checkReadiness = keepReadiness(withFirstChecks(indexed, firstChecks), clock)
  const services = { replicas, told, prisma, head, board, streams, sql, checks, checkReadiness, others }
  return { app: await createApp(deps, shared, services), board, streams, checkReadiness }
}

/** The parts of a chain from which its app is made. */
interface Services extends Omit<ChainServices, 'app'> {
  replicas: ReturnType<typeof createReplicas> | undefined
  /** A log that tells outages of the database. */
  told: Log
  prisma: ReturnType<typeof openPrisma>
  head: Awaited<ReturnType<typeof createHead>>
  /** Undefined: SQL is off. */
  sql: SqlService | undefined
  checks: CheckDesk
  others: HttpDeps['others']
}

/** Loads SQL only where it is on. */
const openSql = async (deps: SnapshotsDeps): Promise<SqlService> => (await import('../sql/sql.ts')).createSql(deps)

async function createApp(deps: ApiDeps, shared: Shared, services: Services) {
  const { config, clock, ledger, metrics, terminal = false } = deps
  const { traffic, access, oauth, payments, lateness, watchdog } = shared
  const { replicas, told, prisma, head, board, streams, sql, checks, checkReadiness, others } = services
  const { database } = ledger
  const { requestPool: pool } = database
  const signer = createSigner(await readGateSecret(database))
  return createHttp({
    others,
    chains: chainPathsOf(config),
    guard: access.guard,
    oauth,
    pay: payments && { payments, publicUrl: config.PUBLIC_URL ?? '' },
    streams,
    head,
    graph: createGraph({
      database,
      replicas,
      prisma,
      head,
      clock,
      log: told,
      streams,
      webhookReach: webhookReachOf(config),
      board,
      sql,
      checks,
      alertTests: createAlertTests({ config, database, clock }),
      signer,
      siblings: shared.siblings,
      place: toPlace(config),
      onRefusal: (code) =>
        metrics?.refusals.inc({ code, reason: code === 'SERVICE_UNAVAILABLE' ? 'database' : 'other' }),
    }),
    idempotency: createClaims(pool),
    checkReadiness,
    signup: openSignup(config, pool, clock),
    signupMode: config.SIGNUP === 'off' ? null : config.SIGNUP,
    unsubscribe: createUnsubscribe({ database, secret: await readUnsubscribeSecret(database) }),
    pages: pagesOf(config, clock, signer),
    readDemoKey: async () =>
      (await findChain(pool))?.chainId === DEMO_CHAIN_ID
        ? readDemoKey({ pool, clock, dataDir: config.DATA_DIR })
        : null,
    clock,
    log: told,
    metrics,
    publicUrl: config.PUBLIC_URL,
    trustProxy: config.TRUST_PROXY,
    traffic,
    isLate: lateness.isLate,
    accessLog: config.ACCESS_LOG ?? (terminal ? 0 : 1),
    watch: watchdog.watch,
  })
}

const pagesOf = (config: Config, clock: Clock, { key }: ReturnType<typeof createSigner>) =>
  choosePages({
    chains: chainPathsOf(config),
    contact: config.SECURITY_CONTACT,
    publicUrl: config.PUBLIC_URL,
    clock,
    keys: [key],
  })

/** The chain's name and path; undefined for the one chain of an installation. */
const toPlace = (config: Config) =>
  config.CHAINS && { name: config.schema ?? config.CHAINS[0]?.name ?? '', path: chainPathOf(config) }

/** Null: nobody can sign up. */
function openSignup(config: Config, pool: pg.Pool, clock: Clock): Signup | null {
  const mode = signupModeOf(config)
  return mode && createSignup({ pool, bounds: createSignupBounds(pool, clock), clock, mode })
}

interface Listening extends Pick<Shared, 'access' | 'watchdog' | 'traffic'> {
  parts: Parts
  /** The parts of each chain. */
  all: readonly Pick<ChainServices, 'board' | 'streams'>[]
}

interface Apps {
  app: ReturnType<typeof createHttp>
  /** Those of further chains, by their names. */
  chains: ReadonlyMap<string, ReturnType<typeof createHttp>>
}

/** Opens the port, and reads the certificate again from time to time. */
async function listen(deps: ApiDeps, { app, chains }: Apps, services: Listening): Promise<Api> {
  const { config, log, clock, signal } = deps
  const { parts, access, all, watchdog, traffic } = services
  const { TLS_CERT: cert, TLS_KEY: key, HOST: host, PORT: port } = config
  const tls = cert && key ? { cert, key } : undefined
  const trusts = app.get('trust proxy fn') as (address: string, hop: number) => boolean
  const isExempt = (address: string) => isLoopback(address) || trusts(address, 0)
  const { shared } = deps
  const listener = createListener(app, { host, port, tls, traffic, clock, isExempt, drainMs: DRAIN_MS, shared, chains })
  await access.start()
  const address = await listener.start()
  const read = deps.readCertificate ?? (() => readCertificate())
  const reload = tls && createReload({ current: tls, read, apply: listener.setCertificate, log })
  const looking = reload && setInterval(reload, CERTIFICATE_MS).unref()
  const leave = () => {
    watchdog.leave()
    for (const { streams } of all) streams.sessions.leave()
    listener.leave()
  }
  if (signal?.aborted) leave()
  else signal?.addEventListener('abort', leave, { once: true })
  return {
    address,
    settle: async () => void (await Promise.all(all.map(({ board }) => board.settle()))),
    reload: reload ?? (() => log.info('nothing to reload: TLS_CERT and TLS_KEY are not set')),
    stop: async () => {
      signal?.removeEventListener('abort', leave)
      clearInterval(looking)
      for (const { streams } of all) streams.sessions.leave()
      await listener.stop()
      await stopParts(parts)
    },
  }
}
