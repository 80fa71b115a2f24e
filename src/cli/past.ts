// `past START`: indexes from an earlier block into a second database while the program serves the first. Then it asks
// the program to step aside for the seconds of the exchange. After an interruption, it continues.
import { Command } from 'commander'
import type { Config } from '../base/config.ts'
import { StartupError } from '../base/errors.ts'
import { parseStart, type Start } from '../base/start.ts'
import type { Ledger } from '../database/open.ts'
import type { SecondDatabase } from '../database/second-database.ts'
import { requireSameChain } from './adopt.ts'
import { type Context, withLedger } from './context.ts'
import { createProgressView } from './progress.ts'

/** The interval of checks whether the first index is still in use. */
const LOOK_EVERY_MS = 200
/** The most time that a program needs to step aside: it ends within 5 s. */
const ASIDE_WITHIN_MS = 20_000
/**
 * While an obstacle remains, the second index catches up with the chain, and the program is asked again, at this
 * interval.
 */
const CATCH_UP_EVERY_MS = 60_000

export const createPast = (context: Context): Command =>
  new Command('past')
    .description(
      'Index from an earlier start into a second database beside the one that is served from, and let it take its place, ' +
        'with all accounts, keys and alerts. The program that serves steps aside for some seconds.',
    )
    .argument('<start>', 'where the complete index begins: 90d, 26w, a date, or a block')
    .action((start: string) =>
      run(context, readStart(start)).catch((error) => {
        throw context.signal.aborted
          ? new StartupError('Interrupted: the same command goes on from here.', 130, error)
          : error
      }),
    )

function readStart(text: string): Start {
  const start = parseStart(text)
  if (start && start.kind !== 'head') return start
  throw new StartupError(`START must be like 90d, 26w, 2026-01-31 or a block's number, not "${text}".`, 2)
}

async function run(context: Context, start: Start): Promise<void> {
  const { findSecondDatabase } = await import('../database/second-database.ts')
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, RPC_URL: urls, CHAINS: chains = [] } = context.config()
  if (chains.length > 1)
    throw new StartupError('CHAINS has several chains, and another database would have one: use reindex --chain.', 2)
  if (!urls && start.kind !== 'block')
    throw new StartupError('The demo knows no days: name a block, such as `assay past 0`.', 2)
  await requireIndex(context)
  const beside = findSecondDatabase({ databaseUrl, dataDir })
  await beside.prepare()
  await replace(context, beside, start)
}

async function requireIndex(context: Context): Promise<void> {
  const { findChain } = await import('../ledger/read/chain.ts')
  if (await withLedger(context, ({ database }) => findChain(database.pool))) return
  throw new StartupError('Nothing is indexed in this database yet: set START and start the program.')
}

/** Builds an index from this start, and puts it in the place of the served one. */
async function replace(context: Context, beside: SecondDatabase, start: Start): Promise<void> {
  const { openLedger } = await import('../database/open.ts')
  const { findChain } = await import('../ledger/read/chain.ts')
  const { clock, signal, print } = context
  const say = createSayer(print)
  for (let isFirstTry = true; ; isFirstTry = false) {
    const second = await openLedger({ ...beside.place, log: context.log(), clock, signal, size: 2 })
    let adopted: string | null = null
    let isAsked = false
    try {
      const earlier = await findChain(second.database.pool)
      const from = earlier ? continueFrom(earlier.startBlock, start) : start
      if (earlier && isFirstTry) say(`continues the index from block ${earlier.startBlock} on`)
      else if (!earlier && from.kind === 'block') say(`indexes from block ${from.number} on, beside the served index`)
      const reached = await indexToHead(context, second.url, from)
      const begins = (await findChain(second.database.pool))?.startBlock ?? 0
      say(`complete from block ${begins} on${reached === null ? '' : `, up to block ${reached}`}`)
      isAsked = await makeRoom(context, beside, say)
      if (!(await beside.isInUse())) {
        // Messages that the first index sent must not be new to the second.
        if (await isBehind(context, second)) await indexToHead(context, second.url, from)
        adopted = await takeOver(context, second)
      }
    } finally {
      await second.close()
    }
    const former = adopted === null ? null : await beside.exchange()
    if (former !== null) {
      const end = isAsked ? 'The program continues with it.' : 'Start the program.'
      print(`took its place, with ${adopted}. ${end} The former index is in ${former}: remove it when all is well.`)
      return
    }
    await waitUntilUnused(context, beside)
  }
}

/** An interrupted attempt continues from its start, unless this one starts earlier. */
function continueFrom(begun: number, start: Start): Start {
  if (start.kind === 'block' && start.number < begun)
    throw new StartupError(
      `An interrupted attempt indexes from block ${begun} on: run \`assay past ${begun}\` to its end first, or remove its database or folder.`,
    )
  return { kind: 'block', number: begun }
}

/** Prints a line once, although its work is tried again. */
function createSayer(print: (line: string) => void): (line: string) => void {
  const said = new Set<string>()
  return (line) => {
    const what = line.replace(/up to block \d+/, '')
    if (!said.has(what)) print(line)
    said.add(what)
  }
}

/** Asks the program to step aside, if it is the only user of the first index. Returns whether it was asked. */
async function makeRoom(context: Context, beside: SecondDatabase, say: (line: string) => void): Promise<boolean> {
  const { clock, signal } = context
  const { ASIDE_CHANNEL, notify } = await import('../database/listen.ts')
  const patienceMs = clock.monotonicMs() + CATCH_UP_EVERY_MS
  for (;;) {
    const strangers = await beside.readStrangers()
    signal.throwIfAborted()
    if (strangers.length === 0) break
    say(`waits, since ${strangers.join(', ')} uses the database: it takes its place once that ends`)
    if (clock.monotonicMs() > patienceMs) return false
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  const deadlineMs = clock.monotonicMs() + ASIDE_WITHIN_MS
  let askMs = clock.monotonicMs()
  let isAsked = false
  while (!signal.aborted && clock.monotonicMs() < deadlineMs && (await beside.isInUse())) {
    if (clock.monotonicMs() >= askMs) {
      await withLedger(context, ({ database }) => notify(database, ASIDE_CHANNEL))
      isAsked = true
      // Again for a process that was just connecting; it must not start an embedded database that is about to end.
      askMs += ASIDE_WITHIN_MS / 4
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  signal.throwIfAborted()
  if (await beside.isInUse())
    say('waits, since the program did not step aside, or is behind a pooler that keeps its connections: stop it')
  return isAsked
}

async function waitUntilUnused({ clock, signal }: Context, beside: SecondDatabase): Promise<void> {
  const untilMs = clock.monotonicMs() + CATCH_UP_EVERY_MS
  while (!signal.aborted && clock.monotonicMs() < untilMs && (await beside.isInUse()))
    await clock.sleep(LOOK_EVERY_MS, signal)
  signal.throwIfAborted()
}

/** Returns the newest block. Throws after a signal. */
async function indexToHead(context: Context, url: string, start: Start): Promise<number | null> {
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
  signal.throwIfAborted()
  return view.last()?.block ?? null
}

/**
 * Leaves to the serving program the parts that must not run twice: its metrics' port, its replicas, its paid summaries.
 */
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

async function isBehind(context: Context, second: Ledger): Promise<boolean> {
  const { readHead } = await import('../ledger/head.ts')
  const { number } = await withLedger(context, ({ database }) => readHead(database.pool))
  return (await readHead(second.database.pool)).number < number
}

/** Copies accounts, keys and alerts into the second database, including those that an earlier attempt copied. */
async function takeOver(context: Context, second: Ledger): Promise<string> {
  const { adopt } = await import('../ledger/account/adopt.ts')
  return withLedger(context, async (first) => {
    await requireSameChain(first, second)
    const { account, api_key: keys, alert } = await adopt(first.database, second.database, { again: true })
    return `${account} accounts, ${keys} keys and ${alert} alerts`
  })
}
