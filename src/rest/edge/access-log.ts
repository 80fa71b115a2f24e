// The access log: one line per request with route, status, duration, bytes and cost. Query strings, headers and bodies
// are never logged.
import type { Request, Response } from 'express'
import type { Clock } from '../../base/clock.ts'
import { isBrokenOff } from '../../database/transient-error.ts'
import { type Log, withSafeFields } from '../../telemetry/log.ts'
import { parseTraceParent } from '../../telemetry/trace.ts'
import { localsOf } from './admit.ts'

/** At most this many characters of a path are logged. */
const LOGGED_PATH_LENGTH = 200

/** The request's route pattern as the documentation writes it (`/v1/tokens/{address}`), or null if no route matched. */
function routeOf(request: Request): string | null {
  const pattern: unknown = request.route?.path
  if (typeof pattern !== 'string') return null
  return `${request.originalUrl.startsWith('/v1/') ? '/v1' : ''}${pattern.replace(/:(\w+)/g, '{$1}')}`
}

export interface AccessLogDeps {
  clock: Clock
  log: Log
  /** Share of requests to log, 0 to 1. Server failures are always logged. */
  share: number
}

/** Returns a function that is called at the start of a request and logs its line when the response closes. */
export function createAccessLog({ clock, log, share }: AccessLogDeps): (request: Request, response: Response) => void {
  const lines = withSafeFields(log)
  let kept = 0
  /** Picks requests evenly, not at random: with a share of 0.5 every second request is logged. */
  const isSampled = () => {
    kept += share
    if (kept < 1) return false
    kept -= 1
    return true
  }
  return (request, response) => {
    const startedMs = clock.monotonicMs()
    const { method, path, socket } = request
    const bytesBefore = socket.bytesWritten
    response.once('close', () => {
      const { requestId, admission, failure } = localsOf(response)
      const isSampledNow = isSampled()
      if (!isSampledNow && response.statusCode < 500 && failure === undefined) return
      const route = routeOf(request)
      const fields = {
        request_id: requestId,
        ...traceOf(request),
        ...(admission && { account_id: admission.caller.accountId, key_id: admission.caller.keyId }),
        method,
        ...(route === null ? { path: path.slice(0, LOGGED_PATH_LENGTH) } : { route }),
        status: response.statusCode,
        ms: Math.round(clock.monotonicMs() - startedMs),
        bytes: socket.bytesWritten - bytesBefore,
        cost: admission?.charge.requests ?? 0,
        ...(!response.writableFinished && { aborted: true }),
      }
      if (failure !== undefined) log.error({ ...fields, err: failure }, 'request failed')
      if (failure === undefined || isBrokenOff(failure)) lines.info(fields, 'request')
    })
  }
}

/** The trace that the caller's request belongs to, so that its log and ours can be joined. */
function traceOf({ headers }: Request): { trace_id?: string; parent_id?: string } {
  const parent = parseTraceParent(headers.traceparent)
  return parent ? { trace_id: parent.traceId, parent_id: parent.spanId } : {}
}
