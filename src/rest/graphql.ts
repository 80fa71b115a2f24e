// /graphql, behind the same guard as /v1. The page for browsers needs no key; a query does.
import compression from 'compression'
import type { RequestHandler } from 'express'
import type { Guard } from '../access/guard.ts'
import type { Graph } from '../graph/http/graph.ts'
import { admissionOf, admit } from './edge/admit.ts'
import { checkSize, readJsonText, skipBody } from './edge/body.ts'
import { within } from './edge/deadline.ts'
import { beginStream } from './edge/stream.ts'
import type { Traffic } from './edge/traffic.ts'
import { sendGraphiql, wantsGraphiql } from './page/graphiql.ts'
import type { PageFiles } from './page/page-files.ts'

/** The handlers of /graphql, in order. */
export function createGraphqlHandlers(
  guard: Guard,
  graph: Pick<Graph, 'handle'>,
  files: PageFiles | null,
  traffic: Traffic,
): RequestHandler[] {
  const showPage: RequestHandler = (request, response, next) => {
    if (!files || !wantsGraphiql(request)) return next()
    sendGraphiql(request, response, files)
  }
  const answer: RequestHandler = async (request, response) => {
    const admission = admissionOf(response)
    if (request.method !== 'POST') await skipBody(request)
    checkSize(request, request.originalUrl)
    const body = request.method === 'POST' ? await readJsonText(request) : undefined
    const status = await graph.handle(request, response, {
      ...admission,
      body,
      onStream: () => beginStream(response, traffic),
    })
    if (status >= 500) await admission.charge.refund()
  }
  const compress = compression()
  const pack: RequestHandler = (request, response, next) =>
    request.headers['accept-encoding'] === undefined ? next() : compress(request, response, next)
  return [showPage, within(admit(guard, () => '/graphql')), pack, within(answer)]
}
