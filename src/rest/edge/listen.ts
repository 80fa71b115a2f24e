// Puts the Express app on a socket, with TLS if there is a certificate, and applies the limits on connections and slow
// clients. `stop` lets running requests finish.
import {
  createServer as createHttpServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Express } from 'express'
import { type Clock, systemClock } from '../../base/clock.ts'
import { StartupError } from '../../base/errors.ts'
import { BOUNDS, type Bounds } from './bounds.ts'
import { splitByChain } from './chain-paths.ts'
import { createConnections, isLoopback } from './connections.ts'
import { leavePolitely, type SharedPort, stop } from './leave.ts'
import { refuseMalformed, requireHost } from './malformed.ts'
import { createSlices } from './parse-in-slices.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'
import { type Certificate, TLS_OPTIONS, toContext } from './tls.ts'
import { createTraffic, type Traffic } from './traffic.ts'

/** Largest request head, in bytes. It leaves room for a URL over our own limit, which gets 414. */
const MAX_HEAD_BYTES = 64 * 1024
/** How often slow connections are looked for. */
const SWEEP_MS = 5_000
/** Connections beyond the limit that may still read their refusal; Node closes any further ones itself. */
const REFUSED_CONNECTIONS = 200

/** Why an address cannot be used, and which setting to change. */
const REASONS: Readonly<Record<string, (setting: string) => string>> = {
  EADDRINUSE: (setting) => `something else listens there: set ${setting}`,
  EACCES: (setting) => `this user may not listen on so low a port: set ${setting}`,
  EADDRNOTAVAIL: () => 'it is no address of this machine: set HOST',
  ENOTFOUND: () => 'its name is not known: set HOST',
}

export interface ListenOptions {
  host: string
  /** 0: any free port. */
  port: number
  /** The environment variable of the port, for error messages. */
  setting?: 'PORT' | 'METRICS_PORT'
  tls?: Certificate | undefined
  traffic?: Traffic
  clock?: Clock
  bounds?: Partial<Bounds>
  /** Addresses that may hold any number of connections; default: this machine's. */
  isExempt?: (address: string) => boolean
  /** How long connections are still accepted after `leave`, so that load balancers notice. */
  drainMs?: number
  /** For a port that other processes listen on too. */
  shared?: SharedPort | undefined
  /** The apps of further chains, by their names. */
  chains?: ReadonlyMap<string, Express> | undefined
}

export interface Listener {
  /** Resolves with the base URL; throws a `StartupError` when the port is not available. */
  start(): Promise<string>
  /** Still answers, but every answer closes its connection. */
  leave(): void
  /** Leaves, stops accepting after `drainMs`, and waits for running requests. */
  stop(): Promise<void>
  /** Uses another certificate for new connections. Throws if it is invalid; the old one then stays. */
  setCertificate(certificate: Certificate): void
}

/** Creates a server that is not listening yet. */
export function createListener(app: Express, options: ListenOptions): Listener {
  const { host, port, setting = 'PORT', tls, traffic = createTraffic(), clock = systemClock, drainMs = 0 } = options
  const bounds = { ...BOUNDS, ...options.bounds }
  const answer = requireHost(options.chains?.size ? splitByChain(app, options.chains) : app, traffic)
  const pipeline = createPipeline({ answer, traffic, clock, bounds })
  const server = createServer(app, pipeline, bounds, tls)
  for (const each of options.chains?.values() ?? [])
    Object.assign(each, { request: app.request, response: app.response })
  const { isExempt = isLoopback } = options
  const connections = createConnections({ traffic, bounds, isExempt, speaks: !tls })
  server.on('connection', connections.accept)
  const slices = createSlices(bounds.requestBytes, () => traffic.refuse('large'))
  server.prependListener('request', slices.begin)
  server.prependListener('checkExpectation', slices.begin)
  server.on(tls ? 'secureConnection' : 'connection', slices.parse)
  server.on('timeout', closeSilent(traffic, pipeline))
  server.on('clientError', refuseMalformed(traffic, pipeline))
  const sweep = setInterval(pipeline.closeSlow, Math.min(SWEEP_MS, bounds.answerMs)).unref()
  const parts = { server, traffic, clock, pipeline, connections }
  let left: Promise<void> | undefined
  const leaveOnce = () => (left ??= leavePolitely(parts, drainMs))
  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', (cause: NodeJS.ErrnoException) => {
          const reason = REASONS[cause.code ?? '']?.(setting) ?? cause.code ?? cause.message
          reject(new StartupError(`The server cannot listen on ${host}:${port}: ${reason}.`, 1, cause))
        })
        server.listen(port, host, () => resolve(urlOf(server, tls ? 'https' : 'http')))
      }),
    leave: () => void leaveOnce(),
    stop: async () => {
      await (server.listening ? leaveOnce() : undefined)
      await stop(parts, drainMs > 0, options.shared)
      clearInterval(sweep)
    },
    setCertificate: (certificate) => (server as HttpsServer).setSecureContext(toContext(certificate)),
  }
}

function createServer(app: Express, { take }: Pipeline, bounds: Bounds, tls: Certificate | undefined): Server {
  const options = {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: bounds.headMs,
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.keepAliveMs,
    connectionsCheckingInterval: Math.min(SWEEP_MS, bounds.headMs),
    // Node would refuse such a request with a bare status; `requireHost` has the contract's shape.
    requireHostHeader: false,
    ...createClasses(app),
  }
  const server = tls ? createTls({ ...options, ...TLS_OPTIONS, ...tls }, take) : createHttpServer(options, take)
  server.on('checkExpectation', take)
  server.timeout = bounds.silentMs
  server.maxConnections = bounds.connections + REFUSED_CONNECTIONS
  return server
}

/** Closes a connection without traffic, unless it waits for our answer. */
const closeSilent =
  (traffic: Traffic, { currentOf }: Pipeline) =>
  (socket: Socket): void => {
    const isAnswered = currentOf(socket) !== undefined
    if (isAnswered && socket.writableLength === 0) return
    if (isAnswered) traffic.refuse('slow')
    socket.destroy()
  }

/**
 * Request and response classes that already have Express's prototypes. Otherwise Express replaces the prototype of
 * every object, which V8 handles badly. A request then takes twice the memory, a third of it until a full garbage
 * collection.
 */
function createClasses(app: Express) {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<Request> {}
  app.request = adopt(Request.prototype, app.request)
  app.response = adopt(Response.prototype, app.response)
  return { IncomingMessage: Request, ServerResponse: Response }
}

/** Puts Express's own prototype behind this one. */
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
