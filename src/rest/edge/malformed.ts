// Answers for which Node has no request object: invalid HTTP, and connections beyond the limit. The error is written to
// the socket by hand, in the contract's shape, and the connection ends.
import { randomUUID } from 'node:crypto'
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

/** Writes a complete HTTP answer that closes the connection. */
export function toRawRefusal(refusal: AssayError): string {
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
    ...Object.entries(refusalHeaders(refusal)).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
