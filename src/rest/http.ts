// The Express app: all middleware and paths, in the order in which requests meet them.
import express, { type Express, type RequestHandler, Router } from 'express'
import type { Guard } from '../access/guard.ts'
import { UNSUBSCRIBE_PATH } from '../alerts/unsubscribe.ts'
import type { ChainPaths } from '../base/chains.ts'
import type { Clock } from '../base/clock.ts'
import { rootUrlOf } from '../base/page-url.ts'
import { readVersion } from '../base/version.ts'
import type { Graph } from '../graph/http/graph.ts'
import type { IdempotencyStore } from '../graph/run/idempotency.ts'
import type { HeadWatch } from '../ledger/head.ts'
import type { Readiness } from '../ledger/read/readiness.ts'
import type { Signup, SignupMode } from '../signup/signup.ts'
import type { Streams } from '../stream/streams.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { CODEX_PATH, createCodexHandlers } from './compatible/codex.ts'
import { createGoplusHandlers, GOPLUS_PATH } from './compatible/goplus.ts'
import { answerEventStream, STREAM_PATH } from './contract/event-stream.ts'
import { handle, rewriteUndecodable } from './contract/handle.ts'
import { createKeptAnswers } from './contract/kept.ts'
import { mayPay, nameRoute } from './contract/name-route.ts'
import { ROUTES } from './contract/routes.ts'
import { answerSignup } from './contract/signup.ts'
import { answerTicket, readTicket, TICKET_PATH } from './contract/stream-ticket.ts'
import { answerTokenStream, TOKEN_STREAM_PATH } from './contract/token-stream.ts'
import { createAccessLog } from './edge/access-log.ts'
import { admit, answerPreflight, type BeginDeps, begin, requireHttps } from './edge/admit.ts'
import { BOUNDS } from './edge/bounds.ts'
import { startDeadline, within } from './edge/deadline.ts'
import { fail } from './edge/fail.ts'
import { measureRequests } from './edge/metrics.ts'
import {
  answerUnsubscribe,
  refuseChain,
  refuseMethod,
  refusePath,
  showDoors,
  showHealth,
  showReadiness,
} from './edge/public.ts'
import { countRefusals } from './edge/refusals.ts'
import { shed } from './edge/shed.ts'
import type { Traffic } from './edge/traffic.ts'
import type { createUnsubscribe } from './edge/unsubscribe.ts'
import { createGraphqlHandlers } from './graphql.ts'
import { createMcpHandlers } from './mcp.ts'
import { metadataPages, type Oauth, takeTokens } from './oauth.ts'
import { giveDemoKey } from './page/demo-key.ts'
import { mountPage } from './page/page.ts'
import { readPageFiles } from './page/page-files.ts'
import { type PublicPage, showPage } from './page/public-pages.ts'
import { letPay, type PayDeps } from './pay.ts'

export interface HttpDeps {
  guard: Guard
  graph: Omit<Graph, 'schema'>
  /** Returns how long an answer may be cached; leave out to compute every answer anew. */
  head?: Pick<HeadWatch, 'version'> | undefined
  idempotency: IdempotencyStore
  checkReadiness(): Promise<Readiness>
  /** Null: nobody can sign up. */
  signup?: Signup | null
  unsubscribe: ReturnType<typeof createUnsubscribe>
  /** The authorization server whose tokens /mcp takes; undefined: it takes keys only. */
  oauth?: Oauth | undefined
  /** How requests without a key pay for themselves; undefined: every request needs a key. */
  pay?: PayDeps | undefined
  /** Pages without a key, by their path. */
  pages?: Readonly<Record<string, PublicPage>>
  clock: Clock
  log: Log
  /** Leave out to measure no requests. */
  metrics?: Metrics | undefined
  /** Counters shared with the connection handling. */
  traffic: Traffic
  /** Whether the event loop is overloaded. */
  isLate(): boolean
  /** Share of the requests that are logged, 0 to 1. */
  accessLog: number
  /** Requests answered at the same time; default: `BOUNDS.inFlight`. */
  inFlight?: number
  /** Reports running requests to the event-loop watchdog. */
  watch?: BeginDeps['watch']
  /** The public address of this server, for cards of shared links. */
  publicUrl?: string | undefined
  /** Express's `trust proxy`: all proxies, a number of hops, or addresses. Default: X-Forwarded headers are ignored. */
  trustProxy?: boolean | number | string | undefined
  /** The key for the page on this machine; null without a demo. Undefined: the server never gives one. */
  readDemoKey?: (() => Promise<string | null>) | undefined
  /** A request's deadline; default 15 s. */
  requestWithinMs?: number | undefined
  streams: Streams
  /** Where the chains of the installation are, if there are several. */
  chains?: ChainPaths | undefined
  /** Who may sign up on the page, at the default chain's `/v1`; null: nobody. */
  signupMode?: SignupMode | null
  /** The readiness of the further chains, by their names, which `/readyz` of the default one shows. */
  others?: ReadonlyMap<string, () => Promise<Readiness>> | undefined
}

/** Creates the app; `createListener` puts it on a socket. */
export function createHttp(deps: HttpDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('strict routing')
  app.enable('case sensitive routing')
  app.set('query parser', false)
  app.set('trust proxy', deps.trustProxy ?? false)

  if (deps.metrics) app.use(measureRequests(deps.metrics, deps.clock), countRefusals(deps.metrics))
  const logAccess = createAccessLog({ clock: deps.clock, log: deps.log, share: deps.accessLog })
  app.use(begin({ logAccess, watch: deps.watch }), answerPreflight)
  app.use(shed(deps.traffic, { inFlight: deps.inFlight ?? BOUNDS.inFlight }, deps.isLate))
  app.use(startDeadline(deps.requestWithinMs))
  // /v1 and /graphql come first: Express tries the layers in order, so every layer before them would slow down the API.
  app.use('/v1', requireHttps, answerSignup(deps.signup ?? null, deps.publicUrl))
  const admission = admit(deps.guard, nameRoute, readTicket)
  const entry = deps.pay ? letPay(deps.pay, mayPay, admission) : admission
  app.use('/v1', within(entry), rewriteUndecodable, createRoutes(deps))
  const files = readPageFiles()
  app.all('/graphql', requireHttps, ...createGraphqlHandlers(deps.guard, deps.graph, files, deps.traffic))
  service(app, '/healthz', showHealth)
  service(app, '/readyz', showReadiness(deps.checkReadiness, deps.traffic, deps.others))
  app.use(requireHttps)
  const chainPath = deps.chains?.path ?? ''
  const mcpGuard = deps.oauth ? takeTokens(deps.guard, deps.oauth, chainPath) : deps.guard
  app.all('/mcp', ...createMcpHandlers(mcpGuard, deps.graph, readVersion()).map(within))
  app.all(CODEX_PATH, ...createCodexHandlers(deps.guard, deps.graph).map(within))
  app.all(GOPLUS_PATH, ...createGoplusHandlers(deps.guard, deps.graph).map(within))
  const chainPaths = [...(deps.chains?.all.values() ?? [''])]
  for (const [path, page] of deps.oauth ? metadataPages(deps.oauth, chainPaths) : []) service(app, path, within(page))
  for (const [path, page] of Object.entries(deps.pages ?? {}))
    service(app, path, within(showPage(page, deps.publicUrl && rootUrlOf(deps.publicUrl, chainPath))))
  const { publicUrl, readDemoKey, signupMode } = deps
  const { showUnknown } = mountPage(app, {
    showDoors: showDoors(deps.chains?.path),
    files,
    publicUrl,
    readDemoKey,
    signup: signupMode ?? null,
    chains: deps.chains,
  })
  service(app, '/demo-key', within(giveDemoKey(deps.readDemoKey)))
  app.get(UNSUBSCRIBE_PATH, within(answerUnsubscribe(deps.unsubscribe)))
  app.post(UNSUBSCRIBE_PATH, within(answerUnsubscribe(deps.unsubscribe)))
  app.all(UNSUBSCRIBE_PATH, refuseMethod(['GET', 'POST']))
  if (deps.chains) app.use(refuseChain(deps.chains))
  app.use(showUnknown)
  app.use(refusePath)
  app.use(fail)
  return app
}

function service(app: Express, path: string, handler: RequestHandler): void {
  app.get(path, handler)
  app.all(path, refuseMethod(['GET']))
}

/** Mounts the table of routes, and answers 405 for other methods of the same paths. */
function createRoutes(deps: HttpDeps): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const kept = deps.head && createKeptAnswers(deps.head)
  for (const route of ROUTES) {
    const name = route.method.toLowerCase() as Lowercase<typeof route.method>
    router[name](route.path, within(handle(route, { ...deps, ...deps.graph, kept })))
  }
  router.get(STREAM_PATH, within(answerEventStream(deps.streams, deps.traffic)))
  router.all(STREAM_PATH, refuseMethod(['GET']))
  router.get(TOKEN_STREAM_PATH, within(answerTokenStream(deps.streams, deps.traffic, deps.graph)))
  router.all(TOKEN_STREAM_PATH, refuseMethod(['GET']))
  router.post(TICKET_PATH, within(answerTicket(deps.guard)))
  router.all(TICKET_PATH, refuseMethod(['POST']))
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    router.all(path, refuseMethod(ROUTES.filter((route) => route.path === path).map(({ method }) => method)))
  }
  return router
}
