// Removes secrets from any text: keys, bearer tokens, and credentials in URLs. Pure.

export const REPLACED = '[redacted]'
const API_KEY = /assay_live_[0-9A-Za-z]+/g
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]+/gi
const CREDENTIALS = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'@]+@/gi

/** The text without keys, bearer tokens and credentials in URLs. */
export function redact(text: string): string {
  return text
    .replace(API_KEY, `assay_live_${REPLACED}`)
    .replace(BEARER, `$1 ${REPLACED}`)
    .replace(CREDENTIALS, `$1${REPLACED}@`)
}
