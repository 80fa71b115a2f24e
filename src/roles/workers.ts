// Runs the role `api` in several processes on one port (node:cluster). This process takes connections and passes them
// on in turn; each worker is a process of this program with the same command line. Output: the address, the workers'
// metrics, and a function that stops them. A worker that ends by itself is replaced.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Clock } from '../base/clock.ts'
import { StartupError } from '../base/errors.ts'
import type { Log } from '../telemetry/log.ts'
import type { MetricValues } from '../telemetry/metrics.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/** Pause before a worker that ended is replaced, so that a worker that cannot start does not use up a processor. */
const REPLACE_AFTER_MS = 1_000
/** A worker whose event loop is busy for longer is left out of a scrape. */
const METRICS_WITHIN_MS = 2_000

export interface WorkersDeps {
  count: number
  clock: Clock
  log: Log
  /** Tells the workers to end at once, while this process still waits for them. */
  signal: AbortSignal
}

export interface Workers {
  address: string
  /** Workers read their certificates again. */
  reload(): void
  /** The metrics of each worker by its number, from 1. */
  readMetrics(): Promise<Map<number, MetricValues>>
  /** Resolves when all have ended. */
  stop(): Promise<void>
}

/** The running workers, and what they tell each other through this process. */
function createCrew({ clock, log, stopping }: Pick<WorkersDeps, 'clock' | 'log'> & { stopping: AbortSignal }) {
  const workers = new Map<number, Worker>()
  /** Workers that have closed the port. */
  const closed = new Set<Worker>()
  const send = (worker: Worker, message: ToWorker) => worker.isConnected() && worker.send(message)
  const tell = (message: ToWorker) => {
    for (const worker of workers.values()) send(worker, message)
  }
  const tellWhenAllClosed = () => {
    if ([...workers.values()].every((worker) => closed.has(worker))) tell({ assay: 'port-closed' })
  }
  const keep = (number: number) => {
    const worker = cluster.fork()
    workers.set(number, worker)
    worker.on('error', () => {})
    worker.on('message', (message: FromWorker) => {
      // The connections that wait at the port are taken before the next turn of the event loop.
      if (message.assay === 'hand-over') setImmediate(() => send(worker, { assay: 'handed-over' }))
      if (message.assay !== 'port-closed') return
      closed.add(worker)
      tellWhenAllClosed()
    })
    const ended = once(worker, 'exit').then(([code, killer]: unknown[]) => {
      workers.delete(number)
      closed.delete(worker)
      tellWhenAllClosed()
      if (!stopping.aborted) log.error({ worker: number, pid: worker.process.pid, code, killer }, 'a worker ended')
      return typeof code === 'number' && code !== 0 ? code : 1
    })
    const address = awaitMessage(worker, 'ready').then(({ address }) => {
      log.info({ worker: number, pid: worker.process.pid }, 'a worker serves')
      return address
    })
    return { address, ended }
  }
  const replace = async (number: number, { ended }: ReturnType<typeof keep>): Promise<void> => {
    let end = ended
    while (!stopping.aborted) {
      await end
      await clock.sleep(REPLACE_AFTER_MS, stopping)
      if (stopping.aborted) return
      log.info({ worker: number }, 'another worker is started in its place')
      end = keep(number).ended
    }
  }
  return { workers, tell, keep, replace }
}

/**
 * Resolves when all workers listen. Throws a `StartupError` if the first one cannot start; it has logged the reason.
 */
export async function startWorkers({ count, clock, log, signal }: WorkersDeps): Promise<Workers> {
  const stopping = new AbortController()
  const { workers, tell, keep, replace } = createCrew({ clock, log, stopping: stopping.signal })
  const leave = () => {
    stopping.abort()
    tell({ assay: 'end' })
  }
  const stop = async () => {
    leave()
    await Promise.all([...workers.values()].map((worker) => worker.isDead() || once(worker, 'exit')))
  }
  const start = async (number: number): Promise<string> => {
    const kept = keep(number)
    const failed = kept.ended.then((code) => {
      throw new StartupError(`Worker ${number} ended with exit code ${code} while it was starting.`, code)
    })
    const address = await Promise.race([kept.address, failed])
    failed.catch(() => {})
    void replace(number, kept)
    return address
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    // One first, so that a taken port is reported once.
    const address = await start(1)
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => start(index + 2)))
    return {
      address,
      reload: () => tell({ assay: 'reload' }),
      readMetrics: async () => {
        const given = [...workers].map(async ([number, worker]) => [number, await askMetrics(worker, clock)] as const)
        return new Map((await Promise.all(given)).filter((each): each is [number, MetricValues] => each[1] !== null))
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function awaitMessage<Kind extends FromWorker['assay']>(worker: Worker, kind: Kind) {
  return new Promise<Extract<FromWorker, { assay: Kind }>>((resolve) => {
    const take = (message: FromWorker) => {
      if (message.assay !== kind) return
      worker.off('message', take)
      resolve(message as Extract<FromWorker, { assay: Kind }>)
    }
    worker.on('message', take)
  })
}

/** Null when the worker is not ready or does not answer in time. */
async function askMetrics(worker: Worker, clock: Clock): Promise<MetricValues | null> {
  if (!worker.isConnected()) return null
  const answered = new AbortController()
  const answer = awaitMessage(worker, 'metrics').then(({ values }) => values)
  worker.send({ assay: 'metrics' } satisfies ToWorker)
  const late = clock.sleep(METRICS_WITHIN_MS, answered.signal).then(() => null)
  return Promise.race([answer, late]).finally(() => answered.abort())
}
