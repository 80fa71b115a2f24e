// `adopt FROM`: copies the accounts, keys and alerts of another database, for an index that was rebuilt beside it.
import { Command } from 'commander'
import { StartupError } from '../base/errors.ts'
import type { Ledger } from '../database/open.ts'
import { type Context, withLedger } from './context.ts'

export const createAdopt = (context: Context): Command =>
  new Command('adopt')
    .description(
      'Copy accounts, keys, alerts and usage from another database of the same chain into this one, which has none.',
    )
    .argument('<from>', 'the other database: its DATA_DIR, or a URL that begins with postgres://')
    .action((from: string) =>
      withLedger(context, async (ledger) => {
        const { openLedger } = await import('../database/open.ts')
        const { adopt } = await import('../ledger/account/adopt.ts')
        const isUrl = /^postgres(ql)?:\/\//.test(from)
        const other = await openLedger({
          databaseUrl: isUrl ? from : undefined,
          dataDir: isUrl ? context.config().DATA_DIR : from,
          log: context.log(),
          clock: context.clock,
          size: 2,
        })
        try {
          await requireSameChain(other, ledger)
          const { account, api_key: keys, alert } = await adopt(other.database, ledger.database)
          context.print(`adopted ${account} accounts, ${keys} keys and ${alert} alerts`)
        } finally {
          await other.close()
        }
      }),
    )

export async function requireSameChain(other: Ledger, ours: Ledger): Promise<void> {
  const { readChainSchemas } = await import('../database/chain-schema.ts')
  for (const { database } of [other, ours])
    if ((await readChainSchemas(database.pool)).length > 1)
      throw new StartupError('A database of several chains cannot be adopted, and adopts none.')
  const { findChain } = await import('../ledger/read/chain.ts')
  const [old, own] = [await findChain(other.database.pool), await findChain(ours.database.pool)]
  if (!own) throw new StartupError('Nothing is indexed in this database yet: run `index` first.')
  if (old && old.chainId !== own.chainId)
    throw new StartupError(`The other database indexes chain ${old.chainId}, and this one chain ${own.chainId}.`)
}
