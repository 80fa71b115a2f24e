// Request metrics, and the page for Prometheus, which is served on its own port.
import express, { type Express, type RequestHandler } from 'express'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { parseTraceParent } from '../../telemetry/trace.ts'
import { isStream } from './stream.ts'

/**
 * Measures every request except streams by its route pattern (`none` if no route matched) and its status. Streams last
 * as long as their readers want. Each is a span of its caller's trace.
 */
export function measureRequests(
  { requestSeconds, noteSpan }: Pick<Metrics, 'requestSeconds' | 'noteSpan'>,
  clock: Clock,
): RequestHandler {
  return (request, response, next) => {
    const startedMs = clock.monotonicMs()
    const below = request.path.startsWith('/v1/') ? '/v1' : ''
    response.on('close', () => {
      if (isStream(response)) return
      const route = request.route ? `${below}${request.route.path}` : 'none'
      const [status, tookMs] = [response.statusCode, clock.monotonicMs() - startedMs]
      requestSeconds.observe({ route, status }, tookMs / 1000)
      const endedMs = clock.now().getTime()
      noteSpan({
        name: `${request.method} ${route}`,
        kind: 'server',
        startedMs: endedMs - tookMs,
        endedMs,
        attributes: { 'http.request.method': request.method, 'http.route': route, 'http.response.status_code': status },
        parent: parseTraceParent(request.headers.traceparent),
        isFailed: status >= 500,
      })
    })
    next()
  }
}

/** Serves GET /metrics in Prometheus' text format, and nothing else. */
export function createMetricsApp(metrics: Pick<Metrics, 'contentType' | 'text'>): Express {
  const app = express()
  app.disable('x-powered-by')
  app.get('/metrics', async (_request, response) => {
    response.setHeader('content-type', metrics.contentType)
    response.end(await metrics.text())
  })
  app.use((_request, response) => void response.status(404).end())
  return app
}
