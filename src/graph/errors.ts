// Turns failures into GraphQL errors. Errors thrown on purpose keep their code and status, and mistakes of the caller
// become INVALID_PARAMS. Any other failure becomes one fixed sentence, with its details in the log.
import { GraphQLError } from 'graphql'
import { AssayError, STATUS_BY_CODE } from '../base/errors.ts'
import { isAway } from '../database/transient-error.ts'
import type { Log } from '../telemetry/log.ts'
import { refusalHeaders } from './http-headers.ts'

const SERVER_ERROR = 'Something went wrong on our side. Try again in a moment; if it stays, tell us the request id.'
const AWAY = 'The database does not answer. Try again in a moment.'

/** Turns any failure into an AssayError whose cause is the failure, so that no stack, SQL, path or library message reaches a client. */
export function toAssayError(error: unknown): AssayError {
  if (error instanceof AssayError) return error
  return isAway(error)
    ? new AssayError('SERVICE_UNAVAILABLE', AWAY, { retryAfterSeconds: 1, reason: 'database', cause: error })
    : new AssayError('SERVER_ERROR', SERVER_ERROR, { cause: error })
}

/** The error inside graphql-js's wrappers. */
export function originOf(error: unknown): unknown {
  let origin = error
  while (origin instanceof GraphQLError && origin.originalError) origin = origin.originalError
  return origin
}

/** The GraphQL error for a failure thrown on purpose, with the place in the query where it happened. */
export function toGraphqlError(error: AssayError, at?: GraphQLError): GraphQLError {
  const { code, message, faults, status } = error
  return new GraphQLError(message, {
    ...(at?.path && { path: at.path }),
    ...(at?.nodes && { nodes: at.nodes }),
    extensions: {
      code,
      ...(faults.length > 0 && { details: faults }),
      http: { status, headers: refusalHeaders(error) },
    },
  })
}

/** The error for a query that is refused before it runs. It is HTTP 400 for every accepted media type; with Yoga's `spec` it would be 200 for some. */
export const refuse = (message: string, details?: unknown): GraphQLError =>
  new GraphQLError(message, {
    extensions: {
      code: 'INVALID_PARAMS',
      ...(details !== undefined && { details }),
      http: { status: 400, spec: false },
    },
  })

/** Our codes for Yoga's own refusals, by HTTP status. */
const CODE_BY_STATUS: Readonly<Record<number, string>> = {
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

/** Makes a function that turns any failure into the error that the caller sees. */
export const createMask =
  (log: Log) =>
  (error: unknown): GraphQLError => {
    const at = error instanceof GraphQLError ? error : undefined
    const origin = originOf(error)
    if (at && origin instanceof GraphQLError)
      return isRefusal(at) ? refuse(at.message, at.extensions.details) : withCode(at)
    const failure = toAssayError(origin)
    if (failure !== origin) log.error({ err: origin, path: at?.path?.join('.') }, 'a GraphQL field failed')
    return toGraphqlError(failure, at)
  }

/**
 * Whether the error comes from `refuse`. Yoga sets `spec` for every error of a parser; only `refuse` has our code then.
 */
const isRefusal = ({ extensions }: GraphQLError) =>
  extensions.code === 'INVALID_PARAMS' && extensions.http !== undefined

/** Gives an error one of the contract's codes. A caller's mistake keeps its message. */
export function withCode(error: GraphQLError): GraphQLError {
  const { code, originalError } = error.extensions
  if (typeof code === 'string' && code in STATUS_BY_CODE) return error
  // Broken JSON is a mistake of HTTP, not of GraphQL, so it never gets HTTP 200.
  const http = originalError ? { status: 400 } : error.extensions.http
  const known = CODE_BY_STATUS[http?.status ?? 0] ?? 'INVALID_PARAMS'
  return new GraphQLError(error.message, { ...pick(error), extensions: { code: known, ...(http && { http }) } })
}

/** Adds the id of the request, by which the log can be searched. */
export const withRequest = (error: GraphQLError, requestId: string | undefined): GraphQLError =>
  requestId === undefined
    ? error
    : new GraphQLError(error.message, { ...pick(error), extensions: { ...error.extensions, requestId } })

const pick = ({ nodes, source, positions, path }: GraphQLError) => ({
  ...(nodes && { nodes }),
  ...(source && { source }),
  ...(positions && { positions }),
  ...(path && { path }),
})
