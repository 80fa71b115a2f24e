// The context of a command for tests that run one without a process of its own.
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import type { Context } from '../../src/cli/context.ts'
import { runProgram } from '../../src/cli/program.ts'
import { createLog } from '../../src/telemetry/log.ts'

/** The context of a command in this environment; its output is collected in `said`. */
export function createContext(environment: Record<string, string>, said: string[]): Context {
  const quiet = createLog({ level: 'silent', pretty: false })
  return {
    print: (line) => said.push(line),
    config: () => readConfig(environment),
    log: () => quiet,
    clock: systemClock,
    signal: new AbortController().signal,
    terminal: false,
    openApp: () => Promise.reject(new Error('not here')),
  }
}

/** Runs a command line, and returns its exit code, its output and its complaints. */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  changes: Partial<Context> = {},
): Promise<{ code: number; printed: string[]; complaints: string[] }> {
  const printed: string[] = []
  const complaints: string[] = []
  const context = { ...createContext(environment, printed), ...changes }
  return { code: await runProgram([...args], context, (line) => complaints.push(line)), printed, complaints }
}
