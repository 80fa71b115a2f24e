// Whether a database error is temporary: the server restarts, has no capacity right now, or a connection broke.

/**
 * PostgreSQL error codes: connection failures, operator intervention, a cancelled statement, no disk, memory or
 * connections left, serialization failures, deadlocks and lock timeouts, and a primary that became a standby.
 */
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
/** Driver errors that have no code. */
const PASSING_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/

/** Whether the same work may succeed later on a new connection. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(isAway)) return true
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') return PASSING_CODES.has(code) || PASSING_STATES.test(code)
  return PASSING_MESSAGES.test(error.message) || isAway(error.cause)
}

/** Whether the database's disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === DISK_FULL
