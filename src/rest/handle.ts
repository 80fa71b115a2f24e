// One route of the table as a handler: check the request in the contract's order, run the route's document, send its answer.
import type { Request, RequestHandler, Response } from 'express'
import { AssayError, type Fault, invalid } from '../base/errors.ts'
import type { Graph } from '../graph/graph.ts'
import { type Admission, localsOf } from './admit.ts'
import { checkSize, readJson, skipBody } from './body.ts'
import { checkIdempotencyKey, type IdempotencyStore, once } from './idempotency.ts'
import { readQuery } from './params.ts'
import { respond } from './respond.ts'
import type { Route } from './routes.ts'

export interface HandleDeps {
  execute: Graph['execute']
  idempotency: IdempotencyStore
}

type Values = Record<string, unknown>

/** GraphQL's Int ends here; a later page is as empty as this one. */
const MAX_PAGE = 2 ** 31 - 1

/** The handler of a route; the caller was let in before. */
export function handle(route: Route, deps: HandleDeps): RequestHandler {
  return async (request, response) => {
    const admission = localsOf(response).admission
    if (!admission) throw new Error('a route stands before the guard')
    const values = await readRequest(route, request)
    const work = (alertId?: string) => run(route, values, admission, deps, alertId)
    const token = request.get('idempotency-key')
    const keyId = admission.caller.keyId
    const answer =
      route.method === 'POST' && token !== undefined
        ? await once(deps.idempotency, { keyId, token, input: values.input }, work)
        : await work()
    await respond(request, response, answer)
  }
}

/** The route's variables; throws 413, 415, 414, then 400 with every fault of path, query, headers and body. */
async function readRequest(route: Route, request: Request): Promise<Values> {
  const url = request.originalUrl
  const sent = await (route.body ? readJson(request) : skipBody(request))
  checkSize(request, url)
  const values: Values = {}
  const faults: Fault[] = []
  const { pathParam, query, body } = route
  if (pathParam) {
    const read = pathParam.read(String(request.params[pathParam.name]))
    if ('value' in read) values[pathParam.name] = read.value
    else faults.push({ location: 'path', field: pathParam.name, message: `${pathParam.name} ${read.fault}` })
  }
  const mark = url.indexOf('?')
  const parts = mark < 0 ? [] : [readQuery(url.slice(mark + 1), query)]
  if (body && sent) parts.push('json' in sent ? body(sent.json) : sent)
  for (const part of parts) {
    Object.assign(values, part.values)
    faults.push(...part.faults)
  }
  if (route.method === 'POST') faults.push(...checkIdempotencyKey(request.get('idempotency-key')))
  if (faults.length > 0) throw invalid(faults)
  return values
}

/** Runs the document and makes the answer of it. */
async function run(
  route: Route,
  values: Values,
  admission: Admission,
  { execute }: HandleDeps,
  alertId: string | undefined,
) {
  const page = typeof values.page === 'number' ? values.page : undefined
  const variables = page === undefined ? values : { ...values, page: Math.min(page, MAX_PAGE) }
  const { data, head } = await execute(route.document, variables, admission.caller, alertId, admission.signal)
  const { answer } = data
  const headers: Record<string, string> = { 'cache-control': route.ofChain ? 'private, no-cache' : 'no-store' }
  // Before the first block there is none to name.
  if (route.ofChain && head.hash !== '') {
    headers['assay-block'] = String(head.number)
    headers['assay-block-time'] = head.time.toISOString()
  }
  if (answer === null || answer === undefined) {
    throw new AssayError('NOT_FOUND', route.missing ?? 'There is no such thing.', {
      headers: { ...headers, 'cache-control': 'no-store' },
    })
  }
  if (route.status === 204) return { status: 204, headers, body: '' }
  const shaped = route.shape ? route.shape(answer as Values) : answer
  if (page !== undefined && page > MAX_PAGE) (shaped as Values).page = page
  if (route.status === 201) headers.location = `/v1${route.path}/${(shaped as Values).id}`
  return { status: route.status, headers, body: JSON.stringify(shaped) }
}

/** A path that cannot be decoded stays as it was written, and is then refused as any other malformed value. */
export const rewriteUndecodable: RequestHandler = (request: Request, _response: Response, next) => {
  const [path = '', ...rest] = request.url.split('?')
  try {
    decodeURIComponent(path)
  } catch {
    request.url = [path.replaceAll('%', '%25'), ...rest].join('?')
  }
  next()
}
