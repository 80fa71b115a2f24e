// The page for people: one HTML file at each of its addresses, and the files that it loads. It queries /graphql like
// any client. Without a built page, its addresses are 404 and / stays the list of entry points.
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Express, Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { ChainPaths } from '../../base/chains.ts'
import type { SignupMode } from '../../signup/signup.ts'
import { chooseCoding } from '../edge/coding.ts'
import { refuseMethod } from '../edge/public.ts'
import { PAGE_PATHS, SIGNUP_PAGE, serverOf, withCard } from './card.ts'
import { awaitsDemoKey } from './demo-key.ts'
import type { PageFile, PageFiles } from './page-files.ts'

/** The page loads nothing from other hosts, and its only inline content is its style sheet, by its hash. */
const policyOf = (styleHash: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${styleHash}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

interface PageDeps {
  /** Answers / for programs. */
  showDoors: RequestHandler
  files: PageFiles | null
  /** The public address of this server; without it, cards of shared links use the request's host. */
  publicUrl: string | undefined
  /** If it returns a key, the page requests it while its script loads. */
  readDemoKey: (() => Promise<string | null>) | undefined
  /** Who may sign up; null: nobody, and the page does not offer it. */
  signup: SignupMode | null
  /** Undefined where there is one chain. */
  chains?: ChainPaths | undefined
}

/** Mounts the page. Returns the handler for a browser at an unknown address: 404, and the page says so. */
export function mountPage(
  app: Express,
  { showDoors, files, publicUrl, readDemoKey, signup, chains }: PageDeps,
): { showUnknown: RequestHandler } {
  const showIndex = files
    ? createIndex(files, { publicUrl: publicUrl?.replace(/\/+$/, ''), readDemoKey, signup, chains })
    : showDoors
  app.get('/', (request, response, next) => {
    response.vary('Accept')
    return wantsHtml(request) ? showIndex(request, response, next) : showDoors(request, response, next)
  })
  app.all('/', refuseMethod(['GET']))
  if (!files) return { showUnknown: (_request, _response, next) => next() }
  for (const address of PAGE_PATHS.slice(1)) {
    if (address === SIGNUP_PAGE && signup === null) continue
    app.get(address, showIndex)
    app.all(address, refuseMethod(['GET']))
  }
  app.get('/assets/:name', (request, response, next) => {
    const file = files.assets.get(String(request.params.name))
    if (!file) return next()
    response.setHeader('cache-control', 'public, max-age=31536000, immutable')
    sendFile(request, response, file)
  })
  const showUnknown: RequestHandler = (request, response, next) => {
    response.vary('Accept')
    if (!['GET', 'HEAD'].includes(request.method) || !wantsHtml(request)) return next()
    response.status(404)
    return showIndex(request, response, next)
  }
  return { showUnknown }
}

/** A browser that navigates accepts text/html; programs accept JSON or anything. */
const wantsHtml = ({ headers }: Request): boolean => (headers.accept ?? '').includes('text/html')

/** The most packed pages in the cache: packing one takes 0.2 ms, and most visits are of few addresses. */
const MOST_KEPT = 100
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const ASK_FOR_KEY =
  '<link rel="preload" href="/demo-key" as="fetch" crossorigin="anonymous" referrerpolicy="same-origin" />\n  </head>'

/** What the page's script reads of this server. The names and paths of chains have no signs of HTML. */
function metasOf(signup: SignupMode | null, chains: ChainPaths | undefined): string {
  const all = chains && [...chains.all].map(([name, path]) => `${name}=${path}`).join(' ')
  const metas = { ...(signup && { signup }), ...(chains && { chain: chains.path, chains: all }) }
  return Object.entries(metas)
    .map(([name, content]) => `<meta name="${name}" content="${content}" />\n  `)
    .join('')
}

/** Answers with the HTML of an address. */
function createIndex(
  { index, cardImage }: PageFiles,
  { publicUrl, readDemoKey, signup, chains }: Pick<PageDeps, 'publicUrl' | 'readDemoKey' | 'signup' | 'chains'>,
): RequestHandler {
  const built = index.coded.identity.toString()
  const html = built.replace('</head>', `${metasOf(signup, chains)}</head>`)
  const htmlForDemo = html.replace('</head>', ASK_FOR_KEY)
  const styles = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
  const policy = policyOf(createHash('sha256').update(styles).digest('base64'))
  const kept = new LRUCache<string, PageFile['coded']>({ max: MOST_KEPT })
  const pack = (page: string): PageFile['coded'] => {
    const found = kept.get(page)
    if (found) return found
    const identity = Buffer.from(page)
    const coded = { identity, gzip: gzipSync(identity), br: brotliCompressSync(identity, QUICKLY) }
    kept.set(page, coded)
    return coded
  }
  return async (request, response) => {
    const text = (await awaitsDemoKey(request, readDemoKey)) ? htmlForDemo : html
    response.setHeader('cache-control', 'no-cache')
    response.setHeader('content-security-policy', policy)
    response.setHeader('referrer-policy', 'no-referrer')
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    const origin = publicUrl ?? `${serverOf(request.protocol, request.headers.host)}${chains?.path ?? ''}`
    sendFile(request, response, { type: index.type, coded: pack(withCard(text, request.path, origin, cardImage)) })
  }
}

/** Sends a file in the coding that the browser takes. */
export function sendFile(request: Request, response: Response, { type, coded }: PageFile): void {
  const coding = chooseCoding(request)
  const bytes = coded[coding]
  response.vary('Accept-Encoding')
  response.setHeader('content-type', type)
  // A picture has no packed form: its bytes are the same in each coding.
  if (coding !== 'identity' && coded.br !== coded.gzip) response.setHeader('content-encoding', coding)
  response.setHeader('content-length', bytes.length)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}
