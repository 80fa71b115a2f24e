// The page for people: one HTML file at each of its addresses, and the files that it loads. It asks /graphql like everybody
// else. Where the page was not built, its addresses are 404 and / stays the list of entry points.
import type { Express, Request, RequestHandler, Response } from 'express'
import type { PageFile, PageFiles } from './page-files.ts'
import { refuseMethod } from './public.ts'

/** Nothing comes from elsewhere, and nothing stands in the page itself: no inline script, no inline style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The addresses of the page besides /, as `web/src/app.tsx` knows them. */
const ADDRESSES = [/^\/token\/0x[0-9a-f]{40}$/i, /^\/wallet\/0x[0-9a-f]{40}$/i, '/wallets', '/alerts', '/status']

/** Mounts the page. `showDoors` answers / for programs. */
export function mountPage(app: Express, showDoors: RequestHandler, files: PageFiles | null): void {
  const showIndex: RequestHandler = (request, response) => sendIndex(request, response, files)
  app.get('/', (request, response, next) => {
    response.vary('Accept')
    return files && wantsHtml(request) ? sendIndex(request, response, files) : showDoors(request, response, next)
  })
  app.all('/', refuseMethod(['GET']))
  if (!files) return
  for (const address of ADDRESSES) {
    app.get(address, showIndex)
    app.all(address, refuseMethod(['GET']))
  }
  app.get('/assets/:name', (request, response, next) => {
    const file = files.assets.get(String(request.params.name))
    if (!file) return next()
    response.setHeader('cache-control', 'public, max-age=31536000, immutable')
    sendFile(request, response, file)
  })
}

/** A browser that navigates names text/html; programs name JSON or anything. */
const wantsHtml = ({ headers }: Request): boolean => (headers.accept ?? '').includes('text/html')

function sendIndex(request: Request, response: Response, files: PageFiles | null): void {
  if (!files) return
  response.setHeader('cache-control', 'no-cache')
  response.setHeader('content-security-policy', POLICY)
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  sendFile(request, response, files.index)
}

/** Sends a file in the coding that the browser takes. */
export function sendFile(request: Request, response: Response, { type, coded }: PageFile): void {
  const coding = (request.acceptsEncodings('br', 'gzip', 'identity') || 'identity') as keyof typeof coded
  const bytes = request.headers['accept-encoding'] === undefined ? coded.identity : coded[coding]
  response.vary('Accept-Encoding')
  response.setHeader('content-type', type)
  if (bytes !== coded.identity) response.setHeader('content-encoding', coding)
  response.setHeader('content-length', bytes.length)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}
