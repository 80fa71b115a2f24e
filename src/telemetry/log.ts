// One log for the whole program: JSON lines in a pipe, short lines on a terminal. What goes in may hold secrets; what
// comes out never does: keys, passwords in URLs and authorization headers are replaced, in fields and in messages.
import { type Logger, pino } from 'pino'
import { REPLACED, redact } from './redact.ts'
import { createTerminal } from './terminal.ts'

/** What the parts write to; pass a fake with these four. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export interface LogOptions {
  /** `silent` writes nothing. */
  level: string
  /** Short lines for people instead of JSON. */
  pretty: boolean
  /** Where each line goes; none: standard error, so that standard output stays for answers. */
  write?: (line: string) => void
}

/** Fields that are a secret whatever they hold, at the top and one level down. */
const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'secret', 'key', 'apiKey', 'token']

/** A pino logger whose lines hold no secret. */
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
