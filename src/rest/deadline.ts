// A request has so much time in all, whatever it waits for: a connection, its statements, its turn. In: handlers. Out: the
// same, given up with 503 when the time is over, and without a word when the client has gone.
import type { RequestHandler } from 'express'
import { AssayError } from '../base/errors.ts'
import { localsOf } from './admit.ts'

/** More than one statement may take, and less than a caller's patience. */
const REQUEST_WITHIN_MS = 15_000

/** Starts the request's time. */
export function startDeadline(withinMs = REQUEST_WITHIN_MS): RequestHandler {
  return (_request, response, next) => {
    const locals = localsOf(response)
    const ending = new AbortController()
    locals.ending = ending.signal
    locals.over = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        ending.abort(tooLate())
        reject(ending.signal.reason)
      }, withinMs)
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
 * The handler for as long as the request has time and a client. What it does later reaches nobody: it calls nothing that
 * stands behind it, and what it was charged by then is given back, but not to a client who left by itself.
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

/** An admission that came too late for the answer. */
function settle(response: Parameters<RequestHandler>[1]): void {
  const { ending, admission } = localsOf(response)
  if (ending?.reason !== null) admission?.charge.refund().catch(() => {})
}

const tooLate = (): AssayError =>
  new AssayError('SERVICE_UNAVAILABLE', 'The answer took too long. Try again in a moment.', {
    headers: { 'retry-after': '1' },
    reason: 'deadline',
  })
