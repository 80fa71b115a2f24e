// What stands before every route: the request's id and fixed headers, HTTPS behind a proxy, the guard, and the log line.
// What later steps need of a request is kept in `response.locals`.
import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import type { Caller, Charge, Guard } from '../access/guard.ts'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { Log } from '../telemetry/log.ts'

/** Whoever was let in, and what it was charged. */
export interface Admission {
  caller: Caller
  charge: Charge
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
}

interface Locals {
  requestId: string
  /** Aborted when the request's time is over, or its client has gone. */
  ending?: AbortSignal
  /** Ends with it: rejects when the time is over, resolves when the client has gone. */
  over?: Promise<void>
  admission?: Admission
  /** What the request was refused with. */
  refusal?: AssayError
  /** What went wrong, for the log alone. */
  failure?: unknown
}

/** What was noted about the request so far. */
export const localsOf = (response: Response): Locals => response.locals as Locals

const EXPOSED = [
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Location',
  'X-Request-Id',
  'Assay-Block',
  'Assay-Block-Time',
  'Idempotent-Replayed',
].join(', ')

/** Seconds for which a browser need not ask again. */
const PREFLIGHT_SECONDS = '86400'
/** Characters of a path in the log. */
const LOGGED_PATH_LENGTH = 200

/** Gives the request an id and the headers that every answer has, and logs it when it is done: a failure of ours as an error, the rest for those who debug. */
export function begin(clock: Clock, log: Log): RequestHandler {
  return (request, response, next) => {
    const startedMs = clock.monotonicMs()
    const locals = localsOf(response)
    locals.requestId = randomUUID()
    response.setHeader('x-request-id', locals.requestId)
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-expose-headers', EXPOSED)
    const { method, path } = request
    response.on('close', () => {
      const { requestId, admission, failure } = locals
      const fields = {
        request_id: requestId,
        method,
        path: path.slice(0, LOGGED_PATH_LENGTH),
        status: response.statusCode,
        duration_ms: Math.round(clock.monotonicMs() - startedMs),
        ...(admission && { account_id: admission.caller.accountId, key_id: admission.caller.keyId }),
      }
      if (failure === undefined) log.debug(fields, 'request')
      else log.error({ ...fields, err: failure }, 'request failed')
    })
    next()
  }
}

/** Answers every OPTIONS: nothing here depends on it. */
export const answerPreflight: RequestHandler = (request, response, next) => {
  if (request.method !== 'OPTIONS') return next()
  response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS')
  response.setHeader('access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key, If-None-Match')
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
  response.status(204).end()
}

/** Refuses what a trusted proxy took over plain HTTP: a redirect would come after the key was sent in the clear. */
export const requireHttps: RequestHandler = (request, _response, next) => {
  const trusts = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean
  const forwarded = request.headers['x-forwarded-proto'] !== undefined
  if (forwarded && request.protocol !== 'https' && trusts(request.socket.remoteAddress ?? '', 0)) {
    throw new AssayError('FORBIDDEN', 'Use HTTPS. A key that was sent over plain HTTP should be rotated.')
  }
  next()
}

/** Lets in who has a key and requests left. */
export function admit(guard: Guard): RequestHandler {
  return async (request, response, next) => {
    const { headers, ip = '', socket } = request
    const caller = await guard.authenticate(headers.authorization, ip, socket.remoteAddress ?? '')
    const charge = await guard.charge(caller, 1)
    const locals = localsOf(response)
    locals.admission = { caller, charge, signal: locals.ending }
    setLimitHeaders(response)
    next()
  }
}

/** Sets how much of the limits is left, as of now. */
export function setLimitHeaders(response: Response): void {
  const headers = localsOf(response).admission?.charge.headers ?? {}
  for (const name in headers) response.setHeader(name, headers[name] ?? '')
}
