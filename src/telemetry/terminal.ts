// Turns a JSON line of the log into a line for people: time, level (unless info), message, fields.
import { parseJson } from '../base/json.ts'
import { toPrintable } from '../base/printable.ts'

const COLOURS: Record<string, string> = {
  warn: '\u001b[33m',
  error: '\u001b[31m',
  fatal: '\u001b[31m',
  debug: '\u001b[2m',
}
const RESET = '\u001b[0m'
/** Returns to the start of the line and clears it: a progress bar may be there, which then redraws itself below. */
const CLEAR = '\r\u001b[K'

/** Formats pino's JSON lines for a terminal; a line that is not JSON is returned unchanged. */
export function createTerminal({ colour = true }: { colour?: boolean } = {}): (line: string) => string {
  return (line) => {
    const record = parseJson(line) as Record<string, unknown> | null | undefined
    if (!record) return line
    const { level, time, msg, err, ...fields } = record
    const name = String(level)
    const details = Object.entries(fields).map(([key, value]) => `${key}=${show(value)}`)
    const fault = showError(err)
    const text = toPrintable(
      [String(time).slice(11, 19), name === 'info' ? '' : name, String(msg ?? ''), ...details, fault]
        .filter((part) => part !== '')
        .join(' '),
    )
    if (!colour) return `${text}\n`
    const paint = COLOURS[name]
    return CLEAR + (paint ? `${paint}${text}${RESET}\n` : `${text}\n`)
  }
}

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function showError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { stack, message } = error as { stack?: string; message?: string }
  return stack ? `\n${stack}` : (message ?? '')
}
