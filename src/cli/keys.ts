// `keys create | list | rotate | revoke`: manages API keys. A key is printed only once, when it is created.
import { Command, Option } from 'commander'
import type { Keyring } from '../access/keyring.ts'
import { PLANS, type Plan } from '../base/vocabulary.ts'
import type { KeyListing } from '../ledger/account/key.ts'
import { parseWhole } from './argument.ts'
import { type Context, withLedger } from './context.ts'
import { formatTable } from './table.ts'

interface CreateOptions {
  email: string
  plan: Plan
  name?: string
  rpm?: number
  rpd?: number
  streams?: number
  quiet?: true
}

type WithKeyring = <T>(work: (keyring: Keyring) => Promise<T>) => Promise<T>
type Say = (key: string, quiet: boolean | undefined, id: number) => void

/** The command with its four subcommands. */
export function createKeys(context: Context): Command {
  const withKeyring: WithKeyring = (work) =>
    withLedger(context, async ({ database }) => {
      const { createKeyring } = await import('../access/keyring.ts')
      return work(createKeyring(database.pool, context.clock))
    })
  const say: Say = (key, quiet, id) => {
    context.print(key)
    if (!quiet) context.print(`Key ${id}. It is shown only once: keep it in a safe place.`)
  }
  const command = new Command('keys').description('Create, list, rotate and revoke API keys.')
  command.addCommand(createCreate(context, withKeyring, say))
  command
    .command('list')
    .description('List all keys, oldest first; a key itself cannot be shown again.')
    .action(() =>
      withKeyring(async (keyring) => {
        for (const line of await describe(keyring)) context.print(line)
      }),
    )
  command
    .command('rotate')
    .description('Give a key a new secret; the old one keeps working for a while. Its alerts stay.')
    .argument('<id>', 'as listed by `keys list`', parseWhole(1))
    .option('--overlap <hours>', 'hours for which the old secret keeps working', parseWhole(0, 8_760), 24)
    .option('--quiet', 'print only the new key')
    .action((id: number, { overlap, quiet }: { overlap: number; quiet?: true }) =>
      withKeyring(async (keyring) => {
        say((await keyring.rotate(id, overlap)).key, quiet, id)
        if (!quiet)
          context.print(overlap > 0 ? `The old key works for ${overlap} more h.` : 'The old key no longer works.')
      }),
    )
  command
    .command('revoke')
    .description('Revoke a key permanently; every process refuses it within seconds.')
    .argument('<id>', 'as listed by `keys list`', parseWhole(1))
    .action((id: number) =>
      withKeyring(async (keyring) => {
        await keyring.revoke(id)
        context.print(`Key ${id} is revoked.`)
      }),
    )
  return command
}

/** `keys create`. */
function createCreate(context: Context, withKeyring: WithKeyring, say: Say): Command {
  return new Command('create')
    .description('Create a key for the account with an e-mail address, and the account if there is none.')
    .requiredOption('--email <address>', 'e-mail address of the account; its alerts are sent there')
    .addOption(new Option('--plan <plan>', 'new plan of the account').choices(PLANS).makeOptionMandatory())
    .option('--name <text>', 'the purpose of the key')
    .option('--rpm <number>', 'requests per minute, plan api only (default: unlimited)', parseWhole(1))
    .option('--rpd <number>', 'requests per day, plan api only (default: unlimited)', parseWhole(1))
    .option('--streams <number>', 'streams at a time, plan api only (default: 100)', parseWhole(1))
    .option('--quiet', 'print only the key')
    .action(({ email, plan, name, rpm, rpd, streams, quiet }: CreateOptions) =>
      withKeyring(async (keyring) => {
        const made = await keyring.create({ email, plan, name, requestsPerMinute: rpm, requestsPerDay: rpd, streams })
        say(made.key, quiet, made.id)
        if (made.paused.length > 0) {
          context
            .log()
            .warn({ alerts: made.paused }, `the plan ${plan} allows fewer active alerts: the newest are paused`)
        }
      }),
    )
}

async function describe(keyring: Keyring): Promise<string[]> {
  const keys = await keyring.list()
  const rows = keys.map((key) => [
    key.id,
    key.email,
    key.plan,
    key.name,
    `${key.prefix}…${key.lastFour}`,
    key.createdAt.toISOString(),
    stateOf(key),
  ])
  return formatTable(['id', 'account', 'plan', 'name', 'key', 'created', 'state'], rows)
}

function stateOf({ revokedAt, expiresAt }: KeyListing): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`
  return expiresAt ? `ends ${expiresAt.toISOString()}` : 'active'
}
