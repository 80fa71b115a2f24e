// One provider over HTTP. Comes in: JSON-RPC calls, one or a batch; goes out: an answer for each, in their order, matched
// by id, or one thrown `RpcError` for all. Nothing is retried here, and the deadline covers the body too.
import { isAscii } from 'node:buffer'
import { createBodies } from './body.ts'
import { classify, RpcError, type RpcHint, readHint } from './error.ts'

/** One question of JSON-RPC. */
export interface Call {
  method: string
  params: readonly unknown[]
  /** Whether the result can be true; one that can't is asked again, elsewhere if possible. None: anything is taken. */
  accept?: (result: unknown) => boolean
  /** The result in another form than JSON, straight from the body of a lone answer; undefined: it is parsed as JSON. */
  scan?: (body: Buffer) => unknown
  /** The same question for an endpoint that does not understand this one. */
  otherwise?: {
    call: Call
    /** The result shows that another question was answered. */
    isMisread(result: unknown): boolean
  }
}

/** What came back for one call. */
export type RpcAnswer = { result: unknown; error?: undefined } | { error: RpcError }

/** Whether the answer is a result. */
export const isAnswered = (answer: RpcAnswer): answer is { result: unknown } => answer.error === undefined

/** Somebody who answers calls; a recorded chain is one too. */
export interface Endpoint {
  /** For logs and metrics: the host, never the path, which often holds a key. */
  name: string
  send(calls: readonly Call[], signal?: AbortSignal): Promise<RpcAnswer[]>
}

export interface HttpEndpointOptions {
  /** From the first byte sent to the last one read. */
  timeoutMs?: number
  /** A larger body counts as "split the request". 16 MiB are about 25,000 logs. */
  maxBodyBytes?: number
}

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

/** The endpoint behind a URL; user and password in it become basic authentication. */
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
      const text = result === undefined ? toText(bytes) : ''
      bodies.giveBack(bytes)
      if (result !== undefined) return { status, headers, answer: { result } }
      const answer = readAnswer(text)
      if (response.ok && answer === undefined) throw toError(name, secrets, headers, 0, NOT_JSON)
      if (!response.ok && !isFault(answer)) throw toError(name, secrets, headers, status, text || statusText)
      return { status, headers, answer }
    } catch (error) {
      if (stop?.aborted) throw new RpcError('aborted', `${name}: the program is stopping`)
      if (deadline.aborted) throw new RpcError('transient', `${name}: no answer within ${timeoutMs} ms`)
      if (error instanceof RpcError) throw error
      throw toError(name, secrets, new Headers(), 0, { message: reasonOf(error) })
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
      const fail = (error: unknown) => toError(name, secrets, headers, status, error)
      const items = (Array.isArray(answer) ? answer : [answer]) as (Body | null)[]
      const [only] = items
      if (!Array.isArray(answer) && calls.length > 1) throw refuseBatch(fail(only?.error ?? null))
      const byId = new Map(items.map((item) => [String(item?.id), item]))
      return bodies.map(({ id }): RpcAnswer => {
        const item = calls.length === 1 ? only : byId.get(String(id))
        if (item?.error) return { error: fail(item.error) }
        if (item && item.result !== undefined) return { result: item.result }
        return { error: new RpcError('transient', `${name}: neither a result nor an error came back`) }
      })
    },
  }
}

/** Why nothing came back: what lies at the bottom of it, such as `connect ECONNREFUSED`; the rest only says that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || String((error as { code?: unknown }).code ?? 'the connection failed')
}

/** Where to ask, and what a user and a password in the URL become: `fetch` takes none there. */
function readUrl(url: string): { address: string; headers: Record<string, string> } {
  const parts = new URL(url)
  const { username, password } = parts
  if (!username && !password) return { address: url, headers: {} }
  parts.username = ''
  parts.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { address: parts.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

/** Nodes mostly say hex: ASCII that is read as such takes half as long. */
const toText = (bytes: Buffer): string => (isAscii(bytes) ? bytes.toString('latin1') : new TextDecoder().decode(bytes))

/** What the text says as JSON; undefined where it is none. */
function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An error as JSON-RPC has them, whatever the status of HTTP. */
function isFault(answer: unknown): boolean {
  const { error } = (answer ?? {}) as Body
  return typeof error === 'object' && typeof error.code === 'number' && typeof error.message === 'string'
}

/** One answer for a whole batch: what another fault does not explain is taken as a refusal of batches. */
const refuseBatch = (error: RpcError): RpcError =>
  ['rate', 'auth', 'transient', 'size', 'aborted'].includes(error.kind)
    ? error
    : new RpcError('batch', `${error.message} (to a batch)`)

function toError(name: string, secrets: readonly string[], headers: Headers, status: number, error: unknown): RpcError {
  const { code, message, data } = (typeof error === 'object' && error ? error : { message: error }) as {
    code?: unknown
    message?: unknown
    data?: unknown
  }
  const text = [message, data].filter((part) => typeof part === 'string').join(' ')
  const kind =
    status === 0 && code === undefined ? 'transient' : classify(status, typeof code === 'number' ? code : null, text)
  const hint: RpcHint = readHint(kind, text)
  const retryAfterMs = readRetryAfter(headers.get('retry-after'))
  if (retryAfterMs !== null) hint.retryAfterMs = retryAfterMs
  let said = text.slice(0, 300)
  for (const secret of secrets) said = said.replaceAll(secret, '***')
  return new RpcError(kind, `${name}: ${said || 'no message'}${status >= 400 ? ` (HTTP ${status})` : ''}`, hint)
}

/** Seconds or a date, in milliseconds from now; five minutes at most. */
function readRetryAfter(text: string | null): number | null {
  if (!text) return null
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Number.NaN
  return Number.isFinite(ms) ? Math.min(ms, 300_000) : null
}

/** The parts of a URL that may be keys, so that no provider's message carries them on. */
function secretsOf(url: string): string[] {
  const { username, password, pathname, searchParams } = new URL(url)
  return [username, password, ...pathname.split('/'), ...searchParams.values()].filter((part) => part.length >= 8)
}
