// Every path of the server in the order in which requests meet them. In: the parts, wired by hand. Out: an Express app.
import express, { type Express, type RequestHandler, Router } from 'express'
import type { Guard } from '../access/guard.ts'
import { UNSUBSCRIBE_PATH } from '../alerts/unsubscribe.ts'
import type { Clock } from '../base/clock.ts'
import type { Graph } from '../graph/graph.ts'
import type { Readiness } from '../ledger/read/readiness.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createAccessLog } from './access-log.ts'
import { admit, answerPreflight, type BeginDeps, begin, requireHttps } from './admit.ts'
import { BOUNDS } from './bounds.ts'
import { startDeadline, within } from './deadline.ts'
import { fail } from './fail.ts'
import { createGraphqlHandlers } from './graphql.ts'
import { handle, rewriteUndecodable } from './handle.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { measureRequests } from './metrics.ts'
import { answerUnsubscribe, refuseMethod, refusePath, showDoors, showHealth, showReadiness } from './public.ts'
import { countRefusals } from './refusals.ts'
import { ROUTES } from './routes.ts'
import { shed } from './shed.ts'
import type { Traffic } from './traffic.ts'
import type { createUnsubscribe } from './unsubscribe.ts'

export interface HttpDeps {
  guard: Guard
  graph: Omit<Graph, 'schema'>
  idempotency: IdempotencyStore
  checkReadiness(): Promise<Readiness>
  unsubscribe: ReturnType<typeof createUnsubscribe>
  clock: Clock
  log: Log
  /** None: requests are not measured. */
  metrics?: Metrics | undefined
  /** What the socket counts. */
  traffic: Traffic
  /** Whether the event loop falls behind. */
  isLate(): boolean
  /** Share of the requests that are logged, 0 to 1. */
  accessLog: number
  /** Requests that are under way at once; none: as many as `BOUNDS` says. */
  inFlight?: number
  /** Names a request to whoever watches the loop. */
  watch?: BeginDeps['watch']
  /** Whose X-Forwarded headers count: every proxy's, those of so many hops, or of addresses; none: nobody's. */
  trustProxy?: boolean | number | string | undefined
  /** None: 15 s. */
  requestWithinMs?: number | undefined
}

/** The app; `createListener` puts it on a socket. */
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
  // The API stands first: Express asks every layer before it whether the path is its own.
  app.use('/v1', requireHttps, within(admit(deps.guard)), rewriteUndecodable, createRoutes(deps))
  service(app, '/healthz', showHealth)
  service(app, '/readyz', showReadiness(deps.checkReadiness, deps.traffic))
  app.use(requireHttps)
  app.all('/graphql', ...createGraphqlHandlers(deps.guard, deps.graph).map(within))
  service(app, '/', showDoors)
  app.get(UNSUBSCRIBE_PATH, within(answerUnsubscribe(deps.unsubscribe)))
  app.post(UNSUBSCRIBE_PATH, within(answerUnsubscribe(deps.unsubscribe)))
  app.all(UNSUBSCRIBE_PATH, refuseMethod(['GET', 'POST']))
  app.use(refusePath)
  app.use(fail)
  return app
}

function service(app: Express, path: string, handler: RequestHandler): void {
  app.get(path, handler)
  app.all(path, refuseMethod(['GET']))
}

/** The table of routes, with 405 for other methods of the same paths. */
function createRoutes(deps: HttpDeps): Router {
  const router = Router({ strict: true, caseSensitive: true })
  for (const route of ROUTES) {
    const name = route.method.toLowerCase() as Lowercase<typeof route.method>
    router[name](route.path, within(handle(route, { ...deps, execute: deps.graph.execute })))
  }
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    router.all(path, refuseMethod(ROUTES.filter((route) => route.path === path).map(({ method }) => method)))
  }
  return router
}
