// The parts of JSON Schema 2020-12 that the description of the API uses.

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  enum?: readonly (string | null)[]
  const?: string
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  default?: unknown
  items?: JsonSchema
  maxItems?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: false
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  if?: JsonSchema
  then?: JsonSchema
  else?: JsonSchema
  not?: JsonSchema
  examples?: unknown[]
  /** The unit of a number. */
  'x-unit'?: string
}

/** The largest integer of GraphQL, JavaScript's largest exact one, and the largest page and limit that are read. */
export const LARGEST = { int32: 2 ** 31 - 1, exact: Number.MAX_SAFE_INTEGER, tenDigits: 9_999_999_999 } as const

/**
 * A whole number. No number of the API passes 2^53, so none has the format `int64`. Generators make another type of
 * that.
 */
export const integerSchema = (minimum: number, maximum: number = LARGEST.int32): JsonSchema => ({
  type: 'integer',
  ...(maximum <= LARGEST.int32 && { format: 'int32' }),
  minimum,
  maximum,
})

/** Any text of so many characters. Not every language has patterns with NUL, so none excludes it. */
export const textSchema = (maxLength: number): JsonSchema => ({ type: 'string', pattern: '^[\\s\\S]*$', maxLength })

/** Sentences that this server writes. */
export const SENTENCE = textSchema(2_000)

/** The component of words that a later version adds. */
export const LATER_WORD = 'LaterWord'

export const LATER_WORDS: Readonly<Record<string, JsonSchema>> = {
  [LATER_WORD]: {
    type: 'string',
    description: 'A word that a later version of the server adds.',
    pattern: '^[A-Za-z0-9_]+$',
    maxLength: 64,
    examples: ['later'],
  },
}

/** Words of an answer: the known ones, and those that a later version adds. */
export const openWords = (known: JsonSchema): JsonSchema => ({
  anyOf: [known, { $ref: `#/components/schemas/${LATER_WORD}` }],
})

/** The same, or null. */
export function orNullSchema(one: JsonSchema, description = one.description ?? ''): JsonSchema {
  const { $ref, type, anyOf, ...rest } = one
  if ($ref !== undefined) return { description, oneOf: [{ $ref }, { type: 'null' }] }
  if (anyOf) return { ...rest, anyOf: [...anyOf, { type: 'null' }] }
  const types = [type ?? 'string'].flat()
  return { ...rest, type: types.includes('null') ? types : [...types, 'null'] }
}

/** A description of the GraphQL schema without the example at its end: a JSON schema has its own field for that. */
export const withoutExample = (description: string | null | undefined): string =>
  (description ?? '').replace(/ Example: [^\n]*\.$/, '')
