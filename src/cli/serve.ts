// `serve`: follows the chain and serves it until a signal. Once ready, it prints its addresses, with a key and a
// request that works when pasted. When another index takes the place of its own, it leaves the database, and serves
// again.
import { Command, Option } from 'commander'
import { AssayError } from '../base/errors.ts'
import { DEMO_CHAIN_ID } from '../chain/replay/demo.ts'
import { parseWhole, parseWords } from './argument.ts'
import { type Context, ROLES, type Role } from './context.ts'
import { createProgressView } from './progress.ts'
import { createAside } from './step-aside.ts'
import { findKey, greet } from './welcome.ts'

/** Prints the addresses after this time at the latest: catching up with a network takes long, with the demo seconds. */
const GREET_AFTER_MS = { network: 10_000, demo: 300_000 }
/** More workers than any machine needs: one process passes on all connections. */
const MOST_WORKERS = 64

export function createServe(context: Context): Command {
  return new Command('serve')
    .description('Follow the chain and serve REST and GraphQL until SIGINT or SIGTERM.')
    .addOption(
      new Option('--roles <roles>', 'roles of this process')
        .argParser(parseWords(ROLES))
        .default([...ROLES], ROLES.join(',')),
    )
    .addOption(
      new Option('--workers <n>', 'processes that serve on one port, with --roles api').argParser(
        parseWhole(1, MOST_WORKERS),
      ),
    )
    .action((options: ServeOptions) => run(context, options))
}

interface ServeOptions {
  roles: Role[]
  workers?: number
}

async function run(context: Context, options: ServeOptions): Promise<void> {
  if (options.workers && options.roles.join() !== 'api') {
    throw new AssayError(
      'INVALID_PARAMS',
      '--workers needs --roles api: other roles would hold up the process that passes connections on. Start them as processes of their own.',
    )
  }
  for (let greets = true; await serve(context, options, greets); greets = false) {
    if (context.signal.aborted) return
  }
}

/** Serves until a signal, or until another index has taken the place of this one. Returns whether to serve again. */
async function serve(context: Context, { roles, workers }: ServeOptions, greets: boolean): Promise<boolean> {
  const { clock, signal, terminal, isWorker = false } = context
  const config = context.config()
  const log = context.log()
  const view = await createProgressView(context)
  const aside = createAside(context)
  const app = await context.openApp({
    config,
    log,
    clock,
    signal: AbortSignal.any([signal, aside.signal]),
    roles,
    terminal,
    workers,
    isWorker,
    onProgress: view.show,
  })
  context.onReload?.(app.reload)
  // Workers end with the process that leads them.
  const watch = isWorker ? null : await aside.watch(app.ledger)
  try {
    // Before the index is ready, so that a waiting user finds the key.
    if (greets && !isWorker && app.address) await findKey(app, context)
    const greeted = new AbortController()
    const latestMs = app.chain?.chainId === DEMO_CHAIN_ID ? GREET_AFTER_MS.demo : GREET_AFTER_MS.network
    await Promise.race([app.ready, app.done, clock.sleep(latestMs, greeted.signal)])
    greeted.abort()
    view.end()
    if (greets && !signal.aborted && !isWorker) for (const line of await greet(app, context)) context.print(line)
    await app.done
  } finally {
    view.end()
    await watch?.close()
    await app.stop()
  }
  if (!aside.signal.aborted) return false
  await aside.untilExchanged()
  return true
}
