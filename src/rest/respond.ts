// Sends a finished answer: status, headers, entity tag, compression. Headers set on the response before (request id,
// limits, CORS) stay.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { etagOf, matchesEtag } from './etag.ts'

/** Smaller bodies gain nothing from compression. */
const COMPRESS_FROM_BYTES = 1024
/** Brotli's default quality of 11 takes a hundred times as long for 10 % fewer bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const COMPRESS: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text),
}

export interface Answer {
  status: number
  headers: Record<string, string>
  /** JSON; empty for no body. */
  body: string
}

/** Sends the answer, or 304 when the caller has it already. */
export async function respond(request: Request, response: Response, answer: Answer): Promise<void> {
  const { status, headers, body } = answer
  response.statusCode = status
  for (const name in headers) response.setHeader(name, headers[name] ?? '')
  response.setHeader('vary', 'Authorization, Accept-Encoding')
  if (body === '') return void response.end()
  const size = Buffer.byteLength(body)
  const coding = size < COMPRESS_FROM_BYTES ? 'identity' : chooseCoding(request)
  if (status === 200 && (request.method === 'GET' || request.method === 'HEAD')) {
    const etag = etagOf(body, coding)
    response.setHeader('etag', etag)
    if (matchesEtag(request.headers['if-none-match'], etag)) {
      response.statusCode = 304
      return void response.end()
    }
  }
  const compress = COMPRESS[coding]
  const bytes = compress ? await compress(body) : body
  if (compress) response.setHeader('content-encoding', coding)
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', compress ? bytes.length : size)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function chooseCoding(request: Request): string {
  if (request.headers['accept-encoding'] === undefined) return 'identity'
  return request.acceptsEncodings('br', 'gzip', 'identity') || 'identity'
}
