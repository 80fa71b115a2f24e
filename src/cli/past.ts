// `past START`: indexes from an earlier block into a second database while the program serves from the first, and takes its
// place once the program is stopped. Interrupted, it goes on where it was.
import { Command } from 'commander'
import type { Config } from '../base/config.ts'
import { StartupError } from '../base/errors.ts'
import { parseStart, type Start } from '../base/start.ts'
import type { Ledger } from '../database/open.ts'
import { requireSameChain } from './adopt.ts'
import { type Context, withLedger } from './context.ts'
import { createProgressView } from './progress.ts'

/** How often to look whether the program was stopped. */
const LOOK_EVERY_MS = 1_000
/** After so many looks the second index catches up with the chain, so that little is left when the program stops. */
const LOOKS = 60

export const createPast = (context: Context): Command =>
  new Command('past')
    .description(
      'Index from an earlier start into a second database beside the one that is served from, and let it take its place, ' +
        'with all accounts, keys and alerts, once the program is stopped.',
    )
    .argument('<start>', 'where the complete index begins: 90d, 26w, a date, or a block')
    .action((start: string) => run(context, readStart(start)))

function readStart(text: string): Start {
  const start = parseStart(text)
  if (start && start.kind !== 'head') return start
  throw new StartupError(`START must be like 90d, 26w, 2026-01-31 or a block's number, not "${text}".`, 2)
}

async function run(context: Context, start: Start): Promise<void> {
  const { findBeside } = await import('../database/beside.ts')
  const { openLedger } = await import('../database/open.ts')
  const { findChain } = await import('../ledger/read/chain.ts')
  const { clock, signal, print } = context
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, RPC_URL: urls } = context.config()
  if (!urls && start.kind !== 'block')
    throw new StartupError('The demo knows no days: name a block, such as `assay past 0`.', 2)
  if (!(await withLedger(context, ({ database }) => findChain(database.pool))))
    throw new StartupError(
      'Nothing is indexed in this database yet, so nothing stands in the way of START: start the program.',
    )
  const beside = findBeside({ databaseUrl, dataDir })
  await beside.prepare()
  for (let told = false; ; told = true) {
    const second = await openLedger({ ...beside.place, log: context.log(), clock, signal, size: 2 })
    let adopted: string | null = null
    try {
      const reached = await indexToHead(context, second.url, start)
      if (!(await beside.isInUse())) adopted = await takeOver(context, second)
      else if (!told) print(`${reached}. Stop the program now: this index then takes its place, within seconds.`)
    } finally {
      await second.close()
    }
    const former = adopted === null ? null : await beside.exchange()
    if (former !== null) {
      print(`${adopted}. Start the program again. What was served before is in ${former}: remove it when all is well.`)
      return
    }
    for (let look = 0; look < LOOKS && !signal.aborted && (await beside.isInUse()); look++)
      await clock.sleep(LOOK_EVERY_MS, signal)
    if (signal.aborted) throw interrupted()
  }
}

const interrupted = () => new StartupError('Interrupted: the same command goes on from here.', 130)

/** Returns what is indexed now, in a sentence. Throws a `StartupError` after a signal. */
async function indexToHead(context: Context, url: string, start: Start): Promise<string> {
  const { clock, signal } = context
  const view = await createProgressView(context)
  const app = await context.openApp({
    config: configFor(context.config(), url, start),
    log: context.log(),
    clock,
    signal,
    roles: ['index'],
    until: 'head',
    onProgress: view.show,
  })
  try {
    await app.done
  } finally {
    view.end()
    await app.stop()
  }
  if (signal.aborted) throw interrupted()
  const block = view.last()?.block
  return `the second index is complete${block === undefined ? '' : ` up to block ${block}`}`
}

/** Of what only the serving program does, nothing is done twice: its metrics' port, its replicas, its paid summaries. */
function configFor(config: Config, url: string, start: Start): Config {
  const begin = start.kind === 'block' ? { START: undefined, START_BLOCK: start.number } : { START: start }
  return {
    ...config,
    START_BLOCK: undefined,
    ...begin,
    DATABASE_URL: url,
    DATABASE_POOL_URL: undefined,
    DATABASE_REPLICA_URL: undefined,
    METRICS_PORT: undefined,
    SUMMARY_API_URL: undefined,
    // The serving program moves the demo's chain.
    DEMO: 'still',
  }
}

/** Copies accounts, keys and alerts into the second database; what an attempt before this one copied is copied anew. */
async function takeOver(context: Context, second: Ledger): Promise<string> {
  const { adopt } = await import('../ledger/account/adopt.ts')
  return withLedger(context, async (first) => {
    await requireSameChain(first, second)
    const { account, api_key: keys, alert } = await adopt(first.database, second.database, { again: true })
    return `the second index has taken its place, with ${account} accounts, ${keys} keys and ${alert} alerts`
  })
}
