// `migrate`: brings the database up to date and says what was applied. Opening it is what migrates.
import { Command } from 'commander'
import { type Context, withLedger } from './context.ts'

/** The command. */
export function createMigrate(context: Context): Command {
  return new Command('migrate')
    .description('Bring the database up to date, and say which migrations were applied.')
    .action(() =>
      withLedger(context, async ({ migrated }) => {
        for (const name of migrated) context.print(`applied ${name}`)
        if (migrated.length === 0) context.print('nothing to apply: the database is up to date')
      }),
    )
}
