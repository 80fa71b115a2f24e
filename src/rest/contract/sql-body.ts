// Pure. Reads the body of POST /sql: the query, and nothing else.
import { SQL_LIMITS } from '../../sql/limits.ts'
import { isObject, openFaults, refuseBody, refuseUnknown } from './body-fields.ts'
import type { Params } from './params.ts'

export function readSql(body: unknown): Params {
  const { faults, addFault } = openFaults()
  if (!isObject(body)) return refuseBody()
  refuseUnknown(body, ['query'], '', addFault)
  const { query } = body
  if (typeof query !== 'string') addFault('query', query === undefined ? 'is required' : 'must be a string')
  else if (query.length > SQL_LIMITS.text) addFault('query', `must have ${SQL_LIMITS.text} characters at most`)
  return { values: { query }, faults }
}
