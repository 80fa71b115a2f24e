// GraphiQL at /graphql, for browsers: loaded in parts, without any file from another host. It needs no key; its queries
// do.
import type { Request, Response } from 'express'
import { sendFile } from './page.ts'
import type { PageFiles } from './page-files.ts'

/**
 * Whether a browser requests the page: it navigates here, and can send no key then. An old page puts its query into the
 * address.
 */
export function wantsGraphiql({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  const reads = method === 'GET' || method === 'HEAD'
  return reads && (headers.accept ?? '').includes('text/html') && !headers.authorization
}

/** The editor sets the styles of its lines and cursors itself, in its own elements. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function sendGraphiql(request: Request, response: Response, { graphiql }: PageFiles): void {
  response.setHeader('cache-control', 'no-cache')
  response.setHeader('content-security-policy', POLICY)
  response.setHeader('referrer-policy', 'no-referrer')
  response.vary('Accept')
  sendFile(request, response, graphiql)
}
