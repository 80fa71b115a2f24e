// Posts a body to a stranger's server. Its name is resolved once and checked, redirects are not followed, and its answer
// is bounded in time and size.
import type { LookupAddress } from 'node:dns'
import { type ClientRequest, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createResolve, pickAddress, type Resolve } from './public-address.ts'
import { checkWebhookUrl, type WebhookReach } from './webhook-url.ts'

/** How long a whole call may take, from the look-up to the end of the answer. */
const WITHIN_MS = 15_000
/** Bytes of the answer that are read. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Statuses below 500 that may pass: the request came too slowly, too early or too often. */
const PASSING = new Set([408, 425, 429])

/** Whether a status says that the request is wrong, so that the next try will get it again. */
export const isFault = (status: number): boolean => status < 500 && !PASSING.has(status)

export interface PostAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** Its first 64 KiB. */
  body: string
}

/** No answer. The fault is a word of ours or a code of Node, never text of the server. */
interface NoAnswer {
  fault: string
  /** The URL may never be called. */
  isPermanent: boolean
}

export interface PostOptions {
  reach?: WebhookReach | undefined
  resolve?: Resolve | undefined
  withinMs?: number | undefined
}

export type Post = (
  url: string,
  content: { headers: Record<string, string>; body: string },
) => Promise<PostAnswer | NoAnswer>

/** Creates the function that posts. */
export function createPost({ reach = {}, resolve = createResolve(), withinMs = WITHIN_MS }: PostOptions): Post {
  const tryOnce = async (to: string, { headers, body }: Parameters<Post>[1], ending: AbortSignal) => {
    const url = new URL(to)
    const address = await pickAddress(url.hostname, resolve, reach.allowsLoopback ?? false, ending)
    if (!address) return { fault: 'address: it is not public', isPermanent: true }
    return call(url, address, { ...headers, 'content-length': Buffer.byteLength(body) }, body, ending)
  }
  return async (url, content) => {
    const fault = checkWebhookUrl(url, reach)
    if (fault) return { fault: `address: it ${fault}`, isPermanent: true }
    const ending = AbortSignal.timeout(withinMs)
    try {
      return await within(tryOnce(url, content, ending), ending)
    } catch (error) {
      const { code, name } = error as { code?: unknown; name: string }
      // The code of a DOMException is a number, which looks like a status.
      return { fault: `unreached: ${typeof code === 'string' ? code : name}`, isPermanent: false }
    }
  }
}

/** Posts to the checked address, whatever the name resolves to by now. */
function call(
  url: URL,
  { address, family }: LookupAddress,
  headers: Record<string, string | number>,
  body: string,
  signal: AbortSignal,
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const lookup = (_host: string, options: { all?: boolean }, done: (...found: unknown[]) => void) =>
      options.all ? done(null, [{ address, family }]) : done(null, address, family)
    const options = { method: 'POST', headers, agent: false as const, lookup: lookup as never, signal }
    const sent: ClientRequest = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    sent.on('response', (response) => {
      sent.off('close', closed)
      const chunks: Buffer[] = []
      let bytes = 0
      const end = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        })
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_ANSWER_BYTES) sent.destroy()
        else chunks.push(chunk)
      })
      response.on('error', end)
      response.on('close', end)
    })
    sent.on('upgrade', ({ statusCode, headers }, socket) => {
      socket.destroy()
      resolve({ status: statusCode ?? 0, headers, body: '' })
    })
    sent.on('error', reject)
    // A request may close without a response or an error.
    const closed = () => reject(Object.assign(new Error('closed without an answer'), { code: 'NO_ANSWER' }))
    sent.on('close', closed)
    sent.end(body)
  })
}

/** Settles when the signal ends at the latest, whatever the work still waits for. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ])
}
