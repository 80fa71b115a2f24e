// Sends a query to /graphql. An error becomes a `Failure`: a sentence for people, and the time of a useful retry.
import { onChain } from '../chain.ts'
import { underLabels } from '../filter.ts'
import type { Document } from './graphql.ts'
import { key } from './key.ts'
import { notePace } from './pace.ts'

/** A refused argument, such as `filter.maxRiskScore`. */
export interface Fault {
  field: string
  message: string
}

interface FailureFacts {
  /** Seconds after which a retry may work; null: only a change by the reader helps. */
  retryAfter?: number | null
  faults?: readonly Fault[]
  /** The id by which the operator finds the request in the log. */
  requestId?: string | null
}

export class Failure extends Error {
  readonly code: string
  readonly retryAfter: number | null
  readonly faults: readonly Fault[]
  readonly requestId: string | null

  constructor(code: string, message: string, { retryAfter = null, faults = [], requestId = null }: FailureFacts = {}) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
    this.faults = faults
    this.requestId = requestId
  }
}

/** An error as a `Failure`. */
export const toFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure('UNKNOWN', String(error))

interface Reply {
  data?: unknown
  errors?: { message: string; extensions?: { code?: string; requestId?: string; details?: Fault[] } }[]
  extensions?: { cost?: { charged?: number } }
}

const UNREACHABLE = 'The server cannot be reached. Is it still running? The page tries again by itself.'
const SILENT = 'The server does not answer. The page tries again by itself.'
/** Longer than the server takes for any answer. */
const WAIT_MS = 20_000

/** The answer's data; throws a `Failure`. */
export async function ask<R, V>(document: Document<R, V>, variables: V, signal?: AbortSignal): Promise<R> {
  const tooLate = AbortSignal.timeout(WAIT_MS)
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key.value ?? ''}` },
    body: JSON.stringify({ query: document as unknown as string, variables }),
    signal: signal ? AbortSignal.any([signal, tooLate]) : tooLate,
  }
  const response = await fetch(onChain('/graphql'), init).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new Failure('UNREACHABLE', tooLate.aborted ? SILENT : UNREACHABLE, { retryAfter: 5 })
  })
  const reply = (await response.json().catch(() => ({}))) as Reply
  notePace(response.headers.get('ratelimit'), reply.extensions?.cost?.charged ?? 1)
  const [first] = reply.errors ?? []
  // An error that left every root in its place belongs to a nullable field, such as one that is still loading.
  if (reply.data && (!first || Object.values(reply.data).every((root) => root !== null))) return reply.data as R
  const { code = `HTTP_${response.status}`, requestId, details = [] } = first?.extensions ?? {}
  throw new Failure(code, sentence(code, first?.message), {
    retryAfter: retryAfter(response),
    faults: details,
    requestId: requestId ?? response.headers.get('x-request-id'),
  })
}

function retryAfter({ status, headers }: Response): number | null {
  const told = Number(headers.get('retry-after'))
  if (told > 0) return told
  return status >= 500 ? 5 : null
}

function sentence(code: string, message: string | undefined): string {
  if (code === 'UNAUTHORIZED') return `The key was refused: ${message ?? 'it is not known here.'}`
  if (message !== undefined) return underLabels(message)
  return `The server answered with ${code.replace('HTTP_', 'HTTP status ')}.`
}
