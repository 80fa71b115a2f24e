// `alerts outbox | retry | enable`: mails that were not sent, and addresses that a mail server refused.
import { Command, Option } from 'commander'
import { StartupError } from '../base/errors.ts'
import {
  enableAddress,
  listOutbox,
  MESSAGE_STATUSES,
  type MessageStatus,
  retryMessage,
} from '../ledger/alerts/outbox.ts'
import { parseUuid, parseWhole } from './argument.ts'
import { type Context, withLedger } from './context.ts'
import { formatTable } from './table.ts'

/** The command with its three subcommands. */
export function createAlerts(context: Context): Command {
  const command = new Command('alerts').description('Show and repair the delivery of alert mails.')
  command
    .command('outbox')
    .description('List mails that were not sent: pending, given up, refused or suppressed; oldest first.')
    .addOption(new Option('--status <status>', 'only mails with this status').choices(MESSAGE_STATUSES))
    .option('--limit <number>', 'maximum number of mails', parseWhole(1, 10_000), 100)
    .action(({ status, limit }: { status?: MessageStatus; limit: number }) =>
      withLedger(context, async ({ database }) => {
        const statuses = status ? [status] : (['pending', 'dead', 'refused', 'suppressed'] as const)
        const rows = await listOutbox(database, statuses, limit)
        if (rows.length === 0) return context.print('No such mail.')
        const cells = rows.map((row) => [
          row.id,
          row.status,
          row.email,
          row.alertId,
          row.createdAt.toISOString(),
          row.status === 'pending' ? row.nextAttemptAt.toISOString() : '',
          row.attempts,
          row.response ?? '',
        ])
        const head = ['id', 'status', 'to', 'alert', 'created', 'next attempt', 'attempts', 'server response']
        for (const line of formatTable(head, cells)) context.print(line)
      }),
    )
  command
    .command('retry')
    .description('Queue a mail again that was given up, refused or suppressed.')
    .argument('<id>', 'as listed by `alerts outbox`', parseUuid)
    .action((id: string) =>
      withLedger(context, async ({ database }) => {
        if (!(await retryMessage(database, id, context.clock.now()))) {
          throw new StartupError(
            `Mail ${id} cannot be queued again: see \`alerts outbox\`. ` +
              'Enable a refused address first (`alerts enable`).',
          )
        }
        context.print(`Mail ${id} is queued again.`)
      }),
    )
  command
    .command('enable')
    .description('Resume mails to an address that its mail server refused.')
    .argument('<email>', 'the address of the account')
    .action((email: string) =>
      withLedger(context, async ({ database }) => {
        if (!(await enableAddress(database, email)))
          throw new StartupError(`No account with the address ${email} has been refused by its mail server.`)
        context.print(`${email} receives mails again.`)
      }),
    )
  return command
}
