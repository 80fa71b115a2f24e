// Waits until this process may write. It leaves instead once another writing process has done the requested work.
import type { Clock } from '../base/clock.ts'
import type { Source } from '../chain/source/source.ts'
import type { Database } from '../database/client.ts'
import { acquireWriter, type WriterLock } from '../database/writer-lock.ts'
import { untilIndexed } from '../ledger/head.ts'
import type { Log } from '../telemetry/log.ts'
import type { Progress } from './progress.ts'

interface TurnDeps {
  database: Database
  source: Pick<Source, 'readHead'>
  until: number | 'head' | undefined
  clock: Clock
  log: Log
  signal: AbortSignal
  onProgress(progress: Progress): void
}

/** The writer lock; null if `mayLeave` and another process that holds the lock has reached the requested block. */
export async function takeTurn(deps: TurnDeps, mayLeave: boolean): Promise<WriterLock | null> {
  const { database, until, source, clock, log, onProgress } = deps
  const reached = new AbortController()
  const over = new AbortController()
  const signal = AbortSignal.any([deps.signal, over.signal])
  const watch = async () => {
    if (until === undefined || !mayLeave) return
    const target = until === 'head' ? (await source.readHead()).number : until
    const { number: block } = await untilIndexed(database, target, clock, signal)
    if (signal.aborted) return
    onProgress({ startBlock: block, block, target, logs: 0 })
    reached.abort()
  }
  let hasWaited = false
  const onWait = () => {
    hasWaited = true
    log.info('another process indexes this database; this one waits to take over')
    watch().catch((error: unknown) =>
      log.warn({ err: error }, 'cannot tell how far to index; waiting for the other process to end'),
    )
  }
  try {
    const lock = await acquireWriter({ database, signal: AbortSignal.any([deps.signal, reached.signal]), onWait })
    if (hasWaited) log.info('the other process has ended; this one indexes the database now')
    return lock
  } catch (error) {
    if (reached.signal.aborted) return null
    throw error
  } finally {
    over.abort()
  }
}
