// The arguments of tools. Every agent reads their list before its first question. A fault says what would be right.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { nearestOf } from '../base/nearest.ts'

/** An object that takes no other names. Its fault names the unknown one, and the nearest that it takes. */
export const strict = (shape: z.ZodRawShape) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys' || !Array.isArray(issue.keys)) return undefined
      return issue.keys
        .slice(0, MOST_NAMED)
        .map((key) => refuse(String(key), Object.keys(shape)))
        .join('; ')
    },
  })

/** The most unknown names that a fault repeats. */
const MOST_NAMED = 5
const MOST_ECHOED = 64
function refuse(key: string, known: readonly string[]): string {
  const name = key.slice(0, MOST_ECHOED)
  const best = nearestOf(name, known)
  return `it takes no ${name}: ${best === undefined ? `it takes ${known.join(', ')}` : `did you mean ${best}?`}`
}

/** What the list leaves out of a schema: `describe` tells it, and the fault of an argument does. */
const LEFT_OUT = [
  'additionalProperties',
  'default',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'minItems',
  'minLength',
  'maximum',
  'minimum',
  'pattern',
] as const
/** The most words that the list names. */
const MOST_WORDS = 8

/** The schema of the list of tools: names and types. */
const toShort = (input: z.ZodType) => {
  const { $schema, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      for (const key of LEFT_OUT) delete jsonSchema[key]
      if (path.length > 0) delete jsonSchema.properties
      if ((jsonSchema.enum?.length ?? 0) > MOST_WORDS) delete jsonSchema.enum
    },
  })
  return schema
}

/** An input for the SDK, which checks everything and lists little. */
interface Listed extends StandardSchemaWithJSON<Record<string, unknown>> {
  /** The whole schema. */
  tellAll(): object
}

export function toListed(shape: z.ZodRawShape): Listed {
  const input = strict(shape)
  const schema = toShort(input)
  const { validate, vendor } = input['~standard']
  return {
    tellAll: () => z.toJSONSchema(input, { io: 'input' }),
    '~standard': { version: 1, vendor, validate, jsonSchema: { input: () => schema, output: () => schema } },
  }
}
