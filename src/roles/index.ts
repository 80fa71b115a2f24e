// Starts the role `index`: writes the chain into the ledger and scores what changed. Output: its progress, and `stop`.
import { keepDay } from '../alerts/history.ts'
import type { Clock } from '../base/clock.ts'
import type { Connected } from '../chain/connect/connect.ts'
import { findStartBlock, readBlockTime, readNewest } from '../chain/connect/start.ts'
import { createBell, type HeadBell } from '../chain/follow/bell.ts'
import type { Preset } from '../chain/presets/preset.ts'
import { createRpc } from '../chain/rpc/rpc.ts'
import type { SentRequest } from '../chain/rpc/sent.ts'
import type { Source } from '../chain/source/source.ts'
import type { AppOptions } from '../cli/context.ts'
import type { Database } from '../database/client.ts'
import type { Ledger } from '../database/open.ts'
import { tellOutages } from '../database/outage.ts'
import type { WriterLock } from '../database/writer-lock.ts'
import { watchCoverage } from '../indexing/coverage-watch.ts'
import { createIndexer } from '../indexing/indexer.ts'
import { MOVE_DEFAULTS, moveHistory } from '../indexing/move-history.ts'
import { createRate, type Progress } from '../indexing/progress.ts'
import { createRescore } from '../indexing/rescore.ts'
import { keepRetention } from '../indexing/retention.ts'
import { createSummaries, type Summaries } from '../indexing/summaries.ts'
import { watchTrackRecord } from '../indexing/track-record-watch.ts'
import { findChain, findNewestFinal } from '../ledger/read/chain.ts'
import { checkChain } from '../ledger/write/cursor.ts'
import { createWriter } from '../ledger/write/writer.ts'
import { createSummaryModel } from '../scoring/summary-model.ts'
import { FIRST_BUYS } from '../scoring/weights.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { chooseContractChecks, toCheckSetting } from './contract-checks.ts'

/** The demo is ready when its contracts are checked. That takes seconds, and longer on a busy machine. */
const DEMO_CHECKS_MS = 300_000

/** A chain that is being opened; `connected` rejects when that fails. */
export interface OpeningChain {
  connected: Promise<Connected>
  /** Aborted by the signal in the options, and by `close`. */
  signal: AbortSignal
  /** Names who gets every request to the providers. */
  listen(onSent: (sent: SentRequest) => void): void
  close(): void
}

/** Follows the chain. `stop` waits for the current batch. */
export async function startIndexing(
  given: AppOptions,
  { database }: Ledger,
  metrics: Metrics,
  { connected, signal: ending, listen, close }: OpeningChain,
) {
  const { clock, onProgress } = given
  const log = tellOutages(given.log, database, clock)
  const options = { ...given, log }
  listen(metrics.noteSent)
  const { source, reader, preset, files, demo } = await connected
  const known = await findChain(database.pool)
  // Before this process waits for another indexer: the writer sees it only then.
  if (known) checkChain(known, preset)
  if (files) log.info(files, 'blocks that files of HISTORY_FILES have are not asked of RPC_URL')
  const summaries = chooseSummaries(options, database)
  const contractChecks = await chooseContractChecks(options, { database, preset, signal: ending, metrics, demo })
  const { caughtUp, run } = createIndexer({
    database,
    source,
    clock,
    log,
    metrics,
    onProgress: noteProgress(metrics, clock, onProgress),
    signal: ending,
    ...createWorkers(
      { reader, preset },
      { database, clock, log, ...(summaries && { recallSummaries: summaries.recall }) },
    ),
    contractChecks,
    firstChecksMs: demo ? DEMO_CHECKS_MS : undefined,
    checkSetting: toCheckSetting(options.config, preset),
    keepDay: () => keepDay(database),
    startBlock: await chooseStart(options, database, { signal: ending, onSent: metrics.noteSent }),
    until: options.until,
    // The demo is no provider: nothing is saved.
    headReads: options.config.RPC_URL ? options.config.HEAD_READS : undefined,
    bell: await chooseBell(options, ending),
    reindexFrom: options.reindexFrom,
    needsRestart: options.config.RPC_URL ? undefined : () => needsRestart(source, database, log),
  })
  const done = run()
  // The caller who awaits `done` gets its error. Until then the rejection must not count as unhandled.
  done.catch(() => {})
  const beside = [
    summaries?.run(ending),
    runRetention(options, database, ending),
    runHistory(options, database, ending),
    ...[
      () => contractChecks?.run(ending),
      () => runCoverage(options, { database, preset, metrics }, ending),
      () => watchTrackRecord({ database, preset, clock, log, metrics }, ending),
    ].map((start) => Promise.race([caughtUp, done.catch(() => {})]).then(start)),
  ]
  const stop = async () => {
    close()
    await Promise.all([done.catch(() => {}), ...beside])
  }
  return { chain: { chainId: preset.chainId, name: preset.name }, caughtUp, done, stop }
}

/** The writer tells the scoring which rows it changes. */
function createWorkers({ reader, preset }: Pick<Connected, 'reader' | 'preset'>, deps: ScoringDeps) {
  const rescore = createRescore({ ...deps, preset })
  const onChanges = rescore.follow()
  return {
    rescore,
    createWriter: (lock: WriterLock) => createWriter({ lock, reader, preset, firstBuys: FIRST_BUYS, onChanges }),
  }
}

type ScoringDeps = Omit<Parameters<typeof createRescore>[0], 'preset'>

/** Undefined where no node tells of new blocks: then nothing of it is loaded. */
async function chooseBell({ config, clock, log }: AppOptions, signal: AbortSignal): Promise<HeadBell | undefined> {
  if (!config.HEADS_URL) return undefined
  const { listenToHeads } = await import('../chain/follow/head-socket.ts')
  const bell = createBell(clock)
  void listenToHeads({ url: config.HEADS_URL, bell, clock, signal, onNotice: (text) => log.info(text) })
  return bell
}

/** Measures the time that is left, before the progress is passed on. */
function noteProgress(metrics: Metrics, clock: Clock, onProgress: AppOptions['onProgress']) {
  const rateOf = createRate(clock)
  return (progress: Progress) => {
    metrics.secondsLeft.set(rateOf(progress).secondsLeft ?? Number.NaN)
    onProgress(progress)
  }
}

/** Deletes old events, if EVENTS_KEPT_DAYS is set. */
function runRetention({ config, clock, log }: AppOptions, database: Database, ending: AbortSignal) {
  const { EVENTS_KEPT_DAYS: days } = config
  return days === undefined ? undefined : keepRetention({ database, days, clock, log }, ending)
}

/** Moves old events to the history, if there is one. */
function runHistory({ config, clock, log }: AppOptions, database: Database, ending: AbortSignal) {
  const [store, days] = [database.history, config.HISTORY_AFTER_DAYS]
  const { lookMs, ...sizes } = MOVE_DEFAULTS
  return store ? moveHistory({ database, store, rules: { days, ...sizes }, lookMs, clock, log }, ending) : undefined
}

/** Measures which share of the chain's swaps the index read; the demo has no provider to ask. */
function runCoverage(
  { config, clock, log }: AppOptions,
  { database, preset, metrics }: { database: Database; preset: Preset; metrics: Metrics },
  ending: AbortSignal,
) {
  const { RPC_URL: urls } = config
  if (!urls) return undefined
  const rpc = createRpc({ urls, clock, signal: ending, chainId: preset.chainId, onSent: metrics.noteSent })
  return watchCoverage({ rpc, database, preset, clock, log, metrics }, ending)
}

/**
 * A new version of the program may have another recording of the demo. The index of the previous one is then rebuilt
 * from the first block; accounts and alerts stay. False if the index is of this recording.
 */
async function needsRestart(source: Source, { pool }: Ledger['database'], log: AppOptions['log']): Promise<boolean> {
  const known = await findNewestFinal(pool)
  if (known === null) return false
  const { number: head } = await source.readHead()
  const [link] = known.number <= head ? await source.readLinks([known.number]) : []
  if (link?.hash === known.hash) return false
  log.warn('the demo was recorded anew since this index was made: indexing it again; keys and alerts stay')
  return true
}

/** Only a new index has a start to choose. The log names `START`, because it bounds the index's history. */
async function chooseStart(
  { config, clock, log }: AppOptions,
  { pool }: Ledger['database'],
  listening: { signal: AbortSignal; onSent(sent: SentRequest): void },
): Promise<number | undefined> {
  const { START: start, START_BLOCK: block, RPC_URL: urls } = config
  if (!start || !urls || (await findChain(pool))) return block
  const rpc = createRpc({ urls, clock, ...listening })
  const head = await readNewest(rpc)
  const first = await findStartBlock(start, head, (number) => readBlockTime(rpc, number))
  log.info({ block: first, blocks: head - first + 1 }, 'a new index begins here')
  return first
}

/** Null when no model is configured: then every summary is composed from the facts. */
function chooseSummaries({ config, clock, log }: AppOptions, database: Ledger['database']): Summaries | null {
  const { SUMMARY_API_URL: url, SUMMARY_API_KEY: key, SUMMARY_MODEL: model } = config
  if (!url || !model) return null
  return createSummaries({ database, model: createSummaryModel({ url, key, model }), clock, log })
}
