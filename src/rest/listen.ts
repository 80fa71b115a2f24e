// Puts the app on a socket: HTTP, or HTTPS with a certificate. In: an Express app. Out: start and a stop that lets
// requests finish. What is no HTTP at all is answered here too, in the same shape.
import { randomUUID } from 'node:crypto'
import {
  createServer as createHttpServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { AssayError, StartupError } from '../base/errors.ts'
import { toErrorBody } from './errors.ts'

/** Bytes of a request's head: room for a URL that is too long to be told so. */
const MAX_HEAD_BYTES = 64 * 1024
/** A request that has not arrived in full by then is dropped. */
const REQUEST_TIMEOUT_MS = 30_000
/** How long a stop waits for requests that are under way: the process has 5 s for everything. */
const STOP_TIMEOUT_MS = 2_500
/** How often a stop looks for connections that have nothing more to do. */
const STOP_SWEEP_MS = 50

/** Why an address can't be had, and what to set. */
const REASONS: Readonly<Record<string, (setting: string) => string>> = {
  EADDRINUSE: (setting) => `something else listens there: set ${setting}`,
  EACCES: (setting) => `this user may not listen on so low a port: set ${setting}`,
  EADDRNOTAVAIL: () => 'it is no address of this machine: set HOST',
  ENOTFOUND: () => 'its name is not known: set HOST',
}

export interface ListenOptions {
  host: string
  /** 0: any free one. */
  port: number
  /** The variable that the port comes from. */
  setting?: 'PORT' | 'METRICS_PORT'
  /** PEM; both or none. */
  tls?: { cert: string; key: string } | undefined
}

export interface Listener {
  /** Resolves with the base URL; throws a `StartupError` when the port cannot be had. */
  start(): Promise<string>
  /** Takes no more requests and waits for those under way. */
  stop(): Promise<void>
}

/** A server that is not listening yet. */
export function createListener(app: Express, { host, port, setting = 'PORT', tls }: ListenOptions): Listener {
  // What Node would refuse by itself, with a bare status, is answered by the app in its own shape.
  const limits = { maxHeaderSize: MAX_HEAD_BYTES, requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false }
  const options = { ...limits, ...createClasses(app) }
  const server = tls ? createTls({ ...options, ...tls }, app) : createHttpServer(options, app)
  server.on('checkExpectation', app)
  server.on('clientError', refuseMalformed)
  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', (cause: NodeJS.ErrnoException) => {
          const reason = REASONS[cause.code ?? '']?.(setting) ?? cause.code ?? cause.message
          reject(new StartupError(`The server cannot listen on ${host}:${port}: ${reason}.`, 1, cause))
        })
        server.listen(port, host, () => resolve(urlOf(server, tls ? 'https' : 'http')))
      }),
    stop: () => stop(server),
  }
}

/**
 * Classes of requests and responses with which Node makes what Express wants. Express would else put its prototype under
 * each of them, after which V8 treats them as odd: twice the memory per request, a third of it left for a full collection.
 */
function createClasses(app: Express) {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<Request> {}
  app.request = adopt(Request.prototype, app.request)
  app.response = adopt(Response.prototype, app.response)
  return { IncomingMessage: Request, ServerResponse: Response }
}

/** The prototype, with everything that Express's own has. */
const adopt = <Own extends object>(prototype: object, own: Own): Own => Object.setPrototypeOf(prototype, own)

function createTls(options: Parameters<typeof createHttpsServer>[0] & object, handler: RequestListener): Server {
  try {
    return createHttpsServer(options, handler)
  } catch (cause) {
    throw new StartupError('TLS_CERT and TLS_KEY are not a certificate and its key in PEM.', 78, cause)
  }
}

function urlOf(server: Server, scheme: string): string {
  const { address, port, family } = server.address() as AddressInfo
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS)
    // A connection becomes idle when its request is done; nobody tells.
    const sweep = setInterval(() => server.closeIdleConnections(), STOP_SWEEP_MS)
    server.close(() => {
      clearTimeout(timeout)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** Answers what the parser refused, when somebody still listens. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AssayError('URI_TOO_LONG', 'The URL and the headers together are too long.')
      : new AssayError('INVALID_PARAMS', 'The request is not valid HTTP.')
  const requestId = randomUUID()
  const body = toErrorBody(refusal, requestId)
  const head = [
    `HTTP/1.1 ${refusal.status} Refused`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'access-control-allow-origin: *',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
