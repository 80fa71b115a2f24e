// GraphiQL: one page of nine megabytes with everything in it, the schema too, so that it loads with no network but this
// server and is of use before a key is put in. It is rendered once, kept in memory in one compressed
// form, sent in that, and kept by browsers until it changes.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import { type GraphQLSchema, introspectionFromSchema } from 'graphql'
import { EXAMPLES } from './examples.ts'

/** Whether a browser asks for the page: it navigates here, and can send no key then. The page puts its query into the address. */
export function wantsPage({ method, headers }: IncomingMessage): boolean {
  const reads = method === 'GET' || method === 'HEAD'
  return reads && (headers.accept ?? '').includes('text/html') && !headers.authorization
}

/** Nothing comes from elsewhere: scripts and styles stand in the page, workers are made of it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  "style-src 'unsafe-inline'",
  'worker-src blob:',
  'img-src data: blob:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Rendered {
  etag: string
  /** Every browser takes it, and Brotli is no fifth smaller. */
  gzipped: Buffer
}

/** Sends the page with the schema in it; the first call renders it. */
export function createPage(
  schema: GraphQLSchema,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let rendered: Promise<Rendered> | undefined
  return async (request, response) => {
    rendered ??= render(schema)
    const { etag, gzipped } = await rendered
    response.setHeader('etag', etag)
    response.setHeader('cache-control', 'public, max-age=3600')
    response.setHeader('vary', 'Accept, Accept-Encoding')
    response.setHeader('content-security-policy', POLICY)
    response.setHeader('referrer-policy', 'no-referrer')
    if (request.headers['if-none-match'] === etag) {
      response.statusCode = 304
      return void response.end()
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    // The kernel takes all of it for a client that reads nothing, and the connection would then be kept as an idle one.
    response.setHeader('connection', 'close')
    if (takesGzip(request.headers['accept-encoding'] ?? '')) {
      response.setHeader('content-encoding', 'gzip')
      response.setHeader('content-length', gzipped.length)
      return void response.end(request.method === 'HEAD' ? undefined : gzipped)
    }
    if (request.method === 'HEAD') return void response.end()
    // For whoever takes it as it is: unpacked as fast as it is read, never whole. A client that goes away is no failure.
    const unpack = createGunzip()
    unpack.end(gzipped)
    response.once('close', () => unpack.destroy())
    unpack.pipe(response)
  }
}

async function render(schema: GraphQLSchema): Promise<Rendered> {
  // Its text takes 30 MB of memory, which a server that nobody visits does not need.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const headers = JSON.stringify({ Authorization: 'Bearer YOUR_KEY' }, null, 2)
  const options = {
    // GraphiQL's own option, which Yoga hands on and does not type: without it the page asks for the schema, with no key yet.
    schema: introspectionFromSchema(schema),
    title: 'Assay GraphQL',
    headers,
    defaultHeaders: headers,
    defaultEditorToolsVisibility: 'headers' as const,
    defaultTabs: EXAMPLES.map(({ query }) => ({ query, headers })),
  }
  const page = renderGraphiQL(options)
  const identity = Buffer.from(page)
  return {
    etag: `"${createHash('sha256').update(identity).digest('hex').slice(0, 32)}"`,
    gzipped: await promisify(gzip)(identity),
  }
}

const takesGzip = (accepted: string): boolean => /\bgzip\b(?! *; *q=0(\.0*)?(,|$))/.test(accepted)
