// Opens the further chains of a process, each with its own pools, thread, index and alerts. A chain that cannot be
// indexed is tried again, and the others go on. Input: the default chain's ledger. Output: the parts of all chains.
import { join } from 'node:path'
import type { ChainPlace } from '../base/chains.ts'
import { type Config, furtherChains, isMeasured, toChainConfig } from '../base/config.ts'
import type { AppOptions } from '../cli/context.ts'
import { type Ledger, openLedger } from '../database/open.ts'
import { readBacklog } from '../ledger/backlog.ts'
import { requireHistory } from '../ledger/segments.ts'
import type { Log } from '../telemetry/log.ts'
import { createMetrics, labelChains, type Metrics, writeValues } from '../telemetry/metrics.ts'
import { createOutage } from '../telemetry/outage.ts'
import { openChain } from './open-chain.ts'

/** The most connections of a further chain per pool. */
const POOL_SIZE = 8
/** Pause before a chain that cannot be indexed is tried again. */
const RETRY_MS = 10_000

/** A chain of this process. */
export interface ServedChain {
  name: string
  config: Config
  log: Log
  ledger: Ledger
  metrics: Metrics
}

export interface Chains {
  /** Without the default one. */
  further: readonly ServedChain[]
  /** Those of all chains, each value with its chain. */
  metrics: Pick<Metrics, 'contentType' | 'text' | 'values'>
  startIndexing(): Indexing
  /** Matches and sends for the further chains. `address`: of the API in this process. */
  startAlerting(address: string | null): Promise<{ stop(): Promise<void> }>
  /** Closes the further ledgers. */
  stop(): Promise<void>
}

interface Indexing {
  /** Unknown before all are connected. */
  chain: null
  /** Resolves when the default chain is at its head. */
  caughtUp: Promise<void>
  done: Promise<void>
  stop(): Promise<void>
}

/** Opens the ledgers of the further chains, one after another. */
export async function openChains(
  options: AppOptions,
  { ledger, metrics }: Pick<ServedChain, 'ledger' | 'metrics'>,
): Promise<Chains> {
  const { config } = options
  const first: ServedChain = { name: config.CHAINS?.[0]?.name ?? '', config, log: options.log, ledger, metrics }
  const further: ServedChain[] = []
  const stop = async () => {
    await Promise.all(further.splice(0).map((chain) => chain.ledger.close()))
  }
  try {
    for (const place of furtherChains(config)) further.push(await openFurther(options, ledger, place))
  } catch (error) {
    await stop()
    throw error
  }
  const all = [first, ...further]
  const values = async () =>
    labelChains(new Map(await Promise.all(all.map(async (each) => [each.name, await each.metrics.values()] as const))))
  return {
    further,
    metrics: { contentType: metrics.contentType, values, text: async () => writeValues(await values()) },
    startIndexing: () => indexAll(options, all),
    startAlerting: (address) => alertAll(options, further, address),
    stop,
  }
}

async function openFurther(options: AppOptions, { url }: Ledger, place: ChainPlace): Promise<ServedChain> {
  const { clock, signal } = options
  const { name, schema } = place
  const log = logOf(options.log, name)
  const config: Config = {
    ...toChainConfig(options.config, place),
    // Of one that the demo keeps there.
    DATA_DIR: join(options.config.DATA_DIR, name),
  }
  const { DATABASE_REPLICA_URL: replicaUrls, DATA_DIR: dataDir } = config
  const opening = {
    databaseUrl: url,
    schema,
    replicaUrls,
    dataDir,
    history: config,
    log,
    clock,
    size: POOL_SIZE,
    signal,
  }
  const ledger = await openLedger(opening)
  await requireHistory(ledger.database)
  const metrics = createMetrics()
  if (isMeasured(config)) {
    const { pool: jobs, writePool: writer, requestPool: requests } = ledger.database
    metrics.watchPools({ jobs, writer, requests })
    if (!options.isWorker) metrics.watchBacklog(() => readBacklog(requests), clock.monotonicMs)
  }
  return { name, config, log, ledger, metrics }
}

/** The log whose lines name the chain. */
const logOf = (log: Log, chain: string): Log =>
  'child' in log ? (log as { child(o: object): Log }).child({ chain }) : log

/** Indexes all chains. With a block to end at, the first failure is that of all. */
function indexAll(options: AppOptions, chains: readonly ServedChain[]): Indexing {
  const ending = new AbortController()
  const signal = AbortSignal.any([options.signal, ending.signal])
  const indexing = chains.map((chain) =>
    keepIndexing({ ...options, signal, config: chain.config, log: chain.log }, chain),
  )
  const done = Promise.all(indexing.map((each) => each.done)).then(() => {})
  done.catch(() => {})
  return {
    chain: null,
    caughtUp: indexing[0]?.caughtUp ?? done,
    done,
    stop: async () => {
      ending.abort()
      await Promise.allSettled(indexing.map((each) => each.done))
    },
  }
}

function keepIndexing(options: AppOptions, chain: ServedChain): Pick<Indexing, 'caughtUp' | 'done'> {
  const { clock, signal, log } = options
  let catchUp = () => {}
  const caughtUp = new Promise<void>((resolve) => {
    catchUp = resolve
  })
  const outage = createOutage(
    (error) => log.error({ err: error }, 'this chain cannot be indexed now: trying again every 10 s'),
    () => log.info({}, 'this chain is indexed again'),
  )
  const onCaughtUp = () => {
    catchUp()
    outage.pass()
  }
  const work = async () => {
    while (!signal.aborted) {
      try {
        return await indexOnce(options, chain, onCaughtUp)
      } catch (error) {
        if (signal.aborted) return
        if (options.until !== undefined) throw error
        outage.fail(error)
      }
      await clock.sleep(RETRY_MS, signal)
    }
  }
  return { caughtUp, done: work() }
}

/** Indexes until the signal, the block to end at, or a failure. */
async function indexOnce(options: AppOptions, { ledger, metrics }: ServedChain, onCaughtUp: () => void): Promise<void> {
  const { startIndexing } = await import('./index.ts')
  const opening = openChain(options)
  try {
    const index = await startIndexing(options, ledger, metrics, opening)
    void index.caughtUp.then(onCaughtUp, () => {})
    try {
      await index.done
    } finally {
      await index.stop()
    }
  } finally {
    opening.close()
  }
}

async function alertAll({ clock }: AppOptions, further: readonly ServedChain[], address: string | null) {
  const { startAlerting } = await import('./alerts.ts')
  const started = await Promise.all(
    further.map(({ config, log, ledger }) => startAlerting({ config, log, clock, ledger, address })),
  )
  return { stop: async () => void (await Promise.all(started.map((each) => each.stop()))) }
}
