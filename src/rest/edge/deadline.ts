// Gives every request one deadline for all its waits: a connection, its statements, its turn. When the deadline passes
// the client gets 503; when the client has disconnected nothing is sent.
import type { RequestHandler } from 'express'
import { letMove } from '../../base/deadline.ts'
import { AssayError } from '../../base/errors.ts'
import { localsOf } from './admit.ts'

/** Longer than the timeout of one statement, and shorter than the usual timeout of a client. */
const REQUEST_WITHIN_MS = 15_000

/** Starts the request's deadline. */
export function startDeadline(withinMs = REQUEST_WITHIN_MS): RequestHandler {
  return (_request, response, next) => {
    const locals = localsOf(response)
    const ending = new AbortController()
    locals.ending = ending.signal
    locals.over = new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const arm = (ms: number) => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          ending.abort(tooLate())
          reject(ending.signal.reason)
        }, ms)
      }
      arm(withinMs)
      letMove(ending.signal, arm)
      locals.lift = [...(locals.lift ?? []), () => clearTimeout(timer)]
      response.on('close', () => {
        clearTimeout(timer)
        if (!response.writableFinished) ending.abort(null)
        resolve()
      })
    })
    locals.over.catch(() => {})
    next()
  }
}

/**
 * Runs the handler until the request's deadline passes or its client disconnects. A handler that finishes later has no
 * effect: `next` is ignored. Its charge is refunded unless the client disconnected by itself.
 */
export function within(handler: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const { ending, over } = localsOf(response)
    if (!ending || !over) {
      await handler(request, response, next)
      return
    }
    if (ending.aborted) return
    const goOn = (...how: unknown[]) => {
      if (!ending.aborted) (next as (...how: unknown[]) => void)(...how)
    }
    const work = (async () => handler(request, response, goOn))()
    try {
      await Promise.race([work, over])
    } finally {
      if (ending.aborted) void work.catch(() => {}).then(() => settle(response))
    }
  }
}

/** Refunds a charge that was made after the deadline. */
function settle(response: Parameters<RequestHandler>[1]): void {
  const { ending, admission } = localsOf(response)
  if (ending?.reason !== null) admission?.charge.refund().catch(() => {})
}

const tooLate = (): AssayError =>
  new AssayError('SERVICE_UNAVAILABLE', 'The answer took too long. Try again in a moment.', {
    retryAfterSeconds: 1,
    reason: 'deadline',
  })
