// Pages and files without a key that are the same for every caller. They are read once, compressed in memory, and
// answered with 304 if the client has them.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import { type Coding, chooseCoding } from '../edge/coding.ts'
import { etagOf, matchesEtag } from '../edge/etag.ts'

export interface PublicPage {
  /** The media type. */
  type: string
  /** Reads it; called at the first visit. */
  read(): Promise<string>
  headers?: Readonly<Record<string, string>>
}

/** Browsers ask again after this many seconds, with the ETag. */
const MAX_AGE_SECONDS = 300
/** It is compressed once, so a thorough quality is worth it; 11 takes seconds for a megabyte. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

type Kept = Record<Coding, { bytes: Buffer; etag: string }>

/** Answers GET and HEAD with the page. */
export function showPage(page: PublicPage): RequestHandler {
  let kept: Promise<Kept> | undefined
  return async (request, response) => {
    kept ??= keep(page)
    // A page that could not be read is tried again at the next visit.
    kept.catch(() => {
      kept = undefined
    })
    const coding = chooseCoding(request)
    const { bytes, etag } = (await kept)[coding]
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

async function keep({ read }: PublicPage): Promise<Kept> {
  const text = await read()
  const identity = Buffer.from(text)
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity, BROTLI), promisify(gzip)(identity)])
  const tag = (bytes: Buffer, coding: Coding) => ({ bytes, etag: etagOf(text, coding) })
  return { br: tag(br, 'br'), gzip: tag(gz, 'gzip'), identity: tag(identity, 'identity') }
}
