// `alerts outbox | retry | enable`: the mails that did not go out, and the addresses that a mail server refused.
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

/** The command with its three parts. */
export function createAlerts(context: Context): Command {
  const command = new Command('alerts').description('See and mend the delivery of alert mails.')
  command
    .command('outbox')
    .description('List mails that are not sent: waiting, given up, refused or held back; oldest first.')
    .addOption(new Option('--status <status>', 'only these').choices(MESSAGE_STATUSES))
    .option('--limit <number>', 'at most so many', parseWhole(1, 10_000), 100)
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
        const head = ['id', 'status', 'to', 'alert', 'written', 'next try', 'tries', 'the server said']
        for (const line of formatTable(head, cells)) context.print(line)
      }),
    )
  command
    .command('retry')
    .description('Put a mail that was given up, refused or held back into the queue again.')
    .argument('<id>', 'as listed by `alerts outbox`', parseUuid)
    .action((id: string) =>
      withLedger(context, async ({ database }) => {
        if (!(await retryMessage(database, id, context.clock.now()))) {
          throw new StartupError(
            `No mail ${id} can be tried again: see \`alerts outbox\`; a refused address must be enabled first (\`alerts enable\`).`,
          )
        }
        context.print(`Mail ${id} is in the queue again.`)
      }),
    )
  command
    .command('enable')
    .description('Send mails to an address again that its mail server refused.')
    .argument('<email>', 'the address of the account')
    .action((email: string) =>
      withLedger(context, async ({ database }) => {
        if (!(await enableAddress(database, email)))
          throw new StartupError(`No account with the address ${email} was refused.`)
        context.print(`${email} gets mails again.`)
      }),
    )
  return command
}
