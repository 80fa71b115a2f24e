// One request, repeated if that is safe. After 429 and 503 the server says how long to wait; after other failures of
// the server or the network the pause grows.
import { type ApiError, toError } from './errors.ts'

export interface Transport {
  /** Ends in `/v1`. */
  baseUrl: string
  key: string
  fetch: typeof fetch
  /** Tries after the first. */
  retries: number
  /** For a longer wait the error is thrown instead. */
  maxWaitSeconds: number
  /** Of one try, in milliseconds. */
  timeoutMs: number
  /** The silence of a stream, in milliseconds, after which it connects again. */
  silenceMs: number
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface Asked {
  method?: string
  path: string
  query?: Query | undefined
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Resolves when the headers have come, without a timeout from then on: for streams. */
  streams?: boolean
}

const FIRST_PAUSE_MS = 250

/** The successful answer; throws an `ApiError`, or what `fetch` threw at the last try. */
export async function send(transport: Transport, asked: Asked): Promise<Response> {
  for (let tried = 0; ; tried += 1) {
    const outcome = await attempt(transport, asked)
    if (outcome instanceof Response) return outcome
    const pauseMs = pauseAfter(outcome, tried, transport, asked)
    if (pauseMs === null) throw outcome.error
    await transport.sleep(pauseMs, asked.signal)
  }
}

interface Failure {
  error: unknown
  /** None when the server did not answer. */
  answer?: ApiError
}

async function attempt(transport: Transport, asked: Asked): Promise<Response | Failure> {
  const { method = 'GET', path, query = {}, body, headers, signal, streams } = asked
  const url = `${transport.baseUrl}${path}${toSearch(query)}`
  const opening = new AbortController()
  const timer = setTimeout(
    () => opening.abort(new TypeError('The server did not answer in time.')),
    transport.timeoutMs,
  )
  const timeout = streams ? opening.signal : AbortSignal.timeout(transport.timeoutMs)
  try {
    const response = await transport.fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${transport.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    })
    if (response.ok) return response
    const answer = await toError(response)
    return { error: answer, answer }
  } catch (error) {
    return { error }
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds until the next try; null when there is none. */
function pauseAfter({ answer }: Failure, tried: number, transport: Transport, asked: Asked): number | null {
  if (asked.signal?.aborted || tried >= transport.retries) return null
  const isSafe = asked.method !== 'POST' || asked.headers?.['idempotency-key'] !== undefined
  const refused = answer?.status === 429 || answer?.status === 503
  if (refused && answer?.retryAfter !== undefined) {
    return answer.retryAfter <= transport.maxWaitSeconds ? answer.retryAfter * 1000 : null
  }
  if (!isSafe || (answer !== undefined && answer.status < 500)) return null
  return FIRST_PAUSE_MS * 2 ** tried
}

function toSearch(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return search.size > 0 ? `?${search}` : ''
}
