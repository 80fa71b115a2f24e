// The block that a statement saw, as one short text.
import type { Head } from '../head.ts'

/** A column with the newest block, which PostgreSQL computes once per statement. */
export const AT = `(SELECT number || ':' || left(hash, 18) FROM block ORDER BY number DESC LIMIT 1) AS at`

/** The value of that column when the newest block is this one; null before the first block. */
export const blockTagOf = (head: Head): string | null =>
  head.hash === '' ? null : `${head.number}:${head.hash.slice(0, 18)}`
