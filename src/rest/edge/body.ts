// Reads a request body as JSON. Returns the parsed value or its fault; throws 413, then 415, and `checkSize` throws
// 414. At most 16 KiB of a body are kept in memory, unless the route takes more.
import type { IncomingMessage } from 'node:http'
import { AssayError, type Fault, invalid } from '../../base/errors.ts'

/** Largest accepted body, in bytes. */
const MAX_BODY_BYTES = 16 * 1024
/** Largest accepted path and query, in characters. */
const MAX_URL_LENGTH = 8 * 1024

const JSON_TYPE = /^application\/json\s*(?:;|$)/i
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-8"?\s*(?:;|$))/i

/** Refuses requests that are too large before their body is read; `url` is the path with the query. */
export function checkSize(request: IncomingMessage, url: string): void {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  if (url.length > MAX_URL_LENGTH) {
    throw new AssayError('URI_TOO_LONG', `The URL must not be longer than ${MAX_URL_LENGTH} bytes.`)
  }
}

/** Reads the body as JSON in UTF-8. */
export async function readJson(
  request: IncomingMessage,
  most = MAX_BODY_BYTES,
): Promise<{ json: unknown } | { values: Record<string, never>; faults: Fault[] }> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most)
  const bytes = await readBytes(request, most)
  if (!isJson(request) || isCoded(request)) throw unsupported()
  try {
    return { json: JSON.parse(decode(bytes)) }
  } catch {
    return {
      values: {},
      faults: [{ location: 'body', field: '', message: 'the body is not valid JSON in UTF-8' }],
    }
  }
}

/** Reads a body of JSON as text; undefined, without reading, for another type. */
export async function readJsonText(request: IncomingMessage): Promise<string | undefined> {
  if (!isJson(request)) return undefined
  const bytes = await readBytes(request)
  if (isCoded(request)) throw unsupported()
  try {
    return decode(bytes)
  } catch {
    throw invalid([{ location: 'body', field: '', message: 'the body is not valid JSON in UTF-8' }])
  }
}

const isJson = ({ headers }: IncomingMessage): boolean => JSON_TYPE.test(headers['content-type'] ?? '')

/** Whether the bytes are not plain UTF-8. */
const isCoded = ({ headers }: IncomingMessage): boolean =>
  OTHER_CHARSET.test(headers['content-type'] ?? '') ||
  (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity'

const decode = (bytes: Buffer): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

const unsupported = (): AssayError =>
  new AssayError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as JSON in UTF-8, not compressed: Content-Type: application/json',
  )

/** Drains a body that no route reads and throws 413 if it is too large and its length was not announced. */
export async function skipBody(request: IncomingMessage): Promise<undefined> {
  if (request.headers['transfer-encoding'] !== undefined) await readBytes(request)
}

/**
 * Reads the whole body. Bytes beyond the limit are read and dropped, up to the bound on a connection. Most clients read
 * the answer only after they have sent all.
 */
function readBytes(request: IncomingMessage, most = MAX_BODY_BYTES): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= most) chunks.push(chunk)
      else reject(tooLarge(most))
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => reject(invalid([{ location: 'body', field: '', message: 'the body ended too early' }])))
  })
}

const tooLarge = (most = MAX_BODY_BYTES): AssayError =>
  new AssayError('PAYLOAD_TOO_LARGE', `The body must not be larger than ${most} bytes.`)
