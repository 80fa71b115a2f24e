// What is answered without a key: whether the process is up, whether it is ready, and where to go from the root.
import type { RequestHandler } from 'express'
import { AssayError } from '../base/errors.ts'
import type { Readiness } from '../ledger/read/readiness.ts'
import { respond } from './respond.ts'
import type { Traffic } from './traffic.ts'
import { type createUnsubscribe, PAGE_HEADERS } from './unsubscribe.ts'

const NO_STORE = { 'cache-control': 'no-store' }

/** GET /healthz: the process answers. */
export const showHealth: RequestHandler = (request, response) =>
  respond(request, response, { status: 200, headers: NO_STORE, body: JSON.stringify({ status: 'up' }) })

/** GET /readyz: 200 with the newest block and the lag in blocks, or 503 with the reason. A source that is silent is none: what is served stays true as of its block. */
export function showReadiness(check: () => Promise<Readiness>, traffic: Pick<Traffic, 'isLeaving'>): RequestHandler {
  return async (request, response) => {
    if (traffic.isLeaving) throw new AssayError('SERVICE_UNAVAILABLE', 'The server is about to stop.')
    const readiness = await check()
    if (!readiness.ready) throw new AssayError('SERVICE_UNAVAILABLE', readiness.reason)
    const { block, time, lag } = readiness
    const body = JSON.stringify({ status: 'ready', block, block_time: time.toISOString(), lag_blocks: lag })
    await respond(request, response, { status: 200, headers: NO_STORE, body })
  }
}

/** GET /: where the doors are. */
export const showDoors: RequestHandler = (request, response) =>
  respond(request, response, {
    status: 200,
    headers: { 'cache-control': 'no-cache' },
    body: JSON.stringify({
      name: 'Assay',
      rest: '/v1',
      graphql: '/graphql',
      health: '/healthz',
      readiness: '/readyz',
      authentication: 'Authorization: Bearer <API_KEY>',
    }),
  })

/** GET and POST of the link in an alert mail: whoever has the mail may pause the alert. */
export function answerUnsubscribe(unsubscribe: ReturnType<typeof createUnsubscribe>): RequestHandler {
  return async (request, response) => {
    const [, query = ''] = request.originalUrl.split('?', 2)
    const page = await unsubscribe(request.method === 'POST' ? 'POST' : 'GET', new URLSearchParams(query))
    response.writeHead(page.status, { ...PAGE_HEADERS, 'content-length': Buffer.byteLength(page.html) })
    response.end(request.method === 'HEAD' ? undefined : page.html)
  }
}

/** 404 for whatever no route knows. */
export const refusePath: RequestHandler = () => {
  throw new AssayError('NOT_FOUND', 'There is no such path.')
}

/** 405 for a path that exists, naming what it takes. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allow = [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
  return () => {
    throw new AssayError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } })
  }
}
