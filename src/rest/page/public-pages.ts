// Pages and files without a key that are the same for every caller. They are read once, compressed in memory, and
// answered with 304 if the client has them.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request, RequestHandler } from 'express'
import { type Coding, chooseCoding } from '../edge/coding.ts'
import { etagOf, matchesEtag } from '../edge/etag.ts'
import { isLocalHost, ownOriginOf } from '../edge/origin.ts'

export interface PublicPage {
  /** The media type. */
  type: string
  /** Reads it; called at the first visit, or at the first visit of each origin. */
  read(origin: string): Promise<string>
  /** Whether it names the address of this server. */
  isOfOrigin?: true
  headers?: Readonly<Record<string, string>>
}

/** Browsers ask again after this many seconds, with the ETag. */
const MAX_AGE_SECONDS = 300
/** It is compressed once, so a thorough quality is worth it; 11 takes seconds for a megabyte. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

type Kept = Record<Coding, { bytes: Buffer; etag: string }>

/** Answers GET and HEAD with the page. `publicUrl`: the public address of this server. */
export function showPage(page: PublicPage, publicUrl?: string): RequestHandler {
  const kept = new Map<string, Promise<Kept>>()
  return async (request, response) => {
    const origin = page.isOfOrigin ? knownOriginOf(request, publicUrl) : ''
    const known = kept.get(origin) ?? keep(page, origin)
    kept.set(origin, known)
    // A page that could not be read is tried again at the next visit.
    known.catch(() => kept.delete(origin))
    const coding = chooseCoding(request)
    const { bytes, etag } = (await known)[coding]
    for (const [name, value] of Object.entries(page.headers ?? {})) response.setHeader(name, value)
    response.setHeader('etag', etag)
    response.setHeader('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
    response.setHeader('vary', 'Accept-Encoding')
    if (matchesEtag(request.headers['if-none-match'], etag)) return void response.status(304).end()
    response.setHeader('content-type', `${page.type}; charset=utf-8`)
    if (coding !== 'identity') response.setHeader('content-encoding', coding)
    response.setHeader('content-length', bytes.length)
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }
}

/** This server's address for its callers; empty: unknown. What a caller sends is taken for names of this machine only. */
function knownOriginOf(request: Request, publicUrl: string | undefined): string {
  if (isLocalHost(request)) return ownOriginOf(request)
  return publicUrl?.replace(/\/+$/, '') ?? ''
}

async function keep({ read }: PublicPage, origin: string): Promise<Kept> {
  const text = await read(origin)
  const identity = Buffer.from(text)
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity, BROTLI), promisify(gzip)(identity)])
  const tag = (bytes: Buffer, coding: Coding) => ({ bytes, etag: etagOf(text, coding) })
  return { br: tag(br, 'br'), gzip: tag(gz, 'gzip'), identity: tag(identity, 'identity') }
}
