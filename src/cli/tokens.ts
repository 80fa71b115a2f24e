// `tokens vouch | unvouch | vouched`: the operator's word for a token, shown beside what its check found.
import { Command, InvalidArgumentError } from 'commander'
import { type Address, parseAddress } from '../base/address.ts'
import { StartupError } from '../base/errors.ts'
import { notifyHead } from '../ledger/head.ts'
import { listVouches, removeVouch, saveVouch } from '../ledger/safety/vouch.ts'
import { type Context, withLedger } from './context.ts'
import { formatTable } from './table.ts'

const MAX_LENGTH = 200

function toAddress(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw new InvalidArgumentError('It must be 0x and 40 hex digits.')
  return address
}

/** Everybody reads the reason, so nothing in it may be invisible. */
function parseReason(text: string): string {
  const reason = text.trim()
  const length = [...reason].length
  if (length < 1 || length > MAX_LENGTH) throw new InvalidArgumentError(`It must have 1 to ${MAX_LENGTH} characters.`)
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(reason))
    throw new InvalidArgumentError('It must not contain control or invisible characters.')
  return reason
}

/** The command with its three subcommands. */
export function createTokens(context: Context): Command {
  const command = new Command('tokens').description('Vouch for tokens that a check of their contract judges wrongly.')
  command
    .command('vouch')
    .description('Vouch for a token: the reason is shown beside what its check found, and changes no score.')
    .argument('<address>', 'the address of the token', toAddress)
    .requiredOption('--reason <text>', `why you vouch for it, ${MAX_LENGTH} characters at most`, parseReason)
    .option('--source <text>', 'where anybody can check the reason, such as the address of an audit', parseReason)
    .action((address: Address, { reason, source = null }: { reason: string; source?: string | null }) =>
      withLedger(context, async ({ database }) => {
        await saveVouch(database.pool, { address, reason, source, since: context.clock.now() })
        await notifyHead(database.pool)
        context.print(`You vouch for ${address}.`)
      }),
    )
  command
    .command('unvouch')
    .description('Take back your word for a token.')
    .argument('<address>', 'the address of the token', toAddress)
    .action((address: Address) =>
      withLedger(context, async ({ database }) => {
        if (!(await removeVouch(database.pool, address))) throw new StartupError(`Nobody vouches for ${address}.`)
        await notifyHead(database.pool)
        context.print(`You no longer vouch for ${address}.`)
      }),
    )
  command
    .command('vouched')
    .description('List the tokens that you vouch for, the newest first.')
    .action(() =>
      withLedger(context, async ({ database }) => {
        const rows = await listVouches(database.pool)
        if (rows.length === 0) return context.print('You vouch for no token.')
        const cells = rows.map(({ address, reason, source, since }) => [
          address,
          since.toISOString(),
          reason,
          source ?? '',
        ])
        for (const line of formatTable(['token', 'since', 'reason', 'source'], cells)) context.print(line)
      }),
    )
  return command
}
