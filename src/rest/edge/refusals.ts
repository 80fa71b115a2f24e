// Counts refused requests by error code. GraphQL counts its own.
import type { RequestHandler } from 'express'
import type { AssayError } from '../../base/errors.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { localsOf } from './admit.ts'

/** Counts the request's refusal, if it was refused, when the response closes. */
export function countRefusals({ refusals }: Pick<Metrics, 'refusals'>): RequestHandler {
  return (_request, response, next) => {
    response.on('close', () => {
      const { refusal } = localsOf(response)
      if (refusal) refusals.inc(labelsOf(refusal))
    })
    next()
  }
}

const labelsOf = ({ code, reason }: AssayError) => ({ code, reason: reason ?? 'other' })
