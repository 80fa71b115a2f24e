// `migrate`: applies pending migrations and prints their names. Opening the database applies them.
import { Command } from 'commander'
import { type Context, withLedger } from './context.ts'

export function createMigrate(context: Context): Command {
  return new Command('migrate').description('Apply pending database migrations, and print their names.').action(() =>
    withLedger(context, async ({ migrated }) => {
      for (const name of migrated) context.print(`applied ${name}`)
      if (migrated.length === 0) context.print('nothing to apply: the database is up to date')
    }),
  )
}
