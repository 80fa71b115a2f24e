// Pure. Turns the bodies of /gate/policies into the input of their mutations, and reports all faults.
import { faultOfPolicyName, GATE_BOUNDS } from '../../gate/policy.ts'
import { faultOfRules } from '../../gate/rules.ts'
import { readConditions, readWord } from './alert-body.ts'
import { isObject, type Json, openFaults, refuseBody, refuseUnknown } from './body-fields.ts'
import type { Params } from './params.ts'

const FIELDS = { create: ['name', 'bounds', 'rules', 'conditions'], update: ['bounds', 'rules', 'conditions'] } as const

/** Reads a parsed body. In an update, fields left out stay unchanged. */
export function readPolicyBody(body: unknown, kind: 'create' | 'update'): Params {
  const { faults, addFault } = openFaults()
  if (!isObject(body)) return refuseBody()
  refuseUnknown(body, FIELDS[kind], '', addFault)
  const read = (field: string, faultOf: (text: string) => string | null): unknown => {
    const text = body[field]
    const fault = typeof text === 'string' ? faultOf(text) : text === undefined ? 'is required' : 'must be a string'
    if (fault !== null) addFault(field, fault)
    return text
  }
  const input: Json = {}
  if (kind === 'create') input.name = read('name', faultOfPolicyName)
  if ('rules' in body) input.rules = read('rules', faultOfRules)
  if ('bounds' in body) input.bounds = readWord(body, 'bounds', GATE_BOUNDS, addFault)
  if ('conditions' in body) input.conditions = readConditions(body.conditions, addFault)
  return { values: { input }, faults }
}
