// Whether a fault of the database passes by itself: it was restarted, is starting, has no room for now, or a connection broke.

/** Classes and codes of PostgreSQL: connections, operator's intervention, a statement that was ended, no disk, memory or connection left, lock and serialisation, and a primary that became a standby. */
const PASSING_STATES = /^(08...|57P0.|57014|53[123]00|40001|40P01|55P03|25006)$/
const DISK_FULL = '53100'
const PASSING_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTUNREACH',
  'EAI_AGAIN',
])
/** The driver gives these no code. */
const PASSING_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/

/** True: the same work may succeed on a new connection in a while. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(isAway)) return true
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') return PASSING_CODES.has(code) || PASSING_STATES.test(code)
  return PASSING_MESSAGES.test(error.message) || isAway(error.cause)
}

/** The database has no room on its disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === DISK_FULL
