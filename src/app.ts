// The composition root: turns the configuration into running parts, wired by hand, and stops all parts that it started.
// The current batch is finished first, and the database is closed last.
import type { Clock } from './base/clock.ts'
import { furtherChains, isMeasured } from './base/config.ts'
import { StartupError } from './base/errors.ts'
import { createMemoryWatch, tuneV8 } from './base/v8.ts'
import { readVersion } from './base/version.ts'
import type { App, AppOptions } from './cli/context.ts'
import type { Ledger } from './database/open.ts'
import { isBrokenOff } from './database/transient-error.ts'
import { findChain } from './ledger/read/chain.ts'
import { requireHistory } from './ledger/segments.ts'
import type { Api } from './roles/api.ts'
import type { Chains } from './roles/chains.ts'
import type { OpeningChain } from './roles/index.ts'
import { openChain } from './roles/open-chain.ts'
import type { Workers } from './roles/workers.ts'
import type { Metrics } from './telemetry/metrics.ts'

/**
 * Size of the connection pool: enough for requests that run several statements at once, few enough for a shared server.
 */
const POOL_SIZE = 16
/** Workers share these connections; each needs a few to listen with. */
const WORKER_POOL_SIZE = 6

/** The process has 5 s to end, which includes closing the database. Unfinished work, such as a mail, is repeated. */
const PARTS_STOP_MS = 2_700
/** Each worker needs as long as a process, and then closes its database; this process has little to do besides. */
const WORKERS_STOP_MS = 4_000

/** After this time a caught-up process is idle: its board is loaded, and no first answers are waiting. */
const REST_MS = 5_000
/** The interval of checks whether memory can be returned. */
const MEMORY_LOOK_MS = 60_000

const endOf = (log: AppOptions['log']) => (part: () => Promise<unknown>) =>
  part().catch((error) => log.warn({ err: error }, 'stopping a part of the program failed'))

/** Starts the program. If that fails, throws a `StartupError` and leaves nothing running. */
export async function openApp(options: AppOptions): Promise<App> {
  const { config, log, clock, signal } = options
  const leads = options.workers !== undefined && !options.isWorker
  // The process that leads workers has no role of its own.
  const roles = leads ? [] : options.roles
  const isSeveral = furtherChains(config).length > 0
  const { ledger, chain } = await openParts(options, roles, isSeveral)
  const stops: (() => Promise<unknown>)[] = []
  let further: Chains | null = null
  const stop = async () => {
    const end = endOf(log)
    await within(leads ? WORKERS_STOP_MS : PARTS_STOP_MS, clock, Promise.all(stops.splice(0).map(end)))
    if (further) await end(further.stop)
    await end(ledger.close)
  }
  try {
    await requireHistory(ledger.database)
    const { createMetrics } = await import('./telemetry/metrics.ts')
    const metrics = createMetrics()
    further = isSeveral ? await startSeveral(options, ledger, metrics) : null
    const otlp = await sendTelemetry(options, metrics, further)
    if (otlp) stops.push(otlp.stop)
    let workers: Workers | undefined
    const served = await serveMetrics(options, further?.metrics ?? metrics, () => workers?.readMetrics())
    if (served) stops.push(served.stop)
    if (isMeasured(config)) await watchDatabase(metrics, ledger, options)
    if (leads) {
      workers = await leadWorkers(options)
      stops.push(workers.stop)
    }
    const api = roles.includes('api')
      ? await serveApi(options, ledger, isMeasured(config) ? metrics : undefined, further)
      : null
    if (api) stops.push(api.stop)
    if (api && options.isWorker) await report(api, further?.metrics ?? metrics)
    const several = roles.includes('index') ? further : null
    const index = chain ? await startIndex(options, ledger, metrics, chain) : (several?.startIndexing() ?? null)
    if (index) stops.push(index.stop)
    if (roles.includes('alerts')) stops.push(...(await startAlerts(options, ledger, api?.address ?? null, further)))
    const ready = becomeReady(index, api)
    stops.push(startResting(ready, clock, signal))
    return {
      ledger,
      chain: index?.chain ?? (await findChain(ledger.database.pool)),
      address: (api ?? workers)?.address ?? null,
      metricsAddress: served?.address ?? null,
      ready,
      done: index?.done ?? untilAborted(signal),
      reload: (api ?? workers)?.reload ?? (() => log.info('nothing to reload: this process serves no API')),
      stop,
    }
  } catch (error) {
    chain?.close()
    await stop()
    throw interrupted(signal, error)
  }
}

/** After a signal, any failure of the start counts as the requested stop. A supervisor starts again what lost its database. */
function interrupted(signal: AbortSignal, error: unknown): unknown {
  if (signal.aborted) return new StartupError('Stopped while it was starting.', 0, error)
  if (error instanceof StartupError || !isBrokenOff(error)) return error
  return new StartupError('The database went away while the program was starting: start it again.', 1, error)
}

// A role's files are loaded only by that role, after the chain thread has started: an indexer alone uses 70 MB less.

/** Starts to load the files of the roles while the database opens. The later import reports an error. */
const preload = (roles: AppOptions['roles']): Promise<unknown> =>
  Promise.allSettled([
    import('./telemetry/metrics.ts'),
    ...(roles.includes('index') ? [import('./roles/index.ts')] : []),
    ...(roles.includes('api') ? [import('./roles/api.ts')] : []),
    ...(roles.includes('alerts') ? [import('./roles/alerts.ts')] : []),
  ])

/** While the database starts, the chain thread loads its files and connects, and this thread loads the rest. */
async function openParts(options: AppOptions, roles: AppOptions['roles'], isSeveral: boolean) {
  const { opening, waits } = open(options)
  await waits
  if (roles.includes('index')) tuneV8()
  const chain = roles.includes('index') && !isSeveral ? openChain(options) : null
  void preload(roles)
  const ledger = await opening.catch((error) => {
    chain?.close()
    throw interrupted(options.signal, error)
  })
  return { ledger, chain }
}

interface Opening {
  opening: Promise<Ledger>
  /** Resolves when the server is starting, or when there is nothing to wait for. */
  waits: Promise<unknown>
}

function open(options: AppOptions): Opening {
  let onWait = () => {}
  const waiting = new Promise<void>((resolve) => {
    onWait = resolve
  })
  const opening = openDatabase(options, onWait)
  return { opening, waits: Promise.race([waiting, opening.catch(() => {})]) }
}

async function openDatabase(
  { config, log, clock, signal, workers = 1 }: AppOptions,
  onWait: () => void,
): Promise<Ledger> {
  const { openLedger } = await import('./database/open.ts')
  const { DATABASE_URL: databaseUrl, DATABASE_POOL_URL: poolerUrl, DATABASE_REPLICA_URL: replicaUrls } = config
  const size = Math.max(Math.ceil(POOL_SIZE / workers), WORKER_POOL_SIZE)
  const { schema, DATA_DIR: dataDir } = config
  const place = { databaseUrl, schema, poolerUrl, replicaUrls, dataDir, history: config }
  return openLedger({ ...place, log, clock, size, signal, onWait })
}

/** Returns what stops the alerts of all chains. */
async function startAlerts(
  { config, log, clock }: AppOptions,
  ledger: Ledger,
  address: string | null,
  chains: Chains | null,
): Promise<(() => Promise<void>)[]> {
  const { startAlerting } = await import('./roles/alerts.ts')
  const own = await startAlerting({ config, log, clock, ledger, address })
  const others = await chains?.startAlerting(address)
  return [own.stop, ...(others ? [others.stop] : [])]
}

/** Loaded only for several chains. */
async function startSeveral(options: AppOptions, ledger: Ledger, metrics: Metrics): Promise<Chains> {
  const { openChains } = await import('./roles/chains.ts')
  return openChains(options, { ledger, metrics })
}

async function leadWorkers({ log, clock, signal, workers = 1 }: AppOptions): Promise<Workers> {
  const { startWorkers } = await import('./roles/workers.ts')
  return startWorkers({ count: workers, log, clock, signal })
}

async function report(api: Api, metrics: Pick<Metrics, 'values'>): Promise<void> {
  const { reportToMain } = await import('./roles/worker.ts')
  reportToMain(api.address, metrics, api.reload)
}

async function serveApi(
  { config, log, clock, signal, terminal = false, isWorker = false }: AppOptions,
  ledger: Ledger,
  metrics: Metrics | undefined,
  chains: Chains | null,
) {
  const { startApi } = await import('./roles/api.ts')
  const parts = { config, log, clock, ledger, metrics, signal, terminal, further: chains?.further ?? [] }
  if (!isWorker) return startApi(parts)
  const { createSharedPort } = await import('./roles/worker.ts')
  return startApi({ ...parts, shared: createSharedPort(clock) })
}

async function startIndex(options: AppOptions, ledger: Ledger, metrics: Metrics, chain: OpeningChain) {
  const { startIndexing } = await import('./roles/index.ts')
  return startIndexing(options, ledger, metrics, chain)
}

/** Serves the metrics of this process, and of its workers. Null: there is no METRICS_PORT, or this is a worker. */
async function serveMetrics(
  { config, workers, isWorker }: AppOptions,
  metrics: Pick<Metrics, 'contentType' | 'text' | 'values'>,
  readWorkers: () => ReturnType<Workers['readMetrics']> | undefined,
) {
  const { HOST: host, METRICS_PORT: port } = config
  if (port === undefined || isWorker) return null
  const { createListener } = await import('./rest/edge/listen.ts')
  const { createMetricsApp } = await import('./rest/edge/metrics.ts')
  const { writeMerged } = await import('./telemetry/metrics.ts')
  const text = async () => {
    if (workers === undefined) return metrics.text()
    const own = await metrics.values()
    return writeMerged(new Map([[0, own], ...((await readWorkers()) ?? [])]))
  }
  const app = createMetricsApp({ contentType: metrics.contentType, text })
  const listener = createListener(app, { host, port, setting: 'METRICS_PORT' })
  return { address: `${await listener.start()}/metrics`, stop: listener.stop }
}

/** The interval between two sends to the collector. */
const TELEMETRY_MS = 10_000

/** Sends the metrics and spans of all chains. A span of a further chain names it. */
async function sendTelemetry({ config, log, clock }: AppOptions, metrics: Metrics, chains: Chains | null) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = config
  if (endpoint === undefined) return null
  const { openOtlp } = await import('./telemetry/otlp.ts')
  const version = readVersion()
  const sent = { metrics: chains?.metrics ?? metrics, everyMs: TELEMETRY_MS }
  const otlp = await openOtlp({ endpoint, serviceName, version, ...sent, clock, log })
  metrics.sendSpans(otlp.note)
  for (const { name, metrics: own } of chains?.further ?? [])
    own.sendSpans((span) => otlp.note({ ...span, attributes: { ...span.attributes, 'assay.chain': name } }))
  return otlp
}

/** Adds the metrics of the process and of the database; one process counts the waiting work for all its workers. */
async function watchDatabase(metrics: Metrics, { database }: Ledger, { clock, isWorker }: AppOptions): Promise<void> {
  const { readBacklog } = await import('./ledger/backlog.ts')
  const { pool: jobs, writePool: writer, requestPool: requests } = database
  metrics.watchProcess()
  metrics.watchPools({ jobs, writer, requests })
  if (!isWorker) metrics.watchBacklog(() => readBacklog(requests), clock.monotonicMs)
}

async function becomeReady(index: { caughtUp: Promise<void> } | null, api: Api | null): Promise<void> {
  await index?.caughtUp
  await api?.settle()
}

/** Begins to rest once the process is ready; returns what ends it. */
function startResting(ready: Promise<void>, clock: Clock, signal: AbortSignal): () => Promise<void> {
  const ending = new AbortController()
  void rest(ready, clock, AbortSignal.any([signal, ending.signal]))
  return async () => ending.abort()
}

/** Returns memory once the first work, such as a backfill, is over, and later when the process is idle. */
async function rest(ready: Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  await ready
  await clock.sleep(REST_MS, signal)
  const memory = createMemoryWatch()
  while (!signal.aborted) {
    memory.look()
    await clock.sleep(MEMORY_LOOK_MS, signal)
  }
}

/** Waits for the work, but at most `ms`. */
async function within(ms: number, clock: Clock, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  await Promise.race([work.finally(() => done.abort()), clock.sleep(ms, done.signal)])
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
