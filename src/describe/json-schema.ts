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
  maximum?: number
  default?: unknown
  items?: JsonSchema
  maxItems?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: false
  oneOf?: JsonSchema[]
  if?: JsonSchema
  then?: JsonSchema
  else?: JsonSchema
  not?: JsonSchema
  examples?: unknown[]
  /** The unit of a number. */
  'x-unit'?: string
}

/** JavaScript's largest exact integer, and the largest page and limit that are read. */
export const LARGEST = { integer: Number.MAX_SAFE_INTEGER, tenDigits: 9_999_999_999 } as const

/** A description of the GraphQL schema without the example at its end: a JSON schema has its own field for that. */
export const withoutExample = (description: string | null | undefined): string =>
  (description ?? '').replace(/ Example: [^\n]*\.$/, '')
