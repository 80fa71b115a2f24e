// Judges the weeks of the track record as they end, and reports them in the metrics and the log.
import type { Address } from '../base/address.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import { readRecordSums } from '../ledger/read/track-record.ts'
import { judgeWeeks } from '../ledger/scores/judge-weeks.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createOutage } from '../telemetry/outage.ts'
import { tellMoves, toRecordCells } from '../verdict/track-record.ts'

const LOOK_MS = 600_000

export interface TrackRecordDeps {
  database: Pick<Database, 'pool'>
  preset: { chainId: number; wrappedNative: Address; stablecoins: readonly Address[] }
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  metrics: Pick<Metrics, 'judgedTokens'>
}

/** Works until the signal is aborted. Never rejects. */
export async function watchTrackRecord(deps: TrackRecordDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps
  const outage = createOutage(
    (error) => log.warn({ err: error }, 'the track record could not be judged; trying again'),
    () => log.info({}, 'the track record is judged again'),
  )
  while (!signal.aborted) {
    try {
      await judgeOnce(deps)
      outage.pass()
    } catch (error) {
      outage.fail(error)
    }
    await clock.sleep(LOOK_MS, signal)
  }
}

/** Judges the weeks that are over. A market that has moved away is a warning, once a week. */
export async function judgeOnce({ database, preset, log, metrics }: TrackRecordDeps): Promise<void> {
  const weeks = await judgeWeeks(database.pool, [preset.wrappedNative, ...preset.stablecoins])
  const cells = toRecordCells(preset.chainId, await readRecordSums(database.pool))
  for (const { horizonDays, ageHours, level, tokens, pulled, lost, unsellable } of cells) {
    const labels = { horizon_days: horizonDays, age_hours: ageHours, level }
    const counts = { judged: tokens, pulled, lost, unsellable }
    for (const [became, count] of Object.entries(counts)) metrics.judgedTokens.set({ ...labels, became }, count)
  }
  if (weeks > 0) for (const sentence of tellMoves(cells)) log.warn({}, `the market has moved: ${sentence}`)
}
