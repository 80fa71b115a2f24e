// Pure. Strong entity tags: one per body and content coding, since a tag names the bytes that are sent.
import { hash } from 'node:crypto'

/** Quoted, as the header wants it. */
export function etagOf(body: string, coding: string): string {
  const digest = hash('sha256', body, 'base64url').slice(0, 27)
  return coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`
}

/** Whether an If-None-Match names the tag; weak tags match too, as RFC 9110 says for this header. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
