import { readFileSync } from 'node:fs'
import {
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  parse,
  specifiedScalarTypes,
  validate,
} from 'graphql'
import { expect, it } from 'vitest'
import { EXAMPLES } from '../../../src/graph/http/examples.ts'
import { printSchema, schema } from '../../../src/graph/run/schema.ts'
import { readNote, valuesOf } from '../../../src/graph/schema/field-notes.ts'

it('schema.graphql is the printed schema', () => {
  expect(printSchema()).toBe(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'))
})

/** Everything that can have a description, by its path. */
function* described(type: GraphQLNamedType): Generator<[path: string, description: string | null | undefined]> {
  yield [type.name, type.description]
  if (isEnumType(type)) for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value.description]
  if (!isObjectType(type) && !isInputObjectType(type)) return
  for (const field of Object.values(type.getFields())) {
    yield [`${type.name}.${field.name}`, field.description]
    for (const argument of 'args' in field ? field.args : []) {
      yield [`${type.name}.${field.name}(${argument.name})`, argument.description]
    }
  }
}

it('every type, field, argument and enum value is described in a sentence', () => {
  const own = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !specifiedScalarTypes.some((scalar) => scalar.name === type.name),
  )
  const bare = own.flatMap((type) => [...described(type)]).filter(([, text]) => !/^[A-Z].*\.$/s.test(text ?? ''))
  expect(bare).toEqual([])
})

/** Words that name the unit of a number in a description. */
const UNIT_WORDS =
  /\b(USD|percent|percentage|hours?|0-100|0-1|whole tokens|how (many|often|much)|number|counts?|seconds|blocks?|items|per (minute|day|UTC day)|points?|weight|places|position|identifier|alerts|requests|unit|composite|evidence|raw units)\b/i

it('every value has an example, and every number names its unit in its description', () => {
  const wrong: string[] = []
  for (const [owner, name, value] of valuesOf(schema)) {
    const type = getNamedType(value.type)
    const { unit, example } = readNote(value)
    const isNumber = ['Int', 'Float', 'BigInt', 'Long'].includes(type.name)
    if (example === undefined) wrong.push(`${owner}.${name} has no example: add it to src/graph/schema/field-notes.ts`)
    if (isNumber && unit === undefined)
      wrong.push(`${owner}.${name} has no unit: add it to src/graph/schema/field-notes.ts`)
    if (isNumber && !UNIT_WORDS.test(value.description ?? '')) wrong.push(`${owner}.${name} does not name its unit`)
    if (isEnumType(type)) type.serialize(example)
  }
  expect(wrong).toEqual([])
})

it('every example of GraphiQL is valid', () => {
  for (const { query } of EXAMPLES) expect(validate(schema, parse(query))).toEqual([])
})
