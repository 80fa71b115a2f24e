// The messages between a worker process and the process that started it.
import type { Clock } from '../base/clock.ts'
import type { SharedPort } from '../rest/edge/leave.ts'
import type { Metrics, MetricValues } from '../telemetry/metrics.ts'

export type ToWorker =
  | { assay: 'end' }
  | { assay: 'reload' }
  | { assay: 'metrics' }
  /** All connections that had come are passed on. */
  | { assay: 'handed-over' }
  /** All workers have closed the port. */
  | { assay: 'port-closed' }
export type FromWorker =
  | { assay: 'ready'; address: string }
  | { assay: 'metrics'; values: MetricValues }
  /** Asks for `handed-over`. */
  | { assay: 'hand-over' }
  /** This worker has closed the port. */
  | { assay: 'port-closed' }

/** How long a worker that ends waits for the other processes, which may be busy: all must end within 5 s. */
const OTHERS_MS = 600

/** Reports that this worker listens, and answers from now on until the process ends. */
export function reportToMain(address: string, metrics: Pick<Metrics, 'values'>, reload: () => void): void {
  const obey = (message: ToWorker) => {
    if (message.assay === 'reload') reload()
    if (message.assay === 'metrics') void metrics.values().then((values) => send({ assay: 'metrics', values }))
  }
  process.on('message', obey)
  send({ assay: 'ready', address })
}

/** The worker's question to the others before its last answer. */
export function createSharedPort(clock: Clock): SharedPort {
  const ask = async (message: FromWorker, answer: ToWorker['assay']) => {
    const answered = new AbortController()
    const obey = (message: ToWorker) => {
      if (message.assay === answer) answered.abort()
    }
    process.on('message', obey)
    send(message)
    await clock.sleep(OTHERS_MS, answered.signal)
    process.off('message', obey)
  }
  return {
    handedOver: () => ask({ assay: 'hand-over' }, 'handed-over'),
    closedByAll: () => ask({ assay: 'port-closed' }, 'port-closed'),
  }
}

function send(message: FromWorker): void {
  // The other process may be gone; then this one ends by itself, too.
  if (process.connected) process.send?.(message, () => {})
}
