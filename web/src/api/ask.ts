// Sends a query to /graphql. What goes wrong becomes a `Failure`: a sentence for people, and when it is worth a new try.
import { underLabels } from '../filter.ts'
import type { Document } from './graphql.ts'
import { key } from './key.ts'
import { notePace } from './pace.ts'

export class Failure extends Error {
  readonly code: string
  /** Seconds after which a new try may work; null: only a change by the reader helps. */
  readonly retryAfter: number | null

  constructor(code: string, message: string, retryAfter: number | null) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
  }
}

interface Reply {
  data?: unknown
  errors?: { message: string; extensions?: { code?: string } }[]
  extensions?: { cost?: { charged?: number } }
}

const UNREACHABLE = 'The server cannot be reached. Is it still running? The page tries again by itself.'

/** The answer's data; throws a `Failure`. */
export async function ask<R, V>(document: Document<R, V>, variables: V, signal?: AbortSignal): Promise<R> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key.value ?? ''}` },
    body: JSON.stringify({ query: document as unknown as string, variables }),
    ...(signal && { signal }),
  }
  const response = await fetch('/graphql', init).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new Failure('UNREACHABLE', UNREACHABLE, 5)
  })
  const reply = (await response.json().catch(() => ({}))) as Reply
  notePace(response.headers.get('ratelimit'), reply.extensions?.cost?.charged ?? 1)
  const [first] = reply.errors ?? []
  // An error that left every root in its place is of a field that may be null, such as one that is still loading.
  if (reply.data && (!first || Object.values(reply.data).every((root) => root !== null))) return reply.data as R
  const code = first?.extensions?.code ?? `HTTP_${response.status}`
  throw new Failure(code, sentence(code, first?.message), retryAfter(response))
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
