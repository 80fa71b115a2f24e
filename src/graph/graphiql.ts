// GraphiQL as one page of nine megabytes that contains everything, also the schema. So it needs no other server, and can be
// used before a key is entered. It is rendered once and kept in memory compressed; browsers cache it until it changes.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import { type GraphQLSchema, introspectionFromSchema } from 'graphql'
import { EXAMPLES } from './examples.ts'

/** Whether a browser navigates to the page. It cannot send a key then. A query in the URL does not matter: the page itself puts it there. */
export function wantsPage({ method, headers }: IncomingMessage): boolean {
  const reads = method === 'GET' || method === 'HEAD'
  return reads && (headers.accept ?? '').includes('text/html') && !headers.authorization
}

/** Nothing is loaded from elsewhere: scripts and styles are in the page, and workers are made from it. */
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
  /** Every browser accepts gzip, and Brotli would save less than a fifth. */
  gzipped: Buffer
}

/** Makes a function that sends the page with the schema in it. Its first call renders the page. */
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
    // For a client that reads nothing the kernel buffers the whole page, and the connection would stay open as if idle.
    response.setHeader('connection', 'close')
    if (takesGzip(request.headers['accept-encoding'] ?? '')) {
      response.setHeader('content-encoding', 'gzip')
      response.setHeader('content-length', gzipped.length)
      return void response.end(request.method === 'HEAD' ? undefined : gzipped)
    }
    if (request.method === 'HEAD') return void response.end()
    // A client that does not accept gzip gets the page unpacked as fast as it reads, so that it is never whole in memory. A
    // client that disconnects is no error.
    const unpack = createGunzip()
    unpack.end(gzipped)
    response.once('close', () => unpack.destroy())
    unpack.pipe(response)
  }
}

async function render(schema: GraphQLSchema): Promise<Rendered> {
  // Imported here because its text takes 30 MB of memory, which a server without visitors does not need.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const headers = JSON.stringify({ Authorization: 'Bearer YOUR_KEY' }, null, 2)
  const options = {
    // An option of GraphiQL that Yoga passes on without typing it. Without it the page requests the schema before it has a key.
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
