// Pure. The common parts of reading a JSON body: each fault names its field, and unknown fields are refused.
import { checkName } from '../../base/alert.ts'
import type { Fault } from '../../base/errors.ts'
import { clip, hint, MAX_FAULTS, type Params } from './params.ts'

export type Json = Record<string, unknown>
export type AddFault = (field: string, message: string) => void

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The answer to a body that is no object. */
export const refuseBody = (): Params => ({
  values: {},
  faults: [{ location: 'body', field: '', message: 'the body must be a JSON object' }],
})

/** An empty list of faults, and a function that adds one to it. */
export function openFaults(): { faults: Fault[]; addFault: AddFault } {
  const faults: Fault[] = []
  const addFault: AddFault = (field, message) =>
    faults.push({ location: 'body', field, message: `${field || 'the body'} ${message}` })
  return { faults, addFault }
}

export function refuseUnknown(given: Json, known: readonly string[], prefix: string, addFault: AddFault): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  for (const name of unknown.slice(0, MAX_FAULTS)) {
    addFault(prefix + clip(name), `is not a field here${hint(name, known)}`)
  }
  const more = unknown.length - MAX_FAULTS
  if (more > 0) addFault(prefix.slice(0, -1), `has ${more} more fields that are not fields here`)
}

/** The trimmed name of an alert or a key; empty with a fault. */
export function readLabel(name: unknown, addFault: AddFault): string {
  if (typeof name !== 'string') {
    addFault('name', name === undefined ? 'is required' : 'must be a string')
    return ''
  }
  const checked = checkName(name)
  if ('name' in checked && !/\p{Surrogate}/u.test(name)) return checked.name
  addFault('name', 'fault' in checked ? checked.fault : 'must be valid Unicode')
  return ''
}
