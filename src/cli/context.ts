// The context of every command: its output, the configuration, the clock, and a signal to end.
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { StartupError } from '../base/errors.ts'
import type { Ledger } from '../database/open.ts'
import type { Progress } from '../indexing/progress.ts'
import type { Log } from '../telemetry/log.ts'

export interface Context {
  /** Writes one line of the answer to standard output. */
  print(line: string): void
  /** Reads the environment when a command needs it, so that --help works without a valid one. */
  config(): Config
  log(): Log
  clock: Clock
  /** Aborted by the first SIGINT or SIGTERM. */
  signal: AbortSignal
  /** Whether standard error is a terminal, where a progress bar can be drawn. */
  terminal: boolean
  /** Whether this process is a worker of another one, which prints for all of them. */
  isWorker?: boolean
  /** Registers a function for each later SIGHUP, which then no longer ends the process. */
  onReload?(reload: () => void): void
  /** Opens the program. Passed in, because commands may not import the composition root, a later station. */
  openApp: OpenApp
}

/** The work of a run of the program, and its end. */
export interface AppOptions {
  config: Config
  log: Log
  clock: Clock
  signal: AbortSignal
  roles: readonly Role[]
  /** Index up to this block, or up to the head at the start, and end. Undefined: follow forever. */
  until?: number | 'head'
  /** First undo the index from this block on. */
  reindexFrom?: number
  /** A person reads the log as it is written. */
  terminal?: boolean
  /** This many processes share the role `api`. Undefined: this one has it. */
  workers?: number | undefined
  /** This process is one of these workers. */
  isWorker?: boolean
  onProgress(progress: Progress): void
}

/** The roles of a process; several processes can share the work. */
export const ROLES = ['api', 'index', 'alerts'] as const
export type Role = (typeof ROLES)[number]

export interface App {
  ledger: Ledger
  /** Null when nothing is indexed yet and this process does not index. */
  chain: { name: string; chainId: number } | null
  /** The address of the server, such as `http://127.0.0.1:4000`; null without the role `api`. */
  address: string | null
  /** The address of the metrics, such as `http://127.0.0.1:9400/metrics`; null without `METRICS_PORT`. */
  metricsAddress: string | null
  /** Resolves when the index first reaches the head of the source or the block `until`, and the server has its tokens. */
  ready: Promise<void>
  /** Resolves when the work is done: `until` was reached, or the signal aborted. Rejects when it cannot continue. */
  done: Promise<void>
  /** Reads the certificate again. */
  reload(): void
  /** Stops everything; the current batch is still written. */
  stop(): Promise<void>
}

type OpenApp = (options: AppOptions) => Promise<App>

/** Opens the database for one task and closes it afterwards, also when the task fails or the user interrupts it. */
export async function withLedger<T>(context: Context, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { openLedger } = await import('../database/open.ts')
  const config = context.config()
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, schema } = config
  const ledger = await openLedger({
    databaseUrl,
    schema,
    dataDir,
    history: config,
    log: context.log(),
    clock: context.clock,
    size: 2,
  })
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
