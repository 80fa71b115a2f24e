// The tag of an answer's text without its extensions. It is weak, because `extensions.cost` in the same text differs
// each time.
import { hash } from 'node:crypto'

export const weakTagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, 27)}"`

const strong = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether the caller has the data already, by its If-None-Match. */
export const isHeld = (header: string | undefined, tag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((held) => strong(held) === strong(tag)))
