// Pure. The JSON schema of one value: a leaf of the GraphQL schema in REST's form, with its meaning, unit and example.
// Enums become components of their own.
import { type GraphQLEnumType, type GraphQLLeafType, isEnumType } from 'graphql'
import type { Note } from '../graph/schema/field-notes.ts'
import { SQL_LIMITS } from '../sql/limits.ts'
import { integerSchema, type JsonSchema, LARGEST, openWords } from './json-schema.ts'
import { ADDRESS, ADDRESS_SENT, TIME_SENT, textOf } from './texts.ts'

const BOUNDS: Readonly<Record<string, JsonSchema>> = {
  'points, 0-100': { minimum: 0, maximum: 100 },
  'fraction, 0-1': { minimum: 0, maximum: 1 },
  'USD, above 0': { exclusiveMinimum: 0 },
}

/** Counts are integers even if their GraphQL type is wider than Int. */
const WHOLE = new Set(['count', 'items'])

export interface Value {
  /** Its name in REST. */
  name: string
  /** Its type and field, or its input type and field, in GraphQL; an argument has its name alone. */
  place: string
  type: GraphQLLeafType
  note: Note
  description: string
  /** Whether a caller sends it. */
  sent?: boolean
}

/** The schema of one value, without lists and null. Adds the component of an enum. */
export function valueSchema(value: Value, schemas: Record<string, JsonSchema>): JsonSchema {
  const { type, note, description, sent = false } = value
  const known = isEnumType(type) ? addWords(type, schemas) : null
  return {
    // A new word of an answer breaks no client; a caller sends only words that are known.
    ...(known ? (sent ? known : openWords(known)) : typeSchema(value)),
    description,
    ...(note.unit !== undefined && { 'x-unit': note.unit }),
    ...(note.example !== undefined && { examples: [note.example] }),
  }
}

/** Adds the component of an enum, once. */
function addWords(type: GraphQLEnumType, schemas: Record<string, JsonSchema>): JsonSchema {
  const words = type.getValues()
  schemas[type.name] ??= {
    type: 'string',
    description: type.description ?? '',
    enum: words.map(({ name }) => name),
    examples: [words[0]?.name],
  }
  return { $ref: `#/components/schemas/${type.name}` }
}

function typeSchema({ name, place, type, note: { unit }, sent = false }: Value): JsonSchema {
  if (type.name === 'Address') return sent ? ADDRESS_SENT : ADDRESS
  if (type.name === 'DateTime') return sent ? TIME_SENT : { type: 'string', format: 'date-time', maxLength: 24 }
  if (type.name === 'Date') return { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', maxLength: 10 }
  if (type.name === 'Boolean') return { type: 'boolean' }
  if (type.name === 'Rows') return { type: 'array', items: { type: 'object' }, maxItems: SQL_LIMITS.rows }
  if (unit !== undefined && (type.name === 'Int' || WHOLE.has(unit))) {
    if (name === 'limit') return integerSchema(1, LARGEST.tenDigits)
    return integerSchema(0, type.name === 'Int' ? LARGEST.int32 : LARGEST.exact)
  }
  if (unit !== undefined) return { type: 'number', format: 'double', ...BOUNDS[unit] }
  return textOf(place, name)
}
