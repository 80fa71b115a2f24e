// Pure. Strong entity tags. A tag identifies the bytes sent, so each content coding of a body has its own.
import { hash } from 'node:crypto'

/** The part of the tag that a body has in every coding. */
export const digestOf = (body: string | Buffer): string => hash('sha256', body, 'base64url').slice(0, 27)

/** The tag in double quotes, as the header requires. */
export const tagOf = (digest: string, coding: string): string =>
  coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`

/** The tag of a body in a content coding. */
export const etagOf = (body: string, coding: string): string => tagOf(digestOf(body), coding)

/** Whether If-None-Match contains the tag. Weak tags match too: RFC 9110 requires weak comparison for this header. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
