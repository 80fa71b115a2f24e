// The last handler: any failure becomes an answer. A failure of ours gives back what the request was charged.
import type { ErrorRequestHandler, Request, Response } from 'express'
import { readRemaining } from '../access/charge.ts'
import type { AssayError } from '../base/errors.ts'
import { toCost } from '../graph/cost.ts'
import { toAssayError } from '../graph/errors.ts'
import { localsOf, setLimitHeaders } from './admit.ts'
import { toErrorBody, toGraphqlErrorBody } from './errors.ts'
import { respond } from './respond.ts'

/** Answers in the one shape of the contract, or in GraphQL's below /graphql. */
export const fail: ErrorRequestHandler = async (thrown: unknown, request: Request, response: Response, _next) => {
  const error = toAssayError(thrown)
  const locals = localsOf(response)
  locals.refusal = error
  locals.failure = error.code === 'SERVER_ERROR' ? (error.cause ?? error) : error.cause
  const refunded = error.status >= 500 ? locals.admission?.charge.refund().catch(() => {}) : undefined
  // A database that did not answer is not waited for once more.
  if (error.code !== 'SERVICE_UNAVAILABLE') await refunded
  if (response.headersSent) return void response.destroy()
  setLimitHeaders(response)
  const graphql = request.path === '/graphql'
  await respond(request, response, {
    status: error.status,
    headers: { 'cache-control': 'no-store', ...error.headers, ...(graphql && acceptedType(request)) },
    body: graphql
      ? toGraphqlErrorBody(error, locals.requestId, toCost(null, locals.admission?.charge ?? refused(error)))
      : toErrorBody(error, locals.requestId),
  })
}

/** What a request that was not let in consumed, and what its account has left. */
const refused = ({ headers }: AssayError) => ({ requests: 0, remaining: readRemaining(headers) })

/** GraphQL over HTTP has a type of its own, for those who ask for it. */
function acceptedType(request: Request): Record<string, string> {
  const own = 'application/graphql-response+json'
  return request.get('accept')?.includes(own) ? { 'content-type': `${own}; charset=utf-8` } : {}
}
