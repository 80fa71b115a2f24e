// One line a request: who asked what, how it ended, how long it took, what it cost. Never a query string, a header or a body.
import type { Request, Response } from 'express'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../telemetry/log.ts'
import { localsOf } from './admit.ts'

/** Characters of a path in the log. */
const LOGGED_PATH_LENGTH = 200

/** The pattern of the route that a request met, as documents write it (`/v1/tokens/{address}`); null: it met none. */
function routeOf(request: Request): string | null {
  const pattern: unknown = request.route?.path
  if (typeof pattern !== 'string') return null
  return `${request.originalUrl.startsWith('/v1/') ? '/v1' : ''}${pattern.replace(/:(\w+)/g, '{$1}')}`
}

export interface AccessLogDeps {
  clock: Clock
  log: Log
  /** Share of the requests that are logged, 0 to 1; failures of ours always are. */
  share: number
}

/** Begins to follow a request: the function that is called when its answer is closed writes the line. */
export function createAccessLog({ clock, log, share }: AccessLogDeps): (request: Request, response: Response) => void {
  let kept = 0
  /** Every so many-th: without chance, so that 0.5 is every second one. */
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
      else log.info(fields, 'request')
    })
  }
}
