// Bounds the size of an answer, and the number of its errors.
import { setImmediate } from 'node:timers/promises'
import type { ExecutionResult } from 'graphql'
import { refuse } from '../errors.ts'

/** The most bytes of JSON in an answer: 140 for each field that a query may ask for. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** The most errors in an answer. If every item of a list fails in the same way, these say enough. */
export const MAX_ERRORS = 50

/** Returns the answer, or an error if it is too large. A large answer first yields the event loop to other requests. */
export async function boundAnswer(result: ExecutionResult, fields: number): Promise<ExecutionResult> {
  if (fields > FIELDS_AT_ONCE) await setImmediate()
  const bounded = result.errors ? { ...result, errors: result.errors.slice(0, MAX_ERRORS) } : result
  if (Buffer.byteLength(JSON.stringify(result.data ?? null)) <= MAX_ANSWER_BYTES) return bounded
  const megabytes = MAX_ANSWER_BYTES / 1024 ** 2
  return {
    errors: [refuse(`The answer is larger than ${megabytes} MiB: ask for smaller pages or fewer fields.`)],
  }
}

/** How many fields may be resolved and measured in one turn of the event loop, which takes a few milliseconds. */
const FIELDS_AT_ONCE = 10_000
