// GraphQL over HTTP: Yoga behind the guard. A query is parsed, checked against the bounds, charged by its size, and run
// at one block. An earlier result of the same block may be reused. Batches, multipart and form posts are off: one
// operation is one GET, or one POST with a small JSON body.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createYoga, type YogaServerInstance } from 'graphql-yoga'
import { AssayError } from '../../base/errors.ts'
import type { HeadWatch } from '../../ledger/head.ts'
import type { Streams } from '../../stream/streams.ts'
import type { Log } from '../../telemetry/log.ts'
import { toCost } from '../cost/cost.ts'
import { createMask } from '../errors.ts'
import { createDocumentCaches, holdToBudget } from '../run/gate.ts'
import type { IdempotencyStore } from '../run/idempotency.ts'
import type { Run } from '../run/run.ts'
import { schema } from '../run/schema.ts'
import { chargeAndRun, chargeAndSubscribe } from './charge-and-run.ts'
import { weakTagOf } from './data-tag.ts'
import { acceptJsonOnly, publishCost, speakOurCodes } from './http-plugins.ts'
import { createKeptResults, type KeptResult, keyOf, withoutCost } from './kept-results.ts'
import { keepPersisted } from './persisted.ts'
import type { ServerContext, Visit } from './request-context.ts'
import { sendResult, sendSubscription, setHeaders } from './send-result.ts'

/** The most bytes of a request's body: far more than the largest query within the token limit. */
const MAX_BODY_BYTES = 16 * 1024

/** The media types of GraphQL over HTTP. With the older one, a query that does not fit the schema is answered with HTTP 200. */
const TYPE = 'application/graphql-response+json'
const OLD_TYPE = 'application/json'
const SSE_TYPE = 'text/event-stream'

interface ServerDeps {
  run: Run
  /** Returns how long a result may be reused. */
  head: Pick<HeadWatch, 'version'>
  log: Log
  /** None: there are no subscriptions. */
  streams?: Streams | undefined
  idempotency: IdempotencyStore
  /** Gets the code of each refusal. */
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
  return (request, response, visit) => answer({ yoga, kept, streams }, request, response, visit)
}

interface Answering {
  yoga: YogaServerInstance<ServerContext, object>
  kept: ReturnType<typeof createKeptResults>
  streams: ServerDeps['streams']
}

/** Answers from the kept results, or asks Yoga. */
async function answer(
  { yoga, kept, streams }: Answering,
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit,
): Promise<number> {
  const { method, url, headers } = request
  const { accept = '', 'if-none-match': ifNoneMatch } = headers
  const context: ServerContext = {
    ...visit,
    made: {},
    opened: {},
    readsStreams: accept.includes(SSE_TYPE) && method !== 'HEAD',
    requestId: response.getHeader('x-request-id')?.toString(),
    idempotencyKey: headers['idempotency-key']?.toString(),
  }
  const key = keyOf(method, url, accept, visit.body)
  const known = key === null ? undefined : kept.find(key)
  if (known) {
    const refusal = await chargeAgain(visit, known)
    if (!refusal) return sendResult(response, visit, known, ifNoneMatch)
    context.refused = refusal
  }
  const begunAt = kept.now()
  const asks = accept.includes(TYPE) || accept.includes(OLD_TYPE)
  if (!asks) headers.accept = TYPE
  // Yoga does not support HEAD. Node itself leaves out the body of the answer.
  if (method === 'HEAD') request.method = 'GET'
  // Yoga takes an empty body for one that was not read yet.
  if (visit.body !== undefined) Object.assign(request, { body: visit.body || ' ' })
  const told = await yoga.handleNodeRequestAndResponse(request, response, context)
  const { stream } = context.opened
  if (stream && streams) {
    sendSubscription(response, visit, stream, streams)
    return 200
  }
  response.statusCode = told.status
  for (const [name, value] of told.headers) response.setHeader(name, value)
  // A client that names neither type, as most do, gets plain JSON with the newer type's statuses. A broken query
  // therefore never gets 200.
  if (!asks) response.setHeader('content-type', `${OLD_TYPE}; charset=utf-8`)
  if (context.made.isReplayed) response.setHeader('idempotent-replayed', 'true')
  const body = await told.text()
  const data = told.status === 200 ? withoutCost(body, toCost(context.budget, visit.charge)) : null
  if (data === null) {
    setHeaders(response, visit, context.made.head)
    response.end(body)
    return told.status
  }
  const { made, budget = null } = context
  const type = String(response.getHeader('content-type'))
  const isKept = key !== null && made.head !== undefined && !made.isUncacheable
  const etag = isKept && method !== 'POST' ? weakTagOf(data) : null
  const result: KeptResult = { bytes: Buffer.from(data), type, budget, head: made.head, etag }
  if (isKept) kept.keep(key, result, begunAt)
  return sendResult(response, visit, result, ifNoneMatch)
}

/** Charges a cached result its original price, beyond the one request. Returns the limit that refuses it, or null. */
async function chargeAgain({ charge }: Visit, { budget }: KeptResult): Promise<AssayError | null> {
  try {
    if (budget && budget.requests > 1) await charge.add(budget.requests - 1)
    return null
  } catch (error) {
    if (error instanceof AssayError) return error
    throw error
  }
}
