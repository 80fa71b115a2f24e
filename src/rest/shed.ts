// New work is refused while the process can't keep up, before the work under way suffers. In: how late the event loop is and
// how much is under way. What tells others how the process is goes on.
import type { RequestHandler } from 'express'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { Bounds } from './bounds.ts'
import type { Traffic } from './traffic.ts'

/** How often the loop's lateness is looked at. */
const SAMPLE_MS = 50
/** So late a loop is overloaded; ordinary bursts make it late by some tens of milliseconds, a busy machine by more. */
const LATE_MS = 400
/** So many times in a row: a long step or two, such as batches of blocks, are no overload. */
const SAMPLES_IN_A_ROW = 3

/** Answered under any load, from memory: whoever watches the process has to see it. */
const NEVER_SHED = new Set(['/healthz', '/readyz'])

export interface Lateness {
  /** Whether the loop was late the last few times. */
  isLate(): boolean
  stop(): void
}

/** Watches the event loop of this thread. */
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

/** Refuses new requests with 503 while there is too much; stands before the guard, so that nothing is charged. */
export function shed(traffic: Traffic, { inFlight }: Pick<Bounds, 'inFlight'>, isLate: () => boolean): RequestHandler {
  return (request, _response, next) => {
    const kind = isLate() ? 'overload_lag' : traffic.inFlight > inFlight ? 'overload_in_flight' : null
    if (kind === null || NEVER_SHED.has(request.path)) return next()
    traffic.refuse(kind)
    throw new AssayError('SERVICE_UNAVAILABLE', 'The server has more to do than it can: try again in a moment.', {
      headers: { 'retry-after': '1' },
    })
  }
}
