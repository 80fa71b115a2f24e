// The command line: all commands, and the answer to a wrong one. Input: arguments. Output: an exit code.
import { Command, CommanderError } from 'commander'
import { chooseChain } from '../base/config.ts'
import { AssayError, StartupError } from '../base/errors.ts'
import { readVersion } from '../base/version.ts'
import { redact } from '../telemetry/redact.ts'
import { createAdopt } from './adopt.ts'
import { createAlerts } from './alerts.ts'
import { createCheck } from './check.ts'
import type { Context } from './context.ts'
import { createCoverage } from './coverage.ts'
import { createDoctor } from './doctor.ts'
import { createExport } from './export.ts'
import { createIndex, createReindex } from './index.ts'
import { createInvitesCommand } from './invites.ts'
import { createKeys } from './keys.ts'
import { createLabels } from './labels.ts'
import { createMcpCommand } from './mcp.ts'
import { createMigrate } from './migrate.ts'
import { createPast } from './past.ts'
import { createPrintOpenApi } from './print-openapi.ts'
import { createPrintSchema } from './print-schema.ts'
import { createReplayCommand } from './replay.ts'
import { createServe } from './serve.ts'
import { createSqlCommand } from './sql.ts'
import { createTokens } from './tokens.ts'
import { createUsageCommand } from './usage.ts'

/** Exit codes: 1 failed, 2 wrong command line. A `StartupError` has its own, such as 78 (EX_CONFIG). */
const FAILED = 1
const USAGE = 2

/** Commands for one chain of several. */
const OF_CHAIN: readonly string[] = [
  ...['index', 'reindex', 'doctor', 'coverage', 'export', 'sql', 'alerts', 'tokens', 'labels'],
]

export function createProgram(given: Context, complain: (line: string) => void): Command {
  let chain: string | undefined
  const context: Context = { ...given, config: () => chooseChain(given.config(), chain) }
  const program = new Command('assay')
    .description(
      'On-chain intelligence that anyone can run: index a chain, score its tokens and wallets, serve the answers.',
    )
    .version(readVersion())
    .addHelpText(
      'after',
      '\nWithout a command it serves.\nConfiguration is by environment variables: see docs/configuration.md.\n' +
        'Exit codes: 0 done, 1 failed, 2 wrong command line, 69 no provider answers, 78 wrong configuration, ' +
        '137 event loop blocked for 10 s.',
    )
  const commands = [
    createServe,
    createIndex,
    createReindex,
    createDoctor,
    createCoverage,
    createCheck,
    createMigrate,
    createAdopt,
    createPast,
    createKeys,
    createInvitesCommand,
    createUsageCommand,
    createAlerts,
    createExport,
    createSqlCommand,
    createTokens,
    createLabels,
    createMcpCommand,
    createReplayCommand,
    createPrintOpenApi,
    createPrintSchema,
  ]
  for (const create of commands) program.addCommand(create(context))
  for (const command of program.commands.filter((each) => OF_CHAIN.includes(each.name())).flatMap(allOf))
    if (command.commands.length === 0) command.option('--chain <name>', 'one of CHAINS (default: CHAIN, or the first)')
  program.hook('preAction', (_, command) => {
    chain = command.opts<{ chain?: string }>().chain
  })
  for (const command of allOf(program)) {
    command.exitOverride().showHelpAfterError('(--help lists the options)')
    command.configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    })
  }
  return program
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)]

/** Runs a command; failures are reported in one sentence through `complain`. Returns the exit code. */
export async function runProgram(
  args: readonly string[],
  context: Context,
  complain: (line: string) => void,
): Promise<number> {
  try {
    await createProgram(context, complain).parseAsync(args.length > 0 ? args : ['serve'], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    if (error instanceof StartupError) {
      complain(error.message)
      return error.exitCode
    }
    if (error instanceof AssayError) {
      complain(error.message)
      return error.code === 'INVALID_PARAMS' ? USAGE : FAILED
    }
    complain(redact(`Unexpected error: ${error instanceof Error ? error.message : String(error)}`))
    context.log().debug({ err: error }, 'unexpected error')
    return FAILED
  }
}
