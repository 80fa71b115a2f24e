// GraphQL over HTTP: Yoga behind the guard. A query is parsed, checked against the bounds, charged by its size, and run at one
// block. Batches, multipart and form posts are off: one operation is one GET, or one POST with a small JSON body.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GraphQLError } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { Caller, Charge } from '../access/guard.ts'
import { AssayError } from '../base/errors.ts'
import type { Head, HeadWatch } from '../ledger/head.ts'
import type { StreamSession } from '../stream/session.ts'
import { SSE_HEADERS } from '../stream/sse.ts'
import type { Streams } from '../stream/streams.ts'
import type { Log } from '../telemetry/log.ts'
import { boundAnswer } from './answer-size.ts'
import { toCost } from './cost.ts'
import { isHeld, weakTagOf } from './data-tag.ts'
import { createMask, refuse, toGraphqlError, withCode, withRequest } from './errors.ts'
import { type Assessed, chargeFor, createDocumentCaches, holdToBudget } from './gate.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { createKeptResults, type KeptResult, keyOfGet, withCost, withoutCost } from './kept-results.ts'
import { isMutation, runOnce } from './mutation.ts'
import { keepPersisted } from './persisted.ts'
import type { Operation, Run } from './run.ts'
import { schema } from './schema.ts'
import { isContinued, openSubscription, type SubscribeDeps, type Subscribed, toComplete } from './subscribe.ts'

/** The most bytes of a request's body: far more than the largest query within the token limit. */
const MAX_BODY_BYTES = 16 * 1024

/** A request that the guard let in. It was charged as one request before its body was read. */
interface Visit {
  caller: Caller
  charge: Charge
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
  /** Called when the answer becomes a stream, which no deadline ends. */
  onStream?: (() => void) | undefined
}

interface ServerContext extends Visit, Assessed {
  /** Receives the block that the answer reflects. */
  made: { head?: Head; isReplayed?: boolean; varies?: boolean }
  /** The limits that the query was refused for already. */
  refused?: AssayError
  /** The header Idempotency-Key, which makes a mutation take effect once. */
  idempotencyKey: string | undefined
  /** Whether the caller reads server-sent events. */
  readsStreams: boolean
  /** Gets the stream of a subscription, once it is open. */
  opened: { stream?: Subscribed & { session: StreamSession } }
  /** The id in the answer's header; undefined without our HTTP server around it. */
  requestId: string | undefined
}

/** The media types of GraphQL over HTTP. With the older one, a query that does not fit the schema is answered with HTTP 200. */
const TYPE = 'application/graphql-response+json'
const OLD_TYPE = 'application/json'
const SSE_TYPE = 'text/event-stream'

interface ServerDeps {
  run: Run
  /** Says for how long a result is kept. */
  head: Pick<HeadWatch, 'version'>
  log: Log
  /** None: there are no subscriptions. */
  streams?: Streams | undefined
  idempotency: IdempotencyStore
  /** Told the code of what a query was refused with. */
  onRefusal?: ((code: string) => void) | undefined
}

/** Answers a request to /graphql that the guard let in. Resolves with the HTTP status when the answer is sent. */
export type HandleGraphql = (request: IncomingMessage, response: ServerResponse, visit: Visit) => Promise<number>

/** Creates the handler. It keeps headers that are already set on the response. */
export function createServer({
  run,
  head: watch,
  log,
  streams,
  idempotency,
  onRefusal = () => {},
}: ServerDeps): HandleGraphql {
  const mask = createMask(log)
  const kept = createKeptResults(watch)
  const yoga = createYoga<ServerContext>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    batching: false,
    multipart: false,
    cors: false,
    logging: false,
    maxRequestBodySize: MAX_BODY_BYTES,
    parserAndValidationCache: createDocumentCaches(),
    maskedErrors: { maskError: mask },
    plugins: [
      acceptJsonOnly(),
      keepPersisted(),
      holdToBudget(),
      chargeAndRun(run, idempotency),
      chargeAndSubscribe({ run, mask }, streams),
      speakOurCodes(onRefusal),
      publishCost(),
    ],
  })
  return async (request, response, visit) => {
    const requestId = response.getHeader('x-request-id')?.toString()
    const { accept = '' } = request.headers
    const idempotencyKey = request.headers['idempotency-key']?.toString()
    const readsStreams = accept.includes(SSE_TYPE) && request.method !== 'HEAD'
    const context: ServerContext = { ...visit, made: {}, opened: {}, readsStreams, requestId, idempotencyKey }
    const ifNoneMatch = request.headers['if-none-match']
    const key = keyOfGet(request.method, request.url, accept)
    const known = key === null ? undefined : kept.find(key)
    if (known) {
      try {
        if (known.budget && known.budget.requests > 1) await visit.charge.add(known.budget.requests - 1)
        return sendKept(response, visit, known, ifNoneMatch)
      } catch (error) {
        if (!(error instanceof AssayError)) throw error
        context.refused = error
      }
    }
    const begunAt = kept.now()
    // Yoga does not support HEAD. Node itself leaves out the body of the answer.
    if (request.method === 'HEAD') request.method = 'GET'
    const asks = accept.includes(TYPE) || accept.includes(OLD_TYPE)
    if (!asks) request.headers.accept = TYPE
    const answer = await yoga.handleNodeRequestAndResponse(request, response, context)
    const { stream } = context.opened
    if (stream && streams) {
      sendSubscription(response, visit, stream, streams)
      return 200
    }
    response.statusCode = answer.status
    for (const [name, value] of answer.headers) response.setHeader(name, value)
    // A client that names neither type, as most do, gets plain JSON with the newer type's statuses, so that a broken query is
    // not answered with 200.
    if (!asks) response.setHeader('content-type', `${OLD_TYPE}; charset=utf-8`)
    const { head, isReplayed, varies } = context.made
    if (isReplayed) response.setHeader('idempotent-replayed', 'true')
    setHeaders(response, visit, head)
    const body = await answer.text()
    if (key !== null && head && !varies && answer.status === 200) {
      const { budget = null } = context
      const text = withoutCost(body, toCost(budget, visit.charge))
      const type = String(response.getHeader('content-type'))
      if (text !== null) {
        const result = { text, type, budget, head, etag: weakTagOf(text) }
        kept.keep(key, result, begunAt)
        return sendKept(response, visit, result, ifNoneMatch)
      }
    }
    response.end(body)
    return answer.status
  }
}

/** The headers that every answer has, but for streams. */
function setHeaders(response: ServerResponse, { charge }: Visit, head: Head | undefined): void {
  for (const [name, value] of Object.entries(charge.headers)) response.setHeader(name, value)
  response.setHeader('cache-control', 'no-store')
  response.setHeader('vary', 'Authorization, Accept')
  if (!head || head.hash === '') return
  response.setHeader('assay-block', String(head.number))
  response.setHeader('assay-block-time', head.time.toISOString())
}

/** Sends a result that depends on the block alone, or only says that the caller has it. */
function sendKept(response: ServerResponse, visit: Visit, result: KeptResult, ifNoneMatch: string | undefined): number {
  setHeaders(response, visit, result.head)
  response.setHeader('etag', result.etag)
  response.setHeader('cache-control', 'private, no-cache')
  if (isHeld(ifNoneMatch, result.etag)) {
    for (const name of ['content-type', 'content-length']) response.removeHeader(name)
    response.writeHead(304).end()
    return 304
  }
  response.setHeader('content-type', result.type)
  response.end(withCost(result, toCost(result.budget, visit.charge)))
  return 200
}

/** Sends a subscription until its reader or the server leaves. */
function sendSubscription(
  response: ServerResponse,
  { charge, onStream }: Visit,
  { session, batches, resume }: NonNullable<ServerContext['opened']['stream']>,
  { send }: Streams,
): void {
  response.once('close', session.close)
  if (response.destroyed) {
    session.close()
    return
  }
  response.writeHead(200, { ...SSE_HEADERS, ...charge.headers })
  onStream?.()
  send(response, { batches, resume, toEnd: toComplete }, session.signal)
}

/** Only JSON is accepted: any page on the web can post a form, and a bare query has no variables. */
const acceptJsonOnly = (): Plugin => ({
  onRequestParse: ({ request, url }) => {
    if (request.method === 'GET') checkSearch(url.searchParams)
    if (request.method !== 'POST') return
    const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
    if (type === 'application/json') return
    throw new GraphQLError('Send the query as JSON: Content-Type must be application/json.', {
      extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', http: { status: 415 } },
    })
  },
})

/** Refuses broken JSON in the URL, which Yoga would report as its own failure. */
function checkSearch(search: URLSearchParams): void {
  for (const name of ['variables', 'extensions']) {
    try {
      JSON.parse(search.get(name) || '{}')
    } catch {
      throw refuse(`${name} in the address must be a JSON object, percent-encoded.`)
    }
  }
}

/** Gives validation errors our codes. They do not pass through the mask, so they still have Yoga's. */
const speakOurCodes = (onRefusal: (code: string) => void): Plugin<object, ServerContext> => ({
  onResultProcess: ({ result, setResult, serverContext: { requestId } }) => {
    if (!('errors' in result) || !result.errors) return
    const errors = result.errors.map((error) => withRequest(withCode(error), requestId))
    const [first] = errors
    if (first) onRefusal(String(first.extensions.code))
    setResult({ ...result, errors })
  },
})

/** Adds its cost to every answer. A failure of the server costs nothing, so its charge is refunded. */
const publishCost = (): Plugin<object, ServerContext> => ({
  onResultProcess: ({ result, setResult, serverContext: { budget, charge } }) => {
    if (Array.isArray(result) || !('errors' in result || 'data' in result)) return
    if (result.errors?.some(isOurs)) void charge.refund().catch(() => {})
    setResult({ ...result, extensions: { ...result.extensions, cost: toCost(budget, charge) } })
  },
})

/** Whether the server is to blame, by the error's HTTP status. */
const isOurs = ({ extensions }: GraphQLError): boolean =>
  ((extensions.http as { status?: number } | undefined)?.status ?? 0) >= 500

/** Charges what the query costs beyond the one request that the guard charged, then runs it at one block. */
const chargeAndRun = (run: Run, idempotency: IdempotencyStore): Plugin<ServerContext> => ({
  onExecute: ({ args, setExecuteFn }) => {
    const { document, variableValues, operationName } = args
    const context = args.contextValue as unknown as ServerContext
    const { caller, charge, signal, made, budget, idempotencyKey, refused } = context
    const onVaries = () => {
      made.varies = true
    }
    const operation = { document, variables: variableValues ?? {}, operationName, caller, signal, onVaries }
    setExecuteFn(async () => {
      const refusal = refused ? toGraphqlError(refused) : await chargeFor(operation, budget?.requests ?? 1, charge)
      if (refusal) return { errors: [refusal] }
      const work = async (newAlertId?: string) => {
        const { result, head } = await run({ ...operation, newAlertId })
        made.head = head
        return boundAnswer(result, budget?.fields ?? 0)
      }
      if (idempotencyKey === undefined || !isMutation(operation)) return work()
      const { result, isReplayed } = await runOnce(idempotency, operation, idempotencyKey, work)
      made.isReplayed = isReplayed
      return result
    })
  },
})

/** Charges what a subscription costs to open, and opens its stream. */
const chargeAndSubscribe = (deps: SubscribeDeps, streams: Streams | undefined): Plugin<ServerContext> => ({
  onSubscribe: ({ args, setSubscribeFn }) => {
    const { document, variableValues, operationName } = args
    const { caller, charge, budget, readsStreams, opened } = args.contextValue as unknown as ServerContext
    const operation = { document, variables: variableValues ?? {}, operationName, caller }
    setSubscribeFn(async () => {
      if (!streams || !readsStreams)
        return { errors: [refuse('A subscription is a stream: send Accept: text/event-stream.')] }
      const refusal = await chargeFor(operation, budget?.requests ?? 1, charge)
      if (refusal) return { errors: [refusal] }
      try {
        opened.stream = await open(operation, { caller, charge, budget: budget ?? null }, streams, deps)
        return { data: null }
      } catch (error) {
        if (error instanceof AssayError && error.code === 'RATE_LIMITED') await charge.refund()
        if (error instanceof GraphQLError) return { errors: [error] }
        return { errors: [deps.mask(error)] }
      }
    })
  },
})

/** Takes a place for the stream; throws what stands in the way. */
async function open(
  operation: Operation,
  { caller, charge, budget }: Pick<ServerContext, 'caller' | 'charge' | 'budget'>,
  { sessions, openEvents, tokens, rows, alerts }: Streams,
  deps: SubscribeDeps,
): Promise<Subscribed & { session: StreamSession }> {
  const session = await sessions.open({ caller, charge, replaces: isContinued(operation) })
  const parts = { openEvents, tokens, rows, alerts, signal: session.signal }
  try {
    const subscribed = await openSubscription(operation, budget ?? { fields: 0, items: 0 }, parts, deps)
    if (!('errors' in subscribed)) return { ...subscribed, session }
    throw subscribed.errors[0] ?? new Error('a subscription was not opened')
  } catch (error) {
    session.close()
    throw error
  }
}
