// The endpoints that need no key: health, readiness, the index at /, and the unsubscribe link.
import type { RequestHandler } from 'express'
import { AssayError } from '../../base/errors.ts'
import type { Readiness } from '../../ledger/read/readiness.ts'
import { respond } from './respond.ts'
import type { Traffic } from './traffic.ts'
import { type createUnsubscribe, PAGE_HEADERS } from './unsubscribe.ts'

const NO_STORE = { 'cache-control': 'no-store' }

/** GET /healthz: the process answers. */
export const showHealth: RequestHandler = (request, response) =>
  respond(request, response, { status: 200, headers: NO_STORE, body: JSON.stringify({ status: 'up' }) })

/**
 * GET /readyz: 200 with the newest block and the lag in blocks, or 503 with the reason. A silent chain source is no
 * reason for 503: answers stay true for their block.
 */
export function showReadiness(check: () => Promise<Readiness>, traffic: Pick<Traffic, 'isLeaving'>): RequestHandler {
  return async (request, response) => {
    if (traffic.isLeaving) throw new AssayError('SERVICE_UNAVAILABLE', 'The server is about to stop.')
    const readiness = await check()
    if (!readiness.ready) throw new AssayError('SERVICE_UNAVAILABLE', readiness.reason)
    const { block, time, lag, age } = readiness
    const body = JSON.stringify({
      status: 'ready',
      block,
      block_time: time.toISOString(),
      lag_blocks: lag,
      source_age_seconds: age,
    })
    await respond(request, response, { status: 200, headers: NO_STORE, body })
  }
}

/** GET /: lists the entry points. */
export const showDoors: RequestHandler = (request, response) =>
  respond(request, response, {
    status: 200,
    headers: { 'cache-control': 'no-cache' },
    body: JSON.stringify({
      name: 'Assay',
      rest: '/v1',
      graphql: '/graphql',
      mcp: '/mcp',
      description: '/openapi.json',
      reference: '/docs',
      health: '/healthz',
      readiness: '/readyz',
      authentication: 'Authorization: Bearer <API_KEY>',
    }),
  })

/** GET and POST of the unsubscribe link in an alert mail: the signed link is enough to pause the alert. */
export function answerUnsubscribe(unsubscribe: ReturnType<typeof createUnsubscribe>): RequestHandler {
  return async (request, response) => {
    const [, query = ''] = request.originalUrl.split('?', 2)
    const page = await unsubscribe(request.method === 'POST' ? 'POST' : 'GET', new URLSearchParams(query))
    response.writeHead(page.status, { ...PAGE_HEADERS, 'content-length': Buffer.byteLength(page.html) })
    response.end(request.method === 'HEAD' ? undefined : page.html)
  }
}

/** Answers 404 for unknown paths. */
export const refusePath: RequestHandler = () => {
  throw new AssayError('NOT_FOUND', 'There is no such path.')
}

/** Answers 405 for a path that exists, with the methods it allows. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowedMethods = [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
  return () => {
    throw new AssayError('METHOD_NOT_ALLOWED', `This path takes ${allowedMethods.join(', ')}.`, { allowedMethods })
  }
}
