// Pure. A value as a cell of CSV (RFC 4180), for REST and for the page.

/** A cell that begins so is a formula to a spreadsheet, and strangers write names and symbols. */
const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

/** A list of texts is joined by spaces; any other list or object is JSON. */
export function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === 'string')
  const text = typeof value === 'string' ? value : isPlain ? value.join(' ') : JSON.stringify(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
