// A command line of research. Input: arguments. Output: printed lines and an exit code. A fault of the data is told in one sentence.
import { type Command, CommanderError } from 'commander'
import { StartupError } from '../src/base/errors.ts'
import { formatTable } from '../src/cli/table.ts'
import type { ReportTable } from './evaluate/report.ts'

/** Writes one line. */
export type Say = (line: string) => void

/** Prints tables, each with its title, and an empty line behind each. */
export function printTables(tables: readonly ReportTable[], print: Say): void {
  for (const { title, heads, rows } of tables) {
    print(title)
    for (const line of formatTable(heads, rows)) print(`  ${line}`)
    print('')
  }
}

/** Runs the command on these arguments. Returns its exit code: 0 done, 1 faulty data, 2 a wrong command line. */
export async function runCommand(
  create: (print: Say) => Command,
  args: readonly string[],
  print: Say = (line) => void process.stdout.write(`${line}\n`),
  complain: Say = (line) => void process.stderr.write(`${line}\n`),
): Promise<number> {
  const command = create(print).exitOverride().showHelpAfterError('(--help lists the options)')
  command.configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => complain(text.trimEnd()) })
  try {
    await command.parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof StartupError)) throw error
    complain(error.message)
    return 1
  }
}
