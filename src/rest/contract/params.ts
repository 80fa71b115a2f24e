// Pure. Reads a query string into values and reports every fault: unknown, repeated, empty or malformed parameters.
// Nothing is ignored, because a mistyped filter would silently list unsafe tokens.
import type { Fault } from '../../base/errors.ts'
import { nearestOf } from '../../base/nearest.ts'
import { toSnake } from '../../fields/field.ts'
import { checkPairs } from '../../fields/filter.ts'
import type { Param } from './param.ts'

/** Error messages repeat at most this many characters of the caller's text. */
const ECHO_LENGTH = 60
/** Faults that an answer names. A suggestion for each of a thousand misspelt names holds the process for 30 ms. */
export const MAX_FAULTS = 20

export interface Params {
  values: Record<string, unknown>
  faults: Fault[]
}

/** Reads the part of a URL after `?`. A parameter that is a list may be given several times; any other one once. */
export function readQuery(search: string, known: Readonly<Record<string, Param>>): Params {
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  const addFault = (field: string, message: string) =>
    faults.push({ location: 'query', field, message: `${field} ${message}` })
  const sent = collect(search)
  for (const { name, texts } of sent.values()) {
    if (faults.length >= MAX_FAULTS) break
    const field = clip(name)
    if (!texts) {
      addFault(field, 'is not valid percent-encoding in UTF-8')
      continue
    }
    const param = Object.hasOwn(known, name) ? known[name] : undefined
    if (!param) {
      addFault(field, `is not a parameter here${hint(name, Object.keys(known))}`)
      continue
    }
    const read = readTexts(param, texts)
    if ('fault' in read) addFault(field, read.fault)
    else values[param.name] = read.value
    if (texts.length > 1 && !param.isList) addFault(field, 'must be given once')
  }
  if (faults.length >= MAX_FAULTS) {
    const message = `only the first ${MAX_FAULTS} faults are named`
    return { values, faults: [...faults.slice(0, MAX_FAULTS), { location: 'query', field: '', message }] }
  }
  for (const [name, param] of Object.entries(known))
    if (param.isRequired && !sent.has(name)) addFault(name, 'is required')
  return { values, faults: faults.concat(checkBounds(values)) }
}

/** A parameter as it was sent; null: its percent-encoding is broken. */
interface Sent {
  name: string
  texts: string[] | null
}

/** The parameters by their names, in the order of the query; broken ones by all of their text. */
function collect(search: string): Map<string, Sent> {
  const sent = new Map<string, Sent>()
  for (const part of search.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const text = decode(equals < 0 ? '' : part.slice(equals + 1))
    if (name === null || text === null) {
      sent.set(`${part}\n`, { name: name ?? part, texts: null })
      continue
    }
    const known = sent.get(name)
    if (known) known.texts?.push(text)
    else sent.set(name, { name, texts: [text] })
  }
  return sent
}

const readTexts = (param: Param, texts: readonly string[]) =>
  texts.includes('') ? { fault: 'must not be empty' } : param.read(param.isList ? texts.join(',') : (texts[0] ?? ''))

/** Faults between parameters that are valid on their own. */
function checkBounds(values: Record<string, unknown>): Fault[] {
  const { sort, asOf } = values
  if (asOf !== undefined && (sort === 'gainers' || sort === 'losers')) {
    const message = `as_of must be left out with sort=${sort}, whose order is always of the newest block`
    return [{ location: 'query', field: 'as_of', message }]
  }
  return checkPairs(values, toSnake).map(({ field, fault }) => ({
    location: 'query',
    field,
    message: `${field} ${fault}`,
  }))
}

/** Decodes percent-encoding, with `+` as a space; null if it is invalid. Most texts have nothing to decode. */
function decode(text: string): string | null {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** Shortens the caller's text for an error message. */
export const clip = (text: string): string => (text.length > ECHO_LENGTH ? `${text.slice(0, ECHO_LENGTH)}...` : text)

/** Suggests a known name, as the end of a sentence; without a near one, it lists them all. */
export function hint(name: string, known: readonly string[]): string {
  if (known.length === 0) return ': none are taken'
  const best = nearestOf(name.slice(0, ECHO_LENGTH), known)
  return best === undefined ? `: it takes ${known.join(', ')}` : `: did you mean ${best}?`
}
