// `usage`: prints the number of requests per account and day.
import { Command } from 'commander'
import { dayOf } from '../base/clock.ts'
import { parseWhole } from './argument.ts'
import { type Context, withLedger } from './context.ts'
import { formatTable } from './table.ts'

export function createUsageCommand(context: Context): Command {
  return new Command('usage')
    .description('List the requests of each account and UTC day, newest first.')
    .option('--days <number>', 'number of days, including today', parseWhole(1, 3_660), 30)
    .action(({ days }: { days: number }) =>
      withLedger(context, async ({ database }) => {
        const { readUsage } = await import('../ledger/account/usage.ts')
        const today = dayOf(context.clock.now().getTime() / 1000)
        const usage = await readUsage(database.pool, today - days + 1)
        const rows = usage.map(({ date, email, requests }) => [date, email, requests])
        for (const line of formatTable(['day', 'account', 'requests'], rows)) context.print(line)
      }),
    )
}
