// Bounds the size of an answer before its JSON text is made. It walks over the data, and stops where the bound is exceeded.
import { setImmediate } from 'node:timers/promises'
import type { ExecutionResult } from 'graphql'
import { refuse } from './errors.ts'

/** The most bytes of JSON in an answer: 140 for each field that a query may ask for. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** The most errors in an answer. If every item of a list fails in the same way, these say enough. */
export const MAX_ERRORS = 50

/** Returns the answer, or an error if it is too large. Before it walks over a large one it gives other requests a turn. */
export async function boundAnswer(result: ExecutionResult, fields: number): Promise<ExecutionResult> {
  if (fields > FIELDS_AT_ONCE) await setImmediate()
  const bounded = result.errors ? { ...result, errors: result.errors.slice(0, MAX_ERRORS) } : result
  if (isSurelyWithin(result.data ?? null, MAX_ANSWER_BYTES)) return bounded
  if (measureJson(result.data ?? null, MAX_ANSWER_BYTES) <= MAX_ANSWER_BYTES) return bounded
  const megabytes = MAX_ANSWER_BYTES / 1024 ** 2
  return {
    errors: [refuse(`The answer is larger than ${megabytes} MiB: ask for smaller pages or fewer fields.`)],
  }
}

/** How many fields may be resolved and measured in one turn of the event loop, which takes a few milliseconds. */
const FIELDS_AT_ONCE = 10_000

/** The most bytes of a character as JSON (`\\u0000`), and of what is no text: the longest number has 24. */
const MOST_OF = { character: 6, other: 25 }

/**
 * Whether a value's JSON is surely not larger than this, by the longest form that it could have: so it is for nearly every answer, whose
 * texts need not be written once more to be measured. False says nothing.
 */
export function isSurelyWithin(value: unknown, most: number): boolean {
  let left = most
  const walk = (part: unknown): void => {
    if (left < 0) return
    if (typeof part === 'string') left -= MOST_OF.character * part.length + 3
    else if (typeof part !== 'object' || part === null) left -= MOST_OF.other
    else if (Array.isArray(part)) {
      left -= 3
      for (const element of part) walk(element)
    } else {
      left -= 3
      for (const key in part) {
        left -= MOST_OF.character * key.length + 4
        walk((part as Record<string, unknown>)[key])
      }
    }
  }
  walk(value)
  return left >= 0
}

/** How many bytes a value takes as JSON in UTF-8. For a value above `most`, the result is any number above `most`. */
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
