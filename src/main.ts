#!/usr/bin/env node
// The entry: arguments in, exit code out. The first SIGINT, SIGTERM or SIGHUP asks the command to end, the second ends it at once.
import { systemClock } from './base/clock.ts'
import { readConfig, skipDevelopmentChecks } from './base/config.ts'
import { runProgram } from './cli/program.ts'
import { createLog, type Log, redact } from './telemetry/log.ts'

/** A command that has not ended by then is ended: what it wrote is whole, since every batch is one transaction. */
const END_WITHIN_MS = 4_800

/** One Ctrl-C may come twice, from the terminal and from npm: what comes this soon is no second signal. */
const ECHO_MS = 500

skipDevelopmentChecks()

const ending = new AbortController()
let endedMs = 0

function end(): void {
  if (ending.signal.aborted && systemClock.monotonicMs() - endedMs > ECHO_MS) process.exit(1)
  if (ending.signal.aborted) return
  endedMs = systemClock.monotonicMs()
  ending.abort()
  setTimeout(() => process.exit(failed ? 1 : 0), END_WITHIN_MS).unref()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
// A reader that has seen enough, such as `| head`.
process.stdout.on('error', () => process.exit(0))

let log: Log | undefined
let failed = false
const terminal = process.stderr.isTTY === true

function fail(error: unknown): void {
  failed = true
  process.stderr.write(
    redact(`Something failed that should not: ${error instanceof Error ? error.stack : String(error)}\n`),
  )
  if (!ending.signal.aborted) end()
}

process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

const code = await runProgram(
  process.argv.slice(2),
  {
    print: (line) => process.stdout.write(`${line}\n`),
    config: () => readConfig(),
    log: () => (log ??= createLog({ level: readConfig().LOG_LEVEL, pretty: terminal })),
    clock: systemClock,
    signal: ending.signal,
    terminal,
    openApp: async (options) => (await import('./app.ts')).openApp(options),
  },
  (line) => process.stderr.write(`${line}\n`),
)
// What is still on its way to a pipe must arrive.
process.stdout.write('', () => process.exit(failed ? 1 : code))
