// The middleware in front of every route: request id and fixed headers, HTTPS behind a proxy, and the guard.
// `response.locals` has the results for later steps.
import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Caller, Charge, Guard } from '../../access/guard.ts'
import { AssayError } from '../../base/errors.ts'
import { limitHeaders } from '../../graph/http-headers.ts'
import { HSTS } from './tls.ts'

/** The authenticated caller and what this request was charged. */
export interface Admission {
  caller: Caller
  charge: Charge
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
}

interface Locals {
  requestId: string
  /** Aborted when the request's deadline passes or its client disconnects. */
  ending?: AbortSignal
  /** Settles together with `ending`: rejects at the deadline, resolves when the client disconnects. */
  over?: Promise<void>
  /** Lifts the deadline, and tells the watchdog that the request is not being worked on any more. */
  lift?: (() => void)[]
  admission?: Admission
  /** The error that the request was refused with. */
  refusal?: AssayError
  /** The underlying error; it is logged and never sent to the client. */
  failure?: unknown
}

/** The per-request state, typed. */
export const localsOf = (response: Response): Locals => response.locals as Locals

/** The caller of a route behind `admit`. */
export function admissionOf(response: Response): Admission {
  const { admission } = localsOf(response)
  if (!admission) throw new Error('the route is not mounted behind the guard')
  return admission
}

const EXPOSED = [
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'ETag',
  'Link',
  'Location',
  'X-Request-Id',
  'Assay-Block',
  'Assay-Block-Time',
  'Idempotent-Replayed',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'Assay-Credit',
].join(', ')

const ALLOWED =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, PAYMENT-SIGNATURE'

/** Browsers may cache a preflight answer for this many seconds. */
const PREFLIGHT_SECONDS = '86400'

export interface BeginDeps {
  /** Logs the request when it ends. */
  logAccess(request: Request, response: Response): void
  /** Reports the request as running to the event-loop watchdog; the returned function reports that it ended. */
  watch?: ((description: string) => () => void) | undefined
}

/**
 * The most characters of `Accept-Encoding` that are read; a longer header counts as none, so the answer is not
 * compressed. A client names a few codings. Choosing among the thousands that fit a head would delay every other
 * request.
 */
const MAX_CODINGS = 1_000

/** Gives the request an id and sets the headers that every answer has. */
export function begin({ logAccess, watch }: BeginDeps): RequestHandler {
  return (request, response, next) => {
    const locals = localsOf(response)
    locals.requestId = randomUUID()
    response.setHeader('x-request-id', locals.requestId)
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-expose-headers', EXPOSED)
    if (request.secure) response.setHeader('strict-transport-security', HSTS)
    if ((request.headers['accept-encoding']?.length ?? 0) > MAX_CODINGS) delete request.headers['accept-encoding']
    logAccess(request, response)
    if (watch) {
      const unwatch = createOnce(watch(`${locals.requestId} ${request.method} ${request.path}`))
      locals.lift = [unwatch]
      response.once('close', unwatch)
    }
    next()
  }
}

const createOnce = (work: () => void) => {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

/** Answers every OPTIONS request the same way, whatever its path. */
export const answerPreflight: RequestHandler = (request, response, next) => {
  if (request.method !== 'OPTIONS') return next()
  response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS')
  response.setHeader('access-control-allow-headers', ALLOWED)
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
  response.status(204).end()
}

/**
 * Refuses requests that a trusted proxy received over plain HTTP. A redirect would not help: the key was already sent
 * in clear text.
 */
export const requireHttps: RequestHandler = (request, _response, next) => {
  const trusts = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean
  const forwarded = request.headers['x-forwarded-proto'] !== undefined
  if (forwarded && request.protocol !== 'https' && trusts(request.socket.remoteAddress ?? '', 0)) {
    throw new AssayError('FORBIDDEN', 'Use HTTPS. A key that was sent over plain HTTP should be rotated.')
  }
  next()
}

/**
 * Authenticates the caller and charges one request; throws when the key is invalid or a limit is used up. `nameRoute`
 * names the route in usage. `readTicket` finds the ticket of a request that may have one instead of a key.
 */
export function admit(
  guard: Guard,
  nameRoute: (request: Request) => string,
  readTicket?: (request: Request) => string | undefined,
): RequestHandler {
  return async (request, response, next) => {
    const { headers, ip = '', socket } = request
    const ticket = headers.authorization === undefined ? readTicket?.(request) : undefined
    const peer = socket.remoteAddress ?? ''
    const caller = await (ticket === undefined
      ? guard.authenticate(headers.authorization, ip, peer)
      : guard.redeem(ticket, ip, peer))
    const charge = await guard.charge(caller, 1, nameRoute(request))
    const locals = localsOf(response)
    locals.admission = { caller, charge, signal: locals.ending }
    setLimitHeaders(response)
    next()
  }
}

/** Sets the rate-limit headers from the current state of the limits. */
export function setLimitHeaders(response: Response): void {
  const headers = limitHeaders(localsOf(response).admission?.charge.limits ?? [])
  for (const name in headers) response.setHeader(name, headers[name] ?? '')
}
