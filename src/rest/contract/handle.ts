// The handler of one route: validates the request in the contract's order, runs the route's document, sends the answer.
import type { Request, RequestHandler, Response } from 'express'
import { NOBODY } from '../../access/guard.ts'
import type { ChainPaths } from '../../base/chains.ts'
import { AssayError, type Fault, invalid } from '../../base/errors.ts'
import type { Graph } from '../../graph/http/graph.ts'
import { blockHeaders } from '../../graph/http-headers.ts'
import { checkIdempotencyKey, type IdempotencyStore, once } from '../../graph/run/idempotency.ts'
import type { Head } from '../../ledger/head.ts'
import { type Admission, admissionOf, setLimitHeaders } from '../edge/admit.ts'
import { checkSize, readJson, skipBody } from '../edge/body.ts'
import { type Answer, respond } from '../edge/respond.ts'
import { toCsv } from './csv.ts'
import type { KeptAnswers } from './kept.ts'
import { readQuery } from './params.ts'
import { type Route, takesIdempotencyKey, toBody, toVariables } from './routes.ts'
import { throwInWireNames } from './variables.ts'

export interface HandleDeps {
  execute: Graph['execute']
  idempotency: IdempotencyStore
  /** Leave out to compute every answer anew. */
  kept?: KeptAnswers | undefined
  /** Undefined: there is one chain. */
  chains?: Pick<ChainPaths, 'path'> | undefined
}

type Values = Record<string, unknown>

/** Creates the handler of a route. It must be behind the guard. */
export function handle(route: Route, deps: HandleDeps): RequestHandler {
  return async (request, response) => {
    const admission = admissionOf(response)
    const values = await readRequest(route, request)
    const asCsv = route.list !== undefined && wantsCsv(request)
    if (deps.kept && route.ofChain && route.method === 'GET') {
      const make = (signal: AbortSignal) => run({ route, values, asCsv }, { caller: NOBODY, signal }, deps)
      const key = `${asCsv ? 'csv ' : ''}${keyOf(route, values)}`
      await admission.charge.confirm?.()
      await respond(request, response, await deps.kept.find(key, admission.signal, make))
      admission.charge.spend?.()
      return
    }
    const work = async (alertId?: string) => {
      if (route.charge) {
        await admission.charge.add(route.charge - 1)
        setLimitHeaders(response)
      }
      await admission.charge.confirm?.()
      return run({ route, values, asCsv }, admission, deps, alertId)
    }
    const token = request.get('idempotency-key')
    const keyId = admission.caller.keyId
    const answer =
      takesIdempotencyKey(route) && token !== undefined
        ? await once(deps.idempotency, { keyId, token, input: values.input ?? values }, work)
        : await work()
    await respond(request, response, answer)
    admission.charge.spend?.()
  }
}

/** The cache key besides the block: the same for every spelling of the request. */
const keyOf = ({ id }: Route, values: Values): string => `${id} ${JSON.stringify(Object.entries(values).sort())}`

/** Reads the route's variables; throws 413, 415, 414, then 400 with every fault of path, query, headers and body. */
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
  if (takesIdempotencyKey(route)) faults.push(...checkIdempotencyKey(request.get('idempotency-key')))
  if (faults.length > 0) throw invalid(faults)
  return values
}

/** The longest header Accept that is read; a longer one asks for JSON. */
const MAX_ACCEPT = 1_000

/** Whether the caller prefers CSV to JSON. */
function wantsCsv(request: Request): boolean {
  const { accept = '' } = request.headers
  return accept.length <= MAX_ACCEPT && accept.includes('csv') && request.accepts('json', 'text/csv') === 'text/csv'
}

interface Asked {
  route: Route
  values: Values
  asCsv: boolean
}

/** Runs the document and turns its result into the HTTP answer. */
async function run(
  { route, values, asCsv }: Asked,
  { caller, signal }: Pick<Admission, 'caller' | 'signal'>,
  { execute, chains: { path: chainPath } = { path: '' } }: HandleDeps,
  alertId?: string,
): Promise<Answer> {
  const variables = toVariables(route, values)
  const { data, head } = await execute(route.document, variables, caller, alertId, signal).catch((error) =>
    throwInWireNames(error, route.body !== undefined),
  )
  const { answer } = data
  if (answer === null || answer === undefined)
    throw new AssayError('NOT_FOUND', route.missing ?? 'There is no such thing.', { block: blockOf(route, head) })
  const headers = headersOf(route, head)
  if (route.status === 204) return { status: 204, headers, body: '' }
  const { body, link } = toBody(route, answer as Values, values, head.number)
  if (link !== undefined) headers.link = link.replace('</v1', `<${chainPath}/v1`)
  if (route.status === 201) {
    const { id, name } = body as Values
    headers.location = `${chainPath}/v1${route.path}/${id ?? name}`
  }
  if (!asCsv) return { status: route.status, headers, body: JSON.stringify(body) }
  // JSON does not say that it varies: a cache asks each time, and the tags of both differ.
  headers.vary = 'Authorization, Accept-Encoding, Accept'
  headers['content-type'] = 'text/csv; charset=utf-8; header=present'
  return { status: route.status, headers, body: toCsv(route.document, route.adds ?? [], body as never) }
}

/** The block of the route's answer; none before the first indexed block. */
const blockOf = (route: Route, head: Head) => (route.ofChain && head.hash !== '' ? head : undefined)

function headersOf(route: Route, head: Head): Record<string, string> {
  const block = blockOf(route, head)
  return { 'cache-control': route.ofChain ? 'private, no-cache' : 'no-store', ...(block && blockHeaders(block)) }
}

/** Escapes a path that is not valid percent-encoding, so that the route refuses it as a malformed value. */
export const rewriteUndecodable: RequestHandler = (request: Request, _response: Response, next) => {
  const [path = '', ...rest] = request.url.split('?')
  try {
    decodeURIComponent(path)
  } catch {
    request.url = [path.replaceAll('%', '%25'), ...rest].join('?')
  }
  next()
}
