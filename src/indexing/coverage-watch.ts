// Measures the coverage of the newest indexed blocks now and then, for `status` and the metrics. One request per
// measurement, so that it costs a provider nothing worth counting.
import type { Clock } from '../base/clock.ts'
import { BLOCKS_AT_ONCE } from '../chain/source/swap-logs.ts'
import type { Database } from '../database/client.ts'
import { findBlockSeconds } from '../ledger/lag.ts'
import { findNewest } from '../ledger/read/chain.ts'
import { saveCoverage } from '../ledger/read/coverage.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type CoverageDeps, measureCoverage } from './coverage.ts'

const EVERY_MS = 600_000
/** The blocks of so many seconds, within these bounds: one request has no more. */
const [SECONDS, LEAST_BLOCKS] = [10, 5]

export interface CoverageWatchDeps extends Omit<CoverageDeps, 'pool'> {
  database: Pick<Database, 'pool' | 'writePool'>
  clock: Clock
  log: Pick<Log, 'debug'>
  metrics: Pick<Metrics, 'swapsKnown' | 'swapsRead'>
}

/** Works until the signal is aborted. Never rejects. */
export async function watchCoverage(deps: CoverageWatchDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps
  await clock.sleep(EVERY_MS, signal)
  while (!signal.aborted) {
    // A measurement that fails is only missed: the indexer itself reports a provider or database that fails.
    await measureOnce(deps).catch((error: unknown) => log.debug({ err: error }, 'coverage could not be measured'))
    await clock.sleep(EVERY_MS, signal)
  }
}

/** Measures the newest indexed blocks, and adds them to the metrics. */
export async function measureOnce({ rpc, database, preset, metrics }: CoverageWatchDeps): Promise<void> {
  const newest = await findNewest(database.pool)
  if (newest === null) return
  const blockSeconds = await findBlockSeconds(database.pool)
  const wanted = blockSeconds === null ? LEAST_BLOCKS : Math.ceil(SECONDS / blockSeconds)
  const blocks = Math.min(BLOCKS_AT_ONCE, Math.max(LEAST_BLOCKS, wanted))
  const from = Math.max(0, newest - blocks + 1)
  const coverage = await measureCoverage({ rpc, pool: database.pool, preset }, from, newest)
  metrics.swapsKnown.inc(coverage.swaps)
  metrics.swapsRead.inc(coverage.read)
  await saveCoverage(database.writePool, coverage)
}
