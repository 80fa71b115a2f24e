// Whether a database error is temporary: the server restarts, has no capacity right now, or a connection broke.

/**
 * PostgreSQL error codes of passing troubles. They are connection failures, operator intervention, a cancelled
 * statement, and no disk, memory or connections left. The others are serialization failures, deadlocks, lock timeouts,
 * and a primary that became a standby. Prisma's codes are P2034 for a serialization failure, and P2037 for no connection
 * left.
 */
const PASSING_STATES = /^(08...|57P0.|57014|53[123]00|40001|40P01|55P03|25006|P2034|P2037)$/
/** PostgreSQL error codes of a server that stops or starts, or of a lost connection. */
const GONE_STATES = /^(08...|57P0[1-3])$/
const DISK_FULL = '53100'
/** Codes of the network, and Prisma's for a server that is unreachable, does not answer, or closed the connection. */
const GONE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'P1001',
  'P1008',
  'P1017',
])
/** Driver errors that have no code. */
const GONE_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/

/** Whether the same work may succeed later on a new connection. */
export const isAway = (error: unknown): boolean => is(error, PASSING_STATES)

/** Whether the server could not be reached or broke off the connection: every other statement then fails, too. */
export const isBrokenOff = (error: unknown): boolean => is(error, GONE_STATES)

function is(error: unknown, states: RegExp): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some((each) => is(each, states))) return true
  const code = codeOf(error)
  if (code !== null) return GONE_CODES.has(code) || states.test(code)
  return GONE_MESSAGES.test(error.message) || is(error.cause, states)
}

/** The error's code. Prisma wraps PostgreSQL's in a cause that is not an Error. */
function codeOf({ code, cause }: Error & { code?: unknown }): string | null {
  if (typeof code === 'string') return code
  const wrapped = cause instanceof Error ? undefined : (cause as { originalCode?: unknown } | undefined)?.originalCode
  return typeof wrapped === 'string' ? wrapped : null
}

/** Whether the database's disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === DISK_FULL
