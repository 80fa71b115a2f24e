// GET /demo-key: the demo's key for the page, so that a newcomer types none. Only a page of this server that is open in a
// browser on this machine gets it: other sites, other machines, whoever comes through a proxy or by a foreign host name
// (DNS rebinding) get 404, as if there were no such path.
import type { Request, RequestHandler } from 'express'
import { isLoopback } from './connections.ts'
import { refusePath } from './public.ts'

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** `read` gives the key, or null when this is no demo. Undefined: the server never gives one. */
export function giveDemoKey(read: (() => Promise<string | null>) | undefined): RequestHandler {
  return async (request, response, next) => {
    const key = read && isFromOwnPage(request) ? await read() : null
    if (key === null) {
      refusePath(request, response, next)
      return
    }
    // Every other answer may be read by every site; this one by its own page alone.
    response.removeHeader('access-control-allow-origin')
    response.setHeader('cache-control', 'no-store')
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(JSON.stringify({ key }))
  }
}

/** Whether the page that is asked for should ask for the key at once. A database that is away is no reason to have no page. */
export async function awaitsDemoKey(
  request: Request,
  read: (() => Promise<string | null>) | undefined,
): Promise<boolean> {
  if (!read || !isOnThisMachine(request)) return false
  return (await read().catch(() => null)) !== null
}

/** Browsers set `Sec-Fetch-Site` themselves: no script can. */
const isFromOwnPage = (request: Request): boolean =>
  request.headers['sec-fetch-site'] === 'same-origin' && isOnThisMachine(request)

const isOnThisMachine = ({ headers, socket }: Request): boolean =>
  LOCAL_HOST.test(headers.host ?? '') &&
  isLoopback(socket.remoteAddress ?? '') &&
  PROXY_HEADERS.every((name) => headers[name] === undefined)
