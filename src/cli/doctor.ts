// `doctor`: lists the faults of the installation, and compares the index with the chain at the indexed head. Exits with
// 1 for any fault.
import { Command } from 'commander'
import { AssayError, StartupError } from '../base/errors.ts'
import type { Ledger } from '../database/open.ts'
import type { Diagnosis } from '../ledger/doctor/doctor.ts'
import { parseWhole } from './argument.ts'
import { type Context, withLedger } from './context.ts'
import { formatTable } from './table.ts'

/** Number of tokens, and of pools: a few thousand calls, which take some seconds. */
const SAMPLE = 100
/** Maximum number of differences that are printed. */
const MOST_LINES = 200
/** Maximum number of tokens that a sentence names. */
const MOST_NAMED = 5

export function createDoctor(context: Context): Command {
  return new Command('doctor')
    .description(
      'Examine the installation (disk, memory, versions, settings of PostgreSQL, clock), and compare balances, supplies, ' +
        'V2 reserves and prices of a random sample with the chain at the indexed block. Exits with 1 if anything is wrong.',
    )
    .option(
      '--sample <number>',
      'number of tokens, and of pools, to compare; 0: the installation alone',
      parseWhole(0, 100_000),
      SAMPLE,
    )
    .action(({ sample }: { sample: number }) =>
      withLedger(context, async (ledger) => {
        const wrong = (await examineInstallation(context, ledger)) + (await examineHistory(context, ledger))
        if (sample > 0) report(context, await examineIndex(context, ledger, sample))
        if (wrong > 0)
          throw new StartupError(`The installation has ${wrong} ${wrong === 1 ? 'fault' : 'faults'}: see above.`)
      }),
    )
}

/** Prints the findings; returns the number of faults. */
async function examineInstallation(
  { print, config: readConfig, clock }: Context,
  { database }: Ledger,
): Promise<number> {
  const { statfs } = await import('node:fs/promises')
  const { readServerFacts } = await import('../database/server-facts.ts')
  const { readMemory } = await import('../database/embedded/memory.ts')
  const { readVersion } = await import('../base/version.ts')
  const { readHead, NO_HEAD } = await import('../ledger/head.ts')
  const { judgeInstallation } = await import('./installation.ts')
  const config = readConfig()
  const head = await readHead(database.pool)
  const disk = await statfs(config.DATA_DIR).catch(() => null)
  const findings = judgeInstallation({
    node: process.version,
    program: readVersion(),
    memoryBytes: readMemory(),
    disk: disk && { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
    dataDir: config.DATA_DIR,
    isEmbedded: config.DATABASE_URL === undefined,
    config,
    server: await readServerFacts(database.pool, clock.now),
    blockTime: head === NO_HEAD ? null : head.time,
  })
  for (const { verdict, text } of findings) print(`${verdict.padEnd(4)}  ${text}`)
  return findings.filter(({ verdict }) => verdict === 'bad').length
}

/** Counts the events of the history's files; returns the number of faults. */
async function examineHistory({ print }: Context, { database }: Ledger): Promise<number> {
  const { attachHistoryOn } = await import('../ledger/segments.ts')
  try {
    const history = await attachHistoryOn(database.pool, database.history)
    if (!history) return 0
    const { store, segments, lastN } = history
    for (const segment of segments)
      if (!(await store.isComplete(segment))) throw new StartupError(`the segment ${segment.name} lacks events`)
    print(`ok    the history has ${lastN - (segments[0]?.firstN ?? 0) + 1} events in ${segments.length} segments`)
    return 0
  } catch (error) {
    const fault = error instanceof AssayError ? (error.cause ?? error) : error
    print(`bad   the history: ${database.history?.reasonOf(fault) ?? String(fault)}`)
    return 1
  }
}

async function examineIndex(context: Context, { database }: Ledger, sample: number): Promise<Diagnosis> {
  const { clock, signal } = context
  const { RPC_URL: urls, CHAIN_CONFIG: override, DATA_DIR: dataDir } = context.config()
  const { connectChain } = await import('../chain/connect/connect.ts')
  const { logTrouble } = await import('../chain/rpc/trouble.ts')
  const { diagnose } = await import('../ledger/doctor/doctor.ts')
  const { findChain } = await import('../ledger/read/chain.ts')
  const indexed = await findChain(database.pool)
  if (!indexed) throw new StartupError('Nothing is indexed yet: run `index` first.')
  const { source, reader, preset } = await connectChain({
    urls,
    override,
    demo: { dataDir, isStill: true },
    clock,
    signal,
    onTrouble: logTrouble(context.log()),
  })
  if (indexed.chainId !== preset.chainId) {
    throw new StartupError(
      `The database indexes chain ${indexed.chainId}, but RPC_URL serves chain ${preset.chainId}: ` +
        'correct RPC_URL or DATABASE_URL.',
    )
  }
  const readHash = async (block: number) => (await source.readLinks([block]))[0]?.hash ?? ''
  return diagnose({ database, reader, readHash, sample, wrappedNative: preset.wrappedNative })
}

function report({ print }: Context, { block, compared, unanswered, differences, unexplained }: Diagnosis): void {
  const { balances, supplies, reserves, prices } = compared
  const rows = differences
    .slice(0, MOST_LINES)
    .map(({ what, address, holder, ledger, chain }) => [what, address, holder, ledger, chain])
  if (rows.length > 0) {
    for (const line of formatTable(['what', 'address', 'holder', 'ledger', 'chain'], rows)) print(line)
  }
  if (differences.length > MOST_LINES) print(`... and ${differences.length - MOST_LINES} more`)
  print(
    `block ${block}: compared ${balances} balances, ${supplies} supplies, ${reserves} reserves, ${prices} prices; ${unanswered} not answered by their contracts`,
  )
  const known = new Set(unexplained.map(({ address }) => address))
  if (known.size > 0) {
    print(
      `not counted: ${unexplained.length} balances of ${[...known].slice(0, MOST_NAMED).join(', ')} differ. ` +
        'The contract check of the token found that it changes balances without a Transfer.',
    )
  }
  if (differences.length > 0) throw new StartupError(`${differences.length} values differ from the chain.`)
  print('no differences')
}
