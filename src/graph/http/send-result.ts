// Writes a GraphQL answer to the socket: the common headers, cached results, and streams.
import type { ServerResponse } from 'node:http'
import type { Head } from '../../ledger/head.ts'
import { SSE_HEADERS } from '../../stream/sse.ts'
import type { Streams } from '../../stream/streams.ts'
import { toCost } from '../cost/cost.ts'
import { blockHeaders, limitHeaders } from '../http-headers.ts'
import { toComplete } from '../run/subscribe.ts'
import { isHeld } from './data-tag.ts'
import { endWithCost, type KeptResult } from './kept-results.ts'
import type { OpenedStream, Visit } from './request-context.ts'

/** The headers of every answer except streams. */
export function setHeaders(response: ServerResponse, { charge }: Visit, head: Head | undefined): void {
  // The guard already set the limits' headers for one request.
  if (charge.requests !== 1)
    for (const [name, value] of Object.entries(limitHeaders(charge.limits))) response.setHeader(name, value)
  response.setHeader('cache-control', 'no-store')
  response.setHeader('vary', 'Authorization, Accept, Accept-Encoding')
  if (!head || head.hash === '') return
  for (const [name, value] of Object.entries(blockHeaders(head))) response.setHeader(name, value)
}

/** Sends a result. A result by GET that depends only on the block has a tag, and may be answered with 304. */
export function sendResult(
  response: ServerResponse,
  visit: Visit,
  result: KeptResult,
  ifNoneMatch: string | undefined,
): number {
  setHeaders(response, visit, result.head)
  if (result.etag !== null) {
    response.setHeader('etag', result.etag)
    response.setHeader('cache-control', 'private, no-cache')
    if (isHeld(ifNoneMatch, result.etag)) {
      for (const name of ['content-type', 'content-length']) response.removeHeader(name)
      response.writeHead(304).end()
      return 304
    }
  }
  const cost = endWithCost(toCost(result.budget, visit.charge))
  response.setHeader('content-type', result.type)
  // The cost is ASCII. Joining both into one buffer took a fifth of Node's time to send an answer.
  response.setHeader('content-length', result.bytes.length + cost.length)
  response.write(result.bytes)
  response.end(cost)
  return 200
}

/** Sends a subscription until its reader or the server leaves. */
export function sendSubscription(
  response: ServerResponse,
  { charge, onStream }: Visit,
  { session, batches, resume }: OpenedStream,
  { send }: Streams,
): void {
  response.once('close', session.close)
  if (response.destroyed) {
    session.close()
    return
  }
  response.writeHead(200, { ...SSE_HEADERS, ...limitHeaders(charge.limits) })
  onStream?.()
  send(response, { batches, resume, toEnd: toComplete }, session.signal)
}
