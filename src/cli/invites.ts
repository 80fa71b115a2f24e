// `invites create | list | end`: codes for people who may open an account with SIGNUP=invite. A code is printed only once.
import { Command } from 'commander'
import type { Invite } from '../ledger/account/invite.ts'
import type { Invites } from '../signup/invites.ts'
import { parseWhole } from './argument.ts'
import { type Context, withLedger } from './context.ts'
import { formatTable } from './table.ts'

/** The command with its three subcommands. */
export function createInvitesCommand(context: Context): Command {
  const withInvites = <T>(work: (invites: Invites) => Promise<T>): Promise<T> =>
    withLedger(context, async ({ database }) => {
      const { createInvites } = await import('../signup/invites.ts')
      return work(createInvites(database.pool, context.clock))
    })
  const command = new Command('invites').description('Create, list and end invites to open an account.')
  command
    .command('create')
    .description('Create an invite that one person can use once, with SIGNUP=invite.')
    .option('--days <number>', 'days until it expires', parseWhole(1, 365), 7)
    .option('--note <text>', 'whom it is for', '')
    .option('--quiet', 'print only the code')
    .action(({ days, note, quiet }: { days: number; note: string; quiet?: true }) =>
      withInvites(async (invites) => {
        const { id, code, expiresAt } = await invites.create({ days, note })
        context.print(code)
        if (quiet) return
        const { PUBLIC_URL: publicUrl } = context.config()
        if (publicUrl) {
          const { linkOf } = await import('../signup/letter.ts')
          context.print(linkOf(publicUrl, 'invite', code))
        }
        context.print(`Invite ${id}. It is shown only once, and expires at ${expiresAt.toISOString()}.`)
      }),
    )
  command
    .command('list')
    .description('List the newest 1,000 invites, newest first; a code itself cannot be shown again.')
    .action(() =>
      withInvites(async (invites) => {
        const rows = (await invites.list()).map((invite) => [
          invite.id,
          invite.note,
          invite.createdAt.toISOString(),
          invite.expiresAt.toISOString(),
          stateOf(invite, context.clock.now()),
        ])
        for (const line of formatTable(['id', 'note', 'created', 'expires', 'state'], rows)) context.print(line)
      }),
    )
  command
    .command('end')
    .description('End an invite that was not used.')
    .argument('<id>', 'as listed by `invites list`', parseWhole(1))
    .action((id: number) =>
      withInvites(async (invites) => {
        await invites.end(id)
        context.print(`Invite ${id} has ended.`)
      }),
    )
  return command
}

function stateOf({ usedAt, expiresAt }: Invite, now: Date): string {
  if (usedAt) return `used ${usedAt.toISOString()}`
  return expiresAt <= now ? 'expired' : 'open'
}
