// Starts the role `api`: guard, GraphQL and REST over a ledger, on a socket. Output: its address, and how to stop it.
import { type AccessDeps, createAccess } from '../access/access.ts'
import { readDemoKey } from '../access/demo-key.ts'
import type { Clock } from '../base/clock.ts'
import { type Config, readCertificate } from '../base/config.ts'
import { createBoardFeed } from '../board/feed.ts'
import { DEMO_CHAIN_ID } from '../chain/replay/demo.ts'
import type { pg } from '../database/client.ts'
import type { Ledger } from '../database/open.ts'
import { tellOutages } from '../database/outage.ts'
import { openPrisma } from '../database/prisma.ts'
import { choosePages } from '../describe/pages.ts'
import { createGraph } from '../graph/http/graph.ts'
import { createClaims } from '../ledger/account/idempotency.ts'
import { readUnsubscribeSecret } from '../ledger/account/secret.ts'
import { createHead } from '../ledger/head.ts'
import { findChain } from '../ledger/read/chain.ts'
import { createReadiness } from '../ledger/read/readiness.ts'
import { createReplicas } from '../ledger/read/replicas.ts'
import { isLoopback } from '../rest/edge/connections.ts'
import type { SharedPort } from '../rest/edge/leave.ts'
import { createListener } from '../rest/edge/listen.ts'
import { keepReadiness, withBoard } from '../rest/edge/readiness.ts'
import { watchLateness } from '../rest/edge/shed.ts'
import { type Certificate, createReload } from '../rest/edge/tls.ts'
import { createTraffic, REFUSALS } from '../rest/edge/traffic.ts'
import { createUnsubscribe } from '../rest/edge/unsubscribe.ts'
import { createHttp } from '../rest/http.ts'
import { createSignupBounds } from '../signup/bounds.ts'
import { createSignup, type Signup } from '../signup/signup.ts'
import { createStreams } from '../stream/streams.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { startWatchdog } from '../telemetry/watchdog.ts'

/** How long connections are accepted after the signal: load balancers poll `/readyz` about once a second. */
const DRAIN_MS = 1_000
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
  const { config, log, clock, ledger, metrics } = deps
  const { database } = ledger
  const { requestPool: pool } = database
  const replicas = ledger.replicas?.length
    ? createReplicas({ primary: pool, replicas: ledger.replicas, clock, log })
    : undefined
  parts.push(() => replicas?.stop())
  if (replicas) metrics?.watchReplicas(replicas.count)
  const traffic = createTraffic((kind) => metrics?.edgeRefusals.inc({ kind }))
  metrics?.watchTraffic(REFUSALS, traffic)
  const connectRedis = await loadRedis(config.REDIS_URL)
  const told = tellOutages(log, database, clock)
  const access = createAccess({ pool, connectRedis, clock, log: told })
  parts.push(() => access.stop())
  if (config.REDIS_URL) metrics?.watchRedis(() => access.isRedisAsked() ?? true)
  const prisma = openPrisma(database)
  parts.push(() => prisma.$disconnect())
  const head = await createHead(database, clock, replicas?.reach)
  parts.push(() => head.stop())
  const board = createBoardFeed({ database, head, clock, log })
  parts.push(() => board.stop())
  const lateness = watchLateness(clock)
  parts.push(() => lateness.stop())
  const watchdog = startWatchdog()
  parts.push(() => watchdog.stop())
  const streams = createStreams({ database, head, board, guard: access.guard, clock, log: told })
  parts.push(() => streams.stop())
  const app = await createApp(deps, {
    replicas,
    traffic,
    told,
    access,
    prisma,
    head,
    board,
    lateness,
    watchdog,
    streams,
  })
  return listen(deps, app, { parts, access, board, streams, watchdog, traffic })
}

/** The parts of a started server. */
interface Services {
  replicas: ReturnType<typeof createReplicas> | undefined
  traffic: ReturnType<typeof createTraffic>
  /** A log that tells outages of the database. */
  told: Log
  access: ReturnType<typeof createAccess>
  prisma: ReturnType<typeof openPrisma>
  head: Awaited<ReturnType<typeof createHead>>
  board: ReturnType<typeof createBoardFeed>
  lateness: ReturnType<typeof watchLateness>
  watchdog: ReturnType<typeof startWatchdog>
  streams: ReturnType<typeof createStreams>
}

async function createApp(deps: ApiDeps, services: Services) {
  const { config, clock, ledger, metrics, terminal = false } = deps
  const { replicas, traffic, told, access, prisma, head, board, lateness, watchdog, streams } = services
  const { database } = ledger
  const { requestPool: pool } = database
  return createHttp({
    guard: access.guard,
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
      webhookReach: { allowsLoopback: config.WEBHOOK_ALLOW_LOOPBACK, ports: config.WEBHOOK_PORTS },
      board,
      onRefusal: (code) =>
        metrics?.refusals.inc({ code, reason: code === 'SERVICE_UNAVAILABLE' ? 'database' : 'other' }),
    }),
    idempotency: createClaims(pool),
    checkReadiness: keepReadiness(withBoard(createReadiness(pool, config.READY_MAX_LAG), board), clock),
    signup: openSignup(config, pool, clock),
    unsubscribe: createUnsubscribe({ database, secret: await readUnsubscribeSecret(database) }),
    pages: choosePages({ contact: config.SECURITY_CONTACT, publicUrl: config.PUBLIC_URL, clock }),
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

/** Null: nobody can sign up. */
function openSignup({ SIGNUP: mode }: Config, pool: pg.Pool, clock: Clock): Signup | null {
  return mode === 'off' ? null : createSignup({ pool, bounds: createSignupBounds(pool, clock), clock, mode })
}

interface Listening extends Pick<Services, 'access' | 'board' | 'streams' | 'watchdog' | 'traffic'> {
  parts: Parts
}

/** Opens the port, and reads the certificate again from time to time. */
async function listen(deps: ApiDeps, app: Awaited<ReturnType<typeof createApp>>, services: Listening): Promise<Api> {
  const { config, log, clock, signal } = deps
  const { parts, access, board, streams, watchdog, traffic } = services
  const { TLS_CERT: cert, TLS_KEY: key, HOST: host, PORT: port } = config
  const tls = cert && key ? { cert, key } : undefined
  const trusts = app.get('trust proxy fn') as (address: string, hop: number) => boolean
  const isExempt = (address: string) => isLoopback(address) || trusts(address, 0)
  const { shared } = deps
  const listener = createListener(app, { host, port, tls, traffic, clock, isExempt, drainMs: DRAIN_MS, shared })
  await access.start()
  const address = await listener.start()
  const read = deps.readCertificate ?? (() => readCertificate())
  const reload = tls && createReload({ current: tls, read, apply: listener.setCertificate, log })
  const looking = reload && setInterval(reload, CERTIFICATE_MS).unref()
  const leave = () => {
    watchdog.leave()
    streams.sessions.leave()
    listener.leave()
  }
  if (signal?.aborted) leave()
  else signal?.addEventListener('abort', leave, { once: true })
  return {
    address,
    settle: board.settle,
    reload: reload ?? (() => log.info('nothing to reload: TLS_CERT and TLS_KEY are not set')),
    stop: async () => {
      signal?.removeEventListener('abort', leave)
      clearInterval(looking)
      streams.sessions.leave()
      await listener.stop()
      await stopParts(parts)
    },
  }
}
