// Load shedding: refuses new requests while the event loop lags under several requests, or too many are running, so that
// the running ones still finish. Health and readiness stay available.
import type { RequestHandler } from 'express'
import type { Clock } from '../../base/clock.ts'
import { AssayError } from '../../base/errors.ts'
import type { Bounds } from './bounds.ts'
import type { Traffic } from './traffic.ts'

/** How often the event loop's lag is measured. */
const SAMPLE_MS = 50
/** A lag that counts as overload. Ordinary bursts cause some tens of milliseconds, a busy machine more. */
const LATE_MS = 400
/** Consecutive late samples that count as overload. One or two long steps, such as batches of blocks, do not. */
const SAMPLES_IN_A_ROW = 3

/**
 * So many running requests are answered however late the loop is. They do not cause the lag: a busy machine or a backfill
 * does, and a refusal would not end it.
 */
const FEW_IN_FLIGHT = 4

/** Answered under any load, from memory, so that monitoring still sees the process. */
const NEVER_SHED = new Set(['/healthz', '/readyz'])

export interface Lateness {
  /** Whether the last samples were all late. */
  isLate(): boolean
  stop(): void
}

/** Measures the lag of this thread's event loop. */
export function watchLateness(clock: Clock): Lateness {
  let lastMs = clock.monotonicMs()
  let lateSamples = 0
  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs()
    lateSamples = nowMs - lastMs - SAMPLE_MS > LATE_MS ? lateSamples + 1 : 0
    lastMs = nowMs
  }, SAMPLE_MS).unref()
  return { isLate: () => lateSamples >= SAMPLES_IN_A_ROW, stop: () => clearInterval(timer) }
}

/** Refuses new requests with 503 during overload. It stands before the guard, so nothing is charged. */
export function shed(traffic: Traffic, { inFlight }: Pick<Bounds, 'inFlight'>, isLate: () => boolean): RequestHandler {
  return (request, _response, next) => {
    const isLagging = traffic.inFlight > FEW_IN_FLIGHT && isLate()
    const kind = isLagging ? 'overload_lag' : traffic.inFlight > inFlight ? 'overload_in_flight' : null
    if (kind === null || NEVER_SHED.has(request.path)) return next()
    traffic.refuse(kind)
    throw new AssayError('SERVICE_UNAVAILABLE', 'The server is overloaded: try again in a moment.', {
      retryAfterSeconds: 1,
    })
  }
}
