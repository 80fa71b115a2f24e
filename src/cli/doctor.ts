// `doctor`: compares the index with the chain at the indexed head. Prints the differences; exits with 1 if any.
import { Command } from 'commander'
import { StartupError } from '../base/errors.ts'
import type { Diagnosis } from '../ledger/doctor/doctor.ts'
import { parseWhole } from './argument.ts'
import { type Context, withLedger } from './context.ts'
import { formatTable } from './table.ts'

/** Number of tokens, and of pools: a few thousand calls, which take some seconds. */
const SAMPLE = 100
/** Maximum number of differences that are printed. */
const MOST_LINES = 200

export function createDoctor(context: Context): Command {
  return new Command('doctor')
    .description(
      'Compare balances, supplies, V2 reserves and prices of a random sample with the chain at the indexed block. ' +
        'Exits with 1 if any value differs.',
    )
    .option('--sample <number>', 'number of tokens, and of pools, to compare', parseWhole(1, 100_000), SAMPLE)
    .action(async ({ sample }: { sample: number }) => report(context, await examine(context, sample)))
}

function examine(context: Context, sample: number): Promise<Diagnosis> {
  const { clock, signal } = context
  const { RPC_URL: urls, CHAIN_CONFIG: override, DATA_DIR: dataDir } = context.config()
  return withLedger(context, async ({ database }) => {
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
    return diagnose({ database, reader, readHash, sample })
  })
}

function report({ print }: Context, { block, compared, unanswered, differences }: Diagnosis): void {
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
  if (differences.length > 0) throw new StartupError(`${differences.length} values differ from the chain.`)
  print('no differences')
}
