// Caches results of queries that depend only on the block, as text until the block changes. Each request gets its own
// cost and rest of the limits.
import type { Head, HeadWatch } from '../../ledger/head.ts'
import { createKept } from '../../ledger/kept.ts'
import type { Budget } from '../cost/budget.ts'
import type { Cost } from '../cost/cost.ts'

/** The most bytes of cached results. */
const KEPT_BYTES = 16 * 1024 * 1024
/** The weight of a result besides its bytes. */
const OVERHEAD_BYTES = 1_024
/** A longer header has more than the media types that we know. */
const LONGEST_ACCEPT = 200

export interface KeptResult {
  /** The answer up to its extensions, as bytes of UTF-8. */
  bytes: Buffer
  type: string
  budget: Budget | null
  /** Undefined for an answer that reads nothing of the chain. */
  head: Head | undefined
  /** The tag of the text, for an answer by GET. The whole answer also has its cost, which differs each time. */
  etag: string | null
}

/** The store of a process. */
export const createKeptResults = (head: Pick<HeadWatch, 'version'>, mostBytes = KEPT_BYTES) =>
  createKept<KeptResult>(head, mostBytes, ({ bytes }, key) => bytes.length + 2 * key.length + OVERHEAD_BYTES)

/** The cache key besides the block: the body of a POST. Null for a request that is never cached. */
export function keyOf(
  method: string | undefined,
  url: string | undefined,
  accept: string,
  body: string | undefined,
): string | null {
  if (accept.length > LONGEST_ACCEPT) return null
  if (method === 'GET' || method === 'HEAD') return `GET ${accept}\n${url}`
  return method === 'POST' && body !== undefined ? `POST ${accept}\n${url}\n${body}` : null
}

/** The end of an answer, with the cost of its request. */
export const endWithCost = (cost: Cost): string => `,"extensions":${JSON.stringify({ cost })}}`

/** The answer without its cost; null if it does not end in its cost. */
export function withoutCost(answer: string, cost: Cost): string | null {
  const end = endWithCost(cost)
  return answer.startsWith('{"data":') && answer.endsWith(end) ? answer.slice(0, -end.length) : null
}
