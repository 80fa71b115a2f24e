// Pure. Whether an answer on a page still has the shape of the real one, and the real one cut and laid out for a page.

/** Characters of a line that holds a whole value. */
const LINE_LENGTH = 110

/** Where the two differ in shape, as paths; empty: nowhere. Null stands for any one value; lists may be of other lengths. */
export function differences(shown: unknown, real: unknown, path = ''): string[] {
  const kinds = [kindOf(shown), kindOf(real)]
  if (kinds.includes('null')) return kinds.includes('object') ? [`${path}: ${kinds.join(' is now ')}`] : []
  if (kinds[0] !== kinds[1]) return [`${path}: ${kinds.join(' is now ')}`]
  if (Array.isArray(shown) && Array.isArray(real)) {
    if (shown.length > 0 && real.length === 0) return [`${path}: the list is empty now`]
    return shown.flatMap((item, index) =>
      differences(item, real[Math.min(index, real.length - 1)], `${path}[${index}]`),
    )
  }
  if (!isRecord(shown) || !isRecord(real)) return []
  return [...new Set([...Object.keys(shown), ...Object.keys(real)])].flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`
    if (!(name in shown)) return [`${at}: is not shown`]
    if (!(name in real)) return [`${at}: is no more`]
    return differences(shown[name], real[name], at)
  })
}

/** What each run makes anew, by its name. */
const OF_A_RUN = /^(id|key|prefix|secret|ticket|signed|seconds|request_?id|last_?four|source_age_seconds)$/i
/** Whether it is a time that the demo chain has not reached. */
const isOfRun = (value: unknown): boolean => typeof value === 'string' && value > '2026' && TIME.test(value)
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Whether the two differ only in what each run makes anew. */
export function isLike(shown: unknown, real: unknown): boolean {
  if (Array.isArray(shown) && Array.isArray(real))
    return shown.length === real.length && shown.every((item, at) => isLike(item, real[at]))
  if (!isRecord(shown) || !isRecord(real)) return shown === real || (isOfRun(shown) && isOfRun(real))
  const names = Object.keys(real)
  return (
    names.join() === Object.keys(shown).join() &&
    names.every((name) => (OF_A_RUN.test(name) && kindOf(shown[name]) !== 'object') || isLike(shown[name], real[name]))
  )
}

/** The real answer without `extensions` where the page leaves them out: every GraphQL answer has its price there. */
export function leaveOutLike(shown: unknown, real: unknown): unknown {
  if (!isRecord(shown) || !isRecord(real) || 'extensions' in shown) return real
  const { extensions, ...rest } = real
  return rest
}

/** The real answer with every list cut to the length of the shown one. */
export function cutLike(shown: unknown, real: unknown): unknown {
  if (Array.isArray(shown) && Array.isArray(real)) {
    return real.slice(0, Math.max(shown.length, 1)).map((item, index) => cutLike(shown[index] ?? shown[0], item))
  }
  if (!isRecord(real)) return real
  const known = isRecord(shown) ? shown : {}
  return Object.fromEntries(Object.entries(real).map(([name, value]) => [name, cutLike(known[name], value)]))
}

/** JSON with every value on one line that fits there, and one part a line elsewhere. */
export function layOut(value: unknown, indent = ''): string {
  const line = inOneLine(value)
  if (indent.length + line.length <= LINE_LENGTH || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => layOut(item, inner))
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${layOut(part, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (!isRecord(value) || Object.keys(value).length === 0) return escapeUnseen(JSON.stringify(value))
  const parts = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${inOneLine(part)}`)
  return `{ ${parts.join(', ')} }`
}

/** Characters that cannot be seen, or turn the text around them: an answer shows what strangers wrote. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** JSON with those characters as \u and four digits. */
const escapeUnseen = (json: string): string => json.replace(UNSEEN, (found) => found.split('').map(toEscape).join(''))

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const isRecord = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'object'

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)
