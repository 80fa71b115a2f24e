// Tokens of links and codes of invites: 256 random bits. Only their SHA-256 is stored.
import { hash, randomBytes } from 'node:crypto'

const BYTES = 32
/** 32 bytes in base64url. */
const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** A new token. It is shown once and never stored. */
export const drawToken = (): string => randomBytes(BYTES).toString('base64url')

/** The form in which a token is stored; null for a text that is no token. */
export const hashToken = (token: string): Buffer | null => (SHAPE.test(token) ? hash('sha256', token, 'buffer') : null)
