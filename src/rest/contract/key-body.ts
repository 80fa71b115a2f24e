// Pure. Turns the bodies of /me/keys into the input of their mutations, and reports all faults.
import { isObject, openFaults, readLabel, refuseBody, refuseUnknown } from './body-fields.ts'
import type { Params } from './params.ts'

/** The body that makes or renames a key. */
export function readKey(body: unknown): Params {
  if (!isObject(body)) return refuseBody()
  const { faults, addFault } = openFaults()
  refuseUnknown(body, ['name'], '', addFault)
  return { values: { input: { name: readLabel(body.name, addFault) } }, faults }
}

/** The body that rotates a key. The mutation checks the range. */
export function readRotation(body: unknown): Params {
  if (!isObject(body)) return refuseBody()
  const { faults, addFault } = openFaults()
  refuseUnknown(body, ['overlap_hours'], '', addFault)
  const { overlap_hours: hours } = body
  if (hours === undefined) return { values: { input: {} }, faults }
  if (!Number.isInteger(hours) || Math.abs(Number(hours)) > MOST_INT)
    addFault('overlap_hours', 'must be a whole number')
  return { values: { input: { overlapHours: hours } }, faults }
}

/** The largest GraphQL Int. */
const MOST_INT = 2 ** 31 - 1
