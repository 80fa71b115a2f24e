// Explains why the database in DATABASE_URL cannot be used. It turns an error of the driver or of PostgreSQL into a
// `StartupError` with one sentence and no password. Unknown errors are returned unchanged.
import { StartupError } from '../base/errors.ts'
import { codeOf } from '../base/json.ts'

const UNTRUSTED =
  'its certificate is not trusted: name its authority in the URL (sslrootcert=FILE), or take it unproven (sslmode=no-verify)'

/** The error codes of the driver and of PostgreSQL, with their meaning for the user of DATABASE_URL. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: start PostgreSQL, or correct the host and port',
  ENOENT: 'nothing listens there: start PostgreSQL, or correct the host and port',
  ENOTFOUND: 'its host is not known: correct the name',
  EAI_AGAIN: 'its host cannot be looked up now: check the name and the network',
  ETIMEDOUT: 'it does not answer: check the address and the firewall',
  EHOSTUNREACH: 'its host cannot be reached: check the address and the network',
  ECONNRESET: 'it closed the connection: check the port, and whether it wants TLS (sslmode=verify-full)',
  '28P01': 'it refuses the password: correct the user name or the password',
  '28000': 'it refuses this user: correct the user name, ask for TLS (sslmode=verify-full), or allow it in pg_hba.conf',
  '3D000': 'it has no database of that name: create it first',
  '42501': 'the user may not create tables there: grant it CREATE on the schema public',
  '25006': 'it can only be read: name the primary server, not a standby',
  '53100': 'its disk is full: free some space there',
  '53300': 'it has too many connections already: raise max_connections, or end some',
  ...Object.fromEntries(
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_HAS_EXPIRED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ].map((code) => [code, UNTRUSTED]),
  ),
}

/** Driver errors that have no code, by their message. */
const SAYINGS: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/does not support SSL/, 'it speaks no TLS: remove sslmode from the URL, or turn TLS on there'],
  [/password must be a (non-empty )?string/, 'it wants a password: add it to the URL'],
]

/** The error for a database that does not answer in time. */
export const noAnswer = (): Error =>
  Object.assign(new Error('the database did not answer in time'), { code: 'ETIMEDOUT' })

/** Turns an error into a `StartupError`, if it is known. */
export function describe(error: unknown, url: string, setting = 'DATABASE_URL'): unknown {
  if (error instanceof StartupError) return error
  const code = firstCodeOf(error)
  const message = error instanceof Error ? error.message : ''
  const sentence = (code && SENTENCES[code]) || SAYINGS.find(([pattern]) => pattern.test(message))?.[1]
  if (!sentence) return error
  return new StartupError(
    `The database at ${placeOf(url)} cannot be used: ${sentence} (${setting}${code ? `; ${code}` : ''}).`,
    1,
    error,
  )
}

/** The error's code; if several addresses were tried, that of the first. */
const firstCodeOf = (error: unknown): string =>
  error instanceof AggregateError ? firstCodeOf(error.errors[0]) : codeOf(error)

/** Host, port and database, without the credentials. */
function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`
}
