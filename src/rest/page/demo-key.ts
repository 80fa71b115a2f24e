// GET /demo-key: the demo's key for the page, so that a newcomer types none. Only a page of this server in a browser on
// this machine gets it. Other sites, other machines, foreign host names (DNS rebinding) and requests through a proxy
// get 404, as if the path did not exist. A proxy is recognised by its own headers, by HTTP/1.0, or by the origin of the
// page that it serves.
import type { Request, RequestHandler } from 'express'
import { isLoopback } from '../edge/connections.ts'
import { isLocalHost, ownOriginOf, pageOriginOf } from '../edge/origin.ts'
import { refusePath } from '../edge/public.ts'

/**
 * The headers that a browser sends by itself, besides those that begin with `sec-`. Any other header comes from a
 * proxy.
 */
const OF_BROWSERS = new Set([
  ...['host', 'connection', 'accept', 'accept-encoding', 'accept-language', 'user-agent', 'origin', 'referer'],
  ...[
    'cache-control',
    'pragma',
    'cookie',
    'dnt',
    'priority',
    'if-none-match',
    'upgrade-insecure-requests',
    'save-data',
  ],
])

/** `read` returns the key, or null without a demo. Undefined: the server never gives one. */
export function giveDemoKey(read: (() => Promise<string | null>) | undefined): RequestHandler {
  return async (request, response, next) => {
    const key = read && isFromOwnPage(request) ? await read() : null
    if (key === null) {
      refusePath(request, response, next)
      return
    }
    // Any site may read every other answer; only its own page may read this one.
    response.removeHeader('access-control-allow-origin')
    response.setHeader('cache-control', 'no-store')
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(JSON.stringify({ key }))
  }
}

/** Whether the requested page should load the key at once. The page must also work while the database is away. */
export async function awaitsDemoKey(
  request: Request,
  read: (() => Promise<string | null>) | undefined,
): Promise<boolean> {
  if (!read || !isOnThisMachine(request)) return false
  return (await read().catch(() => null)) !== null
}

/** Browsers set `Sec-Fetch-Site`, `Origin` and `Referer` themselves: no script can. The page asks with a `Referer`. */
function isFromOwnPage(request: Request): boolean {
  const { origin, referer, 'sec-fetch-site': site } = request.headers
  const pages = [origin, referer].filter((page) => page !== undefined)
  return (
    site === 'same-origin' &&
    isOnThisMachine(request) &&
    pages.length > 0 &&
    pages.every((page) => pageOriginOf(page) === ownOriginOf(request))
  )
}

/** Whether the request shows no proxy between a browser on this machine and this server. */
function isOnThisMachine(request: Request): boolean {
  const { headers, httpVersion, socket } = request
  return (
    isLocalHost(request) &&
    isLoopback(socket.remoteAddress ?? '') &&
    httpVersion !== '1.0' &&
    Object.keys(headers).every((name) => OF_BROWSERS.has(name) || name.startsWith('sec-'))
  )
}
