// Reads a step of the follower: its number of logs, its end, and its metrics.
import type { Step } from '../chain/event.ts'
import { countLogs } from '../ledger/write/batch.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { ownSpan } from '../telemetry/trace.ts'

export const logsOf = (step: Step): number => (step.kind === 'append' ? countLogs(step.blocks) : 0)

/** The newest block after the step; null when the step did not change it. */
export function lastOf(step: Step): number | null {
  if (step.kind === 'rollback') return step.to.number
  return step.kind === 'append' ? (step.blocks.at(-1)?.number ?? null) : null
}

export function setIndexed(metrics: Metrics, { number, time }: { number: number; time: number }): void {
  metrics.indexedBlock.set(number)
  metrics.indexedBlockTime.set(time)
}

/**
 * Records a step. Steps may omit blocks without logs, so the number of blocks is counted from the position `before`.
 */
export function noteStep(metrics: Metrics, step: Step, before: number, took: { now: Date; tookMs: number }): void {
  metrics.batchSeconds.observe(took.tookMs / 1000)
  const block = lastOf(step)
  const place = block === null ? {} : { 'assay.block': block }
  metrics.noteSpan(ownSpan(`index ${step.kind}`, took, { 'assay.logs': logsOf(step), ...place }))
  if (step.kind === 'rollback') {
    metrics.rollbacks.inc()
    metrics.indexedBlock.set(step.to.number)
  }
  if (step.kind !== 'append') return
  const last = step.blocks.at(-1)
  if (last) {
    setIndexed(metrics, last)
    metrics.blocksIndexed.inc(last.number - before)
  }
  metrics.logsIndexed.inc(logsOf(step))
}
