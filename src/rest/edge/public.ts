// The endpoints that need no key: health, readiness, the index at /, and the unsubscribe link.
import type { RequestHandler } from 'express'
import type { ChainPaths } from '../../base/chains.ts'
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
 * GET /readyz: 200 with the newest block, the lag in blocks and the number of unchecked tokens, or 503 with the reason.
 * `others` are the further chains: it is 200 as long as one chain is ready, and says which. A silent chain source is no
 * reason for 503: answers stay true for their block.
 */
export function showReadiness(
  check: () => Promise<Readiness>,
  traffic: Pick<Traffic, 'isLeaving'>,
  others: ReadonlyMap<string, () => Promise<Readiness>> = new Map(),
): RequestHandler {
  return async (request, response) => {
    if (traffic.isLeaving) throw new AssayError('SERVICE_UNAVAILABLE', 'The server is about to stop.')
    const [readiness, ...rest] = await Promise.all([check, ...others.values()].map((each) => each()))
    const isAnyReady = rest.some(({ ready }) => ready)
    // One chain that is not ready must not take the others from a load balancer.
    if (!readiness?.ready && !isAnyReady)
      throw new AssayError('SERVICE_UNAVAILABLE', readiness?.reason ?? 'The server is starting.')
    const names = [...others.keys()]
    const chains = Object.fromEntries(rest.map((each, at) => [names[at], toBody(each)]))
    const body = JSON.stringify({ ...(readiness && toBody(readiness)), ...(names.length > 0 && { chains }) })
    await respond(request, response, { status: 200, headers: NO_STORE, body })
  }
}

function toBody(readiness: Readiness) {
  if (!readiness.ready) return { status: 'not_ready', reason: readiness.reason }
  const { block, time, lag, age, waits, unchecked } = readiness
  return {
    status: 'ready',
    block,
    block_time: time.toISOString(),
    lag_blocks: lag,
    source_age_seconds: age,
    tokens_unchecked: unchecked,
    ...(waits && { waits }),
  }
}

/** GET /: lists the entry points. `path` is that of a further chain. */
export const showDoors =
  (path = ''): RequestHandler =>
  (request, response) =>
    respond(request, response, {
      status: 200,
      headers: { 'cache-control': 'no-cache' },
      body: JSON.stringify({
        name: 'Assay',
        rest: `${path}/v1`,
        graphql: `${path}/graphql`,
        mcp: `${path}/mcp`,
        description: `${path}/openapi.json`,
        reference: `${path}/docs`,
        health: '/healthz',
        readiness: `${path}/readyz`,
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

/** The doors of a chain, below a first part that may be its name. */
const BELOW_CHAIN = /^\/[^/]+\/(?:v1|graphql|mcp|readyz)(?:\/|$)/

/** Answers 404 for a path of a chain that does not exist, with those that do. */
export function refuseChain({ all }: ChainPaths): RequestHandler {
  const paths = [...all.values()].map((path) => `${path}/v1`).join(', ')
  return (request, _response, next) => {
    if (!BELOW_CHAIN.test(request.path)) return next()
    throw new AssayError('NOT_FOUND', `There is no such chain. The chains are at ${paths}.`)
  }
}

/** Answers 405 for a path that exists, with the methods it allows. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowedMethods = [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
  return () => {
    throw new AssayError('METHOD_NOT_ALLOWED', `This path takes ${allowedMethods.join(', ')}.`, { allowedMethods })
  }
}

/** Lets requests of these methods pass, HEAD with GET, and answers 405 for others. */
export function onlyMethods(methods: readonly string[]): RequestHandler {
  const refuse = refuseMethod(methods)
  const isTaken = (method: string) => methods.includes(method === 'HEAD' ? 'GET' : method)
  return (request, response, next) => (isTaken(request.method) ? next() : refuse(request, response, next))
}
