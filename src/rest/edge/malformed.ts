// Refuses what the app never sees: invalid HTTP, and connections beyond the limit. The error has the contract's shape,
// and the connection ends. Where Node has no request object, the error is written to the socket by hand.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { AssayError } from '../../base/errors.ts'
import { refusalHeaders } from '../../graph/http-headers.ts'
import { toErrorBody } from './errors.ts'
import type { Pipeline } from './pipeline.ts'
import type { Traffic } from './traffic.ts'

/** Errors of Node's parser that the client can do something about, by code. */
const FAULTS: Readonly<Record<string, AssayError>> = {
  HPE_HEADER_OVERFLOW: new AssayError('URI_TOO_LONG', 'The URL and the headers together are too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: new AssayError('INVALID_PARAMS', 'The request did not arrive in full in time.'),
}
const NO_HTTP = new AssayError('INVALID_PARAMS', 'The request is not valid HTTP.')

/** Creates the handler of a server's `clientError`. */
export function refuseMalformed(traffic: Traffic, { currentOf }: Pick<Pipeline, 'currentOf'>) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    const code = error.code ?? ''
    const isSpoken = code.startsWith('HPE_') || code in FAULTS
    // After the headers of an answer are sent, the client would read this one as part of its body.
    if (!isSpoken || !socket.writable || currentOf(socket)?.headersSent) return void socket.destroy()
    traffic.refuse(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'slow' : 'malformed')
    socket.end(toRawRefusal(FAULTS[code] ?? NO_HTTP))
  }
}

const NO_HOST = new AssayError('INVALID_PARAMS', 'A request of HTTP/1.1 has one header Host, with a name and a port.')
/** The characters of a host with its port (RFC 3986); empty for a URL without a host. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/

/** Answers 400 to a request without one valid Host, as RFC 9112 wants. HTTP/1.0 needs none. */
export const requireHost =
  (answer: RequestListener, traffic: Traffic): RequestListener =>
  (request, response) => {
    if (request.httpVersion === '1.0' || hasOneHost(request)) return void answer(request, response)
    traffic.refuse('malformed')
    const { headers, body } = toRefusal(NO_HOST)
    response.writeHead(NO_HOST.status, headers).end(body)
  }

/** Node keeps the first of several in `headers`. */
function hasOneHost({ headers, rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count === 1 && HOST.test(headers.host ?? '')
}

/** Writes a complete HTTP answer that closes the connection. */
export function toRawRefusal(refusal: AssayError): string {
  const { headers, body } = toRefusal(refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${[`HTTP/1.1 ${refusal.status} Refused`, ...lines].join('\r\n')}\r\n\r\n${body}`
}

function toRefusal(refusal: AssayError): { headers: Record<string, string | number>; body: string } {
  const requestId = randomUUID()
  const body = toErrorBody(refusal, requestId)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    connection: 'close',
    ...refusalHeaders(refusal),
  }
  return { headers, body }
}
