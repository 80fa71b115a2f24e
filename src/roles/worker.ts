// What a worker process tells and is told by the process that started it, over the channel between the two.
import type { Metrics, MetricValues } from '../telemetry/metrics.ts'

export type ToWorker = { assay: 'end' } | { assay: 'reload' } | { assay: 'metrics' }
export type FromWorker = { assay: 'ready'; address: string } | { assay: 'metrics'; values: MetricValues }

/** Says that this worker listens, and answers from now on until the process ends. */
export function reportToMain(address: string, metrics: Metrics, reload: () => void): void {
  const send = (message: FromWorker) => {
    // The other process may be gone; then this one ends too, by itself.
    if (process.connected) process.send?.(message, () => {})
  }
  const obey = (message: ToWorker) => {
    if (message.assay === 'reload') reload()
    if (message.assay === 'metrics') void metrics.values().then((values) => send({ assay: 'metrics', values }))
  }
  process.on('message', obey)
  send({ assay: 'ready', address })
}
