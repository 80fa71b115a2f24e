// Pure except for randomness. A key is `assay_live_`, 30 random base62 characters, and their CRC32 in 6 more. A
// mistyped or truncated key is thus refused without a query. Only its SHA-256 is stored.
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'assay_live_'
const TICKET_PREFIX = 'assay_ticket_'
/** 62^30 is 178 bits. */
const RANDOM_LENGTH = 30
/** 62^6 is above 2^32. */
const CHECKSUM_LENGTH = 6
/** Leading characters kept for display: the prefix and four more. */
const DISPLAY_LENGTH = PREFIX.length + 4
const SHAPE = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** The stored form of a key: its SHA-256, and enough to recognise it in a list. */
export interface KeySecret {
  hash: Buffer
  prefix: string
  lastFour: string
}

function generate(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return prefix + random + checksumOf(random)
}

function isOurs(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix)) return false
  const rest = text.slice(prefix.length)
  return SHAPE.test(rest) && checksumOf(rest.slice(0, RANDOM_LENGTH)) === rest.slice(RANDOM_LENGTH)
}

const ANY_KEY = new RegExp(`${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}`, 'g')

/** The text without the secret part of its keys, so that it can be stored. */
export const withoutKeys = (text: string): string => text.replace(ANY_KEY, `${PREFIX}...`)

/** Generates a new key. It is shown once and never stored. */
export const generateKey = (): string => generate(PREFIX)

/** Whether the text has the shape and the checksum of a key. */
export const isWellFormed = (key: string): boolean => isOurs(PREFIX, key)

/** Generates a new ticket for a stream. It is shown once and never stored. */
export const generateTicket = (): string => generate(TICKET_PREFIX)

/** Whether the text has the shape and the checksum of a ticket. */
export const isTicket = (ticket: string): boolean => isOurs(TICKET_PREFIX, ticket)

/** The SHA-256 under which a key or a ticket is stored. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** Converts a key to its stored form. */
export const toSecret = (key: string): KeySecret => ({
  hash: hashKey(key),
  prefix: key.slice(0, DISPLAY_LENGTH),
  lastFour: key.slice(-4),
})

/** CRC32 in base62, most significant digit first, padded with zeros. */
function checksumOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit += 1) {
    text = ALPHABET.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}
