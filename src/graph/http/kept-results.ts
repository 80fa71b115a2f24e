// Results of queries that depend on the block alone, kept as text while they hold. What they cost, and what is left of the
// limits, is of each request.
import type { Head, HeadWatch } from '../../ledger/head.ts'
import { createKept } from '../../ledger/kept.ts'
import type { Budget } from '../cost/budget.ts'
import type { Cost } from '../cost/cost.ts'

/** Bytes of results that are kept. */
const KEPT_BYTES = 16 * 1024 * 1024
/** What a result weighs besides its bytes. */
const OVERHEAD_BYTES = 1_024
/** A longer header says more than the types that we know. */
const LONGEST_ACCEPT = 200

export interface KeptResult {
  /** The answer up to its extensions, as bytes of UTF-8. */
  bytes: Buffer
  type: string
  budget: Budget | null
  /** Undefined where nothing of the chain was read. */
  head: Head | undefined
  /** The tag of the text, which an answer by GET has. The whole answer has its cost too, which differs each time. */
  etag: string | null
}

/** The store of a process. */
export const createKeptResults = (head: Pick<HeadWatch, 'version'>, mostBytes = KEPT_BYTES) =>
  createKept<KeptResult>(head, mostBytes, ({ bytes }, key) => bytes.length + 2 * key.length + OVERHEAD_BYTES)

/** What an answer is a function of, besides the block: of a POST its body. Null for what is never kept. */
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

/** The answer without its cost; null where it does not end in it. */
export function withoutCost(answer: string, cost: Cost): string | null {
  const end = endWithCost(cost)
  return answer.startsWith('{"data":') && answer.endsWith(end) ? answer.slice(0, -end.length) : null
}
