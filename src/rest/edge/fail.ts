// The error handler: turns any failure into an answer. A server failure (5xx) refunds the request's charge.
import type { ErrorRequestHandler, Request, Response } from 'express'
import { toRemaining } from '../../access/charge.ts'
import type { AssayError } from '../../base/errors.ts'
import { toCost } from '../../graph/cost/cost.ts'
import { toAssayError } from '../../graph/errors.ts'
import { refusalHeaders } from '../../graph/http-headers.ts'
import { localsOf, setLimitHeaders } from './admit.ts'
import { toErrorBody, toGraphqlErrorBody, toProblemBody } from './errors.ts'
import { respond } from './respond.ts'

/** The media type of RFC 9457, for callers that ask for it. */
const PROBLEM = 'application/problem+json'

/** Answers with the contract's error object, or with a GraphQL error on /graphql. */
export const fail: ErrorRequestHandler = async (thrown: unknown, request: Request, response: Response, _next) => {
  const error = toAssayError(thrown)
  const locals = localsOf(response)
  locals.refusal = error
  locals.failure = error.code === 'SERVER_ERROR' ? (error.cause ?? error) : error.cause
  const refunded = error.status >= 500 ? locals.admission?.charge.refund().catch(() => {}) : undefined
  // If the database did not answer, do not wait for it again.
  if (error.code !== 'SERVICE_UNAVAILABLE') await refunded
  if (response.headersSent) return void response.destroy()
  setLimitHeaders(response)
  const graphql = request.path === '/graphql'
  const asProblem = !graphql && (request.get('accept') ?? '').includes(PROBLEM)
  await respond(request, response, {
    status: error.status,
    headers: {
      'cache-control': 'no-store',
      ...refusalHeaders(error),
      ...(graphql && acceptedType(request)),
      ...(asProblem && { 'content-type': PROBLEM }),
    },
    body: graphql
      ? toGraphqlErrorBody(error, locals.requestId, toCost(null, locals.admission?.charge ?? refused(error)))
      : asProblem
        ? toProblemBody(error, locals.requestId)
        : toErrorBody(error, locals.requestId),
  })
}

/** The cost of a request that was not admitted: none, and the rest of its account's limits. */
const refused = ({ limits }: AssayError) => ({ requests: 0, remaining: toRemaining(limits) })

/** Clients that accept the GraphQL-over-HTTP media type get it. */
function acceptedType(request: Request): Record<string, string> {
  const own = 'application/graphql-response+json'
  return request.get('accept')?.includes(own) ? { 'content-type': `${own}; charset=utf-8` } : {}
}
