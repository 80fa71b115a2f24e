// Sends a finished answer: status, headers, entity tag, compression. Headers that are already on the response (request
// id, limits, CORS) stay.
import type { Request, Response } from 'express'
import { matchesEtag } from './etag.ts'
import { type Packed, pack } from './packed.ts'

export interface Answer {
  status: number
  headers: Record<string, string>
  /** JSON; empty for no body. */
  body: string
}

/** An answer whose body is ready for any caller. */
export interface ReadyAnswer extends Omit<Answer, 'body'> {
  body: Packed
}

/** Sends the answer, or 304 when the caller has it already. */
export async function respond(request: Request, response: Response, answer: Answer | ReadyAnswer): Promise<void> {
  const { status, headers } = answer
  response.statusCode = status
  for (const name in headers) response.setHeader(name, headers[name] ?? '')
  response.setHeader('vary', headers.vary ?? 'Authorization, Accept-Encoding')
  if (answer.body === '') return void response.end()
  const body = typeof answer.body === 'string' ? pack(answer.body) : answer.body
  const coding = body.codingFor(request)
  if (status === 200 && (request.method === 'GET' || request.method === 'HEAD')) {
    const tag = body.tag(coding)
    response.setHeader('etag', tag)
    if (matchesEtag(request.headers['if-none-match'], tag)) {
      response.statusCode = 304
      return void response.end()
    }
  }
  const encoded = body.encode(coding)
  const bytes = encoded instanceof Buffer ? encoded : await encoded
  if (coding !== 'identity') response.setHeader('content-encoding', coding)
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', bytes.length)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}
