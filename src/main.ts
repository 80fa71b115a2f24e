#!/usr/bin/env node
// The entry: arguments in, exit code out. The first SIGINT or SIGTERM asks the command to end, the second ends it at
// once. SIGHUP also ends it, unless the command serves and has not lost its terminal: then it reloads the certificate.
import cluster from 'node:cluster'
import { isatty } from 'node:tty'
import { systemClock } from './base/clock.ts'
import { readConfig, skipDevelopmentChecks } from './base/config.ts'
import { toPrintable } from './base/printable.ts'
import { runProgram } from './cli/program.ts'
import { createLog, type Log } from './telemetry/log.ts'
import { redact } from './telemetry/redact.ts'

/** A command that has not ended by then is killed. Its output is complete, because every batch is one transaction. */
const END_WITHIN_MS = 4_400

/** One Ctrl-C may arrive twice, from the terminal and from npm, so a signal this soon does not count as the second. */
const ECHO_MS = 500

const STANDARD_ERROR = 2
const terminal = process.stderr.isTTY === true

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

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end)
let reload: (() => void) | undefined
process.on('SIGHUP', () => {
  const lostTerminal = terminal && !isatty(STANDARD_ERROR)
  if (reload && !lostTerminal) reload()
  else end()
})
// A worker hears of the end from its main process, perhaps besides the signal, which a terminal sends to both.
if (cluster.isWorker) {
  process.on('message', (message: { assay?: string }) => {
    if (message.assay === 'end' && !ending.signal.aborted) end()
  })
}
// The reader closed the pipe, as `| head` does.
process.stdout.on('error', () => process.exit(0))

let log: Log | undefined
let failed = false

function fail(error: unknown): void {
  failed = true
  const text = redact(`Unexpected error: ${error instanceof Error ? error.stack : String(error)}`)
  process.stderr.write(`${toPrintable(text)}\n`)
  if (!ending.signal.aborted) end()
}

process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

const code = await runProgram(
  process.argv.slice(2),
  {
    print: (line) => process.stdout.write(`${toPrintable(line)}\n`),
    config: () => readConfig(),
    log: () => (log ??= createLog({ level: readConfig().LOG_LEVEL, pretty: terminal })),
    clock: systemClock,
    signal: ending.signal,
    terminal,
    isWorker: cluster.isWorker,
    onReload: (listener) => {
      reload = listener
    },
    openApp: async (options) => (await import('./app.ts')).openApp(options),
  },
  (line) => process.stderr.write(`${toPrintable(line)}\n`),
)
// Exits only after the last output has reached the pipe.
process.stdout.write('', () => process.exit(failed ? 1 : code))
