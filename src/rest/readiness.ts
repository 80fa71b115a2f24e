// Whether this installation is ready, kept for a moment: however many ask, the database is asked once.
import type { Clock } from '../base/clock.ts'
import type { Readiness } from '../ledger/read/readiness.ts'

/** So long an answer is believed. */
const BELIEVED_MS = 500

/** The check, made at most once in half a second for all who ask. */
export function keepReadiness(check: () => Promise<Readiness>, clock: Clock): () => Promise<Readiness> {
  let answer: Promise<Readiness> | undefined
  let untilMs = 0
  return () => {
    if (answer && clock.monotonicMs() < untilMs) return answer
    // Until it is there, everybody waits for the same one.
    untilMs = Number.POSITIVE_INFINITY
    answer = check().finally(() => {
      untilMs = clock.monotonicMs() + BELIEVED_MS
    })
    return answer
  }
}
