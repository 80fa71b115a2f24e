// One provider over HTTP. Input: JSON-RPC calls, one or a batch. Output: one answer per call, in order, matched by id;
// or one thrown `RpcError` for the whole request. It retries nothing, and its timeout includes reading the body.
import { isAscii } from 'node:buffer'
import { codeOf, parseJson } from '../../base/json.ts'
import { createBodies } from './body.ts'
import { classify } from './classify.ts'
import { RpcError, type RpcHint } from './error.ts'
import { readHint } from './hint.ts'
import { revertDataOf } from './revert-data.ts'
import { isExcessive } from './shape.ts'

/** One JSON-RPC call. */
export interface Call {
  method: string
  params: readonly unknown[]
  /**
   * Whether the result is plausible. An implausible one is requested again, elsewhere if possible. Undefined: every
   * result is.
   */
  accept?: (result: unknown) => boolean
  /** Reads the result of a single call straight from the body; undefined: parse the body as JSON instead. */
  scan?: (body: Buffer) => unknown
  /** Another form of the call, for an endpoint that does not understand this one. */
  otherwise?: {
    call: Call
    /** Whether the result shows that the endpoint misunderstood the call. */
    isMisread(result: unknown): boolean
  }
}

/** The answer to one call. */
export type RpcAnswer = { result: unknown; error?: undefined } | { error: RpcError }

/** The fault that replaces a missing answer. */
export const NO_ANSWER = { error: new RpcError('transient', 'no answer') } satisfies RpcAnswer

/** Whether the answer holds a result rather than an error. */
export const isAnswered = (answer: RpcAnswer): answer is { result: unknown } => answer.error === undefined

/** Anything that answers calls: a provider, or a recorded chain. */
export interface Endpoint {
  /** The host, for logs and metrics. It never has the path, which often contains a key. */
  name: string
  send(calls: readonly Call[], signal?: AbortSignal): Promise<RpcAnswer[]>
}

export interface HttpEndpointOptions {
  /** Time from sending the request to reading the last byte of the body. */
  timeoutMs?: number
  /** A larger body is a `size` fault, so that the caller splits the request. 16 MiB hold about 25,000 logs. */
  maxBodyBytes?: number
}

/** Of an error's message. */
const MOST_CHARS = 1_000

const NOT_JSON = { message: 'the answer is not JSON' }

interface Question {
  id: number
  method: string
  params: readonly unknown[]
}

interface Body {
  id?: unknown
  result?: unknown
  error?: { code?: unknown; message?: unknown; data?: unknown } | string
}

/** The endpoint behind a URL. A user and password in the URL are sent as basic authentication. */
export function createHttpEndpoint(url: string, options: HttpEndpointOptions = {}): Endpoint {
  const { timeoutMs = 20_000, maxBodyBytes = 16 * 2 ** 20 } = options
  const { address, headers: own } = readUrl(url)
  const name = new URL(url).host
  const secrets = secretsOf(url)
  const bodies = createBodies()
  let lastId = 0

  async function exchange(body: readonly Question[], scan: Call['scan'], stop?: AbortSignal) {
    const deadline = AbortSignal.timeout(timeoutMs)
    const calls = body.map((call) => ({ jsonrpc: '2.0', ...call }))
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { ...own, 'content-type': 'application/json' },
        body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
        signal: stop ? AbortSignal.any([stop, deadline]) : deadline,
      })
      const bytes = await bodies.read(response, maxBodyBytes)
      if (bytes === null) throw new RpcError('size', `${name}: the answer is larger than ${maxBodyBytes} bytes`)
      const { status, statusText, headers } = response
      const result = response.ok ? scan?.(bytes) : undefined
      const isParsed = result === undefined && !isExcessive(bytes)
      const text = isParsed ? toText(bytes) : ''
      bodies.giveBack(bytes)
      if (result !== undefined) return { status, headers, answer: { result } }
      const answer = parseJson(text)
      if (response.ok && answer === undefined) throw toError(name, secrets, { headers, status: 0, error: NOT_JSON })
      if (!response.ok && !isFault(answer)) throw toError(name, secrets, { headers, status, error: text || statusText })
      return { status, headers, answer }
    } catch (error) {
      if (stop?.aborted) throw new RpcError('aborted', `${name}: the program is stopping`)
      if (deadline.aborted) throw new RpcError('transient', `${name}: no answer within ${timeoutMs} ms`)
      if (error instanceof RpcError) throw error
      throw toError(name, secrets, { headers: new Headers(), status: 0, error: { message: reasonOf(error) } })
    }
  }

  return {
    name,
    async send(calls, signal) {
      const bodies = calls.map(({ method, params }) => ({ id: ++lastId, method, params }))
      const scan = calls.length === 1 ? calls[0]?.scan : undefined
      const { status, headers, answer } = await exchange(bodies, scan, signal).catch((error: unknown) => {
        throw calls.length > 1 && error instanceof RpcError ? refuseBatch(error) : error
      })
      const fail = (error: unknown, method?: string) => toError(name, secrets, { headers, status, method, error })
      const items = (Array.isArray(answer) ? answer : [answer]) as (Body | null)[]
      const [only] = items
      if (!Array.isArray(answer) && calls.length > 1) throw refuseBatch(fail(only?.error ?? null))
      const byId = new Map(items.map((item) => [String(item?.id), item]))
      return bodies.map(({ id, method }): RpcAnswer => {
        const item = calls.length === 1 ? only : byId.get(String(id))
        if (item?.error) return { error: fail(item.error, method) }
        if (item && item.result !== undefined) return { result: item.result }
        return { error: new RpcError('transient', `${name}: the answer holds neither a result nor an error`) }
      })
    },
  }
}

/** The innermost cause of a failed request, such as `connect ECONNREFUSED`; `fetch` itself only says "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || codeOf(error) || 'the connection failed'
}

/** The address without user and password, and both as a header, because `fetch` refuses URLs with credentials. */
function readUrl(url: string): { address: string; headers: Record<string, string> } {
  const parts = new URL(url)
  const { username, password } = parts
  if (!username && !password) return { address: url, headers: {} }
  parts.username = ''
  parts.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { address: parts.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

/** Nodes mostly answer in ASCII, and decoding ASCII as latin1 takes half as long as decoding UTF-8. */
const toText = (bytes: Buffer): string => (isAscii(bytes) ? bytes.toString('latin1') : new TextDecoder().decode(bytes))

/** Whether the body is a JSON-RPC error; providers send these with any HTTP status. */
function isFault(answer: unknown): boolean {
  const { error } = (answer ?? {}) as Body
  return typeof error === 'object' && typeof error.code === 'number' && typeof error.message === 'string'
}

/**
 * A single error for a whole batch. The provider then does not accept the batch, unless the error's kind has another
 * cause.
 */
const refuseBatch = (error: RpcError): RpcError =>
  ['rate', 'auth', 'transient', 'size', 'aborted'].includes(error.kind)
    ? error
    : new RpcError('batch', `${error.message} (in answer to a batch)`)

/** The parts of an answer that its fault is told from. */
interface Failed {
  headers: Headers
  status: number
  /** Undefined for a batch. */
  method?: string | undefined
  error: unknown
}

function toError(name: string, secrets: readonly string[], { headers, status, method, error }: Failed): RpcError {
  const isRpc = status > 0 && typeof error === 'object' && error !== null
  const { code, message, data } = (typeof error === 'object' && error ? error : { message: error }) as {
    code?: unknown
    message?: unknown
    data?: unknown
  }
  const revertData = revertDataOf(data)
  const parts = [message, ...(revertData === null ? detailsOf(data) : [])].filter((part) => typeof part === 'string')
  // A longer text could slow the patterns down that read it.
  const text = parts.join(' ').slice(0, MOST_CHARS)
  const number = typeof code === 'number' ? code : null
  const kind = classify({ status, method, isRpc, code: number, message: text, data })
  const hint: RpcHint = readHint(kind, text)
  const retryAfterMs = readRetryAfter(headers.get('retry-after'))
  if (retryAfterMs !== null) hint.retryAfterMs = retryAfterMs
  let said = text.slice(0, 300)
  for (const secret of secrets) said = said.replaceAll(secret, '***')
  const reason = `${name}: ${said || 'no message'}${status >= 400 ? ` (HTTP ${status})` : ''}`
  return new RpcError(kind, reason, hint, null, kind === 'execution' ? revertData : null)
}

/** The values of `data`, where some providers put their reason. */
const detailsOf = (data: unknown): unknown[] =>
  typeof data === 'object' && data !== null ? Object.values(data).slice(0, 8) : [data]

/** Milliseconds from a header in seconds, 300,000 at most; null for a date, which is not read. */
function readRetryAfter(text: string | null): number | null {
  if (!text) return null
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Number.NaN
  return Number.isFinite(ms) ? Math.min(ms, 300_000) : null
}

/** The parts of a URL that may be keys; they are removed from the provider's messages. */
function secretsOf(url: string): string[] {
  const { username, password, pathname, searchParams } = new URL(url)
  return [username, password, ...pathname.split('/'), ...searchParams.values()].filter((part) => part.length >= 8)
}
