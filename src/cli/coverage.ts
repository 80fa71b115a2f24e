// `coverage`: which share of the chain's newest swaps the index saw, by exchange, and the contracts whose swaps it did not
// read.
import { Command } from 'commander'
import { StartupError } from '../base/errors.ts'
import { MOST_BLOCKS, type SwapCoverage } from '../indexing/coverage.ts'
import { parseWhole } from './argument.ts'
import { type Context, withLedger } from './context.ts'
import { formatTable } from './table.ts'

const BLOCKS = 100

export function createCoverage(context: Context): Command {
  return new Command('coverage')
    .description(
      'Of the swaps of all known exchanges in the newest indexed blocks, show the share that the index saw, by exchange, ' +
        'and the contracts that it did not read.',
    )
    .option('--blocks <number>', `number of blocks, ${MOST_BLOCKS} at most`, parseWhole(1, MOST_BLOCKS), BLOCKS)
    .action(({ blocks }: { blocks: number }) =>
      withLedger(context, async ({ database }) => {
        const { clock, signal } = context
        const { RPC_URL: urls, CHAIN_CONFIG: override, DATA_DIR: dataDir } = context.config()
        const { connectChain } = await import('../chain/connect/connect.ts')
        const { logTrouble } = await import('../chain/rpc/trouble.ts')
        const { findNewest } = await import('../ledger/read/chain.ts')
        const { measureCoverage } = await import('../indexing/coverage.ts')
        const newest = await findNewest(database.pool)
        if (newest === null) throw new StartupError('Nothing is indexed yet: run `index` first.')
        const demo = { dataDir, isStill: true }
        const onTrouble = logTrouble(context.log())
        const { rpc, preset } = await connectChain({ urls, override, demo, clock, signal, onTrouble })
        const deps = { rpc, pool: database.pool, preset }
        report(context, await measureCoverage(deps, Math.max(0, newest - blocks + 1), newest))
      }),
    )
}

function report({ print }: Context, { from, to, swaps, read, exchanges, unread, unreadContracts }: SwapCoverage): void {
  if (swaps === 0) {
    print(`Blocks ${from} to ${to} have no swap of a known exchange.`)
    return
  }
  const rows = exchanges.map((each) => [
    each.exchange,
    `${each.swaps}`,
    `${each.read}`,
    percent(each.read, each.swaps),
    each.usd.toFixed(0),
  ])
  for (const line of formatTable(['exchange', 'swaps', 'read', 'share', 'usd'], rows)) print(line)
  if (unread.length > 0) {
    print('')
    const others = unread.map((each) => [each.address, each.exchange, `${each.swaps}`])
    for (const line of formatTable(['not read', 'logs as', 'swaps'], others)) print(line)
    if (unreadContracts > unread.length) print(`... and ${unreadContracts - unread.length} more contracts`)
  }
  print('')
  print(`Blocks ${from} to ${to}: ${read} of ${swaps} swaps of known exchanges were read (${percent(read, swaps)}).`)
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`
