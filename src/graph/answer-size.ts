// How large an answer is before its text exists: it is walked, and the walk ends where the bound is passed.
import { setImmediate } from 'node:timers/promises'
import type { ExecutionResult } from 'graphql'
import { refuse } from './errors.ts'

/** Bytes of an answer's JSON: 140 for each field that a query may ask for. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** Errors that an answer names: of a list whose every item fails in the same way, these say enough. */
export const MAX_ERRORS = 50

/** The answer, or instead of its data why there is none. Waits for others before it goes through a large one. */
export async function boundAnswer(result: ExecutionResult, fields: number): Promise<ExecutionResult> {
  if (fields > FIELDS_AT_ONCE) await setImmediate()
  const bounded = result.errors ? { ...result, errors: result.errors.slice(0, MAX_ERRORS) } : result
  if (measureJson(result.data ?? null, MAX_ANSWER_BYTES) <= MAX_ANSWER_BYTES) return bounded
  const megabytes = MAX_ANSWER_BYTES / 1024 ** 2
  return {
    errors: [refuse(`The answer is larger than ${megabytes} MiB: ask for smaller pages or fewer fields.`)],
  }
}

/** Fields that are resolved and written in one turn of the event loop: a few milliseconds. */
const FIELDS_AT_ONCE = 10_000

/** Bytes of a value as JSON in UTF-8; of one above `most` any number above it. */
export function measureJson(value: unknown, most: number): number {
  let bytes = 0
  const walk = (part: unknown): void => {
    if (bytes > most) return
    if (typeof part === 'string') bytes += Buffer.byteLength(JSON.stringify(part))
    else if (typeof part !== 'object' || part === null) bytes += JSON.stringify(part)?.length ?? 4
    else if (Array.isArray(part)) {
      bytes += 2 + Math.max(part.length - 1, 0)
      for (const element of part) walk(element)
    } else {
      const entries = Object.entries(part)
      bytes += 2 + Math.max(entries.length - 1, 0)
      for (const [key, child] of entries) {
        bytes += 1
        walk(key)
        walk(child)
      }
    }
  }
  walk(value)
  return bytes
}
