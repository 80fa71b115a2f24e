// Pure. The JSON schema of one value: a leaf of the GraphQL schema in REST's form, with its meaning, unit and example.
import { type GraphQLLeafType, isEnumType } from 'graphql'
import type { Note } from '../graph/schema/field-notes.ts'
import { SQL_LIMITS } from '../sql/limits.ts'
import { type JsonSchema, LARGEST } from './json-schema.ts'

const EVENT_ID = '^(0|[1-9][0-9]{0,9})(-(0|[1-9][0-9]{0,9})){2}$'

export const EVENT_ID_SENT = { pattern: EVENT_ID, maxLength: 32 }

/** The id of a key. */
const NUMBER_ID = /^[1-9][0-9]{0,8}$/

export const TIME_SENT = { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}', maxLength: 40 }

/** Texts with a stricter form than their type, by their names in REST. */
const TEXTS: Readonly<Record<string, JsonSchema>> = {
  tx_hash: { pattern: '^0x[0-9a-f]{64}$', minLength: 66, maxLength: 66 },
  ai_summary: { pattern: '\\S', minLength: 1, maxLength: 400 },
  after: { pattern: '^[\\w-]+$', minLength: 1, maxLength: 100 },
  id: { format: 'uuid', maxLength: 36 },
  since: TIME_SENT,
  from: TIME_SENT,
  to: TIME_SENT,
}
/** Names and symbols of contracts are cut to 256 characters. */
const TEXT = { pattern: '^[^\\u0000]*$', maxLength: 256 }

/** The label of an alert. */
const LABEL = { pattern: '\\S', minLength: 1, maxLength: 100 }

const ADDRESS = { type: 'string', pattern: '^0x[0-9a-f]{40}$', minLength: 42, maxLength: 42 }
/** Addresses are accepted in any case. */
export const ADDRESS_SENT = { ...ADDRESS, pattern: '^0x[0-9a-fA-F]{40}$' }

const BOUNDS: Readonly<Record<string, JsonSchema>> = {
  'points, 0-100': { minimum: 0, maximum: 100 },
  'fraction, 0-1': { minimum: 0, maximum: 1 },
}

/** Counts are integers even if their GraphQL type is wider than Int. */
const WHOLE = new Set(['count', 'items'])

export interface Value {
  /** Its name in REST. */
  name: string
  type: GraphQLLeafType
  note: Note
  description: string
  /** Whether a caller sends it. */
  sent?: boolean
}

/** The schema of one value, without lists and null. */
export function valueSchema(value: Value): JsonSchema {
  const { note, description } = value
  return {
    ...typeSchema(value),
    description,
    ...(note.unit !== undefined && { 'x-unit': note.unit }),
    ...(note.example !== undefined && { examples: [note.example] }),
  }
}

function typeSchema({ name, type, note: { unit, example }, sent = false }: Value): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map((word) => word.name) }
  if (type.name === 'Address') return sent ? ADDRESS_SENT : ADDRESS
  if (type.name === 'DateTime' && !sent) return { type: 'string', format: 'date-time', maxLength: 24 }
  if (type.name === 'Boolean') return { type: 'boolean' }
  if (type.name === 'Rows') return { type: 'array', items: { type: 'object' }, maxItems: SQL_LIMITS.rows }
  if (unit !== undefined && (type.name === 'Int' || WHOLE.has(unit))) {
    const [minimum, maximum] = [name === 'limit' ? 1 : 0, sent ? LARGEST.tenDigits : LARGEST.integer]
    return { type: 'integer', format: 'int64', minimum, maximum }
  }
  if (unit !== undefined) return { type: 'number', format: 'double', ...BOUNDS[unit] }
  if (/(^|_)id$/.test(name) && NUMBER_ID.test(String(example)))
    return { type: 'string', pattern: NUMBER_ID.source, maxLength: 9 }
  const isEvent = name === 'id' && new RegExp(EVENT_ID).test(String(example))
  if (sent && name === 'name') return { type: 'string', ...LABEL }
  return { type: 'string', ...(isEvent ? EVENT_ID_SENT : (TEXTS[name] ?? TEXT)) }
}
