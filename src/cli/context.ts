// What every command gets: where to write, the configuration, the time, and a signal that says "end now".
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { StartupError } from '../base/errors.ts'
import type { Ledger } from '../database/open.ts'
import type { Progress } from '../indexing/progress.ts'
import type { Log } from '../telemetry/log.ts'

export interface Context {
  /** Answers go to standard output, a line at a time. */
  print(line: string): void
  /** Reads the environment when a command asks for it, so that help works without one. */
  config(): Config
  log(): Log
  clock: Clock
  /** Aborted by the first SIGINT or SIGTERM. */
  signal: AbortSignal
  /** Standard error is a terminal: progress may be drawn there. */
  terminal: boolean
  /** Calls it at each SIGHUP from now on, which then no longer ends the process. */
  onReload?(reload: () => void): void
  /** Puts the program together; the commands come before it in the order of stations, so they are handed it. */
  openApp: OpenApp
}

/** What a run of the program does and until when. */
export interface AppOptions {
  config: Config
  log: Log
  clock: Clock
  signal: AbortSignal
  roles: readonly Role[]
  /** Index up to this block, or to the head as it is at the start, and end; none: follow for ever. */
  until?: number | 'head'
  /** Undo the index from this block on before anything else. */
  reindexFrom?: number
  /** Somebody reads the log as it comes. */
  terminal?: boolean
  onProgress(progress: Progress): void
}

/** What a process may do; several processes may share the work. */
export const ROLES = ['api', 'index', 'alerts'] as const
export type Role = (typeof ROLES)[number]

export interface App {
  ledger: Ledger
  /** Null: nothing is indexed yet, and this process does not index. */
  chain: { name: string; chainId: number } | null
  /** Where the server listens, such as `http://127.0.0.1:4000`; null without the role `api`. */
  address: string | null
  /** Where metrics are served, such as `http://127.0.0.1:9400/metrics`; null without `METRICS_PORT`. */
  metricsAddress: string | null
  /** Resolves when the index has reached the source's head for the first time, or the block `until`. */
  caughtUp: Promise<void>
  /** Resolves when the work is over: `until` was reached, or the signal came. Rejects when it can't go on. */
  done: Promise<void>
  /** Reads again what may change while it runs: the certificate. */
  reload(): void
  /** Ends what runs; the batch that is being written is finished. */
  stop(): Promise<void>
}

type OpenApp = (options: AppOptions) => Promise<App>

/** Opens the database for one piece of work and closes it again, also when the work fails or the user interrupts it. */
export async function withLedger<T>(context: Context, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { openLedger } = await import('../database/open.ts')
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = context.config()
  const ledger = await openLedger({ databaseUrl, dataDir, log: context.log(), clock: context.clock, size: 2 })
  try {
    return await Promise.race([work(ledger), interruption(context.signal)])
  } finally {
    await ledger.close()
  }
}

function interruption(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const interrupt = () => reject(new StartupError('Interrupted.', 130))
    if (signal.aborted) interrupt()
    else signal.addEventListener('abort', interrupt, { once: true })
  })
}
