// The composition root: configuration in, running parts out, wired by hand. What is started here is stopped here, the
// database last; the batch that is being written is finished first.
import type { Clock } from './base/clock.ts'
import { StartupError } from './base/errors.ts'
import { tuneV8 } from './base/v8.ts'
import { type Connected, connectChain, logTrouble } from './chain/connect.ts'
import { connectInThread } from './chain/thread/connect.ts'
import type { App, AppOptions, Progress } from './cli/context.ts'
import { createRate } from './cli/progress.ts'
import { createIndexer } from './indexer.ts'
import { findChain } from './ledger/chain.ts'
import { type Ledger, openLedger } from './ledger/open.ts'
import { createWriter } from './ledger/writer.ts'
import { createRescore } from './scoring/rescore.ts'
import { createSummaries, type Summaries } from './scoring/summaries.ts'
import { createSummaryModel } from './scoring/summary-model.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'

/** Connections of the pool: enough for requests that each run a few statements at once, few enough for a shared server. */
const POOL_SIZE = 16

/** The process has 5 s to end, and leaving the database takes some of them. What runs on, such as a mail, is done again later. */
const PARTS_STOP_MS = 3_000

/** A running program. Throws a `StartupError` when it can't be started; nothing is left running then. */
export async function openApp(options: AppOptions): Promise<App> {
  const { config, log, clock, roles, signal } = options
  // Both take a part of a second, and neither needs the other.
  const chain = roles.includes('index') ? openChain(options) : null
  const ledger = await openLedger({
    ...{ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, log, clock, size: POOL_SIZE, signal },
  }).catch((error) => {
    chain?.close()
    throw interrupted(signal, error)
  })
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    const end = (part: () => Promise<unknown>) =>
      part().catch((error) => log.warn({ err: error }, 'a part did not stop cleanly'))
    await within(PARTS_STOP_MS, clock, Promise.all(stops.splice(0).map(end)))
    await end(ledger.close)
  }
  try {
    const metrics = createMetrics()
    const served = config.METRICS_PORT === undefined ? null : await serveMetrics(metrics, config)
    if (served) stops.push(served.stop)
    const api = roles.includes('api') ? await serveApi(options, ledger, served ? metrics : undefined) : null
    if (api) stops.push(api.stop)
    const index = chain ? await startIndex(options, ledger, metrics, chain) : null
    if (index) stops.push(index.stop)
    if (roles.includes('alerts')) {
      const { startAlerting } = await import('./alerting.ts')
      stops.push((await startAlerting({ config, log, clock, ledger, address: api?.address ?? null })).stop)
    }
    return {
      ledger,
      chain: index?.chain ?? (await findChain(ledger.database.pool)),
      address: api?.address ?? null,
      metricsAddress: served?.address ?? null,
      caughtUp: index?.caughtUp ?? Promise.resolve(),
      done: index?.done ?? untilAborted(signal),
      stop,
    }
  } catch (error) {
    chain?.close()
    await stop()
    throw interrupted(signal, error)
  }
}

/** Whatever a start fails with after a signal, it did what it was told. */
const interrupted = (signal: AbortSignal, error: unknown): unknown =>
  signal.aborted ? new StartupError('Stopped while it was starting.', 0, error) : error

// What only some roles need is loaded by them: an indexer without an API holds 70 MB less.
async function serveApi({ config, log, clock }: AppOptions, ledger: Ledger, metrics: Metrics | undefined) {
  const { startApi } = await import('./api.ts')
  return startApi({ config, log, clock, ledger, metrics })
}

async function serveMetrics(metrics: Metrics, { HOST: host, METRICS_PORT: port = 0 }: AppOptions['config']) {
  const { createListener } = await import('./rest/listen.ts')
  const { createMetricsApp } = await import('./rest/metrics.ts')
  metrics.watchProcess()
  const listener = createListener(createMetricsApp(metrics), { host, port, setting: 'METRICS_PORT' })
  return { address: `${await listener.start()}/metrics`, stop: listener.stop }
}

/** A chain on its way: `connected` rejects where there is none. */
interface OpeningChain {
  connected: Promise<Connected>
  /** Aborted by the options' signal, and by `close`. */
  signal: AbortSignal
  close(): void
}

function openChain({ config, log, clock, signal }: AppOptions): OpeningChain {
  const closing = new AbortController()
  const ending = AbortSignal.any([signal, closing.signal])
  const { RPC_URL: urls, CHAIN_CONFIG: override } = config
  const options = { override, signal: ending, onTrouble: logTrouble(log) }
  tuneV8()
  const connected = urls ? connectInThread({ urls, ...options }) : connectChain({ urls, clock, ...options })
  // Whoever needs it hears of the failure; until then it must not count as unhandled.
  connected.catch(() => {})
  return { connected, signal: ending, close: () => closing.abort() }
}

/** Follows the chain; `stop` waits for the batch at hand, so abort the signal first. */
async function startIndex(options: AppOptions, { database }: Ledger, metrics: Metrics, chain: OpeningChain) {
  const { config, log, clock, onProgress } = options
  const { signal: ending } = chain
  const { source, reader, preset } = await chain.connected
  const rateOf = createRate(clock)
  const note = (progress: Progress) => {
    metrics.secondsLeft.set(rateOf(progress).secondsLeft ?? Number.NaN)
    onProgress(progress)
  }
  const summaries = chooseSummaries(options, database)
  const { caughtUp, run } = createIndexer({
    ...{ database, source, clock, log, metrics, onProgress: note, signal: ending },
    createWriter: (lock) => createWriter({ lock, reader, preset }),
    rescore: createRescore({
      database,
      preset,
      clock,
      log,
      ...(summaries ? { recallSummaries: summaries.recall } : {}),
    }),
    startBlock: config.START_BLOCK,
    until: options.until,
    reindexFrom: options.reindexFrom,
  })
  const done = run()
  // Whoever waits for it hears of the failure; until somebody does it must not count as unhandled.
  done.catch(() => {})
  const written = summaries?.run(ending)
  const stop = async () => {
    chain.close()
    await Promise.all([done.catch(() => {}), written])
  }
  return { chain: { chainId: preset.chainId, name: preset.name }, caughtUp, done, stop }
}

/** None: every summary is made from the facts. */
function chooseSummaries({ config, clock, log }: AppOptions, database: Ledger['database']): Summaries | null {
  const { SUMMARY_API_URL: url, SUMMARY_API_KEY: key, SUMMARY_MODEL: model } = config
  if (!url || !model) return null
  return createSummaries({ database, model: createSummaryModel({ url, key, model }), clock, log })
}

/** Waits for the work, but no longer than this. */
async function within(ms: number, clock: Clock, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  await Promise.race([work.finally(() => done.abort()), clock.sleep(ms, done.signal)])
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
