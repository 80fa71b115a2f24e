// Tokens of links and codes of invites: 256 random bits. Only their SHA-256 is stored.
import { hash, randomBytes } from 'node:crypto'

const BYTES = 32
/** 32 bytes in base64url. */
const SHAPE = /^[A-Za-z0-9_-]{43}$/

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** A new token, which is shown once and never stored, and its stored form. */
export function drawToken(): { token: string; hash: Buffer } {
  const token = randomBytes(BYTES).toString('base64url')
  return { token, hash: hashOf(token) }
}

/** The form in which a token is stored; null for a text that is no token. */
export const hashToken = (token: string): Buffer | null => (SHAPE.test(token) ? hashOf(token) : null)
