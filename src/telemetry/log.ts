// One log for the whole program: JSON lines, or short lines on a terminal. Its input may hold secrets, its output never
// does: keys, passwords in URLs and authorization headers are replaced, both in fields and in messages.
import { type Logger, pino } from 'pino'
import { REPLACED, redact } from './redact.ts'
import { createTerminal } from './terminal.ts'

/** The part of the logger that the program uses; tests pass a fake with these four methods. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export interface LogOptions {
  /** `silent` writes nothing. */
  level: string
  /** Write short lines for people instead of JSON. */
  pretty: boolean
  /** Where each line goes. Default: standard error, so that standard output is left to the commands' answers. */
  write?: (line: string) => void
}

/** Fields that always hold a secret; redacted at the top level and up to two levels down. */
const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'secret', 'key', 'apiKey', 'token']

/** A pino logger that redacts secrets. */
export function createLog({ level, pretty, write = (line) => process.stderr.write(line) }: LogOptions): Logger {
  const format = pretty ? createTerminal() : (line: string) => line
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: REPLACED },
    },
    { write: (line: string) => write(format(redact(line))) },
  )
}
